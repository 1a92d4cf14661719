//! A job that a worker runs. Each transaction of a job begins here and commits only while the worker holds the lease,
//! so that a worker that lost it can no longer change anything.

use std::time::{Duration, Instant};

use serde::{Serialize, de::DeserializeOwned};
use store::{
    AuditEntry, Exemption, Scope, WriteTx,
    jobs::{self, Job, Lease},
};

use crate::state::App;

/// How long a job that creates vectors runs before it lets others go first.
pub const VECTOR_SLICE: Duration = Duration::from_secs(10);

/// Why a job did not complete.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It was canceled, or another worker has it.
    #[error("the job is another worker's or was canceled")]
    Lost,
    /// It may work at the next attempt.
    #[error("{0}")]
    Temporary(String),
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Self::Temporary(error.to_string())
    }
}

/// A job that a worker holds.
#[derive(Debug, Clone)]
pub struct Running {
    /// The application state.
    pub app: App,
    /// The job as it was leased.
    pub job: Job,
    pub(in crate::service) lease: Lease,
    pub(in crate::service) began: Instant,
}

impl Running {
    /// Begins a transaction in the job's tenant, with a lock that prevents others from taking the job.
    ///
    /// # Errors
    /// [`Error::Lost`], [`Error::Temporary`].
    pub async fn begin(&self) -> Result<WriteTx, Error> {
        let mut tx = self.write().await?;
        if jobs::extend(&mut tx, &self.job, &self.lease).await? {
            return Ok(tx);
        }
        tx.discard().await?;
        Err(Error::Lost)
    }

    /// Begins a transaction of the job's tenant, however many of its calls wait for a connection.
    pub(in crate::service) async fn write(&self) -> store::Result<WriteTx> {
        self.app.db.write(&Scope::tenant(self.job.tenant).exempt_from_shares()).await
    }

    /// Like [`Running::begin`], with a user of the tenant.
    ///
    /// # Errors
    /// [`Error::Lost`], [`Error::Temporary`].
    pub async fn begin_as(&self, realm: &str, username: &str) -> Result<WriteTx, Error> {
        let scope = Scope::tenant(self.job.tenant).exempt_from_shares().with_user(realm, username);
        let mut tx = self.app.db.write(&scope).await?;
        if jobs::extend(&mut tx, &self.job, &self.lease).await? {
            return Ok(tx);
        }
        tx.discard().await?;
        Err(Error::Lost)
    }

    /// Ends the job with a transaction that has its audit row.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub async fn finish_audited(&self, mut tx: WriteTx, entry: &AuditEntry) -> Result<(), Error> {
        jobs::finish(&mut tx, &self.job, self.lease.worker, None).await?;
        Ok(tx.commit_audited(entry).await?)
    }

    /// Whether the job has run for longer than `slice`, so that others should go first.
    pub fn has_run_for(&self, slice: Duration) -> bool {
        self.began.elapsed() > slice
    }

    /// How long a job runs before others go first.
    pub fn slice(&self) -> Duration {
        self.app.settings.jobs.slice
    }

    /// Whether the job has run for longer than `slice` and another job waits that should go first.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub async fn should_yield(&self, slice: Duration) -> Result<bool, Error> {
        if !self.has_run_for(slice) {
            return Ok(false);
        }
        let mut tx = self.app.db.read(&Scope::system()).await?;
        Ok(jobs::others_wait(&mut tx, &self.job, &self.lease).await?)
    }

    /// Time that workers have spent on the job, in all of its slices.
    pub fn worked(&self) -> Duration {
        self.job.worked + self.began.elapsed()
    }

    /// Where the job continues; `None` at its beginning, and when another version of the program has stored it.
    ///
    /// # Errors
    /// [`Error::Lost`], [`Error::Temporary`].
    pub async fn checkpoint<T: DeserializeOwned>(&self) -> Result<Option<T>, Error> {
        let mut tx = self.begin().await?;
        let stored = jobs::checkpoint(&mut tx, &self.job).await?;
        self.commit(tx).await?;
        Ok(stored.and_then(|stored| serde_json::from_str(&stored).ok()))
    }

    /// Stores where the job continues, in a transaction of the job.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub async fn set_checkpoint(&self, tx: &mut WriteTx, checkpoint: &impl Serialize) -> Result<(), Error> {
        let stored = serde_json::to_string(checkpoint).map_err(|error| Error::Temporary(error.to_string()))?;
        Ok(jobs::set_checkpoint(tx, &self.job, &stored).await?)
    }

    /// Queues the job again as a large one. Does not count as an attempt.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub(in crate::service) async fn requeue_as_large(&self) -> Result<(), Error> {
        let mut tx = self.begin().await?;
        jobs::set_large(&mut tx, &self.job).await?;
        jobs::requeue(&mut tx, &self.job, self.lease.worker, Duration::ZERO, None).await?;
        self.commit(tx).await
    }

    /// Queues the job again to continue in its turn. Does not count as an attempt.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub async fn requeue(&self) -> Result<(), Error> {
        self.requeue_after(Duration::ZERO, None).await
    }

    /// Queues the job again, due after `pause`. With an `error` this counts as an attempt.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub(in crate::service) async fn requeue_after(&self, pause: Duration, error: Option<&str>) -> Result<(), Error> {
        let mut tx = self.write().await?;
        jobs::requeue(&mut tx, &self.job, self.lease.worker, pause, error).await?;
        self.commit(tx).await
    }

    /// Queues the job again because it uses another host than it was queued for: it waits until no other job uses that
    /// one. See [`jobs::move_to_host`].
    ///
    /// Returns the reason to stop: [`Error::Lost`], because the worker no longer holds the job, or
    /// [`Error::Temporary`].
    pub async fn move_to_host(&self, host: &str) -> Error {
        let moved: Result<(), Error> = async {
            let mut tx = self.write().await?;
            jobs::move_to_host(&mut tx, &self.job, self.lease.worker, host).await?;
            self.commit(tx).await
        }
        .await;
        match moved {
            Ok(()) => Error::Lost,
            Err(error) => error,
        }
    }

    /// Commits a transaction of the job.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub async fn commit(&self, tx: WriteTx) -> Result<(), Error> {
        Ok(tx.commit_exempt(Exemption::Job).await?)
    }

    /// Ends the job with the last of its transactions.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub async fn finish(&self, mut tx: WriteTx) -> Result<(), Error> {
        jobs::finish(&mut tx, &self.job, self.lease.worker, None).await?;
        self.commit(tx).await
    }

    /// Ends the job with a failure whose reason a caller waits for; it is not retried.
    ///
    /// # Errors
    /// [`Error::Lost`], [`Error::Temporary`].
    pub async fn fail(&self, reason: &str) -> Result<(), Error> {
        let mut tx = self.begin().await?;
        jobs::finish(&mut tx, &self.job, self.lease.worker, Some(reason)).await?;
        self.commit(tx).await
    }

    /// Records the progress of the job.
    ///
    /// # Errors
    /// [`Error::Lost`], [`Error::Temporary`].
    pub async fn record_progress(&self, done: usize, total: Option<usize>) -> Result<(), Error> {
        let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let mut tx = self.begin().await?;
        jobs::set_progress(&mut tx, &self.job, number(done), total.map(number)).await?;
        self.commit(tx).await
    }
}
