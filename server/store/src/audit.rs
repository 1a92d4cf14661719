//! The audit log: its rows are written in the transaction of what they record, read by operators and vendors, and archived.

pub mod archive;
mod filter;
pub mod read;
mod write;

pub(crate) use write::insert;
pub use write::{Actor, AuditEntry, changed, created};
