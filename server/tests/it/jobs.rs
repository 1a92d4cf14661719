//! Background jobs: taken once, in order, for a lease, and never lost with their worker.

use std::{collections::BTreeSet, time::Duration};

use contract::{JobId, jobs::JobKind};
use serde_json::{Value, json};
use server::service::worker;
use sqlx::{Connection, PgConnection, PgPool};
use store::{
    Exemption, Scope,
    jobs::{self, Job, Lease, NewJob},
};
use uuid::Uuid;

use crate::{
    crash::{no_session_left, process::Process},
    support::{Database, Keys, Platform, Tenant, new_chatbot},
};

fn lease(seconds: u64) -> Lease {
    let time = Duration::from_secs(seconds);
    Lease { worker: Uuid::new_v4(), time, takes_large: true, storage: None, file_system: None }
}

async fn queue(platform: &Platform, tenant: Tenant, is_large: bool) -> JobId {
    let mut tx = platform.app.db.write(&Scope::tenant(tenant.id)).await.unwrap();
    let job = NewJob {
        kind: JobKind::ReadUpload,
        chatbot: tenant.chatbot,
        payload: json!({}),
        is_large,
        storage: None,
        host: None,
    };
    let id = jobs::insert(&mut tx, tenant.id, &job).await.unwrap();
    tx.commit_exempt(Exemption::Job).await.unwrap();
    id
}

async fn queue_for_host(platform: &Platform, tenant: Tenant, host: &str) -> JobId {
    let id = queue(platform, tenant, false).await;
    sqlx::query("update jobs set host = $2 where id = $1")
        .bind(id.0)
        .bind(host)
        .execute(platform.everything())
        .await
        .unwrap();
    id
}

async fn take(platform: &Platform, lease: &Lease) -> Option<Job> {
    let mut tx = platform.app.db.write(&Scope::system()).await.unwrap();
    let job = jobs::take(&mut tx, lease).await.unwrap();
    tx.commit_exempt(Exemption::Job).await.unwrap();
    job
}

async fn extend(platform: &Platform, job: &Job, lease: &Lease) -> bool {
    let mut tx = platform.app.db.write(&Scope::tenant(job.tenant)).await.unwrap();
    let holds = jobs::extend(&mut tx, job, lease).await.unwrap();
    tx.commit_exempt(Exemption::Job).await.unwrap();
    holds
}

async fn lapse(database: &PgPool) {
    let lapse = "update jobs set leased_until = now() - interval '1 second' where state = 'running'";
    sqlx::query(lapse).execute(database).await.unwrap();
}

async fn row(platform: &Platform, id: JobId) -> Value {
    sqlx::query_scalar("select to_jsonb(j) from jobs j where id = $1")
        .bind(id.0)
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

#[tokio::test]
async fn many_workers_take_each_job_once() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let mut queued = BTreeSet::new();
    for _ in 0..20 {
        queued.insert(queue(&platform, tenant, false).await);
    }
    let worker = async || {
        let lease = lease(60);
        let mut taken = Vec::new();
        while let Some(job) = take(&platform, &lease).await {
            taken.push(job.id);
        }
        taken
    };
    let (a, b, c, d) = tokio::join!(worker(), worker(), worker(), worker());
    let taken: Vec<JobId> = [a, b, c, d].concat();
    assert_eq!(taken.len(), 20);
    assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), queued);
}

#[tokio::test]
async fn tenants_are_served_in_turn() {
    let (platform, one, other) = Platform::with_tenants().await;
    for _ in 0..10 {
        queue(&platform, one, false).await;
    }
    let late = [queue(&platform, other, false).await, queue(&platform, other, false).await];
    let lease = lease(60);
    let mut order = Vec::new();
    for _ in 0..4 {
        let job = take(&platform, &lease).await.unwrap();
        order.push(job.tenant);
        // A job that has ended leaves its tenant's turn to the one that waited longer.
        let mut tx = platform.app.db.write(&Scope::tenant(job.tenant)).await.unwrap();
        assert!(jobs::finish(&mut tx, &job, lease.worker, None).await.unwrap());
        tx.commit_exempt(Exemption::Job).await.unwrap();
    }
    assert_eq!(order.iter().filter(|tenant| **tenant == other.id).count(), 2, "{order:?}");
    assert_eq!(row(&platform, late[1]).await["state"], "done");
}

#[tokio::test]
async fn small_jobs_come_first_and_keep_a_worker() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let large = queue(&platform, tenant, true).await;
    let small = queue(&platform, tenant, false).await;
    let for_small = Lease { takes_large: false, ..lease(60) };
    assert_eq!(take(&platform, &lease(60)).await.map(|job| job.id), Some(small));
    assert_eq!(take(&platform, &for_small).await, None);
    assert_eq!(take(&platform, &lease(60)).await.map(|job| job.id), Some(large));
}

