//! CSV exports: rows straight from the database to the client in constant memory.
//!
//! [`csv`] knows the rules of a cell, [`stream`] how a stream starts and ends, [`audit`] what it leaves in the audit
//! log. An export is data: its columns, its query and its entry in the log.

mod audit;
mod channel;
pub mod csv;
mod stream;

pub use self::{
    audit::ExportAudit,
    csv::{Column, Kind},
    stream::{Export, Source, start},
};
