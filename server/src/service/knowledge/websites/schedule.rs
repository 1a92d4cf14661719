//! Queues websites that are due, and those with missing pages to check again.

use store::{
    Exemption, Scope,
    websites::{self, WebsiteState},
};

use super::queue;
use crate::state::App;

/// Maximum websites per run.
const MAX_WEBSITES: i64 = 200;

/// Queues due websites. Several processes may run this concurrently: each website is locked and checked again.
pub async fn queue_due(app: &App) -> store::Result<()> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let due = websites::due(&mut tx, app.settings.crawl.confirm_gone_minutes, MAX_WEBSITES).await?;
    drop(tx);
    for website in due {
        queue_one(app, website).await?;
    }
    Ok(())
}

async fn queue_one(app: &App, websites::DueWebsite { tenant, source }: websites::DueWebsite) -> store::Result<()> {
    let mut tx = app.db.write(&Scope::tenant(tenant).exempt_from_shares()).await?;
    let is_busy = websites::open_job(&mut tx, tenant, source).await?.is_some();
    let website = websites::lock(&mut tx, tenant, source).await?;
    let is_due = websites::is_due(&mut tx, tenant, source).await?;
    let confirm_minutes = app.settings.crawl.confirm_gone_minutes;
    let has_missing = websites::pages::has_long_missing(&mut tx, tenant, source, confirm_minutes).await?;
    let due_website = website.filter(|website| {
        // A website that could not be read is left alone until its next sync, which checks missing pages as well.
        let checks_missing = has_missing && website.state == WebsiteState::Ready;
        !is_busy && !website.is_paused && website.is_approved && (is_due || checks_missing)
    });
    let Some(website) = due_website else { return tx.discard().await };
    queue(&mut tx, tenant, (website.chatbot, source), !is_due, (None, false)).await?;
    tx.commit_exempt(Exemption::Job).await?;
    app.job_queued().notify_waiters();
    Ok(())
}
