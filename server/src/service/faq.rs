//! A tenant's own questions and answers: added with an audit row, indexed at once by a task, tried again while the embedder
//! is down. Each is a document of one passage, beside the template's and the files'.

use std::time::Duration;

use contract::{
    ChatbotId, ErrorCode, FaqId, Page, TenantId,
    chatbots::{ChatbotStatus, Provisioning},
    faq::{ChatbotFaqEntry, FaqListQuery, MAX_FAQ_ENTRIES, NewFaqEntry},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::{
    AuditEntry, Exemption, Scope, WriteTx,
    documents::{self, NewDocument, SourceKind},
    faq,
    passages::{self, NewPassage},
    vectors::Collection,
};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{collections, own_chatbot, provisioning::characters};
use crate::{
    app_state::App,
    http::{
        caller::Caller,
        error::{ApiError, ApiResult},
    },
    ingest::Error,
};

/// The source of a chatbot's own entries.
const SOURCE: &str = "own answers";
/// How long a call waits for its entry to be indexed.
const PATIENCE: Duration = Duration::from_secs(10);

/// A page of a chatbot's entries, newest first.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn list(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    query: &FaqListQuery,
) -> ApiResult<Page<ChatbotFaqEntry>> {
    let (mut tx, tenant) = own_chatbot::read(app, caller, chatbot).await?;
    let page = faq::list(&mut tx, tenant, chatbot, query).await?;
    tx.end().await?;
    Ok(page)
}

/// Adds an entry and waits a while for it to be indexed; what takes longer, or fails, goes on in the background and shows
/// in the entry's state.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`, `faq_question_taken`; a validation error when the chatbot is full.
pub async fn create(app: &App, caller: &Caller, chatbot: ChatbotId, new: NewFaqEntry) -> ApiResult<ChatbotFaqEntry> {
    let tenant = caller.tenant()?;
    let id = FaqId(Uuid::now_v7());
    let new = NewFaqEntry { question: new.question.trim().to_owned(), answer: new.answer.trim().to_owned() };
    let mut tx = app.db.write(&caller.scope()?).await?;
    // The lock keeps two calls from adding the same question.
    let found = store::chatbots::find_for_update(&mut tx, tenant, chatbot).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if found.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    let (count, taken) = faq::count(&mut tx, tenant, chatbot, &new.question).await?;
    if taken {
        return Err(ErrorCode::FaqQuestionTaken.into());
    }
    if count >= MAX_FAQ_ENTRIES {
        let msg = format!("is one too many: a chatbot has at most {MAX_FAQ_ENTRIES} entries");
        return Err(ApiError::field(&["body", "question"], msg, "too_many"));
    }
    faq::insert(&mut tx, tenant, chatbot, id, &new, &caller.identity.username).await?;
    let details = json!({ "before": null, "after": sizes(&new.question, &new.answer) });
    let audited = tx.audit(&entry(caller, tenant, chatbot, "chatbot_faq.created", id, details)).await?;
    tx.commit(audited).await?;
    // A task that takes longer goes on; the state says how far it is.
    let _ = tokio::time::timeout(PATIENCE, in_background(app, tenant, chatbot, id)).await;
    let (mut tx, _) = own_chatbot::read(app, caller, chatbot).await?;
    let made = faq::find(&mut tx, tenant, chatbot, id, false).await?;
    tx.end().await?;
    made.ok_or_else(|| ErrorCode::FaqEntryNotFound.into())
}

/// Removes an entry with its passage.
///
/// # Errors
/// `chatbot_not_found`, `faq_entry_not_found`.
pub async fn delete(app: &App, caller: &Caller, (chatbot, id): (ChatbotId, FaqId)) -> ApiResult<()> {
    let (mut tx, tenant) = own_chatbot::write(app, caller, chatbot).await?;
    let gone = faq::find(&mut tx, tenant, chatbot, id, true).await?.ok_or(ErrorCode::FaqEntryNotFound)?;
    faq::delete(&mut tx, tenant, chatbot, id).await?;
    let source = documents::upsert_source(&mut tx, tenant, chatbot, SourceKind::Faq, SOURCE).await?;
    let former = documents::remove(&mut tx, tenant, chatbot, source, &id.to_string()).await?;
    let details = json!({ "before": sizes(&gone.question, &gone.answer), "after": null });
    let audited = tx.audit(&entry(caller, tenant, chatbot, "chatbot_faq.deleted", id, details)).await?;
    tx.commit(audited).await?;
    collections::forget(app, Collection { tenant, chatbot }, &former).await;
    Ok(())
}

/// Tries again, once, what is not indexed yet.
pub async fn retry(app: &App) {
    match waiting(app).await {
        Ok(list) => {
            for (tenant, chatbot, id) in list {
                // A task that was cut off at shutdown is tried again at the next start.
                let _ = in_background(app, tenant, chatbot, id).await;
            }
        }
        Err(error) => tracing::warn!(%error, "faq.list_failed"),
    }
}

