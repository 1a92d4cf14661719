//! Use cases: open a transaction, apply the rules, write, audit, commit. One file per aggregate.

pub mod answers;
pub mod audit_archive;
pub mod audit_log;
pub mod branding;
pub mod chatbots;
pub mod collections;
pub mod conversation_retention;
pub mod conversations;
pub mod embed;
pub mod erasure;
pub mod fair_queue;
pub mod feedback;
mod key_pages;
pub mod modules;
pub mod output_filter_events;
pub mod output_filter_export;
pub mod overview;
pub mod preferences;
pub mod provisioning;
pub mod retrieval;
pub mod template_update;
pub mod templates;
pub mod tenant_modules;
pub mod tenants;
pub mod vendor_access;
