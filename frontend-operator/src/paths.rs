//! The console's addresses.

use contract::{AuditId, TemplateId, TenantId};

/// The overview.
pub(crate) const HOME: &str = "/admin/operator/";
pub(crate) const TENANTS: &str = "/admin/operator/tenants";
pub(crate) const TEMPLATES: &str = "/admin/operator/templates";
/// The form of a new template.
pub(crate) const NEW_TEMPLATE: &str = "/admin/operator/templates/new";
pub(crate) const MODULES: &str = "/admin/operator/modules";
pub(crate) const AUDIT: &str = "/admin/operator/audit";
/// The export of the output-filter audit.
pub(crate) const OUTPUT_FILTER: &str = "/admin/operator/output-filter";
pub(crate) const VENDOR_ACCESS: &str = "/admin/operator/vendor-access";
/// The check of the installation.
pub(crate) const SYSTEM_CHECK: &str = "/admin/operator/system-check";
/// The parameter that opens the form of something new on a list.
pub(crate) const CREATE: &str = "create";
pub(crate) const CONNECTORS: &str = "/admin/operator/connectors";

pub(crate) fn tenant(id: TenantId) -> String {
    format!("{TENANTS}/{id}")
}

pub(crate) fn tenant_branding(id: TenantId) -> String {
    format!("{TENANTS}/{id}/branding")
}

pub(crate) fn template(id: &TemplateId) -> String {
    format!("{TEMPLATES}/{id}")
}

/// The form of a template's next version.
pub(crate) fn edit_template(id: &TemplateId) -> String {
    format!("{TEMPLATES}/{id}/edit")
}

/// The page of an audit row.
pub(crate) fn audit_row(id: AuditId) -> String {
    format!("{AUDIT}/{id}")
}

/// The audit log with these filters.
pub(crate) fn audit_of(filters: &[(&str, &str)]) -> String {
    let mut query = leptos_router::params::ParamsMap::new();
    for (key, value) in filters {
        query.insert((*key).to_owned(), (*value).to_owned());
    }
    format!("{AUDIT}{}", query.to_query_string())
}

/// A list with the form of something new.
pub(crate) fn create(list: &str) -> String {
    format!("{list}?{CREATE}=1")
}
