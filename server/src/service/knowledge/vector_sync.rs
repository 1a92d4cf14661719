//! Keeps an external vector store in sync with the database. Points are upserted before the transaction that inserts
//! their passages, and removed after the one that deletes them, so that a point without a passage is never shown. A
//! comparison of the two finds leftovers of interruptions and what the store lost.

use std::{
    collections::HashSet,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use contract::chatbots::Provisioning;
use store::{
    Exemption, Scope,
    passages::{self, NewPassage, VectorKind},
    vectors::{Collection, ExternalStore, Point, VectorSpace},
};
use uuid::Uuid;

use crate::state::App;

/// How long points without a passage are kept: their transaction may still be running.
const GRACE: Duration = Duration::from_secs(3600);
/// Passages read at a time.
const BATCH: usize = 256;
/// Failures in a row after which a comparison ends: the fault is probably not that of a collection.
const MAX_FAILURES: usize = 3;

/// Upserts the points of passages that will be committed, with vectors of the chatbot's own `model`.
///
/// # Errors
/// When the store fails.
pub(crate) async fn upsert(app: &App, collection: Collection, model: &str, new: &[NewPassage]) -> store::Result<()> {
    if app.vectors.external().is_none() || new.is_empty() {
        return Ok(());
    }
    let points: Vec<Point> = new.iter().map(Point::from).collect();
    Ok(app.vectors.upsert(VectorSpace { collection, model, is_own: true }, &points).await?)
}

/// Removes the points of deleted passages; failures are left to the next comparison.
pub(crate) async fn remove(app: &App, collection: Collection, passages: &[Uuid]) {
    if passages.is_empty() {
        return;
    }
    if let Err(error) = app.vectors.remove(collection, passages).await {
        tracing::warn!(chatbot_id = %collection.chatbot, %error, "vectors.not_removed");
    }
}

/// How thoroughly collections are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncDepth {
    /// Whether they exist.
    Existence,
    /// Whether they exist and have as many points as there are passages.
    Counts,
}

/// Creates what is missing in the vector store, and removes what no chatbot needs any more. What fails is logged and tried again
/// by the next call.
pub async fn reconcile(app: &App, depth: SyncDepth) {
    let done = match app.vectors.external() {
        Some(external) => compare(app, external, depth).await,
        None => index_in_database(app).await,
    };
    if let Err(error) = done {
        tracing::warn!(%error, "vectors.not_compared");
    }
}

async fn compare(app: &App, external: &dyn ExternalStore, depth: SyncDepth) -> store::Result<()> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let provisioned = store::chatbots::provisioned(&mut tx).await?;
    let unwanted = store::chatbots::orphaned(&mut tx).await?;
    drop(tx);
    let models: HashSet<&str> = provisioned
        .iter()
        .flat_map(|chatbot| [&chatbot.model, &chatbot.second_model])
        .flatten()
        .map(String::as_str)
        .collect();
    let mut lost = HashSet::new();
    for model in models {
        if !external.has_room(model).await? {
            lost.insert(model);
        }
    }
    let is_lost = |model: &Option<String>| model.as_deref().is_none_or(|model| lost.contains(model));
    let mut failures = Failures::default();
    for chatbot in &provisioned {
        let second_is_lost = chatbot.second_model.is_some() && is_lost(&chatbot.second_model);
        if depth == SyncDepth::Counts || is_lost(&chatbot.model) || second_is_lost {
            failures.note(chatbot.collection, repair(app, chatbot.collection).await)?;
        }
    }
    for collection in unwanted {
        failures.note(collection, delete_collection(app, collection).await)?;
    }
    Ok(())
}

/// The failures in a row of a comparison.
#[derive(Default)]
struct Failures(usize);

impl Failures {
    /// Notes how one collection ended. Returns the error that ends the comparison.
    fn note(&mut self, collection: Collection, ended: store::Result<()>) -> store::Result<()> {
        let Err(error) = ended else {
            self.0 = 0;
            return Ok(());
        };
        self.0 += 1;
        if self.0 == MAX_FAILURES {
            return Err(error);
        }
        tracing::warn!(chatbot_id = %collection.chatbot, %error, "vectors.not_compared");
        Ok(())
    }
}

/// Deletes the collection of a chatbot that is no longer active. Its passages stay in the database, from which it can
/// be created again.
async fn delete_collection(app: &App, Collection { tenant, chatbot }: Collection) -> store::Result<()> {
    app.vectors.delete(Collection { tenant, chatbot }).await?;
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    store::chatbots::set_provisioning(&mut tx, tenant, chatbot, Provisioning::Pending, None).await?;
    tx.commit_exempt(Exemption::Provisioning).await?;
    tracing::info!(chatbot_id = %chatbot, "vectors.collection_removed");
    Ok(())
}

/// Prepares external storage for a chatbot's vectors if there is none, and makes its points equal to its passages,
/// unless their numbers are equal.
///
/// # Errors
/// When the database or the store fails.
pub(crate) async fn repair(app: &App, collection: Collection) -> store::Result<()> {
    let Some(external) = app.vectors.external() else { return Ok(()) };
    let Collection { tenant, chatbot } = collection;
    let mut tx = app.db.read(&Scope::tenant(tenant)).await?;
    let state = store::second_vectors::find(&mut tx, tenant, chatbot).await?;
    drop(tx);
    let Some(state) = state else { return Ok(()) };
    let own = app.embedders.of_chatbot(state.embedding_model.as_deref(), &state.language);
    if let Some(model) = own.map(|embedder| embedder.model()) {
        let space = VectorSpace { collection, model, is_own: true };
        let is_moving = external.is_moving(collection).await?;
        let is_complete = repair_space(app, external, space, (VectorKind::Own, is_moving)).await?;
        if is_moving && is_complete {
            external.completed(collection).await?;
        }
    }
    if let Some(model) = state.second_embedding_model.as_deref() {
        let space = VectorSpace { collection, model, is_own: false };
        repair_space(app, external, space, (VectorKind::Second, false)).await?;
    }
    Ok(())
}

