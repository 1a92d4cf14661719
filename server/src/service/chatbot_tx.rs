//! Transactions in which a chatbot is known to be the caller's tenant's.

use contract::{ChatbotId, ErrorCode, TenantId};
use store::{PgConnection, ReadTx, WriteTx};

use super::tenant_write;
use crate::{caller::Caller, error::ApiResult, state::App};

/// One that reads, with the tenant.
///
/// # Errors
/// `chatbot_not_found`.
pub(super) async fn read(app: &App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<(ReadTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    check(&mut tx, tenant, chatbot).await?;
    Ok((tx, tenant))
}

/// One that writes, with the tenant.
///
/// # Errors
/// `chatbot_not_found`.
pub(super) async fn write(app: &App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<(WriteTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    check(&mut tx, tenant, chatbot).await?;
    Ok((tx, tenant))
}

async fn check(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> ApiResult<()> {
    let found = store::chatbots::find(connection, tenant, chatbot).await?;
    if found.is_some() { Ok(()) } else { Err(ErrorCode::ChatbotNotFound.into()) }
}
