//! The audit log: the list with its filters and its CSV export, and a single row with its changes.

mod actions;
mod changes;
mod chips;
mod detail;
mod export;
mod filter;
mod latest;
mod links;
mod list;
mod pickers;
mod tail;

pub(crate) use changes::field;
pub(crate) use detail::AuditRowPage;
pub(crate) use latest::LatestAuditCard;
pub(crate) use list::AuditPage;
