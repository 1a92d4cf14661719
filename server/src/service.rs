//! Use cases: open a transaction, apply the rules, write, audit, commit. One file per aggregate. Every function that uses
//! the database fails when the database does; `# Errors` names further causes.

pub mod answer_models;
pub mod answers;
pub mod api_keys;
pub mod audit;
pub mod branding;
mod chatbot_tx;
pub mod chatbots;
pub mod conversations;
mod cursor_page;
pub mod embed;
pub mod feedback;
pub mod idempotency;
pub mod jobs;
pub mod knowledge;
pub mod knowledge_hub;
pub mod modules;
pub mod output_filter;
pub mod overview;
pub mod people;
pub mod preferences;
pub mod queued_ingestion;
pub mod template_update;
pub mod templates;
mod tenant_write;
pub mod tenants;
mod triage;
pub mod unanswered;
pub mod usage;
pub mod vendor_access;
pub mod worker;
