//! What every change of a source ends with: its audit entry, and the source as it is shown.

use contract::{ChatbotId, ErrorCode, TenantId, documents::ChatbotSource, id::SourceId};
use serde_json::Value;
use store::{AuditEntry, PgConnection, documents::list};

use crate::{caller::Caller, error::ApiResult, service::chatbot_tx};

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
    chatbot_tx::entry(caller, (tenant, chatbot), action, ("chatbot_source", id.to_string()), details)
}
