//! Chatbots of a tenant: list, create with snapshot, branding and collection, read, change, deactivate, copy, erase.

pub mod duplication;
pub mod erasure;

use std::sync::Arc;

use contract::{
    ChatbotId, ErrorCode, Page, Patch, TemplateId, TenantId,
    audit::actions,
    branding::{BrandingFields, BrandingFieldsPatch},
    chatbots::{
        Chatbot, ChatbotListQuery, ChatbotPatch, ChatbotStatus, EmbeddingModel, EmbeddingModels, ModelLanguages,
        NewChatbot, Provisioning, SmallTalkReplies,
    },
    templates::{Template, trimmed_questions},
};
use rag::embed::Embedder;
use store::{AuditEntry, WriteTx, audit, chatbots::template_answers::TemplateAnswers, vectors::Collection};
use uuid::Uuid;

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult, on_constraint},
    precondition::IfMatch,
    service::{
        answer_models,
        knowledge::{
            faq::{self, template::OnConflict},
            provisioning, reindexing, second_vectors,
        },
        tenant_write, usage,
    },
    state::App,
};

/// A page of a tenant's chatbots.
///
/// # Errors
/// `tenant_not_found` when there is no such live tenant.
pub async fn list(app: &App, caller: &Caller, tenant: TenantId, query: &ChatbotListQuery) -> ApiResult<Page<Chatbot>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    if !store::tenants::is_active(&mut tx, tenant).await? {
        return Err(ErrorCode::TenantNotFound.into());
    }
    let chatbots = store::chatbots::list(&mut tx, tenant, query).await?;
    Ok(chatbots)
}

/// A chatbot of the caller's tenant.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn get(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<Chatbot> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let chatbot = store::chatbots::find(&mut tx, caller.tenant()?, id).await?;
    chatbot.ok_or_else(|| ErrorCode::ChatbotNotFound.into())
}

/// The embedding models that a chatbot can have.
pub fn embedding_models(app: &App) -> EmbeddingModels {
    let model = |(embedder, is_english): (&Arc<dyn Embedder>, bool)| EmbeddingModel {
        name: embedder.model().to_owned(),
        languages: if is_english { ModelLanguages::English } else { ModelLanguages::All },
    };
    EmbeddingModels { items: app.embedders.all().map(model).collect() }
}

/// Creates a chatbot: row, snapshot, branding, the template's answers as its own, collection and audit row in one transaction;
/// then the answers are indexed in the background.
///
/// # Errors
/// `chatbot_slug_taken`, `template_not_found`, `quota_chatbots`.
pub async fn create(app: &App, caller: &Caller, new: NewChatbot) -> ApiResult<Chatbot> {
    create_with_id(app, caller, ChatbotId(Uuid::new_v4()), new).await
}

/// Creates a chatbot with a given id, for the demo world.
///
/// # Errors
/// `chatbot_slug_taken`, `template_not_found`, `quota_chatbots`.
pub async fn create_with_id(app: &App, caller: &Caller, id: ChatbotId, new: NewChatbot) -> ApiResult<Chatbot> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
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
    check_quota(app, &mut tx, tenant).await?;
    let chatbot = compose(tenant, id, language, new, template);
    let slug_taken = |error| on_constraint(error, "chatbots_tenant_id_slug_key", ErrorCode::ChatbotSlugTaken);
    store::chatbots::insert(&mut tx, &chatbot).await.map_err(slug_taken)?;
    let branding = seed_branding(&mut tx, &chatbot).await?;
    let answers = prepared_answers(&chatbot);
    faq::template::merge(&mut tx, (tenant, id), &answers, OnConflict::Keep).await?;
    let state = provisioning::make_collection(app, &mut tx, &chatbot).await?;
    let chatbot = store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::InternalError)?;
    let mut details = audit::created(&chatbot);
    if let Some(branding) = branding {
        details["after"]["branding"] = branding;
    }
    tx.commit_audited(&entry(caller, actions::CHATBOT_CREATED, &chatbot, details)).await?;
    if state == Provisioning::Pending {
        provisioning::in_background(app, tenant, id);
    }
    get(app, caller, id).await
}

/// All that a new chatbot takes of its template's answers.
fn prepared_answers(chatbot: &Chatbot) -> TemplateAnswers {
    TemplateAnswers { before: Vec::new(), now: chatbot.prepared_answers().to_vec() }
}

