//! The audit rows of an ingestion: an operator on the machine created, replaced or removed a document of a tenant. Like
//! those of uploads, they contain ids and hashes of documents but no names and paths, because vendors can read them.

use contract::{audit::actions, chatbots::Chatbot, id::SourceId};
use serde_json::{Value, json};
use store::{AuditEntry, documents::SourceKind};

use super::source::Known;
use crate::caller;

/// The audit entry of a new source.
pub(super) fn source_created(chatbot: &Chatbot, source: SourceId) -> AuditEntry {
    let details = json!({ "before": null, "after": { "kind": SourceKind::Files } });
    entry(chatbot, actions::CHATBOT_SOURCE_CREATED, ("chatbot_source", source.to_string()), details)
}

/// The audit entry of a source whose name was a relative path.
pub(super) fn source_renamed(chatbot: &Chatbot, source: SourceId) -> AuditEntry {
    let details = json!({ "before": { "renamed": false }, "after": { "renamed": true } });
    entry(chatbot, actions::CHATBOT_SOURCE_UPDATED, ("chatbot_source", source.to_string()), details)
}

/// The audit entry of a new document.
pub(super) fn created(chatbot: &Chatbot, source: SourceId, new: &Known) -> AuditEntry {
    let after = json!({ "source_id": source, "content_hash": new.hash });
    let details = json!({ "before": null, "after": after });
    of_document(chatbot, actions::CHATBOT_DOCUMENT_CREATED, new, details)
}

/// A document with other content, or the same content as a newer reader reads it.
pub(super) fn replaced(chatbot: &Chatbot, former: &Known, new: &Known) -> AuditEntry {
    let details = json!({ "before": { "content_hash": hash(former) }, "after": { "content_hash": new.hash } });
    of_document(chatbot, actions::CHATBOT_DOCUMENT_REPLACED, new, details)
}

/// The row of a removed document.
pub(super) fn deleted(chatbot: &Chatbot, source: SourceId, former: &Known) -> AuditEntry {
    let before = json!({ "source_id": source, "content_hash": hash(former) });
    let details = json!({ "before": before, "after": null });
    of_document(chatbot, actions::CHATBOT_DOCUMENT_DELETED, former, details)
}

/// Its hash, if it is known.
fn hash(document: &Known) -> Option<&str> {
    Some(document.hash.as_str()).filter(|hash| !hash.is_empty())
}

fn of_document(chatbot: &Chatbot, action: &'static str, document: &Known, details: Value) -> AuditEntry {
    entry(chatbot, action, ("chatbot_document", document.id.to_string()), details)
}

fn entry(
    chatbot: &Chatbot,
    action: &'static str,
    (entity_type, entity_id): (&'static str, String),
    details: Value,
) -> AuditEntry {
    AuditEntry {
        actor: caller::command_line(),
        tenant_id: Some(chatbot.tenant_id),
        chatbot_id: Some(chatbot.id),
        action,
        entity_type,
        entity_id,
        details,
    }
}
