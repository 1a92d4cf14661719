//! Drops the collections of chatbots that have been deactivated for long, because each partition with its indexes slows
//! down all tenants. The passages are stored without indexes, and return to a collection when the chatbot is
//! provisioned again.

use std::time::Duration;

use contract::chatbots::{Chatbot, ChatbotStatus, Provisioning};
use store::{Exemption, Scope, WriteTx, passages::kept, vectors::Collection};
use tokio_util::sync::CancellationToken;

use crate::{service::knowledge::Error, shutdown::rest, state::App};

/// Passages of one transaction.
const BATCH: i64 = 500;
/// Maximum collections per run.
const MAX_COLLECTIONS: i64 = 100;
const EVERY: Duration = Duration::from_secs(60 * 60);
const AFTER_A_FAILURE: Duration = Duration::from_secs(60);

/// Drops collections that were idle for more than `days` days (at least 1), at once and then every hour; ends when `stop`
/// is cancelled.
pub async fn run_until(app: App, days: i32, stop: CancellationToken) {
    loop {
        let pause = match run(&app, days, &stop).await {
            Ok(0) => EVERY,
            Ok(_) => AFTER_A_FAILURE,
            Err(error) => {
                tracing::warn!(%error, "idle_collections.failed");
                AFTER_A_FAILURE
            }
        };
        if !rest(pause, &stop).await {
            return;
        }
    }
}

/// Drops the collections of chatbots that were deactivated, or whose tenant was deleted, more than `days` days ago.
/// Returns 0 when nothing is left to do.
///
/// # Errors
/// When they cannot be listed.
pub async fn run(app: &App, days: i32, stop: &CancellationToken) -> store::Result<u64> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let idle = store::chatbots::idle_collections(&mut tx, days, MAX_COLLECTIONS).await?;
    drop(tx);
    let mut remaining = u64::from(i64::try_from(idle.len()).is_ok_and(|number| number == MAX_COLLECTIONS));
    for collection in idle {
        if let Err(error) = end(app, collection, stop).await {
            remaining += 1;
            tracing::warn!(chatbot_id = %collection.chatbot, %error, "idle_collections.not_dropped");
        }
    }
    Ok(remaining)
}

async fn end(app: &App, collection: Collection, stop: &CancellationToken) -> store::Result<()> {
    app.vectors.delete(collection).await?;
    while !stop.is_cancelled() && !end_batch(app, collection).await? {}
    Ok(())
}

/// Moves one batch of passages out of the collection, and drops it when it is empty; then `true`.
async fn end_batch(app: &App, Collection { tenant, chatbot }: Collection) -> store::Result<bool> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    let chatbot_row = store::chatbots::find_for_update(&mut tx, tenant, chatbot).await?;
    let is_active = store::tenants::is_active(&mut tx, tenant).await?;
    let Some(chatbot_row) =
        chatbot_row.filter(|chatbot_row| chatbot_row.status == ChatbotStatus::Deactivated || !is_active)
    else {
        tx.discard().await?;
        return Ok(true);
    };
    // Before the first passage leaves: a chatbot that is activated meanwhile is provisioned again.
    if chatbot_row.provisioning == Provisioning::Ready {
        store::chatbots::set_provisioning(&mut tx, tenant, chatbot, Provisioning::Pending, None).await?;
    }
    let is_empty = kept::keep(&mut tx, tenant, chatbot, BATCH).await? == 0;
    if is_empty {
        store::chatbots::drop_collection(&mut tx, tenant, chatbot).await?;
    }
    tx.commit_exempt(Exemption::Provisioning).await?;
    if is_empty {
        tracing::info!(chatbot_id = %chatbot, "idle_collections.dropped");
    }
    Ok(is_empty)
}

/// Restores the collection of a chatbot from its stored passages, if it was dropped. An interrupted call loses nothing:
/// the next one continues.
///
/// # Errors
/// When the database fails, or when another embedding model created the passages.
pub(super) async fn restore(app: &App, collection: Collection) -> Result<(), Error> {
    let Collection { tenant, chatbot } = collection;
    let mut tx = app.db.read(&Scope::tenant(tenant)).await?;
    let is_dropped = store::chatbots::is_dropped(&mut tx, tenant, chatbot).await?;
    let model = store::chatbots::embedding_model(&mut tx, tenant, chatbot).await?;
    drop(tx);
    if !is_dropped {
        return Ok(());
    }
    if let Some(model) = model.and_then(|(_, model)| model).filter(|model| app.embedders.find(model).is_none()) {
        return Err(Error::OtherModel(model));
    }
    while !restore_batch(app, collection).await? {}
    Ok(())
}

/// Moves one batch of passages back to the collection; `true` when none is left.
async fn restore_batch(app: &App, Collection { tenant, chatbot }: Collection) -> store::Result<bool> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    let is_waiting =
        |chatbot: &Chatbot| chatbot.status == ChatbotStatus::Active && chatbot.provisioning != Provisioning::Ready;
    let chatbot = store::chatbots::find_for_update(&mut tx, tenant, chatbot).await?;
    let Some(chatbot) = chatbot.filter(is_waiting) else {
        tx.discard().await?;
        return Ok(true);
    };
    let is_done = fill(app, &mut tx, &chatbot).await?;
    tx.commit_exempt(Exemption::Provisioning).await?;
    Ok(is_done)
}

async fn fill(app: &App, tx: &mut WriteTx, chatbot: &Chatbot) -> store::Result<bool> {
    let (tenant, id) = (chatbot.tenant_id, chatbot.id);
    store::chatbots::provision_collection(tx, id, app.dimensions_in_database()).await?;
    store::chatbots::note_collection(tx, tenant, id).await?;
    Ok(kept::restore(tx, tenant, id, &chatbot.language, BATCH).await? == 0)
}