/// Repairs the points of one model; whether they are as many as the passages. With `compares_ids`, equal numbers are not enough.
async fn repair_space(
    app: &App,
    external: &dyn ExternalStore,
    space: VectorSpace<'_>,
    (kind, compares_ids): (VectorKind, bool),
) -> store::Result<bool> {
    let Collection { tenant, chatbot } = space.collection;
    app.vectors.create(space, app.embedders.dimensions()).await?;
    let scope = Scope::tenant(tenant);
    let is_complete = async || {
        let mut tx = app.db.read(&scope).await?;
        let passages = passages::count(&mut tx, (tenant, chatbot), kind).await?;
        drop(tx);
        store::Result::Ok(external.count(space).await? == passages)
    };
    if !compares_ids && is_complete().await? {
        return Ok(true);
    }
    let indexed = external.ids(space).await?;
    let mut tx = app.db.read(&scope).await?;
    let stored = passages::ids(&mut tx, (tenant, chatbot), kind).await?;
    drop(tx);
    if indexed == stored {
        return Ok(true);
    }
    let missing: Vec<Uuid> = stored.difference(&indexed).copied().collect();
    for batch in missing.chunks(BATCH) {
        let mut tx = app.db.read(&scope).await?;
        let points = passages::points(&mut tx, (tenant, chatbot), batch, kind).await?;
        drop(tx);
        app.vectors.upsert(space, &points).await?;
    }
    let orphans = orphans(&indexed, &stored, SystemTime::now());
    if !orphans.is_empty() {
        app.vectors.remove(space.collection, &orphans).await?;
    }
    tracing::info!(chatbot_id = %chatbot, added = missing.len(), removed = orphans.len(), "vectors.repaired");
    is_complete().await
}

/// Points without a passage that will not get one. An id contains the time of its creation.
fn orphans(indexed: &HashSet<Uuid>, stored: &HashSet<Uuid>, now: SystemTime) -> Vec<Uuid> {
    let old = |id: &Uuid| {
        id.get_timestamp().is_none_or(|created_at| {
            let (seconds, nanoseconds) = created_at.to_unix();
            now.duration_since(UNIX_EPOCH + Duration::new(seconds, nanoseconds)).is_ok_and(|age| age > GRACE)
        })
    };
    indexed.difference(stored).copied().filter(old).collect()
}

/// Creates the database's own index for collections of another store. A failure does not stop the others.
async fn index_in_database(app: &App) -> store::Result<()> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let unindexed = store::chatbots::without_index(&mut tx).await?;
    drop(tx);
    for collection in unindexed {
        if let Err(error) = index_one(app, collection).await {
            tracing::warn!(chatbot_id = %collection.chatbot, %error, "vectors.not_indexed");
        }
    }
    Ok(())
}

/// Creates the index of one collection. The lock on the chatbot prevents another process from creating the same one.
async fn index_one(app: &App, Collection { tenant, chatbot }: Collection) -> store::Result<()> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    if store::chatbots::find_for_update(&mut tx, tenant, chatbot).await?.is_none() {
        return tx.discard().await;
    }
    store::chatbots::provision_collection(&mut tx, chatbot, app.dimensions_in_database()).await?;
    let state = store::second_vectors::find(&mut tx, tenant, chatbot).await?;
    if state.is_some_and(|state| state.second_embedding_model.is_some()) {
        store::second_vectors::index(&mut tx, chatbot, app.dimensions_in_database()).await?;
    }
    tx.commit_exempt(Exemption::Provisioning).await?;
    tracing::info!(chatbot_id = %chatbot, "vectors.indexed_in_database");
    Ok(())
}

#[cfg(test)]
mod tests {
    use contract::{ChatbotId, TenantId};
    use uuid::{NoContext, Timestamp};

    use super::*;

    #[test]
    fn failures_in_a_row_end_a_comparison() {
        let collection = Collection { tenant: TenantId(Uuid::nil()), chatbot: ChatbotId(Uuid::nil()) };
        let mut failures = Failures::default();
        let goes_on = |is_failure: bool| {
            let ended = if is_failure { Err(store::Error::Text) } else { Ok(()) };
            failures.note(collection, ended).is_ok()
        };
        let ended = [true, true, false, true, true, true].map(goes_on);
        assert_eq!(ended, [true, true, true, true, true, false]);
    }

    #[test]
    fn a_point_without_passage_is_an_orphan_after_the_grace_period() {
        let now = SystemTime::now();
        let created = |ago: u64| {
            let at = (now - Duration::from_secs(ago)).duration_since(UNIX_EPOCH).unwrap();
            Uuid::new_v7(Timestamp::from_unix(NoContext, at.as_secs(), at.subsec_nanos()))
        };
        let (old, young, with_passage, foreign) = (created(4000), created(3000), created(5000), Uuid::new_v4());
        let indexed = HashSet::from([old, young, with_passage, foreign]);
        let orphaned: HashSet<Uuid> = orphans(&indexed, &HashSet::from([with_passage]), now).into_iter().collect();
        assert_eq!(orphaned, HashSet::from([old, foreign]));
    }
}
