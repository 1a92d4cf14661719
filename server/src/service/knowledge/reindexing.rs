//! Moves a chatbot to another embedding model: a job creates new vectors for its passages, batch by batch, while the
//! former ones are still used. One transaction, which blocks writes of documents, replaces them. A killed job continues
//! with the next batch.

use contract::{
    chatbots::{Chatbot, ChatbotStatus, Reindexing},
    jobs::JobKind,
};
use rag::embed::Purpose;
use serde_json::json;
use store::{
    Exemption, Scope, WriteTx,
    jobs::{Job, NewJob},
    reindexing::{self, NextVector, PendingPassage},
    vectors::{Collection, Point, VectorSpace},
};
use uuid::Uuid;

use super::{second_vectors, vector_sync};
use crate::{
    error::{ApiError, ApiResult},
    service::jobs::running::{Error, Running, VECTOR_SLICE},
    state::App,
};

/// Passages that are embedded for one transaction.
const BATCH: i64 = 64;
/// Passages per statement of the transaction that replaces all vectors.
const REPLACE_BATCH: i64 = 200;
/// The model in the payload of a job.
const MODEL: &str = "embedding_model";

/// The effect of a requested model: none, or the model that the chatbot moves to, or that it stays.
///
/// # Errors
/// `validation_error` when the platform does not have the model.
pub fn requested(app: &App, chatbot: &Chatbot, model: Option<&str>) -> ApiResult<Option<Option<String>>> {
    let Some(model) = model else { return Ok(None) };
    if app.embedders.find(model).is_none() {
        let message = format!("must be one of {}", app.embedders.names().join(", "));
        return Err(ApiError::field(&["body", MODEL], message, "enum"));
    }
    let current = app.embedders.of_chatbot(chatbot.embedding_model.as_deref(), &chatbot.language);
    let next = current.is_none_or(|current| current.model() != model).then(|| model.to_owned());
    let under_way = chatbot.reindexing.as_ref().map(|reindexing| &reindexing.embedding_model);
    Ok((next.as_ref() != under_way).then_some(next))
}

/// Begins the move to a model in the caller's transaction, or ends the one that is under way.
pub async fn start(tx: &mut WriteTx, chatbot: &Chatbot, model: Option<&str>) -> store::Result<Option<Reindexing>> {
    let (tenant, id) = (chatbot.tenant_id, chatbot.id);
    // A store outside of the database forgets the vectors of a move that ended when it is compared with the database.
    reindexing::set_next(tx, tenant, id, model).await?;
    let Some(model) = model else { return Ok(None) };
    let job = NewJob {
        kind: JobKind::Reindex,
        chatbot: id,
        payload: json!({ MODEL: model }),
        is_large: true,
        storage: None,
        host: None,
    };
    store::jobs::insert(tx, tenant, &job).await?;
    let chatbot = store::chatbots::find(tx, tenant, id).await?;
    Ok(chatbot.and_then(|chatbot| chatbot.reindexing))
}

/// Queues the chatbots that the upgrade found with the model for English and another language.
pub async fn migrate_all(app: App) {
    if let Err(error) = migrate(&app).await {
        tracing::warn!(%error, "reindexing.not_queued");
    }
}

/// Like [`migrate_all`], once; returns how many jobs were queued.
pub async fn migrate(app: &App) -> store::Result<usize> {
    if app.embedders.multilingual().is_none() {
        return Ok(0);
    }
    let mut tx = app.db.read(&Scope::system()).await?;
    let waiting = reindexing::waiting_for_upgrade(&mut tx).await?;
    drop(tx);
    let mut queued = 0;
    for collection in waiting {
        queued += usize::from(migrate_one(app, collection).await?);
    }
    if queued > 0 {
        tracing::info!(chatbots = queued, "reindexing.queued");
        app.job_queued().notify_waiters();
    }
    Ok(queued)
}

async fn migrate_one(app: &App, Collection { tenant, chatbot }: Collection) -> store::Result<bool> {
    let Some(model) = app.embedders.multilingual().map(|embedder| embedder.model().to_owned()) else {
        return Ok(false);
    };
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    let chatbot_row = store::chatbots::find_for_update(&mut tx, tenant, chatbot).await?;
    let is_other =
        |chatbot_row: &Chatbot| chatbot_row.embedding_model.as_ref().is_some_and(|own_model| *own_model != model);
    let moves = match &chatbot_row {
        Some(chatbot_row) if chatbot_row.reindexing.is_none() && is_other(chatbot_row) => {
            start(&mut tx, chatbot_row, Some(&model)).await?.is_some()
        }
        Some(chatbot_row) if chatbot_row.reindexing.is_none() => {
            reindexing::set_next(&mut tx, tenant, chatbot, None).await?;
            false
        }
        _ => {
            tx.discard().await?;
            return Ok(false);
        }
    };
    tx.commit_exempt(Exemption::Indexing).await?;
    Ok(moves)
}

