//! Provisions a chatbot's vector collection: the partition is created in the chatbot's own transaction with the answers
//! that its template prepares, which are then indexed. Failures are retried by the background task and by the tenant.

use std::time::Duration;

use contract::{
    ChatbotId, TenantId,
    chatbots::{Chatbot, ChatbotStatus, Provisioning},
};
use futures::{StreamExt, stream};
use store::{
    Exemption, Scope, WriteTx,
    chatbots::template_answers::{self, TemplateAnswers},
    documents::{self, SourceKind},
    vectors::Collection,
};
use tokio_util::sync::CancellationToken;

use super::{
    Error,
    faq::{self, template::OnConflict},
    idle_collections, indexing, second_vectors,
    vector_sync::{self, SyncDepth},
};
use crate::{shutdown::rest, state::App};

const RETRY_EVERY: Duration = Duration::from_secs(30);
/// How long a call or a retry waits for a chatbot to be completed.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Chatbots that are tried again at the same time.
const RETRIES: usize = 4;
/// Rounds of retries from one thorough comparison of the vector store to the next: an hour.
const ROUNDS: u32 = 120;

/// Creates the chatbot's collection in the caller's transaction and returns the new state: `Pending` when prepared answers
/// must be indexed or an external store must be prepared, `Failed` when the collection could not be created.
pub async fn make_collection(app: &App, tx: &mut WriteTx, chatbot: &Chatbot) -> store::Result<Provisioning> {
    let rests = !chatbot.prepared_answers().is_empty() || app.vectors.external().is_some();
    let state = match store::chatbots::try_provision_collection(tx, chatbot.id, app.dimensions_in_database()).await? {
        Ok(()) if rests => Provisioning::Pending,
        Ok(()) => Provisioning::Ready,
        Err(error) => {
            tracing::warn!(chatbot_id = %chatbot.id, %error, "provisioning.failed");
            Provisioning::Failed
        }
    };
    let embedding = (state != Provisioning::Failed).then(|| app.embedders.of_language(&chatbot.language));
    let embedding = embedding.map(|embedder| (embedder.model(), embedder.dimensions()));
    store::chatbots::set_provisioning(tx, chatbot.tenant_id, chatbot.id, state, embedding).await?;
    Ok(state)
}

/// Completes a chatbot in a task that outlives the request, also when another task is at it: that one may have seen the
/// chatbot as it was before.
pub fn in_background(app: &App, tenant: TenantId, id: ChatbotId) {
    begin(app, tenant, id, app.provisioning().begin(id));
}

/// Completes a chatbot like [`in_background`] and waits for a while, joining a running task. A longer task continues.
pub async fn completed(app: &App, tenant: TenantId, id: ChatbotId) {
    completed_within(app, tenant, id, TIMEOUT).await;
}

async fn completed_within(app: &App, tenant: TenantId, id: ChatbotId, timeout: Duration) {
    let (done, is_new) = app.provisioning().join(id);
    if is_new {
        begin(app, tenant, id, done.clone());
    }
    let _ = tokio::time::timeout(timeout, done.cancelled()).await;
}

/// Completes a chatbot in a task that cancels `done` at its end.
fn begin(app: &App, tenant: TenantId, id: ChatbotId, done: CancellationToken) {
    let (task, ends) = (app.clone(), done.drop_guard());
    app.tasks.spawn(async move {
        let _ends = ends;
        if let Err(error) = complete(&task, tenant, id).await {
            tracing::warn!(chatbot_id = %id, %error, "provisioning.failed");
            if let Err(error) = mark_failed(&task, tenant, id).await {
                tracing::warn!(chatbot_id = %id, %error, "provisioning.state_not_written");
            }
        }
    });
}

/// Tries again, every 30 seconds, what is not ready, and makes again what the vector store lost; ends when `stop` is
/// cancelled.
pub async fn retry_until(app: App, stop: CancellationToken) {
    for round in 0u32.. {
        let depth = if round.is_multiple_of(ROUNDS) { SyncDepth::Counts } else { SyncDepth::Existence };
        tokio::select! {
            () = stop.cancelled() => return,
            () = vector_sync::reconcile(&app, depth) => {}
        }
        if !rest(RETRY_EVERY, &stop).await {
            return;
        }
        retry(&app).await;
        faq::retry(&app).await;
    }
}

/// Tries again, once, what is not ready.
pub async fn retry(app: &App) {
    retry_within(app, TIMEOUT).await;
}

/// Retries everything that is not ready once, several at the same time; each delays others by at most `timeout`.
pub async fn retry_within(app: &App, timeout: Duration) {
    match waiting(app).await {
        Ok(list) => {
            // A task that was cut off at shutdown is tried again at the next start.
            let tries = stream::iter(list);
            tries.for_each_concurrent(RETRIES, |(tenant, id)| completed_within(app, tenant, id, timeout)).await;
        }
        Err(error) => tracing::warn!(%error, "provisioning.list_failed"),
    }
}

