//! Shared parts of feedback and unanswered questions: resolving and reopening them, with audit rows.

use contract::{ChatbotId, TenantId};
use serde_json::json;
use store::{AuditEntry, WriteTx};

use crate::{caller::Caller, error::ApiResult};

/// A change of an entity's status.
pub(super) struct Triage {
    /// The audit actions of handling it and of opening it again.
    pub(super) actions: [&'static str; 2],
    pub(super) entity_type: &'static str,
    pub(super) entity_id: String,
    /// The new status.
    pub(super) handled: bool,
}

impl Triage {
    /// Its row in the audit log.
    pub(super) fn entry(self, caller: &Caller, tenant: TenantId, chatbot: ChatbotId) -> AuditEntry {
        let Self { actions: [handle, reopen], entity_type, entity_id, handled } = self;
        AuditEntry {
            actor: caller.actor(),
            tenant_id: Some(tenant),
            chatbot_id: Some(chatbot),
            action: if handled { handle } else { reopen },
            entity_type,
            entity_id,
            details: json!({ "before": { "handled": !handled }, "after": { "handled": handled } }),
        }
    }
}

/// Audits and commits a change; one that changed nothing leaves nothing.
pub(super) async fn finish(tx: WriteTx, changed: bool, entry: &AuditEntry) -> ApiResult<()> {
    if !changed {
        return Ok(tx.discard().await?);
    }
    Ok(tx.commit_audited(entry).await?)
}