/// Makes new vectors until no passage lacks one, and puts them in the place of the former ones.
///
/// # Errors
/// [`Error::Lost`], and [`Error::Temporary`] when the database, the model or the store of vectors fails.
pub async fn run(running: &Running) -> Result<(), Error> {
    let (tenant, chatbot) = (running.job.tenant, running.job.chatbot);
    loop {
        let mut tx = running.app.db.read(&Scope::tenant(tenant)).await?;
        let next = reindexing::next_model(&mut tx, tenant, chatbot).await?;
        let pending = reindexing::pending(&mut tx, tenant, chatbot, BATCH).await?;
        drop(tx);
        // Another model was requested in the meantime.
        if next.is_none() || next.as_deref() != model_of(&running.job) {
            return Ok(());
        }
        if !pending.is_empty() {
            if running.has_run_for(VECTOR_SLICE) {
                return running.requeue().await;
            }
            embed_batch(running, pending).await?;
        } else if replace_all(running).await? {
            return Ok(());
        }
    }
}

async fn embed_batch(running: &Running, pending: Vec<PendingPassage>) -> Result<(), Error> {
    let (app, job) = (&running.app, &running.job);
    let embedder = model_of(job).and_then(|model| app.embedders.find(model));
    let embedder = embedder.ok_or_else(|| Error::Temporary("the model is not configured".to_owned()))?;
    let texts = pending.iter().map(super::embedded_text).collect();
    let vectors =
        embedder.embed(texts, Purpose::Document).await.map_err(|error| Error::Temporary(error.to_string()))?;
    let vectors_to_store = pending.into_iter().zip(vectors).map(|(passage, embedding)| NextVector {
        passage: passage.id,
        next_id: Uuid::now_v7(),
        embedding,
    });
    let vectors_to_store: Vec<NextVector> = vectors_to_store.collect();
    let points: Vec<Point> =
        vectors_to_store.iter().map(|next| Point { id: next.next_id, embedding: next.embedding.clone() }).collect();
    if app.vectors.external().is_some() {
        let space = VectorSpace { collection: collection(job), model: embedder.model(), is_own: false };
        app.vectors.create(space, embedder.dimensions()).await.map_err(store::Error::from)?;
        app.vectors.upsert(space, &points).await.map_err(store::Error::from)?;
    }
    let mut tx = running.begin().await?;
    // Another model may have been requested while these vectors were made; the lock prevents it until they are kept.
    let chatbot_row = store::chatbots::find_for_update(&mut tx, job.tenant, job.chatbot).await?;
    let current_model = chatbot_row.and_then(|row| row.reindexing).map(|reindexing| reindexing.embedding_model);
    if current_model.as_deref() != model_of(job) {
        return Ok(tx.discard().await?);
    }
    let (done, total) = reindexing::store_vectors(&mut tx, job.tenant, job.chatbot, &vectors_to_store).await?;
    store::jobs::set_progress(&mut tx, job, done, Some(total)).await?;
    running.commit(tx).await
}

/// Replaces all vectors in one transaction; `false` when there is a passage without a new one.
async fn replace_all(running: &Running) -> Result<bool, Error> {
    let (app, job) = (&running.app, &running.job);
    let (tenant, chatbot) = (job.tenant, job.chatbot);
    let mut tx = running.begin().await?;
    let chatbot_row = store::chatbots::find_for_update(&mut tx, tenant, chatbot).await?;
    let reindexing = chatbot_row.as_ref().and_then(|chatbot_row| chatbot_row.reindexing.as_ref());
    let (Some(chatbot_row), Some(model)) =
        (&chatbot_row, reindexing.map(|reindexing| reindexing.embedding_model.as_str()))
    else {
        tx.discard().await?;
        return Ok(true);
    };
    if chatbot_row.status == ChatbotStatus::Deactivated {
        // Its passages may lie outside of the collection, with the former vectors.
        reindexing::set_next(&mut tx, tenant, chatbot, None).await?;
        running.finish(tx).await?;
        return Ok(true);
    }
    if Some(model) != model_of(job) || !reindexing::pending(&mut tx, tenant, chatbot, 1).await?.is_empty() {
        tx.discard().await?;
        return Ok(false);
    }
    let mut former = Vec::new();
    while let Some(ids) = reindexing::replace(&mut tx, tenant, chatbot, REPLACE_BATCH).await? {
        former.extend(ids);
    }
    reindexing::finish(&mut tx, tenant, chatbot, model).await?;
    second_vectors::queue(app, &mut tx, tenant, chatbot).await?;
    running.finish(tx).await?;
    vector_sync::remove(app, collection(job), &former).await;
    // A comparison during a long move may have removed new points as orphans.
    if let Err(error) = vector_sync::repair(app, collection(job)).await {
        tracing::warn!(chatbot_id = %chatbot, %error, "vectors.not_compared");
    }
    tracing::info!(chatbot_id = %chatbot, model, passages = former.len(), "reindexing.done");
    Ok(true)
}

/// The chatbot stays with its model.
pub async fn give_up(tx: &mut WriteTx, job: &Job) -> store::Result<()> {
    let next = reindexing::next_model(tx, job.tenant, job.chatbot).await?;
    if next.as_deref() == model_of(job) {
        reindexing::set_next(tx, job.tenant, job.chatbot, None).await?;
    }
    Ok(())
}

fn model_of(job: &Job) -> Option<&str> {
    job.payload.get(MODEL).and_then(|model| model.as_str())
}

fn collection(job: &Job) -> Collection {
    Collection { tenant: job.tenant, chatbot: job.chatbot }
}