async fn waiting(app: &App) -> store::Result<Vec<(TenantId, ChatbotId)>> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let list = store::chatbots::unprovisioned(&mut tx).await?;
    Ok(list)
}

/// Completes a chatbot; idempotent.
async fn complete(app: &App, tenant: TenantId, id: ChatbotId) -> Result<(), Error> {
    while !complete_once(app, tenant, id).await? {}
    Ok(())
}

/// Takes the prepared answers of the template, makes the collection when it is missing and indexes the answers; `false`
/// when there were more of them meanwhile.
async fn complete_once(app: &App, tenant: TenantId, id: ChatbotId) -> Result<bool, Error> {
    let scope = Scope::tenant(tenant);
    let mut tx = app.db.read(&scope).await?;
    let chatbot = store::chatbots::find(&mut tx, tenant, id).await?;
    drop(tx);
    let Some(chatbot) = chatbot.filter(|chatbot| chatbot.status == ChatbotStatus::Active) else { return Ok(true) };
    take_template_answers(app, tenant, id).await?;
    if !is_waiting(&chatbot) {
        faq::index_template(app, tenant, id).await?;
        return Ok(true);
    }
    let collection = Collection { tenant, chatbot: id };
    idle_collections::restore(app, collection).await?;
    vector_sync::repair(app, collection).await?;
    let embedder = indexing::embedder(app, tenant, id).await?;
    let mut tx = app.db.write(&scope).await?;
    store::chatbots::provision_collection(&mut tx, id, app.dimensions_in_database()).await?;
    tx.commit_exempt(Exemption::Provisioning).await?;
    faq::index_template(app, tenant, id).await?;
    let mut tx = app.db.write(&scope).await?;
    let chatbot = store::chatbots::find_for_update(&mut tx, tenant, id).await?;
    let Some(chatbot) = chatbot.filter(is_waiting) else { return Ok(true) };
    let model = chatbot.embedding_model.as_deref();
    let waits = !store::faq::waiting_of_template(&mut tx, tenant, id).await?.is_empty();
    if waits || model.is_some_and(|model| model != embedder.model()) {
        return Ok(false);
    }
    let embedding = Some((embedder.model(), embedder.dimensions()));
    store::chatbots::set_provisioning(&mut tx, tenant, id, Provisioning::Ready, embedding).await?;
    second_vectors::queue(app, &mut tx, tenant, id).await?;
    tx.commit_exempt(Exemption::Provisioning).await?;
    Ok(true)
}

/// Makes own answers of the prepared ones that operators or an earlier version of the platform left to take over, in one
/// transaction; the tenant's own stay. Removes the document in which an earlier version kept them.
async fn take_template_answers(app: &App, tenant: TenantId, id: ChatbotId) -> Result<(), Error> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    let Some(chatbot) = store::chatbots::find_for_update(&mut tx, tenant, id).await? else { return Ok(()) };
    let former = documents::delete_of_kind(&mut tx, tenant, id, SourceKind::FaqSeed).await?;
    let had_source = template_answers::remove_former_source(&mut tx, tenant, id).await?;
    let noted = template_answers::find(&mut tx, tenant, id).await?;
    let seed = || TemplateAnswers { before: Vec::new(), now: chatbot.prepared_answers().to_vec() };
    let Some(answers) = noted.or_else(|| had_source.then(seed)) else {
        return Ok(tx.discard().await?);
    };
    let merged = faq::template::merge(&mut tx, (tenant, id), &answers, OnConflict::Keep).await?;
    template_answers::set(&mut tx, tenant, id, None).await?;
    tx.commit_exempt(Exemption::Provisioning).await?;
    let removed_passages: Vec<_> = former.into_iter().chain(merged.removed_passages).collect();
    vector_sync::remove(app, Collection { tenant, chatbot: id }, &removed_passages).await;
    Ok(())
}

fn is_waiting(chatbot: &Chatbot) -> bool {
    chatbot.provisioning != Provisioning::Ready
}

/// Marks a chatbot for a retry, unless another task completed it in the meantime.
async fn mark_failed(app: &App, tenant: TenantId, id: ChatbotId) -> store::Result<()> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    if store::chatbots::find_for_update(&mut tx, tenant, id).await?.is_none_or(|chatbot| !is_waiting(&chatbot)) {
        return tx.discard().await;
    }
    store::chatbots::set_provisioning(&mut tx, tenant, id, Provisioning::Failed, None).await?;
    tx.commit_exempt(Exemption::Provisioning).await
}
