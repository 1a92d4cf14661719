//! Second vectors for chatbots whose own model supports one language: made by the multilingual model, for questions in
//! other languages. A job creates them after the first ones, batch by batch and with low priority, and removes them
//! when they are no longer wanted. A killed job continues with the next batch.

use std::sync::Arc;

use contract::{ChatbotId, TenantId, jobs::JobKind};
use rag::embed::{Embedder, Purpose};
use serde_json::json;
use store::{
    Exemption, Scope, WriteTx,
    jobs::NewJob,
    reindexing::PendingPassage,
    second_vectors::{self, SecondVectors},
    vectors::{Collection, Point, VectorSpace},
};
use uuid::Uuid;

use crate::{
    service::jobs::running::{Error, Running, VECTOR_SLICE},
    state::App,
};

/// Passages that are embedded for one transaction.
const BATCH: i64 = 64;
/// Passages that lose their second vector in one transaction.
const CLEAR_BATCH: i64 = 500;

/// The model for the second vectors of a chatbot; `None` when its own model is multilingual, when its tenant does not
/// want them, or when the platform has only one model.
fn second_embedder<'a>(app: &'a App, state: &SecondVectors) -> Option<&'a Arc<dyn Embedder>> {
    let own = app.embedders.of_chatbot(state.embedding_model.as_deref(), &state.language)?;
    app.embedders.multilingual().filter(|multilingual| state.cross_language && multilingual.model() != own.model())
}

/// Whether passages of a chatbot wait for second vectors.
pub async fn is_due(app: &App, tenant: TenantId, chatbot: ChatbotId) -> store::Result<bool> {
    let mut tx = app.db.read(&Scope::tenant(tenant)).await?;
    let state = second_vectors::find(&mut tx, tenant, chatbot).await?;
    let pending = second_vectors::pending(&mut tx, tenant, chatbot, 1).await?;
    let is_wanted = state.as_ref().and_then(|state| second_embedder(app, state)).is_some();
    Ok(is_wanted && (!pending.is_empty() || state.is_some_and(|state| state.second_embedding_model.is_none())))
}

/// Queues a job in the caller's transaction when passages of the chatbot may lack a second vector, or have one too many.
pub(super) async fn queue(app: &App, tx: &mut WriteTx, tenant: TenantId, chatbot: ChatbotId) -> store::Result<()> {
    if app.embedders.multilingual().is_none() {
        return Ok(());
    }
    let Some(state) = second_vectors::find(tx, tenant, chatbot).await? else { return Ok(()) };
    if second_embedder(app, &state).is_none() && state.second_embedding_model.is_none() {
        return Ok(());
    }
    start(tx, tenant, chatbot).await
}

/// Queues a job in the caller's transaction, unless one waits.
pub async fn start(tx: &mut WriteTx, tenant: TenantId, chatbot: ChatbotId) -> store::Result<()> {
    if !second_vectors::is_queued(tx, tenant, chatbot).await? {
        let job = NewJob {
            kind: JobKind::SecondVectors,
            chatbot,
            payload: json!({}),
            is_large: true,
            storage: None,
            host: None,
        };
        store::jobs::insert(tx, tenant, &job).await?;
    }
    Ok(())
}

/// Queues the chatbots that an upgrade, or a change of the models, found with other second vectors than they should have.
pub async fn queue_all(app: App) {
    match queue_waiting(&app).await {
        Ok(0) => {}
        Ok(chatbots) => {
            tracing::info!(chatbots, "second_vectors.queued");
            app.job_queued().notify_waiters();
        }
        Err(error) => tracing::warn!(%error, "second_vectors.not_queued"),
    }
}

/// Like [`queue_all`]; returns how many jobs were queued.
pub async fn queue_waiting(app: &App) -> store::Result<usize> {
    let Some(multilingual) = app.embedders.multilingual() else { return Ok(0) };
    let mut tx = app.db.read(&Scope::system()).await?;
    let waiting = second_vectors::waiting(&mut tx, multilingual.model()).await?;
    drop(tx);
    for Collection { tenant, chatbot } in &waiting {
        let mut tx = app.db.write(&Scope::tenant(*tenant)).await?;
        start(&mut tx, *tenant, *chatbot).await?;
        tx.commit_exempt(Exemption::Indexing).await?;
    }
    Ok(waiting.len())
}

/// Makes second vectors until no passage lacks one, or removes them.
///
/// # Errors
/// [`Error::Lost`], and [`Error::Temporary`] when the database, the model or the store of vectors fails.
pub async fn run(running: &Running) -> Result<(), Error> {
    let mut is_prepared = false;
    loop {
        let (state, pending) = read_state(running).await?;
        let Some(state) = state.filter(|state| state.is_active) else { return Ok(()) };
        let embedder = second_embedder(&running.app, &state);
        let model = embedder.map(|embedder| embedder.model());
        let former = state.second_embedding_model.as_deref().filter(|former| Some(*former) != model);
        let Some(embedder) = embedder else { return clear(running, former).await };
        if former.is_some() {
            clear(running, former).await?;
            is_prepared = false;
        } else if !is_prepared {
            prepare(running, embedder.as_ref()).await?;
            is_prepared = true;
        } else if !pending.is_empty() {
            if running.has_run_for(VECTOR_SLICE) {
                return running.requeue().await;
            }
            embed_batch(running, embedder.as_ref(), pending).await?;
        } else if finish(running, embedder.model()).await? {
            return Ok(());
        }
    }
}

