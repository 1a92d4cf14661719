//! A tenant's own questions and answers: changed with an audit row, and indexed immediately.

pub mod export;
mod import;
mod indexing;
mod similar;
pub mod template;

use std::time::Duration;

use contract::{
    ChatbotId, ErrorCode, FaqId, Page, TenantId,
    audit::actions,
    faq::{ChatbotFaqEntry, FaqListQuery, FaqPatch, MAX_FAQ_ENTRIES, NewFaqEntry},
};
use serde_json::{Value, json};
use store::{
    AuditEntry, audit,
    documents::{self, SourceKind},
    faq,
    vectors::Collection,
};
use uuid::Uuid;

pub use self::{
    import::import,
    indexing::{begin_all, index_template, retry},
    similar::similar,
};
use super::vector_sync;
use crate::service::chatbot_tx::{self, Lock};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    precondition::IfMatch,
    state::App,
};

/// The source of a chatbot's own entries.
const SOURCE: &str = "own answers";
/// How long a call waits for its entry to be indexed.
const INDEXING_TIMEOUT: Duration = Duration::from_secs(10);

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
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let page = faq::list(&mut tx, tenant, chatbot, query).await?;
    Ok(page)
}

/// An entry.
///
/// # Errors
/// `chatbot_not_found`, `faq_entry_not_found`.
pub async fn get(app: &App, caller: &Caller, (chatbot, id): (ChatbotId, FaqId)) -> ApiResult<ChatbotFaqEntry> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let entry = faq::find(&mut tx, tenant, chatbot, id).await?;
    entry.ok_or_else(|| ErrorCode::FaqEntryNotFound.into())
}

/// Adds an entry and waits for a while until it is indexed. If that takes longer or fails, it continues in the
/// background; the entry's state tells the result.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`, `faq_question_taken`; a validation error when the chatbot is full.
pub async fn create(app: &App, caller: &Caller, chatbot: ChatbotId, new: NewFaqEntry) -> ApiResult<ChatbotFaqEntry> {
    let id = FaqId(Uuid::now_v7());
    let new = new.normalized();
    let phrasings: Vec<&str> = new.phrasings().collect();
    // The lock prevents two calls from adding the same question.
    let (mut tx, tenant) = chatbot_tx::begin_active(app, caller, chatbot, Lock::Chatbot).await?;
    let (count, taken) = faq::count(&mut tx, tenant, chatbot, &phrasings, None).await?;
    if taken {
        return Err(ErrorCode::FaqQuestionTaken.into());
    }
    if count >= MAX_FAQ_ENTRIES {
        let msg = format!("exceeds the limit of {MAX_FAQ_ENTRIES} entries per chatbot");
        return Err(ApiError::field(&["body", "question"], msg, "too_many"));
    }
    faq::insert(&mut tx, tenant, chatbot, id, &new, &caller.identity.username).await?;
    let details = json!({ "before": null, "after": measures(&new) });
    tx.commit_audited(&entry(caller, tenant, chatbot, actions::CHATBOT_FAQ_CREATED, id, details)).await?;
    indexed(app, caller, chatbot, id).await
}

/// Changes an entry and waits for it to be indexed like [`create`]; until then the chatbot answers with the former
/// text. An update without changes writes nothing.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`, `faq_entry_not_found`, `precondition_failed`, `faq_question_taken`.
pub async fn update(
    app: &App,
    caller: &Caller,
    (chatbot, id): (ChatbotId, FaqId),
    if_match: &IfMatch,
    patch: FaqPatch,
) -> ApiResult<ChatbotFaqEntry> {
    // The lock prevents two calls from adding the same question.
    let (mut tx, tenant) = chatbot_tx::begin_active(app, caller, chatbot, Lock::Chatbot).await?;
    let before = faq::lock(&mut tx, tenant, chatbot, id).await?.ok_or(ErrorCode::FaqEntryNotFound)?;
    if_match.check(&before)?;
    let former = indexing::texts(&before);
    let after = NewFaqEntry {
        question: patch.question.unwrap_or_else(|| before.question.clone()),
        variants: patch.variants.unwrap_or_else(|| before.variants.clone()),
        answer: patch.answer.unwrap_or_else(|| before.answer.clone()),
    };
    let after = after.normalized();
    let Some(details) = audit::changed(&measures(&former), &measures(&after)) else {
        tx.discard().await?;
        return Ok(before);
    };
    let phrasings: Vec<&str> = after.phrasings().collect();
    let (_, taken) = faq::count(&mut tx, tenant, chatbot, &phrasings, Some(id)).await?;
    if taken {
        return Err(ErrorCode::FaqQuestionTaken.into());
    }
    faq::update(&mut tx, tenant, chatbot, id, &after).await?;
    tx.commit_audited(&entry(caller, tenant, chatbot, actions::CHATBOT_FAQ_UPDATED, id, details)).await?;
    indexed(app, caller, chatbot, id).await
}

/// The entry after waiting a while for its index task. A longer task continues; the state tells its result.
async fn indexed(app: &App, caller: &Caller, chatbot: ChatbotId, id: FaqId) -> ApiResult<ChatbotFaqEntry> {
    let _ = tokio::time::timeout(INDEXING_TIMEOUT, indexing::begin(app, caller.tenant()?, chatbot, id)).await;
    get(app, caller, (chatbot, id)).await
}

/// Removes an entry with its passages.
///
/// # Errors
/// `chatbot_not_found`, `faq_entry_not_found`.
pub async fn delete(app: &App, caller: &Caller, (chatbot, id): (ChatbotId, FaqId)) -> ApiResult<()> {
    let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, chatbot).await?;
    let deleted = faq::lock(&mut tx, tenant, chatbot, id).await?.ok_or(ErrorCode::FaqEntryNotFound)?;
    faq::delete(&mut tx, tenant, chatbot, id).await?;
    let source = documents::upsert_source(&mut tx, tenant, chatbot, SourceKind::Faq, SOURCE).await?;
    let former = documents::remove(&mut tx, tenant, chatbot, source, &id.to_string()).await?;
    let details = json!({ "before": measures(&indexing::texts(&deleted)), "after": null });
    tx.commit_audited(&entry(caller, tenant, chatbot, actions::CHATBOT_FAQ_DELETED, id, details)).await?;
    vector_sync::remove(app, Collection { tenant, chatbot }, &former).await;
    Ok(())
}

/// The audit log's description of an entry: lengths, and a hash that distinguishes versions. The question may be a
/// visitor's own words, which stay out of the log.
fn measures(texts: &NewFaqEntry) -> Value {
    json!({
        "question_characters": texts.question.chars().count(),
        "variants": texts.variants.len(),
        "answer_characters": texts.answer.chars().count(),
        "content_hash": indexing::content_hash(texts),
    })
}

fn entry(
    caller: &Caller,
    tenant: TenantId,
    chatbot: ChatbotId,
    action: &'static str,
    id: FaqId,
    details: Value,
) -> AuditEntry {
    chatbot_tx::entry(caller, (tenant, chatbot), action, ("chatbot_faq", id.to_string()), details)
}