#[tokio::test]
async fn one_job_per_host_runs_and_waiting_ones_count_no_attempt() {
    let (platform, one, other) = Platform::with_tenants().await;
    let first = queue_for_host(&platform, one, "shop.example").await;
    let waiting = queue_for_host(&platform, other, "shop.example").await;
    let elsewhere = queue_for_host(&platform, other, "help.example").await;
    let lease = lease(60);
    let taken = [take(&platform, &lease).await, take(&platform, &lease).await, take(&platform, &lease).await];
    let [Some(one_of_two), Some(the_other), None] = taken.clone() else { panic!("{taken:?}") };
    assert_eq!(row(&platform, elsewhere).await["state"], "running");
    let (held, free) =
        if row(&platform, first).await["state"] == "running" { (first, waiting) } else { (waiting, first) };
    let waits = row(&platform, free).await;
    assert_eq!((&waits["state"], &waits["attempts"]), (&json!("queued"), &json!(0)));
    let job = if one_of_two.id == held { one_of_two } else { the_other };
    let mut tx = platform.app.db.write(&Scope::tenant(job.tenant)).await.unwrap();
    assert!(jobs::finish(&mut tx, &job, lease.worker, None).await.unwrap());
    tx.commit_exempt(Exemption::Job).await.unwrap();
    assert_eq!(take(&platform, &lease).await.map(|job| job.id), Some(free));
}

#[tokio::test]
async fn concurrent_workers_take_one_job_per_host() {
    let (platform, one, other) = Platform::with_tenants().await;
    for _ in 0..5 {
        queue_for_host(&platform, one, "shop.example").await;
        queue_for_host(&platform, other, "shop.example").await;
    }
    let worker = async || {
        let mut taken = 0;
        while worker::take(&platform.app, &lease(60)).await.unwrap().is_some() {
            taken += 1;
        }
        taken
    };
    let (a, b, c, d) = tokio::join!(worker(), worker(), worker(), worker());
    assert_eq!(a + b + c + d, 1);
}

#[tokio::test]
async fn a_dead_worker_loses_its_job_and_changes_nothing_more() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let id = queue(&platform, tenant, false).await;
    let (dead, next) = (lease(60), lease(60));
    let job = take(&platform, &dead).await.unwrap();
    assert_eq!(take(&platform, &next).await, None, "the lease holds");
    assert!(extend(&platform, &job, &dead).await);
    lapse(platform.everything()).await;
    let again = take(&platform, &next).await.unwrap();
    assert_eq!((again.id, job.attempts, again.attempts), (id, 1, 4), "an attempt that killed its worker counts more");
    assert!(!extend(&platform, &job, &dead).await);
    let mut tx = platform.app.db.write(&Scope::tenant(tenant.id)).await.unwrap();
    assert!(!jobs::finish(&mut tx, &job, dead.worker, None).await.unwrap());
    assert!(jobs::finish(&mut tx, &again, next.worker, None).await.unwrap());
    tx.commit_exempt(Exemption::Job).await.unwrap();
    assert_eq!(row(&platform, id).await["state"], "done");
}

#[tokio::test]
async fn a_canceled_job_is_lost_to_its_worker() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let id = queue(&platform, tenant, false).await;
    let lease = lease(60);
    let job = take(&platform, &lease).await.unwrap();
    for (by, state) in [(other, "running"), (tenant, "canceled")] {
        let mut tx = platform.app.db.write(&Scope::tenant(by.id)).await.unwrap();
        jobs::cancel(&mut tx, tenant.id, &[id]).await.unwrap();
        tx.commit_exempt(Exemption::Job).await.unwrap();
        assert_eq!(row(&platform, id).await["state"], state);
    }
    assert!(!extend(&platform, &job, &lease).await);
    assert_eq!(take(&platform, &lease).await, None);
}

#[tokio::test]
async fn jobs_of_a_deleted_tenant_are_not_taken() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    queue(&platform, tenant, false).await;
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    assert_eq!(platform.operator().delete(&path).await.status, 204);
    assert_eq!(take(&platform, &lease(60)).await, None);
}

/// A server and a tenant on it that uploads.
struct World {
    keys: Keys,
    http: reqwest::Client,
    admin: String,
    chatbot: String,
    source: String,
}

