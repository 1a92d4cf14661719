//! A process that only runs jobs, `server worker`.

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use sqlx::PgConnection;
use tokio::process::{Child, Command};

use crate::{Result, knowledge::world::World, server::binary};

/// A job whose worker dies for the third time is given up on purpose: what kills its worker is not tried often. An attempt that
/// follows a death counts as three, and nine are the most.
const IN_DANGER: &str = "select exists (select 1 from jobs where state = 'running' and attempts >= 7)";
/// How long such a job may take.
const REPRIEVE: Duration = Duration::from_secs(60);

/// A running worker, killed when it is dropped.
pub(super) struct Worker(Child);

impl Worker {
    pub(super) fn start(world: &World, lease_seconds: u64) -> Result<Self> {
        let mut command = Command::new(binary()?);
        command
            .arg("worker")
            .env("SVC_DATABASE_URL", world.database.login_url()?)
            .env("SVC_AUTH_URL", &world.issuer.auth_url)
            .env("SVC_UPLOADS_FOLDER", world.uploads.path())
            .env("SVC_JOBS_LEASE_SECONDS", lease_seconds.to_string())
            .env("SVC_LOGGING_LEVEL", "error");
        command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
        Ok(Self(command.spawn()?))
    }

    /// Kills it without a warning, and returns whether that had to wait: a job that would die for the third time may
    /// end first. The process is suspended during this check, so that it takes no further job.
    pub(super) async fn kill(mut self, superuser: &mut PgConnection) -> Result<bool> {
        let started = Instant::now();
        let mut is_spared = false;
        loop {
            self.signal(Signal::SIGSTOP)?;
            let is_in_danger: bool = sqlx::query_scalar(IN_DANGER).fetch_one(&mut *superuser).await?;
            if !is_in_danger {
                break;
            }
            if started.elapsed() > REPRIEVE {
                return Err("a job did not end within a minute".into());
            }
            is_spared = true;
            self.signal(Signal::SIGCONT)?;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.0.kill().await?;
        Ok(is_spared)
    }

    /// Asks it to stop, and waits.
    pub(super) async fn end(mut self) -> Result<()> {
        self.signal(Signal::SIGTERM)?;
        let status = self.0.wait().await?;
        if status.success() { Ok(()) } else { Err(format!("the worker ended with {status}").into()) }
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        let pid = self.0.id().ok_or("the worker has ended")?;
        Ok(kill(Pid::from_raw(i32::try_from(pid)?), signal)?)
    }
}
