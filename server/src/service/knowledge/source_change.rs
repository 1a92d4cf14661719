//! What every change of a source begins and ends with: its transaction, its audit entry, and the source as it is shown.

use contract::{ChatbotId, ErrorCode, TenantId, chatbots::ChatbotStatus, documents::ChatbotSource, id::SourceId};
use serde_json::Value;
use store::{AuditEntry, PgConnection, WriteTx, documents::list};

use crate::{caller::Caller, error::ApiResult, service::tenant_write, state::App};

/// Begins a change of what an active chatbot knows.
pub(super) async fn begin_active(app: &App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<(WriteTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let found = store::chatbots::find(&mut tx, tenant, chatbot).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if found.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    Ok((tx, tenant))
}

pub(super) async fn shown(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: SourceId,
) -> ApiResult<ChatbotSource> {
    let source = list::source(connection, tenant, chatbot, id).await?;
    source.ok_or_else(|| ErrorCode::SourceNotFound.into())
}

pub(super) fn entry(
    caller: &Caller,
    tenant: TenantId,
    chatbot: ChatbotId,
    action: &'static str,
    id: SourceId,
    details: Value,
) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: Some(chatbot),
        action,
        entity_type: "chatbot_source",
        entity_id: id.to_string(),
        details,
    }
}
