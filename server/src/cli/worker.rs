//! `server worker`: runs background jobs and serves nothing. Any number of workers can run next to the servers.

use std::time::Duration;

use rag::embed::LocalEmbedder;

use crate::{config::Config, service::worker, shutdown::Stop};

use super::{CliError, migrate, platform, serve, stop};

/// Runs until a stop signal; jobs that are not finished by then are put back.
pub(crate) async fn run(config: Config) -> Result<(), CliError> {
    if config.jobs.workers == 0 {
        return Err(CliError::Other("jobs.workers (SVC_JOBS_WORKERS) is 0: this process would do nothing.".to_owned()));
    }
    serve::refuse_loopback(&config)?;
    let stop = stop::on_signal(Stop::without_drain())?;
    let url = config.database.url.as_ref().ok_or_else(|| migrate::missing("database.url", "`worker`"))?;
    let embedders = platform::load_embedders(&config, LocalEmbedder::without_questions).await?;
    let app = platform::build_app(&config, url.expose(), embedders).await?;
    platform::check_collections(&app).await?;
    platform::check_readers(&app);
    platform::start_telemetry(&app, &config)?;
    tracing::info!(workers = config.jobs.workers, "worker.ready");
    worker::run_until(app.clone(), stop.token().clone()).await;
    platform::shutdown(&app, Duration::from_secs(config.http.shutdown_seconds)).await;
    tracing::info!("worker.stopped");
    Ok(())
}