/// Refuses another chatbot with a collection when the tenant's quota is used up. The check stays valid until the
/// transaction ends.
async fn check_quota(app: &App, tx: &mut WriteTx, tenant: TenantId) -> ApiResult<()> {
    let Some(limit) = usage::limits(app, tx, tenant).await?.chatbots else { return Ok(()) };
    let used = store::chatbots::count_collections(tx, tenant).await?;
    if used < limit { Ok(()) } else { Err(ApiError::quota(ErrorCode::QuotaChatbots, limit, used)) }
}

/// Changes an active chatbot; a change that changes nothing writes nothing. With another language the words of its
/// passages are renewed in the background; with another embedding model they get new vectors there.
///
/// # Errors
/// `chatbot_not_found`, `slug_immutable`, `template_id_immutable`, `chatbot_not_active`, `precondition_failed`,
/// `validation_error` for a model that the platform does not have, or that the tenant may not use.
pub async fn update(
    app: &App,
    caller: &Caller,
    id: ChatbotId,
    if_match: &IfMatch,
    patch: ChatbotPatch,
) -> ApiResult<Chatbot> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let before = store::chatbots::find_for_update(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    refuse_immutable(&before, &patch)?;
    if before.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    if_match.check(&before)?;
    if let Some(name) = patch.answer_model.value().filter(|name| before.answer_model.as_ref() != Some(*name)) {
        let tenant = store::tenants::find(&mut tx, tenant).await?.ok_or(ErrorCode::TenantNotActive)?;
        answer_models::check_choice(app, &tenant, name, &["body", "answer_model"])?;
    }
    let next = reindexing::requested(app, &before, patch.embedding_model.as_deref())?;
    let mut after = merge(before.clone(), patch);
    if let Some(next) = &next {
        after.reindexing = reindexing::start(&mut tx, &before, next.as_deref()).await?;
    }
    let Some(details) = audit::changed(&before, &after) else {
        tx.discard().await?;
        return Ok(before);
    };
    store::chatbots::update(&mut tx, &after).await?;
    if after.cross_language != before.cross_language {
        second_vectors::start(&mut tx, tenant, id).await?;
    }
    if after.language != before.language {
        store::passages::note_stale_words(&mut tx, tenant, id, &before.language, &after.language).await?;
    }
    let after = store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::InternalError)?;
    tx.commit_audited(&entry(caller, actions::CHATBOT_UPDATED, &after, details)).await?;
    if after.language != before.language {
        app.language_changed().notify_one();
    }
    if after.reindexing != before.reindexing || after.cross_language != before.cross_language {
        app.job_queued().notify_waiters();
    }
    Ok(after)
}

/// Deactivates a chatbot; doing it again changes nothing.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn deactivate(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<()> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let before = store::chatbots::find_for_update(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if before.status == ChatbotStatus::Deactivated {
        return Ok(tx.discard().await?);
    }
    store::chatbots::deactivate(&mut tx, tenant, id).await?;
    let after = store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::InternalError)?;
    let details = audit::changed(&before, &after).unwrap_or_default();
    Ok(tx.commit_audited(&entry(caller, actions::CHATBOT_DEACTIVATED, &after, details)).await?)
}

/// Activates a chatbot again; idempotent. If its collection was dropped in the meantime, it is restored in the
/// background.
///
/// # Errors
/// `chatbot_not_found`, `quota_chatbots`.
pub async fn reactivate(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<Chatbot> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let before = store::chatbots::find_for_update(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if before.status == ChatbotStatus::Active {
        tx.discard().await?;
        return Ok(before);
    }
    let is_dropped = store::chatbots::is_dropped(&mut tx, tenant, id).await?;
    if is_dropped {
        // A collection that is being dropped or restored still counts.
        if !store::chatbots::is_counted(&mut tx, tenant, id).await? {
            check_quota(app, &mut tx, tenant).await?;
        }
        store::chatbots::note_collection(&mut tx, tenant, id).await?;
    }
    // An external store has dropped the vectors of the deactivated chatbot.
    if is_dropped || app.vectors.external().is_some() {
        store::chatbots::set_provisioning(&mut tx, tenant, id, Provisioning::Pending, None).await?;
    }
    store::chatbots::reactivate(&mut tx, tenant, id).await?;
    let after = store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::InternalError)?;
    let details = audit::changed(&before, &after).unwrap_or_default();
    tx.commit_audited(&entry(caller, actions::CHATBOT_REACTIVATED, &after, details)).await?;
    if after.provisioning != Provisioning::Ready {
        provisioning::in_background(app, tenant, id);
    }
    Ok(after)
}

