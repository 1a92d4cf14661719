//! Chatbots of a tenant: list, create with snapshot and collection, show, deactivate.

use contract::{
    ChatbotId, ErrorCode, Page, TemplateId, TenantId,
    chatbots::{Chatbot, ChatbotListQuery, ChatbotStatus, NewChatbot, Provisioning},
    templates::Template,
};
use store::{AuditEntry, WriteTx, audit};
use uuid::Uuid;

use crate::{
    app_state::App,
    http::{
        caller::Caller,
        error::{ApiError, ApiResult, conflict},
    },
    service::provisioning,
};

/// A page of a tenant's chatbots.
///
/// # Errors
/// `tenant_not_found` when there is no such live tenant.
pub async fn list(app: &App, caller: &Caller, tenant: TenantId, query: &ChatbotListQuery) -> ApiResult<Page<Chatbot>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    if !store::tenants::is_live(&mut tx, tenant).await? {
        return Err(ErrorCode::TenantNotFound.into());
    }
    let chatbots = store::chatbots::list(&mut tx, tenant, query).await?;
    tx.end().await?;
    Ok(chatbots)
}

/// A chatbot of the caller's tenant.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn get(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<Chatbot> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let chatbot = store::chatbots::find(&mut tx, caller.tenant()?, id).await?;
    tx.end().await?;
    chatbot.ok_or_else(|| ErrorCode::ChatbotNotFound.into())
}

/// Creates a chatbot: row, snapshot, collection and audit row in one transaction; then the
/// template's questions and answers are indexed in the background.
///
/// # Errors
/// `chatbot_slug_taken`, `template_not_found`.
pub async fn create(app: &App, caller: &Caller, new: NewChatbot) -> ApiResult<Chatbot> {
    create_with_id(app, caller, ChatbotId(Uuid::new_v4()), new).await
}

/// Creates a chatbot with a given id, for the demo world.
///
/// # Errors
/// `chatbot_slug_taken`, `template_not_found`.
pub async fn create_with_id(app: &App, caller: &Caller, id: ChatbotId, new: NewChatbot) -> ApiResult<Chatbot> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.write(&caller.scope()?).await?;
    let template = match &new.template_id {
        Some(template) => Some(active_template(&mut tx, template).await?),
        None => None,
    };
    let language = match (&new.language, &template) {
        (Some(language), _) => language.clone(),
        (None, Some(template)) => template.language.clone(),
        (None, None) => {
            store::tenants::find(&mut tx, tenant).await?.ok_or(ErrorCode::TenantNotActive)?.default_language
        }
    };
    let chatbot = compose(tenant, id, language, new, template);
    let slug_taken = |error| conflict(error, "chatbots_tenant_id_slug_key", ErrorCode::ChatbotSlugTaken);
    store::chatbots::insert(&mut tx, &chatbot).await.map_err(slug_taken)?;
    let chatbot = store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::InternalError)?;
    let audited = tx.audit(&entry(caller, "chatbot.created", &chatbot, audit::created(&chatbot))).await?;
    let state = provisioning::make_collection(app, &mut tx, &chatbot).await?;
    tx.commit(audited).await?;
    if state == Provisioning::Pending {
        provisioning::in_background(app, tenant, id);
    }
    get(app, caller, id).await
}

/// Deactivates a chatbot; doing it again changes nothing.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn deactivate(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<()> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.write(&caller.scope()?).await?;
    let before = store::chatbots::find_for_update(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if before.status == ChatbotStatus::Deactivated {
        return Ok(tx.discard().await?);
    }
    store::chatbots::deactivate(&mut tx, tenant, id).await?;
    let after = store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::InternalError)?;
    let details = audit::changed(&before, &after).unwrap_or_default();
    let audited = tx.audit(&entry(caller, "chatbot.deactivated", &after, details)).await?;
    Ok(tx.commit(audited).await?)
}

/// Tries again to provision a chatbot and waits for the result.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`.
pub async fn provision(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<Chatbot> {
    let chatbot = get(app, caller, id).await?;
    if chatbot.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    if chatbot.provisioning != Provisioning::Ready {
        let done = provisioning::in_background(app, chatbot.tenant_id, id);
        done.await.map_err(|_| ApiError::from(ErrorCode::InternalError))?;
    }
    get(app, caller, id).await
}

async fn active_template(tx: &mut WriteTx, id: &TemplateId) -> ApiResult<Template> {
    // Deactivated templates do not exist for a tenant.
    store::templates::find(tx, id).await?.ok_or_else(|| ErrorCode::TemplateNotFound.into())
}

fn compose(tenant: TenantId, id: ChatbotId, language: String, new: NewChatbot, template: Option<Template>) -> Chatbot {
    let (template_id, template_version, snapshot) = match template {
        Some(template) => (Some(template.id), Some(template.version), Some(template.content)),
        None => (None, None, None),
    };
    let content = snapshot.clone().unwrap_or_default();
    let now = chrono::Utc::now();
    Chatbot {
        id,
        tenant_id: tenant,
        slug: new.slug,
        name: new.name.trim().to_owned(),
        description: new.description.unwrap_or(content.description),
        language,
        status: ChatbotStatus::Active,
        template_id,
        template_version,
        template_snapshot: snapshot,
        system_prompt: new.system_prompt.unwrap_or(content.suggested_system_prompt),
        welcome_message: new.welcome_message.unwrap_or(content.welcome_message),
        suggested_questions: new.suggested_questions.unwrap_or(content.suggested_questions),
        fallback_message: new.fallback_message.unwrap_or(content.fallback_message),
        vector_collection: format!("passages_{}", id.0.simple()),
        provisioning: Provisioning::Pending,
        created_at: now,
        updated_at: now,
        deactivated_at: None,
    }
}

fn entry(caller: &Caller, action: &'static str, chatbot: &Chatbot, details: serde_json::Value) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(chatbot.tenant_id),
        chatbot_id: Some(chatbot.id),
        action,
        entity_type: "chatbot",
        entity_id: chatbot.id.to_string(),
        details,
    }
}
