//! A job in the hands of a worker. Each transaction of a job begins here: it commits only while the worker holds the lease, so that
//! a worker that was taken for dead changes nothing any more.

use std::time::{Duration, Instant};

use store::{
    AuditEntry, Exemption, Scope, WriteTx,
    jobs::{self, Job, Lease},
};

use crate::state::App;

/// After so long, a job that makes vectors gives way, so that what somebody waits for comes between.
pub const VECTOR_SLICE: Duration = Duration::from_secs(10);

/// Why a job did not come to its end.
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
    /// What is to be done.
    pub job: Job,
    pub(in crate::service) lease: Lease,
    pub(in crate::service) began: Instant,
}

impl Running {
    /// Begins a transaction of the job's tenant in which nobody else works on the job.
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

    /// As [`Running::begin`], in the name of a user of the tenant.
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
        let audited = tx.audit(entry).await?;
        Ok(tx.commit(audited).await?)
    }

    /// Whether the worker has been at the job for longer than `slice`, so that others should come between.
    pub fn has_had(&self, slice: Duration) -> bool {
        self.began.elapsed() > slice
    }

    /// Puts the job back to be gone on with when its turn comes again. It counts no attempt.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub async fn give_way(&self) -> Result<(), Error> {
        let mut tx = self.write().await?;
        jobs::put_back(&mut tx, &self.job, self.lease.worker, Duration::ZERO, None).await?;
        self.commit(tx).await
    }

    /// Puts the job back because it asks another host than it was queued for: it waits until no other job asks that one. See
    /// [`jobs::move_to_host`].
    ///
    /// Gives the reason to stop: [`Error::Lost`], since the worker does not hold the job any more, or [`Error::Temporary`].
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
        let exempt = tx.exempt(Exemption::Job);
        Ok(tx.commit(exempt).await?)
    }

    /// Ends the job with the last of its transactions.
    ///
    /// # Errors
    /// [`Error::Temporary`].
    pub async fn finish(&self, mut tx: WriteTx) -> Result<(), Error> {
        jobs::finish(&mut tx, &self.job, self.lease.worker, None).await?;
        self.commit(tx).await
    }

    /// Ends the job, which failed for a reason that somebody waits for: nothing is tried again.
    ///
    /// # Errors
    /// [`Error::Lost`], [`Error::Temporary`].
    pub async fn fail(&self, reason: &str) -> Result<(), Error> {
        let mut tx = self.begin().await?;
        jobs::finish(&mut tx, &self.job, self.lease.worker, Some(reason)).await?;
        self.commit(tx).await
    }

    /// Notes how far the job is.
    ///
    /// # Errors
    /// [`Error::Lost`], [`Error::Temporary`].
    pub async fn note_progress(&self, done: usize, total: Option<usize>) -> Result<(), Error> {
        let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let mut tx = self.begin().await?;
        jobs::set_progress(&mut tx, &self.job, number(done), total.map(number)).await?;
        self.commit(tx).await
    }
}