async fn read_state(running: &Running) -> Result<(Option<SecondVectors>, Vec<PendingPassage>), Error> {
    let Collection { tenant, chatbot } = collection(running);
    let mut tx = running.app.db.read(&Scope::tenant(tenant)).await?;
    let state = second_vectors::find(&mut tx, tenant, chatbot).await?;
    let pending = second_vectors::pending(&mut tx, tenant, chatbot, BATCH).await?;
    Ok((state, pending))
}

/// Prepares storage for the vectors while there are none.
async fn prepare(running: &Running, embedder: &dyn Embedder) -> Result<(), Error> {
    let app = &running.app;
    if app.vectors.external().is_some() {
        let space = space(running, embedder.model());
        app.vectors.create(space, embedder.dimensions()).await.map_err(store::Error::from)?;
        return Ok(());
    }
    let mut tx = running.begin().await?;
    second_vectors::index(&mut tx, running.job.chatbot, app.dimensions_in_database()).await?;
    running.commit(tx).await
}

async fn embed_batch(running: &Running, embedder: &dyn Embedder, pending: Vec<PendingPassage>) -> Result<(), Error> {
    let Collection { tenant, chatbot } = collection(running);
    let texts = pending.iter().map(super::embedded_text).collect();
    let vectors =
        embedder.embed(texts, Purpose::Document).await.map_err(|error| Error::Temporary(error.to_string()))?;
    let vectors_by_passage: Vec<(Uuid, Vec<f32>)> =
        pending.into_iter().map(|passage| passage.id).zip(vectors).collect();
    if running.app.vectors.external().is_some() {
        let point = |(id, embedding): &(Uuid, Vec<f32>)| Point { id: *id, embedding: embedding.clone() };
        let points: Vec<Point> = vectors_by_passage.iter().map(point).collect();
        running.app.vectors.upsert(space(running, embedder.model()), &points).await.map_err(store::Error::from)?;
    }
    let mut tx = running.begin().await?;
    second_vectors::store_vectors(&mut tx, tenant, chatbot, &vectors_by_passage).await?;
    running.commit(tx).await
}

/// Enables the vectors for questions; `false` when a passage has none.
async fn finish(running: &Running, model: &str) -> Result<bool, Error> {
    let Collection { tenant, chatbot } = collection(running);
    let mut tx = running.begin().await?;
    // Prevents a change of model, switch or documents in between.
    store::chatbots::find_for_update(&mut tx, tenant, chatbot).await?;
    let state = second_vectors::find(&mut tx, tenant, chatbot).await?;
    let is_wanted = state
        .is_some_and(|state| second_embedder(&running.app, &state).is_some_and(|embedder| embedder.model() == model));
    if !is_wanted || !second_vectors::pending(&mut tx, tenant, chatbot, 1).await?.is_empty() {
        tx.discard().await?;
        return Ok(false);
    }
    second_vectors::set_model(&mut tx, tenant, chatbot, Some(model)).await?;
    running.finish(tx).await?;
    tracing::info!(chatbot_id = %chatbot, model, "second_vectors.done");
    Ok(true)
}

/// Removes the second vectors: first no question uses them any more.
async fn clear(running: &Running, model: Option<&str>) -> Result<(), Error> {
    let Collection { tenant, chatbot } = collection(running);
    let mut tx = running.begin().await?;
    second_vectors::set_model(&mut tx, tenant, chatbot, None).await?;
    running.commit(tx).await?;
    loop {
        let mut tx = running.begin().await?;
        let cleared = second_vectors::clear(&mut tx, tenant, chatbot, CLEAR_BATCH).await?;
        if cleared == 0 {
            second_vectors::index(&mut tx, chatbot, None).await?;
        }
        running.commit(tx).await?;
        if cleared == 0 {
            break;
        }
    }
    let multilingual = running.app.embedders.multilingual().map(|embedder| embedder.model());
    for model in model.into_iter().chain(multilingual) {
        clear_points(running, model).await?;
    }
    Ok(())
}

/// Removes the points of second vectors of a model, unless it is the chatbot's own one.
async fn clear_points(running: &Running, model: &str) -> Result<(), Error> {
    let (state, _) = read_state(running).await?;
    let is_own = state.is_none_or(|state| {
        let own = running.app.embedders.of_chatbot(state.embedding_model.as_deref(), &state.language);
        own.is_none_or(|own| own.model() == model)
    });
    if !is_own {
        running.app.vectors.clear(space(running, model)).await.map_err(store::Error::from)?;
    }
    Ok(())
}

fn collection(running: &Running) -> Collection {
    Collection { tenant: running.job.tenant, chatbot: running.job.chatbot }
}

fn space<'a>(running: &Running, model: &'a str) -> VectorSpace<'a> {
    VectorSpace { collection: collection(running), model, is_own: false }
}