impl World {
    async fn make(server: &Process, keys: Keys) -> Self {
        let http = reqwest::Client::new();
        let operator = keys.operator().encode();
        let mut world = Self { keys, http, admin: operator, chatbot: String::new(), source: String::new() };
        let body = json!({ "slug": "one", "display_name": "One" });
        let tenant = world.post(server, "/api/v1/platform/tenants", &body).await;
        let tenant = tenant["id"].as_str().unwrap().parse().unwrap();
        world.admin = world.keys.tenant(tenant, "tenant-admin").encode();
        let chatbot = world.post(server, "/api/v1/tenants/me/chatbots", &new_chatbot("help")).await;
        world.chatbot = format!("/api/v1/tenants/me/chatbots/{}", chatbot["id"].as_str().unwrap());
        let sources = format!("{}/sources", world.chatbot);
        let source = world.post(server, &sources, &json!({ "kind": "api", "name": "Articles" })).await;
        world.source = format!("{sources}/{}", source["id"].as_str().unwrap());
        world
    }

    async fn post(&self, server: &Process, path: &str, body: &Value) -> Value {
        let url = format!("{}{path}", server.base_url);
        let answer = self.http.post(url).bearer_auth(&self.admin).json(body).send().await.unwrap();
        assert_eq!(answer.status(), 201, "{path}");
        answer.json().await.unwrap()
    }

    async fn put(&self, server: &Process, name: &str, bytes: Vec<u8>) {
        let url = format!("{}{}/documents/{name}", server.base_url, self.source);
        let answer = self.http.put(url).bearer_auth(&self.admin).body(bytes).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    }

    async fn get(&self, server: &Process, name: &str) -> Value {
        let url = format!("{}{}/documents/{name}", server.base_url, self.source);
        self.http.get(url).bearer_auth(&self.admin).send().await.unwrap().json().await.unwrap()
    }

    /// Waits until a document matches.
    async fn until(&self, server: &Process, name: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let started = std::time::Instant::now();
        loop {
            let document = self.get(server, name).await;
            if is_wanted(&document) {
                return document;
            }
            assert!(started.elapsed() < Duration::from_secs(300), "{document}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// An archive of this many files with several passages each.
fn archive(files: usize) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for number in 0..files {
        let section = |part: usize| {
            let words = format!("File {number} says in part {part} how the valve is turned and why. ").repeat(12);
            format!("## Part {part}\n\n{words}\n\n")
        };
        let text = format!("# Guide {number}\n\n{}", (0..4).map(section).collect::<String>());
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        archive.append_data(&mut header, format!("{number}.md"), text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap()
}

/// Lets two documents be stored, and further ones when the returned connection is closed.
async fn hold_back_the_third_document(database: &Database) -> PgConnection {
    let sql = "create function wait_at_the_gate() returns trigger
               language plpgsql security definer set lock_timeout = 0 as $$
               begin
                   if (select count(*) from documents) >= 2 then
                       perform pg_advisory_xact_lock(1);
                   end if;
                   return new;
               end
               $$;
               create trigger gate before insert on documents for each row execute function wait_at_the_gate();
               select pg_advisory_lock(1)";
    let mut gate = PgConnection::connect(&database.superuser_url()).await.unwrap();
    sqlx::raw_sql(sql).execute(&mut gate).await.unwrap();
    gate
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_worker_loses_nothing_and_doubles_nothing() {
    const FILES: i64 = 24;
    let (db, keys) = (Database::create().await, Keys::serve().await);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let settings = [("SVC_UPLOADS_FOLDER", folder), ("SVC_DATABASE_STATEMENT_TIMEOUT_MS", "600000")];
    let first = Process::start_with(&db.login_url(), &keys.auth_url, &settings).await;
    let world = World::make(&first, keys.clone()).await;
    let gate = hold_back_the_third_document(&db).await;
    world.put(&first, "guides.tar", archive(24)).await;
    // In the middle of the archive: some of its documents are stored, and not all.
    world.until(&first, "guides.tar", |document| document["files"] == 2).await;
    first.kill();
    gate.close().await.unwrap();
    // The lease of the dead worker lapses. A short one could lapse under a worker that is alive on a busy machine.
    no_session_left(&db.superuser).await;
    lapse(&db.superuser).await;
    let second = Process::start_with(&db.login_url(), &keys.auth_url, &settings).await;
    let read = world.until(&second, "guides.tar", |document| document["state"] == "ready").await;
    assert_eq!(read["files"], json!(FILES), "{read}");
    let (documents, versions, doubled, jobs): (i64, i64, i64, String) = sqlx::query_as(
        "select (select count(*) from documents), (select max(version)::bigint from documents),
                (select count(*) from (select 1 from passages group by document_id, ordinal having count(*) > 1) d),
                (select string_agg(state || ' ' || attempts, ',') from jobs where kind = 'read_upload')",
    )
    .fetch_one(&db.superuser)
    .await
    .unwrap();
    assert_eq!((documents, versions, doubled), (FILES, 1, 0), "what was stored before the kill is not stored again");
    assert_eq!(jobs, "done 4");
}
