//! Modules: the registry, and the modules of one tenant.

mod form;
mod list;
mod tenant_card;

pub(crate) use list::ModulesPage;
pub(crate) use tenant_card::TenantModulesCard;
