//! Branding of a tenant, by itself and by operators, and of its chatbots: reads, and upserts. Nothing is stored before
//! the first edit, and an edit without changes writes nothing.

pub mod pictures;

use contract::{
    ChatbotId, ErrorCode, TenantId,
    audit::actions,
    branding::{
        BrandingFieldsPatch, ChatbotBranding, OperatorBrandingPatch, PICTURE_PATH, TenantBranding, TenantBrandingPatch,
    },
    chatbots::ChatbotStatus,
};
use store::{AuditEntry, WriteTx, audit, branding_pictures};

use self::pictures::NamedPicture;
use crate::{caller::Caller, error::ApiResult, precondition::IfMatch, service::tenant_write, state::App};

/// The branding of the caller's tenant.
pub async fn get_own(app: &App, caller: &Caller) -> ApiResult<TenantBranding> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let branding = store::branding::find_tenant(&mut tx, caller.tenant()?).await?;
    Ok(branding.with_warnings())
}

/// Changes the branding of the caller's tenant.
///
/// # Errors
/// `precondition_failed`.
pub async fn update_own(
    app: &App,
    caller: &Caller,
    if_match: &IfMatch,
    patch: TenantBrandingPatch,
) -> ApiResult<TenantBranding> {
    change_own(app, caller, if_match, patch, None).await
}

/// Stores the picture that a change brought, and removes those that nothing shows any more. The transaction has the lock of the
/// tenant's branding, so that no other change shows a picture again in the meantime.
async fn keep_pictures(tx: &mut WriteTx, tenant: TenantId, picture: Option<NamedPicture>) -> ApiResult<()> {
    if let Some(NamedPicture { name, bytes }) = picture {
        branding_pictures::insert(tx, tenant, &name, &bytes).await?;
    }
    Ok(branding_pictures::remove_unused(tx, tenant, PICTURE_PATH).await?)
}

async fn change_own(
    app: &App,
    caller: &Caller,
    if_match: &IfMatch,
    patch: TenantBrandingPatch,
    picture: Option<NamedPicture>,
) -> ApiResult<TenantBranding> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    store::branding::lock_tenant(&mut tx, tenant).await?;
    let before = store::branding::find_tenant(&mut tx, tenant).await?;
    if_match.check(&before.clone().with_warnings())?;
    let mut after = before.clone();
    patch.apply(&mut after);
    let Some(details) = audit::changed(&before, &after) else {
        tx.discard().await?;
        return Ok(before.with_warnings());
    };
    store::branding::upsert_tenant(&mut tx, tenant, &after).await?;
    keep_pictures(&mut tx, tenant, picture).await?;
    commit(tx, caller, tenant, details).await
}

/// The branding of a live tenant, for an operator.
///
/// # Errors
/// `tenant_not_found`.
pub async fn get_of_tenant(app: &App, caller: &Caller, tenant: TenantId) -> ApiResult<TenantBranding> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    if !store::tenants::is_active(&mut tx, tenant).await? {
        return Err(ErrorCode::TenantNotFound.into());
    }
    let branding = store::branding::find_tenant(&mut tx, tenant).await?;
    Ok(branding.with_warnings())
}

/// Changes the branding of a live tenant, its custom styles included, for an operator.
///
/// # Errors
/// `tenant_not_found`, `precondition_failed`.
pub async fn update_of_tenant(
    app: &App,
    caller: &Caller,
    tenant: TenantId,
    if_match: &IfMatch,
    patch: OperatorBrandingPatch,
) -> ApiResult<TenantBranding> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    // Lock branding before tenant, as in a tenant's own edit, whose insert locks the tenant's row by its foreign key.
    store::branding::lock_tenant(&mut tx, tenant).await?;
    store::tenants::find_for_update(&mut tx, tenant).await?.ok_or(ErrorCode::TenantNotFound)?;
    let before = store::branding::find_tenant(&mut tx, tenant).await?;
    if_match.check(&before.clone().with_warnings())?;
    let mut after = before.clone();
    patch.apply(&mut after);
    let Some(details) = audit::changed(&before, &after) else {
        tx.discard().await?;
        return Ok(before.with_warnings());
    };
    store::branding::upsert_tenant_with_css(&mut tx, tenant, &after).await?;
    keep_pictures(&mut tx, tenant, None).await?;
    commit(tx, caller, tenant, details).await
}

async fn commit(
    mut tx: WriteTx,
    caller: &Caller,
    tenant: TenantId,
    details: serde_json::Value,
) -> ApiResult<TenantBranding> {
    let written = store::branding::find_tenant(&mut tx, tenant).await?;
    let entry = AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: None,
        action: actions::TENANT_BRANDING_UPDATED,
        entity_type: "tenant_branding",
        entity_id: tenant.to_string(),
        details,
    };
    tx.commit_audited(&entry).await?;
    Ok(written.with_warnings())
}

/// The branding of a chatbot of the caller's tenant, active or not.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn get_of_chatbot(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<ChatbotBranding> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    let branding = store::branding::find_chatbot(&mut tx, tenant, id).await?;
    Ok(branding.with_warnings())
}

/// Changes the branding of an active chatbot of the caller's tenant.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`, `precondition_failed`.
pub async fn update_of_chatbot(
    app: &App,
    caller: &Caller,
    id: ChatbotId,
    if_match: &IfMatch,
    patch: BrandingFieldsPatch,
) -> ApiResult<ChatbotBranding> {
    change_of_chatbot(app, caller, id, if_match, patch, None).await
}

async fn change_of_chatbot(
    app: &App,
    caller: &Caller,
    id: ChatbotId,
    if_match: &IfMatch,
    patch: BrandingFieldsPatch,
    picture: Option<NamedPicture>,
) -> ApiResult<ChatbotBranding> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    store::branding::lock_tenant(&mut tx, tenant).await?;
    let chatbot = store::chatbots::find_for_update(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if chatbot.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    let before = store::branding::find_chatbot(&mut tx, tenant, id).await?;
    if_match.check(&before.clone().with_warnings())?;
    let mut fields = before.fields.clone();
    patch.apply(&mut fields);
    let Some(details) = audit::changed(&before.fields, &fields) else {
        tx.discard().await?;
        return Ok(before.with_warnings());
    };
    store::branding::upsert_chatbot(&mut tx, tenant, id, &fields).await?;
    keep_pictures(&mut tx, tenant, picture).await?;
    let written = store::branding::find_chatbot(&mut tx, tenant, id).await?;
    let entry = AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: Some(id),
        action: actions::CHATBOT_BRANDING_UPDATED,
        entity_type: "chatbot_branding",
        entity_id: id.to_string(),
        details,
    };
    tx.commit_audited(&entry).await?;
    Ok(written.with_warnings())
}
