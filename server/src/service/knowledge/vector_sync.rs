//! Keeps an external vector store in sync with the database. Points are upserted before the transaction that inserts their
//! passages, and removed after the one that deletes them: a point without a passage is never shown. A comparison of the two finds
//! what an interruption left behind and what the store lost.

use std::{
    collections::HashSet,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use contract::chatbots::Provisioning;
use store::{
    Exemption, Scope,
    passages::{self, NewPassage},
    vectors::{Collection, ExternalStore, Point},
};
use uuid::Uuid;

use crate::state::App;

/// Points without a passage are kept for this long: their transaction may still be under way.
const GRACE: Duration = Duration::from_secs(3600);
/// Passages read at a time.
const BATCH: usize = 256;

/// Upserts the points of passages that will be committed.
///
/// # Errors
/// When the store fails.
pub(crate) async fn upsert(app: &App, collection: Collection, new: &[NewPassage]) -> store::Result<()> {
    if app.vectors.external().is_none() || new.is_empty() {
        return Ok(());
    }
    let points: Vec<Point> = new.iter().map(Point::from).collect();
    Ok(app.vectors.put(collection, &points).await?)
}

/// Removes the points of deleted passages; what fails is left to the next comparison.
pub(crate) async fn remove(app: &App, collection: Collection, gone: &[Uuid]) {
    if gone.is_empty() {
        return;
    }
    if let Err(error) = app.vectors.remove(collection, gone).await {
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
    let wanted = store::chatbots::provisioned(&mut tx).await?;
    let unwanted = store::chatbots::orphaned(&mut tx).await?;
    drop(tx);
    let names = external.names().await?;
    for collection in wanted {
        if depth == SyncDepth::Counts || !names.contains(&collection.name()) {
            repair(app, collection).await?;
        }
    }
    for collection in unwanted {
        delete_collection(app, collection).await?;
    }
    Ok(())
}

/// Deletes the collection of a chatbot that is no longer active. Its passages stay in the database, from which it can be
/// created again.
async fn delete_collection(app: &App, Collection { tenant, chatbot }: Collection) -> store::Result<()> {
    app.vectors.delete(Collection { tenant, chatbot }).await?;
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    store::chatbots::set_provisioning(&mut tx, tenant, chatbot, Provisioning::Pending, None).await?;
    let exempt = tx.exempt(Exemption::Provisioning);
    tx.commit(exempt).await?;
    tracing::info!(chatbot_id = %chatbot, "vectors.collection_removed");
    Ok(())
}

/// Makes a collection outside of the database, if it is missing, and equal to the chatbot's passages, unless it has as many
/// points.
///
/// # Errors
/// When the database or the store fails.
pub(crate) async fn repair(app: &App, collection: Collection) -> store::Result<()> {
    let Some(external) = app.vectors.external() else { return Ok(()) };
    let Collection { tenant, chatbot } = collection;
    app.vectors.create(collection, app.embedders.dimensions()).await?;
    let scope = Scope::tenant(tenant);
    let mut tx = app.db.read(&scope).await?;
    let passages = passages::count(&mut tx, tenant, chatbot).await?;
    drop(tx);
    if external.count(collection).await? == passages {
        return Ok(());
    }
    let indexed = external.ids(collection).await?;
    let mut tx = app.db.read(&scope).await?;
    let known = passages::ids(&mut tx, tenant, chatbot).await?;
    drop(tx);
    let missing: Vec<Uuid> = known.difference(&indexed).copied().collect();
    for batch in missing.chunks(BATCH) {
        let mut tx = app.db.read(&scope).await?;
        let points = passages::points(&mut tx, tenant, chatbot, batch).await?;
        drop(tx);
        app.vectors.put(collection, &points).await?;
    }
    let orphans = orphans(&indexed, &known, SystemTime::now());
    app.vectors.remove(collection, &orphans).await?;
    tracing::info!(chatbot_id = %chatbot, added = missing.len(), removed = orphans.len(), "vectors.repaired");
    Ok(())
}

/// The points that have no passage and will get none. An id contains the time at which it was made.
fn orphans(indexed: &HashSet<Uuid>, known: &HashSet<Uuid>, now: SystemTime) -> Vec<Uuid> {
    let old = |id: &Uuid| {
        id.get_timestamp().is_none_or(|made| {
            let (seconds, nanoseconds) = made.to_unix();
            now.duration_since(UNIX_EPOCH + Duration::new(seconds, nanoseconds)).is_ok_and(|age| age > GRACE)
        })
    };
    indexed.difference(known).copied().filter(old).collect()
}

/// Gives collections that were made for another store the database's own index. One that fails does not keep the others from it.
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

/// Makes the index of one collection. The lock on the chatbot keeps another process from making the same one meanwhile.
async fn index_one(app: &App, Collection { tenant, chatbot }: Collection) -> store::Result<()> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    if store::chatbots::find_for_update(&mut tx, tenant, chatbot).await?.is_none() {
        return tx.discard().await;
    }
    store::chatbots::provision_collection(&mut tx, chatbot, app.dimensions_in_database()).await?;
    let exempt = tx.exempt(Exemption::Provisioning);
    tx.commit(exempt).await?;
    tracing::info!(chatbot_id = %chatbot, "vectors.indexed_in_database");
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::{NoContext, Timestamp};

    use super::*;

    #[test]
    fn a_point_without_passage_is_an_orphan_after_the_grace_period() {
        let now = SystemTime::now();
        let made = |ago: u64| {
            let at = (now - Duration::from_secs(ago)).duration_since(UNIX_EPOCH).unwrap();
            Uuid::new_v7(Timestamp::from_unix(NoContext, at.as_secs(), at.subsec_nanos()))
        };
        let (old, young, known, foreign) = (made(4000), made(3000), made(5000), Uuid::new_v4());
        let indexed = HashSet::from([old, young, known, foreign]);
        let found: HashSet<Uuid> = orphans(&indexed, &HashSet::from([known]), now).into_iter().collect();
        assert_eq!(found, HashSet::from([old, foreign]));
    }
}
