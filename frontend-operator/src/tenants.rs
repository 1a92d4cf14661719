//! Tenants: the list, one tenant, and the dialogs that create, change and delete one.

mod delete;
mod detail;
mod form;
mod list;
mod selection;

pub(crate) use detail::TenantPage;
pub(crate) use list::TenantsPage;
