//! Permanently erases a chatbot. The request hides it from everybody and writes the audit row; a job removes its rows,
//! batch by batch, and then its collection. A killed job continues with the next batch.

use contract::{
    ChatbotId, ErrorCode,
    audit::actions,
    branding::PICTURE_PATH,
    chatbots::{ChatbotErasure, ChatbotStatus},
    jobs::JobKind,
};
use serde_json::json;
use store::{
    branding, branding_pictures,
    chatbots::erase::{self, DataCounts},
    jobs::{self, NewJob},
    vectors::Collection,
};

use super::entry;
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    service::{
        jobs::running::{Error, Running},
        tenant_write,
    },
    state::App,
};

/// Rows of one transaction.
const BATCH_ROWS: i32 = 1000;
/// With more rows than this a chatbot is a large job.
const MIN_LARGE_ROWS: i64 = 10_000;

/// Erases a deactivated chatbot, which the caller must confirm by its slug.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_active`; `validation_error` when the slug is another one.
pub async fn erase(app: &App, caller: &Caller, id: ChatbotId, erasure: &ChatbotErasure) -> ApiResult<()> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    // Cancel jobs first. This waits for their open transactions, whose rows are then deleted too.
    jobs::cancel_all(&mut tx, tenant, id).await?;
    let chatbot = store::chatbots::find_for_update(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if chatbot.status == ChatbotStatus::Active {
        return Err(ErrorCode::ChatbotActive.into());
    }
    if chatbot.slug != erasure.slug.trim() {
        return Err(ApiError::field(&["body", "slug"], "must be the slug of the chatbot", "other_slug"));
    }
    let counts = erase::count_data(&mut tx, tenant, id).await?;
    let filter_rows = erase::begin(&mut tx, id).await?;
    let job = NewJob {
        kind: JobKind::EraseChatbot,
        chatbot: id,
        payload: json!({}),
        is_large: is_large(counts),
        storage: None,
        host: None,
    };
    jobs::insert(&mut tx, tenant, &job).await?;
    let before = json!({
        "slug": chatbot.slug, "documents": counts.documents, "own_answers": counts.own_answers,
        "conversations": counts.conversations, "messages": counts.messages, "feedback": counts.feedback,
        "filter_rows": filter_rows,
    });
    let details = json!({ "before": before, "after": null });
    tx.commit_audited(&entry(caller, actions::CHATBOT_DELETED, &chatbot, details)).await?;
    app.job_queued().notify_waiters();
    Ok(())
}

fn is_large(counts: DataCounts) -> bool {
    counts.documents + counts.messages > MIN_LARGE_ROWS
}

/// Removes what belonged to a chatbot, and the chatbot.
///
/// # Errors
/// [`Error::Lost`], and [`Error::Temporary`] when the database or the store of vectors fails.
pub async fn run(running: &Running) -> Result<(), Error> {
    let (tenant, chatbot) = (running.job.tenant, running.job.chatbot);
    running.app.vectors.delete(Collection { tenant, chatbot }).await.map_err(store::Error::from)?;
    loop {
        let mut tx = running.begin().await?;
        let is_more = erase::remove_batch(&mut tx, chatbot, BATCH_ROWS).await?;
        running.commit(tx).await?;
        if !is_more {
            break;
        }
    }
    let mut tx = running.begin().await?;
    branding::lock_tenant(&mut tx, tenant).await?;
    branding_pictures::remove_unused(&mut tx, tenant, PICTURE_PATH).await?;
    store::chatbots::drop_collection(&mut tx, tenant, chatbot).await?;
    erase::end(&mut tx, chatbot).await?;
    running.commit(tx).await?;
    tracing::info!(chatbot_id = %chatbot, "chatbots.erased");
    Ok(())
}
