//! API keys of a tenant: list, create, change, revoke.

use chrono::{SubsecRound, Utc};
use contract::{
    ErrorCode, Page, TenantId, Timestamp,
    api_keys::{ApiKey, ApiKeyFigures, ApiKeyPatch, CreatedApiKey, NewApiKey},
    audit::actions,
    id::ApiKeyId,
    page::LimitOffset,
};
use serde_json::{Value, json};
use store::{AuditEntry, WriteTx, api_keys, audit};
use uuid::Uuid;

use super::tenant_write;
use crate::{
    auth::api_key::{self, KeyText},
    caller::Caller,
    error::{ApiError, ApiResult, on_constraint},
    precondition::IfMatch,
    state::App,
};

/// Maximum keys of a tenant that are not revoked.
const MAX_API_KEYS: i64 = 100;

const NAME_KEY: &str = "api_keys_live_name_key";

/// A page of the tenant's keys.
pub async fn list(app: &App, caller: &Caller, query: &LimitOffset) -> ApiResult<Page<ApiKey>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    Ok(api_keys::list(&mut tx, caller.tenant()?, query).await?)
}

/// A key of the tenant.
///
/// # Errors
/// `api_key_not_found`.
pub async fn get(app: &App, caller: &Caller, id: ApiKeyId) -> ApiResult<ApiKey> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let key = api_keys::find(&mut tx, caller.tenant()?, id).await?;
    key.ok_or_else(|| ErrorCode::ApiKeyNotFound.into())
}

/// Creates a key and returns its secret, which is stored nowhere.
///
/// # Errors
/// `keys_not_allowed`, `api_key_name_taken`, `quota_api_keys`, and `validation_error` for an end in the past or a chatbot that
/// the tenant does not have.
pub async fn create(app: &App, caller: &Caller, new: NewApiKey) -> ApiResult<CreatedApiKey> {
    let tenant = caller.tenant()?;
    check_end(new.expires_at)?;
    let hash_secret = api_keys::hash_secret(&app.db).await?;
    let secret = api_key::generate();
    let text = KeyText::parse(&secret).ok_or(ErrorCode::InternalError)?;
    let now = Utc::now().trunc_subsecs(6);
    let key = ApiKey {
        id: ApiKeyId(Uuid::now_v7()),
        name: new.name.trim().to_owned(),
        prefix: secret[..contract::api_keys::KEY_MARK.len() + text.prefix().len()].to_owned(),
        scopes: new.scopes,
        chatbot_ids: new.chatbot_ids,
        allowed_addresses: new.allowed_addresses,
        expires_at: new.expires_at.map(|end| end.trunc_subsecs(6)),
        created_by: caller.identity.username.clone(),
        created_at: now,
        updated_at: now,
        last_used_at: None,
        revoked_at: None,
    };
    let mut tx = tenant_write::begin(app, caller).await?;
    let own = store::tenants::find(&mut tx, tenant).await?.ok_or(ErrorCode::TenantNotActive)?;
    if !own.api_keys_allowed {
        return Err(ErrorCode::KeysNotAllowed.into());
    }
    check_chatbots(&mut tx, tenant, &key).await?;
    let used = api_keys::lock_and_count(&mut tx, tenant).await?;
    if used >= MAX_API_KEYS {
        return Err(ApiError::quota(ErrorCode::QuotaApiKeys, MAX_API_KEYS, used));
    }
    api_keys::insert(&mut tx, tenant, &key, &text.hash(&hash_secret)).await.map_err(name_taken)?;
    let details = json!({ "before": null, "after": described(&key) });
    tx.commit_audited(&entry(caller, tenant, actions::API_KEY_CREATED, key.id, details)).await?;
    Ok(CreatedApiKey { key, secret })
}

