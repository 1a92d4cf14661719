//! The table of endpoints, used by the coverage tests, the OpenAPI file and the access matrix.

use crate::endpoint::EndpointInfo;

/// Every endpoint of the REST API, the widget and health.
pub fn table() -> Vec<EndpointInfo> {
    [
        crate::identity::endpoints(),
        crate::tenants::endpoints(),
        crate::usage::endpoints(),
        crate::answer_models::endpoints(),
        crate::people::endpoints(),
        crate::api_keys::endpoints(),
        crate::modules::endpoints(),
        crate::templates::endpoints(),
        crate::chatbots::endpoints(),
        crate::template_update::endpoints(),
        crate::branding::endpoints(),
        crate::feedback::endpoints(),
        crate::embed::endpoints(),
        crate::conversations::endpoints(),
        crate::unanswered::endpoints(),
        crate::faq::endpoints(),
        crate::documents::endpoints(),
        crate::uploads::endpoints(),
        crate::sources::endpoints(),
        crate::tenant_sources::endpoints(),
        crate::websites::endpoints(),
        crate::playground::endpoints(),
        crate::ask::endpoints(),
        crate::knowledge_hub::endpoints(),
        crate::audit::endpoints(),
        crate::output_filter::endpoints(),
        crate::output_filter::events::endpoints(),
        crate::vendor_access::endpoints(),
        crate::system_check::endpoints(),
        crate::preferences::endpoints(),
        crate::widget::endpoints(),
        crate::health::endpoints(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Method, endpoint::Audit};

    #[test]
    fn names_and_routes_are_unique() {
        let table = table();
        let names: BTreeSet<_> = table.iter().map(|e| e.name).collect();
        let routes: BTreeSet<_> = table.iter().map(|e| (e.method.as_str(), e.path)).collect();
        assert_eq!((names.len(), routes.len()), (table.len(), table.len()));
    }

    #[test]
    fn a_get_never_writes_and_a_mutation_is_always_accounted_for() {
        for endpoint in table() {
            // The specification has one GET that is audited.
            let reads = matches!(endpoint.audit, Audit::Reads) || endpoint.name == "ExportOutputFilterAudit";
            assert_eq!(reads, endpoint.method == Method::Get, "{}", endpoint.name);
        }
    }
}
