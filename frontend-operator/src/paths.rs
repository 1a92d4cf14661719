//! The console's addresses.

use contract::{TemplateId, TenantId};

/// The overview.
pub(crate) const HOME: &str = "/admin/operator/";
/// The list of tenants.
pub(crate) const TENANTS: &str = "/admin/operator/tenants";
/// The list of templates.
pub(crate) const TEMPLATES: &str = "/admin/operator/templates";
/// The form of a new template.
pub(crate) const NEW_TEMPLATE: &str = "/admin/operator/templates/new";
/// The connectors.
pub(crate) const CONNECTORS: &str = "/admin/operator/connectors";

/// The page of a tenant.
pub(crate) fn tenant(id: TenantId) -> String {
    format!("{TENANTS}/{id}")
}

/// The page of a template.
pub(crate) fn template(id: &TemplateId) -> String {
    format!("{TEMPLATES}/{id}")
}
