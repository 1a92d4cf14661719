//! Modules: the registry, and which of them one tenant has.

mod form;
mod list;
mod tenant_card;

pub(crate) use list::ModulesPage;
pub(crate) use tenant_card::TenantModulesCard;
