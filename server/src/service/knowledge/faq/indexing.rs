//! Indexes a tenant's own questions and answers in background tasks, with retries while the embedder is down. Each is a
//! document with a passage for each phrasing of its question, separate from the template's and the files'.

use contract::{
    ChatbotId, FaqId, TenantId,
    chatbots::Provisioning,
    faq::{ChatbotFaqEntry, NewFaqEntry},
};
use futures::{StreamExt, stream};
use rag::embed::{Embedder, Purpose};
use sha2::{Digest, Sha256};
use store::{
    Exemption, Scope, WriteTx,
    documents::{self, NewDocument, SourceKind},
    faq,
    passages::{self, NewPassage},
    vectors::Collection,
};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{INDEXING_TIMEOUT, SOURCE};
use crate::{
    hex,
    service::knowledge::{Error, characters, indexing, second_vectors, vector_sync},
    state::App,
};

/// Entries that are indexed at the same time.
const MAX_CONCURRENT_ENTRIES: usize = 4;

/// Tries again, once, what is not indexed yet.
pub async fn retry(app: &App) {
    match waiting(app).await {
        Ok(list) => each(app, list).await,
        Err(error) => tracing::warn!(%error, "faq.list_failed"),
    }
}

/// Indexes entries of a chatbot in a task that outlives the request.
pub fn begin_all(app: &App, tenant: TenantId, chatbot: ChatbotId, ids: Vec<FaqId>) -> JoinHandle<()> {
    let task = app.clone();
    let list = ids.into_iter().map(|id| (tenant, chatbot, id)).collect();
    app.tasks.spawn(async move { each(&task, list).await })
}

/// Indexes entries, several at the same time, so that a slow one does not block the others for long.
async fn each(app: &App, list: Vec<(TenantId, ChatbotId, FaqId)>) {
    // A task that was cut off at shutdown is tried again at the next start.
    stream::iter(list)
        .for_each_concurrent(MAX_CONCURRENT_ENTRIES, |(tenant, chatbot, id)| async move {
            let _ = tokio::time::timeout(INDEXING_TIMEOUT, begin(app, tenant, chatbot, id)).await;
        })
        .await;
}

async fn waiting(app: &App) -> store::Result<Vec<(TenantId, ChatbotId, FaqId)>> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let list = faq::waiting(&mut tx).await?;
    Ok(list)
}

