//! CSV exports: rows straight from the database to the client in constant memory.
//!
//! [`csv`] knows the rules of a cell, [`stream`] how a stream starts and ends, [`audit`] what it leaves in the audit
//! log. An export is data: its columns, its query and its entry in the log.

mod audit;
mod channel;
pub mod csv;
mod stream;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use self::{
    audit::ExportAudit,
    csv::{Column, Kind},
    stream::{Export, Source, start},
};

/// The name of an export's file: what it holds, the tenant or chatbot that it is of, and the second. Nothing of it comes from the caller
/// but a UUID that was parsed.
pub fn file_name(what: &str, of: Option<Uuid>, now: DateTime<Utc>) -> String {
    let of = of.map(|of| format!("-{of}")).unwrap_or_default();
    format!("svc-{what}{of}-{}.csv", now.format("%Y%m%d-%H%M%S"))
}
