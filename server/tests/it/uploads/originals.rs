//! The stored files: damaged, read by a newer reader, or in another storage.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use server::{
    doctor::{self, Subject},
    service::{knowledge::uploads::rereading, worker},
    state::App,
    storage::Storage,
};
use tokio_util::sync::CancellationToken;

use super::{HOURS, Source};
use crate::{
    sandbox::hostile::zip,
    support::{Platform, moment},
};

#[tokio::test]
async fn a_stored_file_that_changed_is_neither_read_nor_handed_out() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.put("a.md", HOURS).await;
    std::fs::write(&source.files()[0], "# Forged\n\nOther words.\n").unwrap();
    platform.work_off_jobs().await;
    assert_eq!(source.get("a.md").await.body["problem"]["code"], "original_damaged");
    let original = platform.viewer(tenant.id).get(&format!("{}/documents/a.md/original", source.path)).await;
    assert_eq!((original.status, original.detail()), (404, "original_not_found"));
    // A file that is not there may be on a disk that is not mounted: it is tried again.
    std::fs::remove_file(&source.files()[0]).unwrap();
    source.put("b.md", HOURS).await;
    for file in source.files() {
        std::fs::remove_file(file).unwrap();
    }
    platform.work_off_jobs().await;
    let later = "select error from jobs where state = 'queued' and run_after >= started_at + interval '5 seconds'";
    let later: String = sqlx::query_scalar(later).fetch_one(platform.everything()).await.unwrap();
    assert!(later.starts_with("the stored file cannot be read"), "{later}");
}

#[tokio::test]
async fn files_of_a_former_reader_are_read_again_from_originals() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let untouched = Source::make(&platform, other, "Manuals").await;
    source.read("hours.md", HOURS).await;
    source.read("more.zip", zip(&[("a.md", b"# A\n\nParking is free."), ("b.md", b"# B\n\nDogs are welcome.")])).await;
    untouched.read("hours.md", HOURS).await;
    assert_eq!(rereading::queue(&platform.app).await.unwrap(), 0, "everything is of the latest reader");
    let database = platform.everything();
    let former = "update documents set reader_version = 1 where tenant_id = $1 and path <> 'more.zip/b.md'";
    sqlx::query(former).bind(tenant.id.0).execute(database).await.unwrap();
    let torn = "update passages set content = 'Torn.' where tenant_id = $1 and content not like 'Dogs%'";
    sqlx::query(torn).bind(tenant.id.0).execute(database).await.unwrap();

    assert_eq!(rereading::queue(&platform.app).await.unwrap(), 2);
    assert_eq!(rereading::queue(&platform.app).await.unwrap(), 0, "another server that starts finds them waiting");
    assert_eq!(source.get("hours.md").await.body["state"], "waiting");
    assert_eq!(source.count("passages").await, 3, "the former passages answer");
    platform.work_off_jobs().await;
    for name in ["hours.md", "more.zip"] {
        let read = source.get(name).await.body;
        assert_eq!((&read["state"], &read["problem"]), (&json!("ready"), &Value::Null), "{name}");
    }
    let torn = "select count(*) from passages where content = 'Torn.'";
    assert_eq!(sqlx::query_scalar::<_, i64>(torn).fetch_one(database).await.unwrap(), 0);
    assert_eq!(source.count("passages").await, 3);
    assert!(source.ask("When does the shop open?").await["answer"].as_str().unwrap().contains("nine in the morning"));
    assert_eq!(rereading::queue(&platform.app).await.unwrap(), 0);
}

#[tokio::test]
async fn files_that_could_not_be_read_are_read_again_on_request() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.read("hours.md", HOURS).await;
    for (name, code) in [("copy.md", "duplicate"), ("empty.md", "no_text")] {
        let content = if code == "duplicate" { HOURS } else { "" };
        assert_eq!(source.read(name, content).await["problem"]["code"], code, "{name}");
    }
    let read = format!("{}/read", source.path);
    assert_eq!(platform.viewer(tenant.id).post(&read, &json!({})).await.status, 403);
    assert_eq!(platform.admin(other.id).post(&read, &json!({})).await.status, 404);
    // The obstacle was removed.
    assert_eq!(source.delete("hours.md").await.status, 204);
    let rows = platform.audit_rows().await;
    let response = platform.admin(tenant.id).post(&read, &json!({})).await;
    let counts = (&response.body["pending"], &response.body["failed"]);
    assert_eq!((response.status, counts), (200, (&json!(2), &json!(0))), "{response:?}");
    assert_eq!(source.get("copy.md").await.body["problem"], Value::Null);
    let row = platform.last_audit().await;
    assert_eq!((platform.audit_rows().await, &row["action"]), (rows + 1, &json!("chatbot_source.read_requested")));
    // The copy waits since the other document was deleted.
    assert_eq!(row["details"]["after"], json!({ "documents": 1 }), "{row}");
    platform.work_off_jobs().await;
    assert_eq!(source.get("copy.md").await.body["state"], "ready");
    assert_eq!(source.get("empty.md").await.body["problem"]["code"], "no_text");
    assert!(source.ask("When does the shop open?").await["answer"].as_str().unwrap().contains("nine in the morning"));
    // A file that could not be read is a document only when it is read: the quota admits it or not.
    let quotas = json!({ "quotas": { "documents": 1 } });
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    assert_eq!(platform.operator().patch(&path, &quotas).await.status, 200);
    let refused = platform.admin(tenant.id).post(&read, &json!({})).await;
    assert_eq!((refused.status, refused.detail()), (422, "quota_documents"), "{refused:?}");
    assert_eq!(source.get("empty.md").await.body["state"], "failed");
}

/// The same platform with a separate folder for uploaded files.
async fn replica_with_another_storage(platform: &Platform) -> (App, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = platform.app.settings.clone();
    settings.uploads.storage = Arc::new(Storage::in_folder(folder.path().to_owned()));
    (platform.replica(platform.db.connect().await, settings), folder)
}

#[tokio::test]
async fn a_worker_leaves_files_of_another_storage_to_other_workers() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let (other, _folder) = replica_with_another_storage(&platform).await;
    assert_eq!(source.put("hours.md", HOURS).await.status, 200);

    // The other worker runs longer than it needs to take a job once it knows its storage.
    let stop = CancellationToken::new();
    let worker = tokio::spawn(worker::run_until(other.clone(), stop.clone()));
    while other.storage().known_id().is_none() {
        moment().await;
    }
    tokio::time::sleep(Duration::from_millis(1500)).await;
    stop.cancel();
    worker.await.unwrap();
    assert_eq!(source.get("hours.md").await.body["state"], "waiting");

    let report = doctor::run(&Subject::of_app(&other)).await;
    let report = doctor::report(&report, chrono::Utc::now(), contract::system_check::ReportLanguage::English);
    let storage = report.checks.iter().find(|check| check.name == "storage").unwrap();
    assert_eq!(storage.status, contract::system_check::CheckStatus::Warning, "{storage:?}");
    let own = platform.app.storage().id().await.unwrap().to_string();
    assert!(storage.finding.contains(&own) && storage.finding.contains(": 1 ("), "{storage:?}");

    platform.work_off_jobs().await;
    assert_eq!(source.get("hours.md").await.body["state"], "ready");
    // It does not erase files that it does not have.
    assert_eq!(source.delete("hours.md").await.status, 204);
    worker::clean_up(&other).await.unwrap();
    assert_eq!((source.files().len(), source.count("originals").await), (1, 1));
    worker::clean_up(&platform.app).await.unwrap();
    assert_eq!((source.files().len(), source.count("originals").await), (0, 0));
}
