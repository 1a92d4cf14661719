//! The command line queues a job and follows it; a folder is watched.

use std::{fs, path::Path, time::Duration};

use serde_json::{Value, json};
use server::service::{
    jobs::file_system,
    knowledge::ingestion::{Report, find_chatbot, job},
    queued_ingestion::{
        follow,
        watch::{self, Intervals},
    },
    worker,
};
use store::{
    Exemption, Scope,
    jobs::{self, Lease},
    uploads::StorageId,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{passages, titles};
use crate::support::{Platform, Tenant};

const NEVER: Duration = Duration::from_secs(600);

async fn follow_with(
    platform: &Platform,
    tenant: Tenant,
    folder: &Path,
    worker_timeout: Duration,
    stop: &CancellationToken,
) -> Result<Report, String> {
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let paths = [folder.to_owned()];
    let followed = follow::run(&platform.app, &chatbot, (paths.as_slice(), true), worker_timeout, stop).await;
    followed.map_err(|error| error.to_string())
}

/// The jobs of the command line, oldest first.
async fn queued(platform: &Platform) -> Vec<Value> {
    sqlx::query_scalar("select to_jsonb(j) from jobs j where kind = 'ingest' order by id")
        .fetch_all(platform.everything())
        .await
        .unwrap()
}

fn write(folder: &Path, name: &str, words: &str) {
    fs::write(folder.join(name), format!("# {name}\n\n{words}\n")).unwrap();
}

#[tokio::test]
async fn a_job_that_nobody_takes_is_worked_on_by_the_command_itself() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.md", "The first words.");
    fs::write(folder.path().join("b.md"), [0xff, 0x80]).unwrap();
    let stop = CancellationToken::new();
    let report = follow_with(&platform, tenant, folder.path(), Duration::ZERO, &stop).await.unwrap();
    assert_eq!((report.added, report.passages, report.skipped.len(), report.unread), (1, 1, 1, 1), "{report}");
    let jobs = queued(&platform).await;
    assert_eq!((&jobs[0]["state"], &jobs[0]["done"], &jobs[0]["attempts"]), (&json!("done"), &json!(2), &json!(1)));
    fs::remove_file(folder.path().join("a.md")).unwrap();
    let pruned = follow_with(&platform, tenant, folder.path(), Duration::ZERO, &stop).await.unwrap();
    assert_eq!((pruned.pruned, titles(&platform, tenant).await.len()), (1, 0), "{pruned}");
}

#[tokio::test]
async fn a_worker_that_sees_the_same_files_takes_the_job() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.md", "The first words.");
    let stop = CancellationToken::new();
    let workers = tokio::spawn(worker::run_until(platform.app.clone(), stop.clone()));
    let report = follow_with(&platform, tenant, folder.path(), NEVER, &CancellationToken::new()).await.unwrap();
    assert_eq!(report.added, 1, "{report}");
    stop.cancel();
    workers.await.unwrap();
}

#[tokio::test]
async fn a_worker_that_sees_other_files_leaves_the_job() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let id = job::queue(&platform.app, &chatbot, &[folder.path().to_owned()], false).await.unwrap();
    let take = async |file_system: Option<StorageId>| {
        let time = Duration::from_secs(60);
        let lease = Lease { worker: Uuid::new_v4(), time, takes_large: true, storage: None, file_system };
        let mut tx = platform.app.db.write(&Scope::system()).await.unwrap();
        let job = jobs::take(&mut tx, &lease).await.unwrap();
        tx.commit_exempt(Exemption::Job).await.unwrap();
        job.map(|job| job.id)
    };
    assert_eq!(take(None).await, None);
    assert_eq!(take(Some(StorageId::random())).await, None);
    assert_eq!(take(Some(file_system::seen_here())).await, Some(id));
}

#[tokio::test]
async fn a_follower_of_a_job_learns_why_it_ended() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let stop = CancellationToken::new();
    let missing = follow_with(&platform, tenant, &folder.path().join("no"), Duration::ZERO, &stop).await.unwrap_err();
    assert!(missing.contains("cannot be read"), "{missing}");
    assert_eq!(queued(&platform).await, [] as [Value; 0], "a path that does not exist is not queued");
    sqlx::query("update chatbots set embedding_model = 'another'").execute(platform.everything()).await.unwrap();
    let failed = follow_with(&platform, tenant, folder.path(), Duration::ZERO, &stop).await.unwrap_err();
    assert!(failed.contains("another"), "{failed}");
    assert_eq!(queued(&platform).await[0]["state"], "failed", "nobody tries it again");
}

#[tokio::test]
async fn a_command_that_is_stopped_cancels_its_job() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let stop = CancellationToken::new();
    stop.cancel();
    let stopped = follow_with(&platform, tenant, folder.path(), NEVER, &stop).await.unwrap_err();
    assert!(stopped.contains("canceled"), "{stopped}");
    assert_eq!(queued(&platform).await[0]["state"], "canceled");
}

#[tokio::test]
async fn a_job_that_nobody_can_take_is_canceled_after_a_day() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    job::queue(&platform.app, &chatbot, &[folder.path().to_owned()], false).await.unwrap();
    for (hours, state) in [(23, "queued"), (25, "canceled")] {
        sqlx::query("update jobs set run_after = now() - make_interval(hours => $1) where kind = 'ingest'")
            .bind(hours)
            .execute(platform.everything())
            .await
            .unwrap();
        worker::clean_up(&platform.app).await.unwrap();
        assert_eq!(queued(&platform).await[0]["state"], state, "{hours}");
    }
}

/// Waits until the chatbot has these passages.
async fn until(platform: &Platform, tenant: Tenant, expected: &[&str]) {
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    loop {
        let contents = passages(platform, tenant).await;
        if contents == expected {
            return;
        }
        assert!(std::time::Instant::now() < deadline, "{contents:?} instead of {expected:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_watched_folder_and_its_source_stay_equal() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().to_owned();
    write(&docs, "a.md", "The first words.");
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let (app, stop, watched) = (platform.app.clone(), CancellationToken::new(), docs.clone());
    let stopped = stop.clone();
    let short = Duration::from_millis(20);
    let intervals =
        Intervals { poll_interval: short, rest: short, after_a_failure: short, worker_timeout: Duration::ZERO };
    let watching = tokio::spawn(async move {
        let mut reports = 0;
        watch::until(&app, &chatbot, &watched, intervals, &stopped, |_| reports += 1).await.unwrap();
        reports
    });
    until(&platform, tenant, &["The first words."]).await;
    write(&docs, "b.md", "The words of a new file.");
    until(&platform, tenant, &["The first words.", "The words of a new file."]).await;
    write(&docs, "a.md", "Other words.");
    until(&platform, tenant, &["Other words.", "The words of a new file."]).await;
    fs::remove_file(docs.join("b.md")).unwrap();
    until(&platform, tenant, &["Other words."]).await;
    stop.cancel();
    // The end may come before the last report.
    assert!(watching.await.unwrap() >= 3);
}
