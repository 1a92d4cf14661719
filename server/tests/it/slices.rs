//! Jobs in slices: no tenant keeps the workers from others, and what a slice has read is not read again.

use std::{
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use server::{
    sandbox::{OcrLimits, Sandbox, SandboxSettings},
    service::worker,
    state::AppSettings,
};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    sandbox::hostile::zip,
    support::{Platform, Tenant, send},
};

const TEXT: &str = "# Opening hours\n\nThe shop opens at nine in the morning.\n";

/// A reader for which each PDF has as many scanned pages as the file `pages` says, and whose text recognition takes a
/// third of a second for a page. It logs the pages that it recognises, and how many files of an archive it skips. Archives,
/// slowly, and other files are read by the real reader.
const READER: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
folder="${0%/*}"
case "$2" in
*'"kind":"recognise"'*)
    pages=${2#*'"pages":['}
    for page in $(echo "${pages%%]*}" | tr , ' '); do
        sleep 0.3
        echo "$page" >> "$folder/log"
        echo "{\"recognised\":{\"page\":$page,\"paragraphs\":[\"Page $page says when the office opens.\"],\"confidence\":90.0}}"
    done
    echo '"end"' ;;
*'"kind":"document","file_type":"pdf"'*) echo "{\"scanned\":{\"pages\":$(cat "$folder/pages")}}" ;;
*'"kind":"archive"'*)
    skip=${2#*'"skip":'}
    echo "skip ${skip%%,*}" >> "$folder/log"
    "$(cat "$folder/real")" "$@" | while IFS= read -r line; do
        sleep 0.2
        printf '%s\n' "$line"
    done ;;
*) exec "$(cat "$folder/real")" "$@" ;;
esac
"#;

/// A folder with this reader.
struct Reader {
    folder: tempfile::TempDir,
    program: PathBuf,
}

impl Reader {
    fn new(pages: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (source, program) = (folder.path().join("source"), folder.path().join("reader"));
        std::fs::write(&source, READER).unwrap();
        std::fs::write(folder.path().join("pages"), pages.to_string()).unwrap();
        std::fs::write(folder.path().join("real"), env!("CARGO_BIN_EXE_server")).unwrap();
        std::fs::write(folder.path().join("log"), "").unwrap();
        // Another process makes the program: one that this process writes is busy while another test starts a process meanwhile.
        let installed = Command::new("install").args(["-m", "700"]).args([&source, &program]).status().unwrap();
        assert!(installed.success());
        Self { folder, program }
    }

    fn sandbox(&self) -> Sandbox {
        let timeout = Duration::from_secs(60);
        let sandbox = Sandbox::new(SandboxSettings {
            program: self.program.clone(),
            memory_bytes: 1 << 30,
            timeout,
            ocr: Some(OcrLimits { max_pages: 1000, page_timeout: timeout }),
        });
        sandbox.set_ocr("/bin/true".into(), "/bin/true".into(), vec!["eng".to_owned()]);
        sandbox
    }

    fn log(&self) -> Vec<String> {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap().lines().map(str::to_owned).collect()
    }
}

/// A platform with this reader, and slices of this length.
async fn platform(reader: &Reader, workers: usize, (slice, small_slice): (u64, u64)) -> Platform {
    let sandbox = reader.sandbox();
    Platform::start_with(move |settings: &mut AppSettings| {
        settings.sandbox = sandbox;
        settings.jobs.workers = workers;
        settings.jobs.slice = Duration::from_secs(slice);
        settings.jobs.small_slice = Duration::from_secs(small_slice);
    })
    .await
}

/// A source of a tenant.
struct Source<'a> {
    platform: &'a Platform,
    tenant: Tenant,
    path: String,
}

impl<'a> Source<'a> {
    async fn new(platform: &'a Platform, slug: &str) -> Self {
        let tenant = platform.add_tenant(slug).await;
        let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
        let source = platform.admin(tenant.id).post(&sources, &json!({ "kind": "upload", "name": "Files" })).await;
        assert_eq!(source.status, 201, "{source:?}");
        Self { platform, tenant, path: format!("{sources}/{}/documents/", source.body["id"].as_str().unwrap()) }
    }

    async fn put(&self, name: &str, bytes: impl Into<Vec<u8>>) {
        let admin = self.platform.admin(self.tenant.id);
        let put = send(admin.request("PUT", &format!("{}{name}", self.path)).body(bytes.into())).await;
        assert_eq!(put.status, 200, "{put:?}");
    }

    async fn get(&self, name: &str) -> Value {
        self.platform.admin(self.tenant.id).get(&format!("{}{name}", self.path)).await.body
    }

