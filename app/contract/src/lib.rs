//! The contract between the server and its clients: wire types, typed ids, error codes and the table of endpoints.
//!
//! One module per aggregate; each module lists its own endpoints and [`table()`] joins them. This crate depends on no
//! framework, database or browser.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

pub mod answer_models;
pub mod api_keys;
pub mod ask;
pub mod audit;
pub mod branding;
pub mod chatbots;
#[cfg(all(feature = "client", target_arch = "wasm32"))]
pub mod client;
pub mod clients;
pub mod conversations;
pub mod csv;
pub mod documents;
pub mod embed;
pub mod endpoint;
pub mod error;
pub mod faq;
pub mod feedback;
pub mod file;
pub mod generated_by;
pub mod health;
pub mod id;
pub mod identity;
#[cfg(not(target_arch = "wasm32"))]
pub mod input;
#[cfg(target_arch = "wasm32")]
#[path = "input/browser.rs"]
mod input;
pub mod jobs;
pub mod key_scope;
pub mod knowledge_hub;
pub mod markdown;
pub mod media_types;
pub mod modules;
pub mod moment;
pub mod origin;
pub mod output_filter;
pub mod page;
pub mod patch;
pub mod people;
pub mod percent;
pub mod playground;
pub mod preferences;
pub mod sources;
pub mod system_check;
mod table;
pub mod template_update;
pub mod templates;
pub mod tenant_sources;
pub mod tenants;
mod text_enum;
pub mod unanswered;
pub mod uploads;
pub mod usage;
pub mod validate;
pub mod vendor_access;
pub mod websites;
pub mod widget;

pub use endpoint::{Access, Endpoint, Method};
pub use error::{ErrorBody, ErrorCode, FieldError};
pub use id::{
    AuditId, ChatbotId, FaqId, FeedbackId, JobId, MessageId, ModuleId, OriginalId, OutputFilterEventId, PersonId,
    SessionId, TemplateId, TenantId, UploadId,
};
pub use page::Page;
pub use patch::Patch;
pub use table::table;
pub use text_enum::UnknownValue;
pub use validate::Validate;

/// A moment in UTC; on the wire RFC 3339 with `Z` and at most microseconds.
pub type Timestamp = chrono::DateTime<chrono::Utc>;
