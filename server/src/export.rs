//! CSV exports: rows are streamed from the database to the client in constant memory.
//!
//! [`csv`] has the rules for cells, [`stream`] the start and the end of a stream, [`audit`] its audit row. Each export
//! defines its columns, its query and its audit entry.

mod audit;
mod channel;
pub mod csv;
mod stream;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use self::{
    audit::ExportAudit,
    csv::{Column, Kind, Separator},
    stream::{Client, Export, RowSource, start},
};

/// The name of an export's file: its content, its tenant or chatbot, and the time in seconds. Nothing in it comes from
/// the caller except a parsed UUID.
pub fn file_name(what: &str, of: Option<Uuid>, now: DateTime<Utc>) -> String {
    let of = of.map(|of| format!("-{of}")).unwrap_or_default();
    format!("svc-{what}{of}-{}.csv", now.format("%Y%m%d-%H%M%S"))
}