    /// Waits until a document is read, and returns how long that took.
    async fn until_ready(&self, name: &str) -> Duration {
        let started = Instant::now();
        loop {
            let document = self.get(name).await;
            if document["state"] == "ready" {
                return started.elapsed();
            }
            assert!(started.elapsed() < Duration::from_secs(120), "{document}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn work(platform: &Platform) -> (AbortOnDropHandle<()>, CancellationToken) {
    let stop = CancellationToken::new();
    let workers = tokio::spawn(worker::run_until(platform.app.clone(), stop.clone()));
    (AbortOnDropHandle::new(workers), stop)
}

/// Waits until the query, which returns a number, returns at least `count`.
async fn until(platform: &Platform, sql: &'static str, count: i64) {
    let started = Instant::now();
    while sqlx::query_scalar::<_, i64>(sql).fetch_one(platform.everything()).await.unwrap() < count {
        assert!(started.elapsed() < Duration::from_secs(60), "{sql}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

const RUNNING: &str = "select count(*) from jobs where state = 'running'";
const STORED: &str = "select coalesce(max(json_array_length((checkpoint::json)->'pages')), 0)::bigint from jobs";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_small_document_begins_while_another_tenant_has_slow_ones() {
    let reader = Reader::new(200);
    let platform = platform(&reader, 2, (60, 1)).await;
    let (slow, quick) = (Source::new(&platform, "slow").await, Source::new(&platform, "quick").await);
    for number in 0..4 {
        slow.put(&format!("{number}.pdf"), format!("%PDF-1.4 scan {number}")).await;
    }
    let (workers, stop) = work(&platform);
    until(&platform, RUNNING, 2).await;
    quick.put("hours.md", TEXT).await;
    let took = quick.until_ready("hours.md").await;
    assert!(took < Duration::from_secs(15), "the small document took {took:?}");
    let large: i64 = sqlx::query_scalar("select count(*) from jobs where is_large and attempts <= 1")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert!(large >= 1, "what takes long is a large job, and counts no attempt");
    stop.cancel();
    workers.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_worker_alone_yields_between_pages_and_reads_none_twice() {
    const PAGES: u32 = 12;
    let reader = Reader::new(PAGES);
    let platform = platform(&reader, 1, (0, 60)).await;
    let (slow, quick) = (Source::new(&platform, "slow").await, Source::new(&platform, "quick").await);
    slow.put("scan.pdf", "%PDF-1.4 scan").await;
    let (workers, stop) = work(&platform);
    until(&platform, STORED, 2).await;
    quick.put("hours.md", TEXT).await;
    quick.until_ready("hours.md").await;
    assert_ne!(slow.get("scan.pdf").await["state"], "ready", "the small document had to wait for the scan");
    slow.until_ready("scan.pdf").await;
    stop.cancel();
    workers.await.unwrap();
    let read = slow.get("scan.pdf").await;
    assert_eq!(read["ocr_pages"], json!(PAGES), "{read}");
    let log = reader.log();
    // The page that was being read when the job yielded is read again.
    assert!(log.len() <= PAGES as usize + 2, "{log:?}");
    let (checkpoints, worked): (i64, i64) = sqlx::query_as("select count(checkpoint), max(worked_ms) from jobs")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(checkpoints, 0, "texts of documents do not stay");
    assert!(worked > 500, "the time of the first slice counts: {worked}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_worker_continues_after_the_last_stored_page() {
    const PAGES: u32 = 8;
    let reader = Reader::new(PAGES);
    let platform = platform(&reader, 1, (0, 60)).await;
    let source = Source::new(&platform, "one").await;
    source.put("scan.pdf", "%PDF-1.4 scan").await;
    let (workers, _) = work(&platform);
    until(&platform, STORED, 3).await;
    workers.abort();
    assert!(workers.await.unwrap_err().is_cancelled());
    sqlx::query("update jobs set leased_until = now() - interval '1 second' where state = 'running'")
        .execute(platform.everything())
        .await
        .unwrap();
    platform.work_off_jobs().await;
    let read = source.get("scan.pdf").await;
    assert_eq!((&read["state"], &read["ocr_pages"]), (&json!("ready"), &json!(PAGES)), "{read}");
    let log = reader.log();
    for page in ["1", "2", "3"] {
        assert_eq!(log.iter().filter(|read| *read == page).count(), 1, "{page}: {log:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_archive_continues_after_the_last_file_of_its_slice() {
    let reader = Reader::new(3);
    let platform = platform(&reader, 1, (0, 60)).await;
    let (slow, quick) = (Source::new(&platform, "slow").await, Source::new(&platform, "quick").await);
    let texts: Vec<(String, String)> = (0..6)
        .map(|number| (format!("{number}.md"), format!("# Guide {number}\n\nIt is about valve {number}.\n")))
        .collect();
    let files: Vec<(&str, &[u8])> = texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    slow.put("all.zip", zip(&files)).await;
    let (workers, stop) = work(&platform);
    until(&platform, "select count(*) from documents", 2).await;
    quick.put("hours.md", TEXT).await;
    quick.until_ready("hours.md").await;
    slow.until_ready("all.zip").await;
    stop.cancel();
    workers.await.unwrap();
    let read = slow.get("all.zip").await;
    assert_eq!((&read["state"], &read["files"], &read["version"]), (&json!("ready"), &json!(6), &json!(1)), "{read}");
    let skips = reader.log();
    assert_eq!(skips.first().map(String::as_str), Some("skip 0"), "{skips:?}");
    let resumed = skips.iter().any(|skip| skip != "skip 0");
    assert!(resumed, "the archive was never continued: {skips:?}");
}

#[tokio::test]
async fn a_file_has_a_budget_of_time_over_all_slices() {
    let reader = Reader::new(50);
    let platform = platform(&reader, 1, (60, 60)).await;
    let source = Source::new(&platform, "one").await;
    source.put("scan.pdf", "%PDF-1.4 scan").await;
    sqlx::query("update jobs set worked_ms = 1000 * 899").execute(platform.everything()).await.unwrap();
    platform.work_off_jobs().await;
    let read = source.get("scan.pdf").await;
    assert_eq!((&read["state"], &read["problem"]["code"]), (&json!("failed"), &json!("timed_out")), "{read}");
    assert_eq!(read["problem"]["detail"], "reading took longer than 15 minutes in all", "{read}");
    assert!(reader.log().len() < 10, "{:?}", reader.log());
}