/// Retries the provisioning of a chatbot, or joins a running attempt, and waits for a while. A longer attempt continues
/// in the background; its result is in the chatbot's state.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`.
pub async fn provision(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<Chatbot> {
    let mut tx = tenant_write::begin(app, caller).await?;
    let tenant = caller.tenant()?;
    let chatbot = store::chatbots::find_for_update(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if chatbot.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    if chatbot.provisioning == Provisioning::Failed {
        // What the retry then achieves is the platform's doing, as after a creation.
        store::chatbots::set_provisioning(&mut tx, tenant, id, Provisioning::Pending, None).await?;
        let details = serde_json::json!({
            "before": { "provisioning": Provisioning::Failed }, "after": { "provisioning": Provisioning::Pending },
        });
        tx.commit_audited(&entry(caller, actions::CHATBOT_UPDATED, &chatbot, details)).await?;
    } else {
        tx.discard().await?;
    }
    if chatbot.provisioning != Provisioning::Ready {
        provisioning::completed(app, chatbot.tenant_id, id).await;
    }
    get(app, caller, id).await
}

fn refuse_immutable(chatbot: &Chatbot, patch: &ChatbotPatch) -> Result<(), ErrorCode> {
    if patch.slug.as_ref().is_some_and(|slug| *slug != chatbot.slug) {
        return Err(ErrorCode::SlugImmutable);
    }
    let sent = match &patch.template_id {
        Patch::Absent => return Ok(()),
        Patch::Null => None,
        Patch::Value(id) => Some(id.as_str()),
    };
    if sent == chatbot.template_id.as_ref().map(TemplateId::as_str) {
        Ok(())
    } else {
        Err(ErrorCode::TemplateIdImmutable)
    }
}

fn merge(chatbot: Chatbot, patch: ChatbotPatch) -> Chatbot {
    let mut answer_model = chatbot.answer_model.clone();
    patch.answer_model.apply(&mut answer_model);
    Chatbot {
        name: patch.name.map_or(chatbot.name, |name| name.trim().to_owned()),
        description: patch.description.unwrap_or(chatbot.description),
        language: patch.language.unwrap_or(chatbot.language),
        system_prompt: patch.system_prompt.unwrap_or(chatbot.system_prompt),
        welcome_message: patch.welcome_message.unwrap_or(chatbot.welcome_message),
        suggested_questions: patch.suggested_questions.map_or(chatbot.suggested_questions, trimmed_questions),
        fallback_message: patch.fallback_message.unwrap_or(chatbot.fallback_message),
        small_talk: patch.small_talk.map_or(chatbot.small_talk, SmallTalkReplies::normalized),
        cross_language: patch.cross_language.unwrap_or(chatbot.cross_language),
        answer_model,
        ..chatbot
    }
}

/// Initialises the chatbot's branding with the template's defaults; returns the fields that were set, if any.
async fn seed_branding(tx: &mut WriteTx, chatbot: &Chatbot) -> ApiResult<Option<serde_json::Value>> {
    let Some(snapshot) = &chatbot.template_snapshot else { return Ok(None) };
    let defaults = &snapshot.branding_defaults;
    if *defaults == BrandingFields::default() {
        return Ok(None);
    }
    store::branding::upsert_chatbot(tx, chatbot.tenant_id, chatbot.id, defaults).await?;
    let patch = BrandingFieldsPatch::between(&BrandingFields::default(), defaults.clone());
    Ok(serde_json::to_value(patch).ok())
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
        suggested_questions: new.suggested_questions.map_or(content.suggested_questions, trimmed_questions),
        fallback_message: new.fallback_message.unwrap_or(content.fallback_message),
        small_talk: SmallTalkReplies::default(),
        vector_collection: Collection { tenant, chatbot: id }.name(),
        provisioning: Provisioning::Pending,
        embedding_model: None,
        reindexing: None,
        cross_language: new.cross_language.unwrap_or(true),
        second_embedding_model: None,
        answer_model: None,
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
