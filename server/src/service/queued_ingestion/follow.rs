//! Queues an ingestion as a job and follows it to its end. If no worker takes it, this process runs it.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use contract::{JobId, TenantId, chatbots::Chatbot, jobs::JobState};
use indicatif::ProgressBar;
use store::{
    Exemption, Scope,
    jobs::{self, Followed},
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    service::{
        knowledge::{
            Error,
            ingestion::{Report, job, progress_bar},
        },
        worker,
    },
    state::App,
};

/// How long the job waits for a worker of another process.
pub const WORKER_TIMEOUT: Duration = Duration::from_secs(5);
/// Polling interval of the job.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Ingests as [`run`](crate::service::knowledge::ingestion::run) does, by a job. When `stop` is cancelled the job is canceled; what was read until then stays.
///
/// # Errors
/// The error that ended the job, or [`Error::Canceled`].
pub async fn run(
    app: &App,
    chatbot: &Chatbot,
    (paths, prune): (&[PathBuf], bool),
    worker_timeout: Duration,
    stop: &CancellationToken,
) -> Result<Report, Error> {
    let id = job::queue(app, chatbot, paths, prune).await?;
    let tenant = chatbot.tenant_id;
    let mut following =
        Following { app, tenant, id, worker_timeout, waiting_since: None, working: None, progress: progress_bar(0) };
    let ended = following.until_ended(stop).await;
    following.progress.finish_and_clear();
    // Its last transaction is over, or will fail.
    if let Some(working) = following.working {
        let _ended = working.await;
    }
    ended
}

struct Following<'a> {
    app: &'a App,
    tenant: TenantId,
    id: JobId,
    worker_timeout: Duration,
    waiting_since: Option<Instant>,
    /// This process at work on the job.
    working: Option<JoinHandle<()>>,
    progress: ProgressBar,
}

impl Following<'_> {
    async fn until_ended(&mut self, stop: &CancellationToken) -> Result<Report, Error> {
        loop {
            match self.poll().await {
                // The work's own transactions report whether it fails with this.
                Err(error) if self.is_working() => tracing::debug!(job_id = %self.id, %error, "ingestion.not_followed"),
                looked => {
                    let job = looked?.ok_or(Error::Canceled)?;
                    match job.progress.state {
                        JobState::Done => return report(job),
                        JobState::Failed => return Err(Error::Failed(job.error.unwrap_or_default())),
                        JobState::Canceled => return Err(Error::Canceled),
                        JobState::Queued | JobState::Running => self.show(&job),
                    }
                    self.work_when_nobody_does(job.is_waiting, stop);
                }
            }
            tokio::select! {
                () = stop.cancelled() => {
                    self.cancel().await?;
                    return Err(Error::Canceled);
                }
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    async fn poll(&self) -> Result<Option<Followed>, Error> {
        let mut tx = self.app.db.read(&Scope::tenant(self.tenant)).await?;
        Ok(jobs::follow(&mut tx, self.tenant, self.id).await?)
    }

    fn is_working(&self) -> bool {
        self.working.as_ref().is_some_and(|working| !working.is_finished())
    }

    fn show(&self, job: &Followed) {
        let number = |count: i32| u64::try_from(count).unwrap_or(0);
        self.progress.set_length(job.progress.total.map_or(0, number));
        self.progress.set_position(number(job.progress.done));
    }

    /// Begins to work on a job that has waited long enough.
    fn work_when_nobody_does(&mut self, is_waiting: bool, stop: &CancellationToken) {
        if !is_waiting || self.is_working() {
            self.waiting_since = None;
            return;
        }
        let since = *self.waiting_since.get_or_insert_with(Instant::now);
        if since.elapsed() < self.worker_timeout {
            return;
        }
        tracing::debug!(job_id = %self.id, "ingestion.running_locally");
        self.waiting_since = None;
        let work = worker::work_on(self.app.clone(), self.tenant, self.id, stop.clone());
        self.working = Some(tokio::spawn(async move {
            if let Err(error) = work.await {
                tracing::warn!(%error, "jobs.not_taken");
            }
        }));
    }

    async fn cancel(&self) -> Result<(), Error> {
        let mut tx = self.app.db.write(&Scope::tenant(self.tenant)).await?;
        jobs::cancel(&mut tx, self.tenant, &[self.id]).await?;
        Ok(tx.commit_exempt(Exemption::Job).await?)
    }
}

fn report(job: Followed) -> Result<Report, Error> {
    let report = job.result.and_then(|result| serde_json::from_value(result).ok());
    report.ok_or_else(|| Error::Failed("the job was done by another version of the program".to_owned()))
}
