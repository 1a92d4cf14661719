//! Database access: the connection pool, transactions with scope and audit token, and one module of SQL per aggregate.
//!
//! Functions of the aggregate modules take an open transaction, run one statement and return contract types. Rules,
//! status codes and transaction boundaries belong to the server's services. Every function fails when the database
//! does; `# Errors` names further causes.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

pub mod api_keys;
pub mod audit;
pub mod backup;
pub mod bootstrap;
pub mod branding;
pub mod branding_pictures;
pub mod chatbots;
pub mod connection;
pub mod conversations;
pub mod cursor;
pub mod db;
pub mod documents;
pub mod error;
pub mod export;
pub mod faq;
pub mod feedback;
pub mod idempotency;
pub mod installation;
pub mod jobs;
pub mod knowledge_hub;
pub mod model_usage;
pub mod modules;
pub mod output_filter;
pub mod overview;
pub mod passages;
pub mod people;
pub mod preferences;
pub mod reindexing;
pub mod scope;
pub mod second_vectors;
pub mod sources;
pub mod stored_days;
pub mod system_check;
pub mod templates;
pub mod tenant_sources;
pub mod tenants;
pub mod tx;
pub mod unanswered;
pub mod upgrade;
pub mod uploads;
pub mod usage;
pub mod vectors;
pub mod vendor_access;
pub mod websites;
pub mod widget;

mod address;
mod availability;
mod connection_limiter;
mod list;
mod local_settings;
mod migrations;
mod open;
mod reader;
pub mod requirements;

pub use audit::{Actor, AuditEntry};
pub use connection::PgConnection;
pub use connection_limiter::ConnectionShares;
pub use cursor::{Cursor, CursorList, Side};
pub use db::{Db, DbSettings};
pub use error::{Error, Result};
pub use export::ExportTx;
pub use migrations::{migrate, pending as pending_migrations, refuse_newer};
pub use scope::Scope;
pub use tx::{Exemption, ReadTx, WriteTx};
