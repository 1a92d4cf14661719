//! Shared parts of changes of a source: its lock, its audit entry, and its representation.

use contract::{
    ChatbotId, ErrorCode, TenantId,
    documents::{ChatbotSource, SourceKind},
    id::SourceId,
};
use serde_json::Value;
use store::{
    AuditEntry, PgConnection, WriteTx,
    documents::list,
    sources::{self, Source},
};

use crate::{caller::Caller, error::ApiResult, service::chatbot_tx};

pub(super) async fn find(
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

/// A source that the tenant fills, locked together with its contents.
pub(super) async fn lock(tx: &mut WriteTx, tenant: TenantId, chatbot: ChatbotId, id: SourceId) -> ApiResult<Source> {
    let source = sources::lock(tx, tenant, chatbot, id).await?;
    filled_by_tenant(source)
}

/// The source if it is the tenant's own: one that it fills, or a website.
pub(super) fn owned(source: Option<Source>) -> ApiResult<Source> {
    match source {
        Some(source) if source.kind == SourceKind::Website => Ok(source),
        other => filled_by_tenant(other),
    }
}

/// The source if the tenant fills it.
pub(super) fn filled_by_tenant(source: Option<Source>) -> ApiResult<Source> {
    let source = source.ok_or(ErrorCode::SourceNotFound)?;
    match source.kind {
        SourceKind::Upload | SourceKind::Api => Ok(source),
        SourceKind::FaqSeed | SourceKind::Files | SourceKind::Faq | SourceKind::Website => {
            Err(ErrorCode::SourceReadOnly.into())
        }
    }
}
