//! Background work besides the requests: the workers of jobs and periodic tasks, from start to stop.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::CliError;
use crate::config::Config;
use crate::metrics;
use crate::service::people;
use crate::service::vendor_access::Poller;
use crate::service::{
    audit::archive,
    conversations::retention,
    embed, idempotency,
    knowledge::{idle_collections, provisioning, reindexing, second_vectors, uploads::rereading, word_index},
    knowledge_hub, tenants, usage, worker,
};
use crate::state::App;
use crate::telemetry;

/// Timeout for the last writes; closing the connections takes at most as long again.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Starts the workers of background jobs.
pub(crate) fn start_workers(app: &App, stopped: &CancellationToken) {
    check_readers(app);
    app.tasks.spawn(worker::run_until(app.clone(), stopped.clone()));
}

/// Finds out in the background what readers of documents can reach.
pub(crate) fn check_readers(app: &App) {
    let sandbox = app.settings.sandbox.clone();
    app.tasks.spawn(async move { sandbox.check().await });
}

/// Sends traces and metrics, where a collector is configured.
pub(crate) fn start_telemetry(app: &App, config: &Config) -> Result<(), CliError> {
    let queue = app.clone();
    telemetry::start(&config.otlp, move || metrics::render(queue.answer_queue().load()))
        .map_err(|error| CliError::Other(format!("the client for the collector of traces: {error}")))
}

/// Starts the tasks that run as long as the platform does, the workers apart. Logins of vendors are read when there is a secret to read
/// them with.
pub(crate) fn start_tasks(
    app: &App,
    config: &Config,
    audit_client_secret: Option<&str>,
    stopped: &CancellationToken,
) -> Result<(), CliError> {
    start_telemetry(app, config)?;
    app.tasks.spawn(metrics::upkeep_until(stopped.clone()));
    app.tasks.spawn(provisioning::retry_until(app.clone(), stopped.clone()));
    app.tasks.spawn(word_index::run_until(app.clone(), stopped.clone()));
    if config.embeddings.migrate {
        app.tasks.spawn(reindexing::migrate_all(app.clone()));
        app.tasks.spawn(second_vectors::queue_all(app.clone()));
    }
    app.tasks.spawn(rereading::queue_all(app.clone()));
    app.tasks.spawn(archive::run_until(app.clone(), stopped.clone()));
    app.tasks.spawn(idempotency::expiry::run_until(app.clone(), stopped.clone()));
    app.tasks.spawn(embed::flush_task::run_until(app.clone(), stopped.clone()));
    app.tasks.spawn(people::activity::run_until(app.clone(), stopped.clone()));
    app.tasks.spawn(usage::recording::run_until(app.clone(), stopped.clone()));
    if app.people.is_some() {
        app.tasks.spawn(people::settle::run_until(app.clone(), stopped.clone()));
        app.tasks.spawn(people::ending::run_until(app.clone(), stopped.clone()));
    } else {
        tracing::warn!(setting = "auth.people_client_secret", "people.off: people of tenants cannot be managed here");
    }
    if config.conversations.retention_days > 0 {
        let days = config.conversations.retention_days;
        app.tasks.spawn(retention::run_until(app.clone(), days, stopped.clone()));
    }
    if config.knowledge.history_days > 0 {
        let days = config.knowledge.history_days;
        app.tasks.spawn(knowledge_hub::retention::run_until(app.clone(), days, stopped.clone()));
    }
    if config.tenants.erase_after_days > 0 {
        let days = config.tenants.erase_after_days;
        app.tasks.spawn(tenants::erasure::run_until(app.clone(), days, stopped.clone()));
    }
    if config.collections.idle_days > 0 {
        app.tasks.spawn(idle_collections::run_until(app.clone(), config.collections.idle_days, stopped.clone()));
    }
    if let Some(secret) = audit_client_secret {
        let every = Duration::from_secs(config.auth.audit_poll_seconds);
        let poller = Poller::new(app.clone(), secret)
            .map_err(|error| CliError::Other(format!("the client for the identity provider's events: {error}")))?;
        app.tasks.spawn(poller.run_until(every, stopped.clone()));
    } else {
        tracing::warn!(setting = "auth.audit_client_secret", "vendor_access.off: no login of a vendor is recorded");
    }
    Ok(())
}

/// Waits for work that outlives its request, within `grace_period`, and closes the database connections. Takes at most
/// three seconds longer, whatever the database does.
pub(crate) async fn shutdown(app: &App, grace_period: Duration) {
    app.tasks.close();
    if tokio::time::timeout(grace_period, app.tasks.wait()).await.is_err() {
        tracing::warn!(
            seconds = grace_period.as_secs(),
            "process.tasks_aborted: they were still running at the end of the stop"
        );
    }
    let (origins, people) = tokio::join!(
        tokio::time::timeout(FLUSH_TIMEOUT, embed::flush_task::flush(app)),
        tokio::time::timeout(FLUSH_TIMEOUT, people::activity::flush(app)),
    );
    if origins.is_err() {
        tracing::warn!("embed_record.write_failed: no answer of the database at the end of the stop");
    }
    if people.is_err() {
        tracing::warn!("people.activity_not_written: no answer of the database at the end of the stop");
    }
    telemetry::flush(FLUSH_TIMEOUT).await;
    app.db.close().await;
}