async fn waiting(app: &App) -> store::Result<Vec<(TenantId, ChatbotId, FaqId)>> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let list = faq::waiting(&mut tx).await?;
    tx.end().await?;
    Ok(list)
}

/// Indexes an entry in a task that outlives the request.
fn in_background(app: &App, tenant: TenantId, chatbot: ChatbotId, id: FaqId) -> JoinHandle<()> {
    let task = app.clone();
    app.tasks.spawn(async move {
        if let Err(error) = index(&task, tenant, chatbot, id).await {
            tracing::warn!(chatbot_id = %chatbot, faq_id = %id, %error, "faq.not_indexed");
            if let Err(error) = mark_failed(&task, tenant, chatbot, id).await {
                tracing::warn!(chatbot_id = %chatbot, faq_id = %id, %error, "faq.state_not_written");
            }
        }
    })
}

/// Embeds an entry and stores its passage. Doing it twice leaves the same state.
async fn index(app: &App, tenant: TenantId, chatbot: ChatbotId, id: FaqId) -> Result<(), Error> {
    let scope = Scope::tenant(tenant);
    let mut tx = app.db.read(&scope).await?;
    let entry = faq::find(&mut tx, tenant, chatbot, id, false).await?;
    let model = store::chatbots::embedding_model(&mut tx, tenant, chatbot).await?;
    tx.end().await?;
    let Some(entry) = entry.filter(|entry| entry.state != Provisioning::Ready) else { return Ok(()) };
    if let Some(model) = model.filter(|model| model != app.embedder.model()) {
        return Err(Error::OtherModel(model, app.embedder.model().to_owned()));
    }
    let text = format!("{}\n{}", entry.question, entry.answer);
    let content_hash = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let embedding = app.embedder.embed(vec![text]).await?.into_iter().next().unwrap_or_default();
    let passage = NewPassage {
        id: Uuid::now_v7(),
        ordinal: 0,
        heading: entry.question.clone(),
        anchor: None,
        content: entry.answer,
        embedding,
    };
    let collection = Collection { tenant, chatbot };
    collections::repair(app, collection).await?;
    collections::put(app, collection, std::slice::from_ref(&passage)).await?;
    let mut tx = app.db.write(&scope).await?;
    // Removed meanwhile: nothing to do any more.
    if faq::find(&mut tx, tenant, chatbot, id, true).await?.is_none() {
        return Ok(tx.discard().await?);
    }
    let former = store(&mut tx, app, (tenant, chatbot, id), &content_hash, &[passage]).await?;
    faq::set_state(&mut tx, tenant, chatbot, id, Provisioning::Ready).await?;
    let exempt = tx.exempt(Exemption::Indexing);
    tx.commit(exempt).await?;
    collections::forget(app, collection, &former).await;
    Ok(())
}

/// Stores an entry's passages; gives the ids of the former ones.
async fn store(
    tx: &mut WriteTx,
    app: &App,
    (tenant, chatbot, id): (TenantId, ChatbotId, FaqId),
    content_hash: &str,
    passages: &[NewPassage],
) -> Result<Vec<Uuid>, Error> {
    let language = store::chatbots::fixed_language(tx, tenant, chatbot).await?;
    let language = language.ok_or_else(|| Error::UnknownChatbot(chatbot.to_string()))?;
    store::chatbots::provision_collection(tx, chatbot, app.dimensions_in_database()).await?;
    let source = documents::upsert_source(tx, tenant, chatbot, SourceKind::Faq, SOURCE).await?;
    let path = id.to_string();
    let (passage_count, characters) = (passages.len(), characters(passages));
    let document = NewDocument { source, path: &path, title: "FAQ", content_hash, passage_count, characters };
    let document = documents::upsert(tx, tenant, chatbot, &document).await?;
    Ok(passages::replace(tx, tenant, chatbot, document, &language, passages).await?)
}

/// Says that an entry waits for another try, unless another task indexed it meanwhile.
async fn mark_failed(app: &App, tenant: TenantId, chatbot: ChatbotId, id: FaqId) -> store::Result<()> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    let found = faq::find(&mut tx, tenant, chatbot, id, true).await?;
    if found.is_none_or(|entry| entry.state != Provisioning::Pending) {
        return tx.discard().await;
    }
    faq::set_state(&mut tx, tenant, chatbot, id, Provisioning::Failed).await?;
    let exempt = tx.exempt(Exemption::Indexing);
    tx.commit(exempt).await
}

/// What the audit log says of an entry. The question may be a visitor's own words, and those stay out of the log.
fn sizes(question: &str, answer: &str) -> Value {
    json!({ "question_characters": question.chars().count(), "answer_characters": answer.chars().count() })
}

fn entry(
    caller: &Caller,
    tenant: TenantId,
    chatbot: ChatbotId,
    action: &'static str,
    id: FaqId,
    details: Value,
) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: Some(chatbot),
        action,
        entity_type: "chatbot_faq",
        entity_id: id.to_string(),
        details,
    }
}
