//! Copies a chatbot: its settings, template, branding, own answers and sources, but no conversations or feedback.

use contract::{
    ChatbotId, ErrorCode, FaqId,
    audit::actions,
    branding::{BrandingFields, BrandingFieldsPatch},
    chatbots::{Chatbot, ChatbotCopy, ChatbotStatus, Provisioning, SmallTalkReplies},
};
use serde_json::{Value, json};
use store::{WriteTx, audit, chatbots::copy, vectors::Collection};
use uuid::Uuid;

use super::{check_quota, entry, get};
use crate::{
    caller::Caller,
    error::{ApiResult, on_constraint},
    service::{
        chatbot_tx,
        knowledge::{
            copying::{self, LinkedFiles},
            faq, provisioning,
        },
        tenant_write,
    },
    state::App,
};

/// Makes a copy of a chatbot under another slug, in one transaction with its audit row. Answers, files and websites are indexed in the
/// background.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_slug_taken`, `quota_chatbots`, `quota_sources`, `quota_websites`, `quota_documents`,
/// `quota_bytes`.
pub async fn duplicate(app: &App, caller: &Caller, of: ChatbotId, request: ChatbotCopy) -> ApiResult<Chatbot> {
    check_room(app, caller, of, &request.slug).await?;
    let files = LinkedFiles::of(app, caller, of).await?;
    let stored = store(app, caller, of, request, &files).await;
    let (copy, own_answers) = match stored {
        Ok(stored) => stored,
        Err(error) => {
            files.discard().await;
            return Err(error);
        }
    };
    app.job_queued().notify_waiters();
    if copy.provisioning == Provisioning::Pending {
        provisioning::in_background(app, copy.tenant_id, copy.id);
    }
    // Continues in the background.
    drop(faq::begin_all(app, copy.tenant_id, copy.id, own_answers));
    get(app, caller, copy.id).await
}

/// Refuses a copy that cannot be stored before its files get second names in the storage.
async fn check_room(app: &App, caller: &Caller, of: ChatbotId, slug: &str) -> ApiResult<()> {
    let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, of).await?;
    if store::chatbots::has_slug(&mut tx, tenant, slug).await? {
        return Err(ErrorCode::ChatbotSlugTaken.into());
    }
    check_quota(app, &mut tx, tenant).await?;
    copying::check_room(app, &mut tx, tenant, of).await?;
    Ok(tx.discard().await?)
}

async fn store(
    app: &App,
    caller: &Caller,
    of: ChatbotId,
    request: ChatbotCopy,
    files: &LinkedFiles<'_>,
) -> ApiResult<(Chatbot, Vec<FaqId>)> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let origin = store::chatbots::find_for_update(&mut tx, tenant, of).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    check_quota(app, &mut tx, tenant).await?;
    let copy = compose(origin.clone(), request);
    let slug_taken = |error| on_constraint(error, "chatbots_tenant_id_slug_key", ErrorCode::ChatbotSlugTaken);
    store::chatbots::insert(&mut tx, &copy).await.map_err(slug_taken)?;
    if copy.small_talk != SmallTalkReplies::default() {
        store::chatbots::update(&mut tx, &copy).await?;
    }
    let state = provisioning::make_collection(app, &mut tx, &copy).await?;
    take_model(app, &mut tx, &origin, (copy.id, state)).await?;
    let branding = copy_branding(&mut tx, &origin, copy.id).await?;
    let own_answers = copy::own_answers(&mut tx, tenant, of, copy.id).await?;
    let copied = copying::copy_sources(&mut tx, files, (of, copy.id), &caller.identity.username).await?;
    let copy = store::chatbots::find(&mut tx, tenant, copy.id).await?.ok_or(ErrorCode::InternalError)?;
    let mut details = audit::created(&copy);
    if let Some(branding) = branding {
        details["after"]["branding"] = branding;
    }
    details["after"]["copy_of"] = json!(of);
    details["after"]["own_answers"] = json!(own_answers.len());
    details["after"]["sources"] = json!(copied.sources);
    details["after"]["files"] = json!(copied.files);
    tx.commit_audited(&entry(caller, actions::CHATBOT_DUPLICATED, &copy, details)).await?;
    Ok((copy, own_answers))
}

fn compose(origin: Chatbot, request: ChatbotCopy) -> Chatbot {
    let id = ChatbotId(Uuid::new_v4());
    let now = chrono::Utc::now();
    Chatbot {
        id,
        slug: request.slug,
        name: request.name.trim().to_owned(),
        status: ChatbotStatus::Active,
        vector_collection: Collection { tenant: origin.tenant_id, chatbot: id }.name(),
        provisioning: Provisioning::Pending,
        embedding_model: None,
        reindexing: None,
        second_embedding_model: None,
        created_at: now,
        updated_at: now,
        deactivated_at: None,
        ..origin
    }
}

/// Copies the embedding model that the tenant chose for the original. There are no vectors yet.
async fn take_model(
    app: &App,
    tx: &mut WriteTx,
    origin: &Chatbot,
    (copy, state): (ChatbotId, Provisioning),
) -> ApiResult<()> {
    let next = origin.reindexing.as_ref().map(|reindexing| &reindexing.embedding_model);
    let chosen = next.or(origin.embedding_model.as_ref()).and_then(|model| app.embedders.find(model));
    if let Some(embedder) = chosen.filter(|_| state != Provisioning::Failed) {
        let embedding = Some((embedder.model(), embedder.dimensions()));
        store::chatbots::set_provisioning(tx, origin.tenant_id, copy, state, embedding).await?;
    }
    Ok(())
}

/// Copies the original's own branding; returns it, if there is any.
async fn copy_branding(tx: &mut WriteTx, origin: &Chatbot, copy: ChatbotId) -> ApiResult<Option<Value>> {
    let fields = store::branding::find_chatbot(tx, origin.tenant_id, origin.id).await?.fields;
    if fields == BrandingFields::default() {
        return Ok(None);
    }
    store::branding::upsert_chatbot(tx, origin.tenant_id, copy, &fields).await?;
    let patch = BrandingFieldsPatch::between(&BrandingFields::default(), fields);
    Ok(serde_json::to_value(patch).ok())
}
