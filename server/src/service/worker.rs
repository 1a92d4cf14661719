//! Workers: each takes the next job, renews its lease while it works, and stores the result.

use std::{
    panic::AssertUnwindSafe,
    time::{Duration, Instant},
};

use contract::{JobId, TenantId, jobs::JobKind};
use futures::{FutureExt, future};
use store::{
    Exemption, Scope, WriteTx,
    jobs::{self, Job, Lease},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    chatbots::erasure,
    jobs::{
        file_system,
        running::{Error, Running},
    },
    knowledge::{ingestion, originals, reindexing, second_vectors, uploads, websites},
};
use crate::{shutdown::rest, state::App};

/// Polling interval for jobs of other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Polling interval after the database failed.
const RETRY_DELAY: Duration = Duration::from_secs(5);
/// Attempts of a job; then it is given up.
const MAX_ATTEMPTS: i32 = 9;
/// Between the first attempt and the second; each pause is twice as long as the one before.
const MIN_ATTEMPT_DELAY: Duration = Duration::from_secs(5);
const MAX_ATTEMPT_DELAY: Duration = Duration::from_secs(600);
/// How many days finished jobs are kept.
const KEEP_DAYS: i32 = 7;
/// After how many hours an ingestion is canceled that nobody follows and no worker can run.
const ABANDONED_AFTER_HOURS: i32 = 24;
/// Between two looks for other small jobs.
const SMALL_JOB_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Between two rounds of cleaning up.
const CLEAN_UP_INTERVAL: Duration = Duration::from_secs(60);

/// Runs the workers of this process until `stop` is cancelled; returns immediately when it has none.
pub async fn run_until(app: App, stop: CancellationToken) {
    let settings = app.settings.jobs;
    if settings.workers == 0 {
        return;
    }
    let workers = (0..settings.workers).map(|number| {
        // The last worker leaves large jobs to the others, so that a small one never waits for a large one to end. Small
        // jobs that turn out to be slow become large.
        let takes_large = number + 1 < settings.workers || settings.workers == 1;
        let lease = new_lease(&app, takes_large);
        work_until(app.clone(), lease, stop.clone())
    });
    future::join3(future::join_all(workers), clean_up_until(&app, &stop), identify_storage(&app, &stop)).await;
}

fn new_lease(app: &App, takes_large: bool) -> Lease {
    let file_system = Some(file_system::seen_here());
    Lease { worker: Uuid::new_v4(), time: app.settings.jobs.lease, takes_large, storage: None, file_system }
}

/// Takes one job regardless of the order and runs it; `false` when another worker has it, or it has ended.
///
/// # Errors
/// When the database fails before the job is taken.
pub async fn work_on(app: App, tenant: TenantId, id: JobId, stop: CancellationToken) -> store::Result<bool> {
    let lease = new_lease(&app, true);
    let mut tx = app.db.write(&Scope::tenant(tenant).exempt_from_shares()).await?;
    let Some(job) = jobs::take_one(&mut tx, tenant, id, &lease).await? else {
        tx.discard().await?;
        return Ok(false);
    };
    tx.commit_exempt(Exemption::Job).await?;
    work(Running { app, job, lease, began: Instant::now() }, &stop).await;
    Ok(true)
}

