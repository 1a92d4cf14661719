//! The audit log. Each row is written in the transaction of the change that it records, read by operators and vendors,
//! and archived later.

pub mod archive;
mod filter;
pub mod read;
mod write;

pub(crate) use write::insert;
pub use write::{Actor, AuditEntry, changed, created};