/// Changes a key; a change that changes nothing writes nothing.
///
/// # Errors
/// `api_key_not_found`, `precondition_failed`, `api_key_revoked`, `api_key_name_taken`, and `validation_error` like [`create`].
pub async fn update(
    app: &App,
    caller: &Caller,
    id: ApiKeyId,
    if_match: &IfMatch,
    patch: ApiKeyPatch,
) -> ApiResult<ApiKey> {
    let tenant = caller.tenant()?;
    check_end(patch.expires_at.value().copied())?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let before = api_keys::find_for_update(&mut tx, tenant, id).await?.ok_or(ErrorCode::ApiKeyNotFound)?;
    if_match.check(&before)?;
    if before.revoked_at.is_some() {
        return Err(ErrorCode::ApiKeyRevoked.into());
    }
    let mut after = before.clone();
    after.name = patch.name.map_or(after.name, |name| name.trim().to_owned());
    after.scopes = patch.scopes.unwrap_or(after.scopes);
    after.allowed_addresses = patch.allowed_addresses.unwrap_or(after.allowed_addresses);
    patch.chatbot_ids.apply(&mut after.chatbot_ids);
    patch.expires_at.apply(&mut after.expires_at);
    after.expires_at = after.expires_at.map(|end| end.trunc_subsecs(6));
    if after.chatbot_ids != before.chatbot_ids {
        check_chatbots(&mut tx, tenant, &after).await?;
    }
    let Some(details) = audit::changed(&described(&before), &described(&after)) else {
        tx.discard().await?;
        return Ok(before);
    };
    api_keys::update(&mut tx, tenant, &after).await.map_err(name_taken)?;
    let after = api_keys::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::InternalError)?;
    tx.commit_audited(&entry(caller, tenant, actions::API_KEY_UPDATED, id, details)).await?;
    Ok(after)
}

/// Revokes a key. Of several calls at once, one revokes it and writes the audit row.
///
/// # Errors
/// `api_key_not_found`.
pub async fn revoke(app: &App, caller: &Caller, id: ApiKeyId) -> ApiResult<()> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let key = api_keys::find_for_update(&mut tx, tenant, id).await?.ok_or(ErrorCode::ApiKeyNotFound)?;
    if key.revoked_at.is_some() {
        tx.discard().await?;
        return Ok(());
    }
    api_keys::revoke(&mut tx, tenant, id).await?;
    let details = json!({ "before": described(&key), "after": null });
    tx.commit_audited(&entry(caller, tenant, actions::API_KEY_REVOKED, id, details)).await?;
    Ok(())
}

/// How many keys of a tenant can be used, and when one last was.
///
/// # Errors
/// `tenant_not_found`.
pub async fn figures(app: &App, caller: &Caller, tenant: TenantId) -> ApiResult<ApiKeyFigures> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    if !store::tenants::is_active(&mut tx, tenant).await? {
        return Err(ErrorCode::TenantNotFound.into());
    }
    Ok(api_keys::figures(&mut tx, tenant).await?)
}

fn check_end(expires_at: Option<Timestamp>) -> ApiResult<()> {
    if expires_at.is_some_and(|end| end <= Utc::now()) {
        return Err(ApiError::field(&["body", "expires_at"], "must be in the future", "past"));
    }
    Ok(())
}

/// Refuses a chatbot that the tenant does not have, wherever it may exist.
async fn check_chatbots(tx: &mut WriteTx, tenant: TenantId, key: &ApiKey) -> ApiResult<()> {
    let Some(ids) = &key.chatbot_ids else { return Ok(()) };
    let owned = store::chatbots::owned(tx, tenant, ids).await?;
    match ids.iter().position(|id| !owned.contains(id)) {
        None => Ok(()),
        Some(index) => {
            let loc = ["body", "chatbot_ids", &index.to_string()];
            Err(ApiError::field(&loc, "is not a chatbot of this tenant", "chatbot"))
        }
    }
}

fn name_taken(error: store::Error) -> ApiError {
    on_constraint(error, NAME_KEY, ErrorCode::ApiKeyNameTaken)
}

/// A key as the audit log has it: what it may do, and the prefix that names it.
fn described(key: &ApiKey) -> Value {
    json!({
        "name": key.name,
        "prefix": key.prefix,
        "scopes": key.scopes,
        "chatbot_ids": key.chatbot_ids,
        "allowed_addresses": key.allowed_addresses,
        "expires_at": key.expires_at,
    })
}

fn entry(caller: &Caller, tenant: TenantId, action: &'static str, id: ApiKeyId, details: Value) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: None,
        action,
        entity_type: "api_key",
        entity_id: id.to_string(),
        details,
    }
}
