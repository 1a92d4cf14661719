//! Workers that are killed at random moments while documents are queued, again and again; then a worker that survives
//! finishes the work.

mod verdict;
mod worker;

use std::time::{Duration, Instant};

use sqlx::PgConnection;

use self::worker::Worker;
use super::{
    files::{self, Random},
    world::{Tenant, World},
};
use crate::{Result, figures::setting};

const SEED: u64 = 2026;
/// The soonest and the latest moment of a kill after the start, in milliseconds. A worker that needs long to begin is given more.
const SOONEST: u64 = 50;
const LATEST: u64 = 1500;
/// Time after the start of a worker at which some are still alive.
const AFTER_BEGIN: u64 = 1000;
/// Files in an archive.
const FILES: u64 = 20;
/// What is uploaded at once when fewer files than this wait: small ones are read first, archives by one worker of the process.
const FEW: i64 = 4;
const ARCHIVES: u64 = 3;
const SINGLES: u64 = 6;
/// The shortest lease there is.
const LEASE_SECONDS: u64 = 2;

/// Kills `BENCH_KILLS` workers (200), and prints what became of the documents.
pub(super) async fn run() -> Result<()> {
    let kills = setting("BENCH_KILLS", 200);
    let lease = ("SVC_JOBS_LEASE_SECONDS", LEASE_SECONDS.to_string());
    // The server receives and leaves the reading to the workers.
    let world = World::start(&[("SVC_JOBS_WORKERS", "0".to_owned()), lease]).await?;
    let mut superuser = world.database.superuser().await?;
    let tenant = world.tenant("files", "en").await?;
    let source = tenant.new_source().await?;
    let mut sender = Sender { tenant, source, files: 0, documents: 0 };
    sender.keep_waiting(&mut superuser).await?;
    let begin = until_a_job(&world, &mut superuser).await?;
    println!("a worker takes its first job after {begin} ms; {kills} kills");
    let latest = LATEST.max(begin + AFTER_BEGIN);
    let (mut random, mut spared) = (Random::new(SEED), 0u64);
    let started = Instant::now();
    for _ in 0..kills {
        sender.keep_waiting(&mut superuser).await?;
        let worker = Worker::start(&world, LEASE_SECONDS)?;
        tokio::time::sleep(Duration::from_millis(random.within(SOONEST, latest))).await;
        spared += u64::from(worker.kill(&mut superuser).await?);
    }
    println!("{kills} kills in {:.0} s, of them after a reprieve {spared}", started.elapsed().as_secs_f64());
    finish(&world, &mut superuser).await?;
    verdict::print(&mut superuser, sender.files, sender.documents).await
}

/// How many milliseconds a worker takes to begin its first job.
async fn until_a_job(world: &World, superuser: &mut PgConnection) -> Result<u64> {
    let started = Instant::now();
    let worker = Worker::start(world, LEASE_SECONDS)?;
    loop {
        let has_started: bool = sqlx::query_scalar("select exists (select 1 from jobs where started_at is not null)")
            .fetch_one(&mut *superuser)
            .await?;
        if has_started {
            break;
        }
        if started.elapsed() > Duration::from_secs(60) {
            return Err("a worker began no job within a minute".into());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let took = started.elapsed();
    worker.end().await?;
    Ok(u64::try_from(took.as_millis())?)
}

/// Lets one worker read all that is left.
async fn finish(world: &World, superuser: &mut PgConnection) -> Result<()> {
    let started = Instant::now();
    let worker = Worker::start(world, LEASE_SECONDS)?;
    while waiting(superuser).await? > 0 && started.elapsed() < Duration::from_secs(900) {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    worker.end().await?;
    println!("the rest was read in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Files that wait to be read, or are being read.
async fn waiting(superuser: &mut PgConnection) -> Result<i64> {
    let count = "select count(*) from uploads where state in ('waiting', 'reading')";
    Ok(sqlx::query_scalar(count).fetch_one(superuser).await?)
}

/// A client that uploads.
struct Sender {
    tenant: Tenant,
    source: String,
    /// Files that were uploaded, and the documents in them.
    files: u64,
    documents: u64,
}

impl Sender {
    /// Uploads more when few files are left.
    async fn keep_waiting(&mut self, superuser: &mut PgConnection) -> Result<()> {
        if waiting(superuser).await? >= FEW {
            return Ok(());
        }
        for _ in 0..ARCHIVES {
            let bytes = files::archive(self.documents, FILES)?;
            self.put("tar", bytes, FILES).await?;
        }
        for _ in 0..SINGLES {
            let bytes = files::markdown(self.documents);
            self.put("md", bytes, 1).await?;
        }
        Ok(())
    }

    async fn put(&mut self, kind: &str, bytes: Vec<u8>, documents: u64) -> Result<()> {
        self.tenant.put(&self.source, &format!("{:06}.{kind}", self.files), bytes).await?;
        self.files += 1;
        self.documents += documents;
        Ok(())
    }
}