async fn work_until(app: App, mut lease: Lease, stop: CancellationToken) {
    while !stop.is_cancelled() {
        lease.storage = app.storage().known_id();
        let pause = match take(&app, &lease).await {
            Ok(Some(job)) => {
                work(Running { app: app.clone(), job, lease, began: Instant::now() }, &stop).await;
                continue;
            }
            Ok(None) => POLL_INTERVAL,
            Err(error) => {
                tracing::warn!(%error, "jobs.not_taken");
                RETRY_DELAY
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.job_queued().notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Takes the next job. If another worker has just taken one for the same host, that job waits and the next one is
/// taken.
pub async fn take(app: &App, lease: &Lease) -> store::Result<Option<Job>> {
    loop {
        let mut tx = app.db.write(&Scope::system()).await?;
        let Some(job) = jobs::take(&mut tx, lease).await? else {
            tx.discard().await?;
            return Ok(None);
        };
        if jobs::has_host_alone(&mut tx, &job).await? {
            tx.commit_exempt(Exemption::Job).await?;
            return Ok(Some(job));
        }
        tx.discard().await?;
    }
}

/// Works on a job until it ends, is lost, or the process stops; then it is put back and counts no attempt.
async fn work(running: Running, stop: &CancellationToken) {
    let lost = tokio::select! {
        biased;
        result = attempt(&running) => {
            if let Err(error) = settle(&running, result).await {
                // The lease expires, and another worker takes the job.
                tracing::warn!(job_id = %running.job.id, %error, "jobs.end_not_written");
            }
            false
        }
        () = keep_lease(&running) => true,
        () = small_slice_ends(&running) => {
            tracing::info!(job_id = %running.job.id, "jobs.large: it takes long and continues as a large job");
            if let Err(error) = running.requeue_as_large().await {
                tracing::warn!(job_id = %running.job.id, %error, "jobs.not_put_back");
            }
            false
        }
        () = stop.cancelled() => {
            if let Err(error) = running.requeue().await {
                tracing::warn!(job_id = %running.job.id, %error, "jobs.not_put_back");
            }
            false
        }
    };
    if lost {
        tracing::info!(job_id = %running.job.id, "jobs.lost");
    }
}

/// One attempt. Models compute for it with low priority, and a panic is an error like others.
async fn attempt(running: &Running) -> Result<(), Error> {
    if running.job.attempts > MAX_ATTEMPTS && can_be_given_up(running.job.kind) {
        return Err(Error::Temporary("its workers died".to_owned()));
    }
    let work = rag::with_low_priority(execute(running));
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| Err(Error::Temporary("it panicked".to_owned())))
}

/// Data that was erased for the tenant must be erased in the end.
fn can_be_given_up(kind: JobKind) -> bool {
    kind != JobKind::EraseChatbot
}

/// Runs the function of the job's kind.
async fn execute(running: &Running) -> Result<(), Error> {
    match running.job.kind {
        JobKind::ReadUpload => uploads::read::run(running).await,
        JobKind::Reindex => reindexing::run(running).await,
        JobKind::SecondVectors => second_vectors::run(running).await,
        JobKind::Crawl => websites::crawl::run(running).await,
        JobKind::EraseChatbot => erasure::run(running).await,
        JobKind::Ingest => ingestion::job::run(running).await,
    }
}

/// Records, in the last transaction of a job that is given up, the consequence for its subject.
async fn give_up(tx: &mut WriteTx, job: &Job) -> store::Result<()> {
    match job.kind {
        JobKind::ReadUpload => uploads::read::give_up(tx, job).await,
        JobKind::Reindex => reindexing::give_up(tx, job).await,
        JobKind::Crawl => websites::crawl::give_up(tx, job).await,
        // Finished parts stay; the next document, or the next start, queues another job. An erasure is never given up,
        // and a user who follows an ingestion reads the reason.
        JobKind::SecondVectors | JobKind::EraseChatbot | JobKind::Ingest => Ok(()),
    }
}

/// Writes how an attempt ended: the job is done, tried again after a pause, or given up.
async fn settle(running: &Running, result: Result<(), Error>) -> Result<(), Error> {
    let job = &running.job;
    match result {
        Ok(()) => {
            // Most jobs have ended in their last transaction.
            let mut tx = running.write().await?;
            jobs::finish(&mut tx, job, running.lease.worker, None).await?;
            running.commit(tx).await
        }
        Err(Error::Lost) => Ok(()),
        Err(Error::Temporary(reason)) if job.attempts < MAX_ATTEMPTS || !can_be_given_up(job.kind) => {
            let pause = pause_after(job.attempts);
            tracing::warn!(job_id = %job.id, attempts = job.attempts, %reason, "jobs.tried_again_later");
            running.requeue_after(pause, Some(&reason)).await
        }
        Err(Error::Temporary(reason)) => {
            tracing::error!(job_id = %job.id, attempts = job.attempts, %reason, "jobs.given_up");
            let mut tx = running.begin().await?;
            give_up(&mut tx, job).await?;
            jobs::finish(&mut tx, job, running.lease.worker, Some(&reason)).await?;
            running.commit(tx).await
        }
    }
}

fn pause_after(attempts: i32) -> Duration {
    let doublings = u32::try_from(attempts - 1).unwrap_or(0).min(10);
    (MIN_ATTEMPT_DELAY * 2u32.pow(doublings)).min(MAX_ATTEMPT_DELAY)
}

/// Renews the lease repeatedly; returns when the worker no longer holds it. While the database is unavailable, the work
/// continues: its transactions check the lease themselves.
async fn keep_lease(running: &Running) {
    loop {
        tokio::time::sleep(running.lease.time / 3).await;
        let extended = async { running.commit(running.begin().await?).await };
        match extended.await {
            Ok(()) => {}
            Err(Error::Lost) => return,
            Err(Error::Temporary(reason)) => {
                tracing::warn!(job_id = %running.job.id, %reason, "jobs.lease_not_extended");
            }
        }
    }
}

/// Completes when a job on the worker for small jobs has taken long and other small jobs wait. It cannot be slow at
/// will: it is interrupted wherever it is, and repeats what it has not stored as a large job, which nothing interrupts.
async fn small_slice_ends(running: &Running) {
    if running.lease.takes_large {
        return future::pending().await;
    }
    let slice = running.app.settings.jobs.small_slice;
    tokio::time::sleep(slice.saturating_sub(running.began.elapsed())).await;
    loop {
        match running.should_yield(slice).await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => tracing::warn!(job_id = %running.job.id, %error, "jobs.others_not_looked_for"),
        }
        tokio::time::sleep(SMALL_JOB_POLL_INTERVAL).await;
    }
}

/// Determines the storage of this process; until then its workers take no job with files.
async fn identify_storage(app: &App, stop: &CancellationToken) {
    loop {
        match originals::identify_storage(app).await {
            Ok(()) => return app.job_queued().notify_waiters(),
            Err(error) => tracing::warn!(%error, "storage.not_identified"),
        }
        if !rest(RETRY_DELAY, stop).await {
            return;
        }
    }
}

async fn clean_up_until(app: &App, stop: &CancellationToken) {
    loop {
        if let Err(error) = clean_up(app).await {
            tracing::warn!(%error, "jobs.not_cleaned_up");
        }
        if !rest(CLEAN_UP_INTERVAL, stop).await {
            return;
        }
    }
}

/// Removes jobs that ended long ago and bodies of old previews, erases unreferenced originals, and queues due websites.
pub async fn clean_up(app: &App) -> store::Result<()> {
    let mut tx = app.db.write(&Scope::system()).await?;
    jobs::delete_finished(&mut tx, KEEP_DAYS).await?;
    jobs::cancel_abandoned(&mut tx, JobKind::Ingest, ABANDONED_AFTER_HOURS).await?;
    store::websites::delete_old_bodies(&mut tx).await?;
    tx.commit_exempt(Exemption::Job).await?;
    originals::erase_due(app).await?;
    websites::schedule::queue_due(app).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_ten_minutes() {
        let seconds: Vec<u64> = (1..=9).map(|attempts| pause_after(attempts).as_secs()).collect();
        assert_eq!(seconds, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
    }
}