/// Indexes an entry in a task that outlives the request.
pub(super) fn begin(app: &App, tenant: TenantId, chatbot: ChatbotId, id: FaqId) -> JoinHandle<()> {
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

/// Indexes the entries of a chatbot that came from its template, several at the same time.
///
/// # Errors
/// When one of them cannot be indexed; the others are.
pub async fn index_template(app: &App, tenant: TenantId, chatbot: ChatbotId) -> Result<(), Error> {
    let mut tx = app.db.read(&Scope::tenant(tenant)).await?;
    let ids = faq::waiting_of_template(&mut tx, tenant, chatbot).await?;
    drop(tx);
    let results = stream::iter(ids)
        .map(|id| async move {
            let result = index(app, tenant, chatbot, id).await;
            if result.is_err() {
                mark_failed(app, tenant, chatbot, id).await?;
            }
            result
        })
        .buffer_unordered(MAX_CONCURRENT_ENTRIES)
        .collect::<Vec<_>>()
        .await;
    results.into_iter().collect()
}

/// Embeds an entry and stores its passages. Doing it twice leaves the same state.
async fn index(app: &App, tenant: TenantId, chatbot: ChatbotId, id: FaqId) -> Result<(), Error> {
    let scope = Scope::tenant(tenant);
    let mut tx = app.db.read(&scope).await?;
    let entry = faq::find(&mut tx, tenant, chatbot, id).await?;
    drop(tx);
    let Some(entry) = entry.filter(|entry| entry.state != Provisioning::Ready) else { return Ok(()) };
    let embedder = indexing::embedder(app, tenant, chatbot).await?;
    let entry = texts(&entry);
    let content_hash = content_hash(&entry);
    let permit = app.shares().custom_answers.acquire(tenant).await?;
    let passages = passages(embedder.as_ref(), &entry).await?;
    drop(permit);
    let collection = Collection { tenant, chatbot };
    vector_sync::repair(app, collection).await?;
    vector_sync::upsert(app, collection, embedder.model(), &passages).await?;
    let mut tx = app.db.write(&scope).await?;
    // The chatbot is locked before the entry, as by a change of the entry.
    let language = indexing::lock(app, &mut tx, (tenant, chatbot), embedder.model()).await?;
    // Removed, changed or indexed meanwhile: nothing to do any more, or another task's affair.
    let is_current = |now: &ChatbotFaqEntry| now.state != Provisioning::Ready && texts(now) == entry;
    if !faq::lock(&mut tx, tenant, chatbot, id).await?.as_ref().is_some_and(is_current) {
        tx.discard().await?;
        let ids: Vec<Uuid> = passages.iter().map(|passage| passage.id).collect();
        vector_sync::remove(app, collection, &ids).await;
        return Ok(());
    }
    let former = store(&mut tx, app, (tenant, chatbot, id), &language, &content_hash, &passages).await?;
    faq::set_state(&mut tx, tenant, chatbot, id, Provisioning::Ready).await?;
    tx.commit_exempt(Exemption::Indexing).await?;
    vector_sync::remove(app, collection, &former).await;
    Ok(())
}

/// The texts of an entry.
pub(super) fn texts(entry: &ChatbotFaqEntry) -> NewFaqEntry {
    let ChatbotFaqEntry { question, variants, answer, .. } = entry.clone();
    NewFaqEntry { question, variants, answer }
}

/// The hash of an entry's texts.
pub(super) fn content_hash(entry: &NewFaqEntry) -> String {
    let all: Vec<&str> = entry.phrasings().chain([entry.answer.as_str()]).collect();
    hex::encode(&Sha256::digest(all.join("\n")))
}

/// The text to embed for a phrasing.
fn text(question: &str, answer: &str) -> String {
    format!("{question}\n{answer}")
}

async fn passages(embedder: &dyn Embedder, entry: &NewFaqEntry) -> Result<Vec<NewPassage>, Error> {
    let texts = entry.phrasings().map(|phrasing| text(phrasing, &entry.answer)).collect();
    let embeddings = embedder.embed(texts, Purpose::Document).await?;
    let passages = (0..).zip(entry.phrasings()).zip(embeddings).map(|((ordinal, phrasing), embedding)| NewPassage {
        id: Uuid::now_v7(),
        ordinal,
        heading: phrasing.to_owned(),
        anchor: None,
        content: entry.answer.clone(),
        embedding,
    });
    Ok(passages.collect())
}

/// Stores an entry's passages; returns the ids of the former ones.
async fn store(
    tx: &mut WriteTx,
    app: &App,
    (tenant, chatbot, id): (TenantId, ChatbotId, FaqId),
    language: &str,
    content_hash: &str,
    passages: &[NewPassage],
) -> Result<Vec<Uuid>, Error> {
    store::chatbots::provision_collection(tx, chatbot, app.dimensions_in_database()).await?;
    let source = documents::upsert_source(tx, tenant, chatbot, SourceKind::Faq, SOURCE).await?;
    let path = id.to_string();
    let (passage_count, characters) = (passages.len(), characters(passages));
    let document = NewDocument {
        source,
        upload: None,
        path: &path,
        title: "FAQ",
        content_hash,
        passage_count,
        characters,
        ocr_pages: Vec::new(),
        omissions: Vec::new(),
        block_hashes: Vec::new(),
    };
    let document = documents::upsert(tx, tenant, chatbot, &document).await?;
    second_vectors::queue(app, tx, tenant, chatbot).await?;
    Ok(passages::replace(tx, tenant, chatbot, document, language, passages).await?)
}

/// Marks an entry for a retry, unless another task indexed it in the meantime.
async fn mark_failed(app: &App, tenant: TenantId, chatbot: ChatbotId, id: FaqId) -> store::Result<()> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    let stored = faq::lock(&mut tx, tenant, chatbot, id).await?;
    if stored.is_none_or(|entry| entry.state != Provisioning::Pending) {
        return tx.discard().await;
    }
    faq::set_state(&mut tx, tenant, chatbot, id, Provisioning::Failed).await?;
    tx.commit_exempt(Exemption::Indexing).await
}
