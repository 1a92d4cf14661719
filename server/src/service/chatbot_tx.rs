//! Transactions on a chatbot of the caller's tenant.

use contract::{ChatbotId, ErrorCode, TenantId, chatbots::ChatbotStatus};
use serde_json::Value;
use store::{AuditEntry, PgConnection, ReadTx, WriteTx};

use super::tenant_write;
use crate::{caller::Caller, error::ApiResult, state::App};

/// Begins a read transaction; returns the tenant with it.
///
/// # Errors
/// `chatbot_not_found`.
pub(super) async fn begin_read(app: &App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<(ReadTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    check(&mut tx, tenant, chatbot).await?;
    Ok((tx, tenant))
}

/// Begins a write transaction; returns the tenant with it.
///
/// # Errors
/// `chatbot_not_found`.
pub(super) async fn begin_write(app: &App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<(WriteTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    check(&mut tx, tenant, chatbot).await?;
    Ok((tx, tenant))
}

/// Whether a transaction locks its chatbot against changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lock {
    Chatbot,
    Nothing,
}

/// Begins a write transaction on an active chatbot; returns the tenant with it.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`.
pub(super) async fn begin_active(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    lock: Lock,
) -> ApiResult<(WriteTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let stored = match lock {
        Lock::Chatbot => store::chatbots::find_for_update(&mut tx, tenant, chatbot).await?,
        Lock::Nothing => store::chatbots::find(&mut tx, tenant, chatbot).await?,
    };
    match stored.ok_or(ErrorCode::ChatbotNotFound)?.status {
        ChatbotStatus::Deactivated => Err(ErrorCode::ChatbotNotActive.into()),
        ChatbotStatus::Active => Ok((tx, tenant)),
    }
}

/// The audit entry of a change of something that belongs to a chatbot: its kind and its id.
pub(super) fn entry(
    caller: &Caller,
    (tenant, chatbot): (TenantId, ChatbotId),
    action: &'static str,
    (entity_type, entity_id): (&'static str, String),
    details: Value,
) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: Some(chatbot),
        action,
        entity_type,
        entity_id,
        details,
    }
}

async fn check(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> ApiResult<()> {
    let stored = store::chatbots::find(connection, tenant, chatbot).await?;
    if stored.is_some() { Ok(()) } else { Err(ErrorCode::ChatbotNotFound.into()) }
}
