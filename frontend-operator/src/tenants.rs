//! Tenants: the list, one tenant, and the dialogs that create, change and delete one.

mod answer_models;
mod api_keys_card;
mod branding;
mod branding_card;
mod bulk_modules;
mod delete;
mod detail;
mod form;
mod hosts_card;
mod list;
mod selection;
mod source_labels;
mod sources_card;
mod usage;

pub(crate) use branding::TenantBrandingPage;
pub(crate) use detail::TenantPage;
pub(crate) use list::TenantsPage;
