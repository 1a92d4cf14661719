//! Transactions on a chatbot of the caller's tenant.

use contract::{ChatbotId, ErrorCode, TenantId};
use store::{PgConnection, ReadTx, WriteTx};

use super::tenant_write;
use crate::{caller::Caller, error::ApiResult, state::App};

/// Begins a transaction that reads; gives the tenant with it.
///
/// # Errors
/// `chatbot_not_found`.
pub(super) async fn begin_read(app: &App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<(ReadTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    check(&mut tx, tenant, chatbot).await?;
    Ok((tx, tenant))
}

/// Begins a transaction that writes; gives the tenant with it.
///
/// # Errors
/// `chatbot_not_found`.
pub(super) async fn begin_write(app: &App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<(WriteTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    check(&mut tx, tenant, chatbot).await?;
    Ok((tx, tenant))
}

async fn check(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> ApiResult<()> {
    let found = store::chatbots::find(connection, tenant, chatbot).await?;
    if found.is_some() { Ok(()) } else { Err(ErrorCode::ChatbotNotFound.into()) }
}
