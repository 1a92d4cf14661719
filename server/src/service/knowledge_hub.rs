//! The knowledge hub: a search over the knowledge of all of a tenant's chatbots, and its users' own data. Every call
//! requires the module; only the user can access their own bookmarks, history and saved searches.

pub mod bookmarks;
pub mod documents;
pub mod history;
pub mod popular;
mod ranking;
pub mod retention;
pub mod saved_searches;
pub mod search;
mod snippets;
pub mod summaries;

use contract::{ErrorCode, TenantId, modules::KNOWLEDGE_HUB};
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::{AuditEntry, PgConnection, ReadTx, Scope, WriteTx};

use super::tenant_write;
use crate::{caller::Caller, error::ApiResult, hex, state::App};

/// Begins a read transaction; returns the tenant with it.
async fn begin_read(app: &App, caller: &Caller) -> ApiResult<(ReadTx, TenantId)> {
    begin_read_as(app, caller.tenant()?, &caller.scope()?).await
}

async fn begin_read_as(app: &App, tenant: TenantId, scope: &Scope) -> ApiResult<(ReadTx, TenantId)> {
    let mut tx = app.db.read(scope).await?;
    require_module(&mut tx, tenant).await?;
    Ok((tx, tenant))
}

/// Begins a write transaction; returns the tenant with it.
async fn begin_write(app: &App, caller: &Caller) -> ApiResult<(WriteTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    require_module(&mut tx, tenant).await?;
    Ok((tx, tenant))
}

async fn require_module(connection: &mut PgConnection, tenant: TenantId) -> ApiResult<()> {
    if store::modules::is_enabled(connection, tenant, KNOWLEDGE_HUB).await? {
        Ok(())
    } else {
        Err(ErrorCode::ModuleNotEnabled.into())
    }
}

/// SHA-256 of a text in lower-case hex: operators read the audit log, and a user's texts are that user's alone.
fn sha256(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes()))
}

/// The audit entry of a change of the caller's own records.
fn entry(
    caller: &Caller,
    action: &'static str,
    (entity_type, entity_id): (&'static str, String),
    details: Value,
) -> ApiResult<AuditEntry> {
    let tenant_id = Some(caller.tenant()?);
    Ok(AuditEntry { actor: caller.actor(), tenant_id, chatbot_id: None, action, entity_type, entity_id, details })
}
