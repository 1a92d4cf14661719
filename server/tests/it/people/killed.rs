//! The platform or the provider is killed between the steps of changes: no change is without its audit row, and no row
//! claims a change that was not made. `PEOPLE_KILLS` is the number of repetitions (`make test-keycloak` uses a
//! hundred).

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde_json::{Value, json};
use server::service::people::settle;
use uuid::Uuid;

use super::{PEOPLE, new_person};
use crate::{
    crash::process::Process,
    support::{Keys, Platform, Tenant, provider::PROVIDER_SECRET},
};

/// Kills of an ordinary run.
const USUAL_KILLS: usize = 8;
/// A change makes no more calls than this.
const MAX_CALLS: usize = 14;

/// A proxy between the platform's process and the provider that kills one of them at a call.
struct Between {
    provider: String,
    keys: String,
    http: reqwest::Client,
    /// Calls of the admin API until the kill; 0 for none.
    calls_left: AtomicUsize,
    /// Whether the call of the kill still reaches the provider.
    is_after: AtomicBool,
    target: Mutex<Option<KillTarget>>,
    /// Whether the provider answers nothing.
    is_away: AtomicBool,
}

/// Which process is killed.
#[derive(Clone)]
enum KillTarget {
    Platform(Arc<Process>),
    Provider,
}

impl Between {
    /// Serves it; returns its address.
    async fn serve(platform: &Platform) -> (Arc<Self>, String) {
        let between = Arc::new(Self {
            provider: platform.keys.auth_url.clone(),
            keys: platform.keys.auth_url.clone(),
            http: reqwest::Client::new(),
            calls_left: AtomicUsize::new(0),
            is_after: AtomicBool::new(false),
            target: Mutex::default(),
            is_away: AtomicBool::new(false),
        });
        let shared = Arc::clone(&between);
        let router = Router::new().fallback(async move |request: Request| shared.pass(request).await);
        (between, platform.serve(router).await)
    }

    fn kill_at(&self, target: KillTarget, call: usize, is_after: bool) {
        *self.target.lock().unwrap() = Some(target);
        self.is_after.store(is_after, SeqCst);
        self.calls_left.store(call, SeqCst);
    }

    async fn pass(&self, request: Request) -> Response {
        let path = request.uri().path().to_owned();
        if self.is_away.load(SeqCst) && !path.ends_with("/certs") {
            return StatusCode::BAD_GATEWAY.into_response();
        }
        let is_counted = path.starts_with("/admin/") && self.calls_left.load(SeqCst) > 0;
        let is_last = is_counted && self.calls_left.fetch_sub(1, SeqCst) == 1;
        if is_last && !self.is_after.load(SeqCst) {
            return self.kill();
        }
        let answer = self.forward(request, path.ends_with("/certs")).await;
        if is_last { self.kill() } else { answer }
    }

    fn kill(&self) -> Response {
        match self.target.lock().unwrap().take() {
            Some(KillTarget::Platform(process)) => process.kill(),
            Some(KillTarget::Provider) => self.is_away.store(true, SeqCst),
            None => {}
        }
        StatusCode::BAD_GATEWAY.into_response()
    }

    async fn forward(&self, request: Request, is_for_keys: bool) -> Response {
        let (parts, body) = request.into_parts();
        let base = if is_for_keys { &self.keys } else { &self.provider };
        let url = format!("{base}{}", parts.uri.path_and_query().map_or("", |path| path.as_str()));
        let mut headers = parts.headers;
        headers.remove("host");
        let body = to_bytes(body, 1_000_000).await.unwrap();
        let sent = self.http.request(parts.method, url).headers(headers).body(body).send().await.unwrap();
        let (status, mut headers) = (sent.status(), sent.headers().clone());
        headers.remove("transfer-encoding");
        (status, headers, Body::from(sent.bytes().await.unwrap())).into_response()
    }
}

/// The requested action, and whether the provider made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Promote,
    Deactivate,
    ResetPassword,
    Remove,
    Invite,
}

const ACTIONS: [Action; 5] =
    [Action::Promote, Action::Deactivate, Action::ResetPassword, Action::Remove, Action::Invite];

impl Action {
    async fn ask(self, base_url: &str, token: &str, name: &str, id: Uuid) {
        let person = format!("{PEOPLE}/{id}");
        let (method, path, body) = match self {
            Self::Promote => ("PATCH", person, json!({ "role": "admin" })),
            Self::Deactivate => ("PATCH", person, json!({ "is_active": false })),
            Self::ResetPassword => ("POST", format!("{person}/reset-password"), json!({})),
            Self::Remove => ("DELETE", person, json!({})),
            Self::Invite => ("POST", PEOPLE.to_owned(), new_person(name, "viewer")),
        };
        let request = reqwest::Client::new().request(method.parse().unwrap(), format!("{base_url}{path}"));
        // A process that was killed does not answer.
        let _ = request.bearer_auth(token).json(&body).send().await;
    }

    async fn happened(self, platform: &Platform, name: &str, id: Uuid) -> bool {
        let read = async |path: String| -> Value {
            platform.at_provider("GET", &path, &json!({})).await.json().await.unwrap_or_default()
        };
        match self {
            Self::Promote => {
                let roles = read(format!("users/{id}/role-mappings/realm")).await;
                roles.as_array().unwrap().iter().any(|role| role["name"] == "tenant-admin")
            }
            Self::Deactivate => read(format!("users/{id}")).await["enabled"] == false,
            Self::ResetPassword => read(format!("users/{id}/credentials")).await != json!([]),
            Self::Remove => read(format!("users?username={name}&exact=true")).await == json!([]),
            Self::Invite => read(format!("users?username={name}&exact=true")).await != json!([]),
        }
    }
}

/// The results of a person's settled changes, and their number.
async fn outcomes(platform: &Platform, name: &str) -> (Vec<String>, i64) {
    let rows = "select details->>'outcome' from platform_audit_log where details->>'username' = $1";
    let rows = sqlx::query_scalar(rows).bind(name).fetch_all(platform.everything()).await.unwrap();
    let changes = "select count(*) from people_changes where username = $1 and outcome is not null";
    (rows, sqlx::query_scalar(changes).bind(name).fetch_one(platform.everything()).await.unwrap())
}

async fn settle_all(platform: &Platform) {
    // The lock of a dead process ends by itself after 90 seconds.
    sqlx::query("update people_locks set held_until = now() - interval '1 second' where holder is not null")
        .execute(platform.everything())
        .await
        .unwrap();
    settle::round(&platform.app).await.unwrap();
    let open = "select count(*) from people_changes where outcome is null";
    let open: i64 = sqlx::query_scalar(open).fetch_one(platform.everything()).await.unwrap();
    assert_eq!(open, 0);
}

async fn round(
    platform: &Platform,
    one: Tenant,
    between: &(Arc<Between>, String),
    number: usize,
    kills_provider: bool,
) -> String {
    let (between, address) = between;
    let action = ACTIONS[number % ACTIONS.len()];
    let (call, is_after) = (1 + number % MAX_CALLS, number / MAX_CALLS % 2 == 1);
    let name = format!("killed-{number}");
    let database = platform.db.settings().url;
    let settings = [("SVC_AUTH_PEOPLE_CLIENT_SECRET", PROVIDER_SECRET), ("SVC_LOGGING_LEVEL", "error")];
    let process = Arc::new(Process::start_with(&database, address, &settings).await);
    let id = if action == Action::Invite {
        Uuid::nil()
    } else {
        platform.add_person(one.id, &name, "Meyer", "tenant-viewer").await
    };
    let keys = Keys { auth_url: address.clone(), ..platform.keys.clone() };
    let target = if kills_provider { KillTarget::Provider } else { KillTarget::Platform(Arc::clone(&process)) };
    between.kill_at(target, call, is_after);
    action.ask(&process.base_url, &keys.tenant(one.id, "tenant-admin").encode(), &name, id).await;
    between.calls_left.store(0, SeqCst);
    let was_killed = between.target.lock().unwrap().take().is_none();
    process.kill();
    between.is_away.store(false, SeqCst);
    settle_all(platform).await;
    let (rows, changes) = outcomes(platform, &name).await;
    let happened = action.happened(platform, &name, id).await;
    let what = format!("{action:?} killed at call {call}, after {is_after}: rows {rows:?}, happened {happened}");
    assert_eq!(i64::try_from(rows.len()).unwrap(), changes, "{what}");
    assert!(rows.len() <= 1, "{what}");
    assert_eq!(happened, rows == ["done"], "{what}");
    format!(
        "{action:?} {} {}",
        if was_killed { "killed" } else { "finished" },
        rows.first().map_or("never started", String::as_str)
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_between_the_steps_leaves_no_change_unaudited() {
    println!("kills of the platform: {:#?}", kill_often(false).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_killed_between_steps_leaves_every_change_audited() {
    println!("kills of the provider: {:#?}", kill_often(true).await);
}

/// The number of each result.
async fn kill_often(kills_provider: bool) -> BTreeMap<String, usize> {
    let rounds = std::env::var("PEOPLE_KILLS").ok().map_or(USUAL_KILLS, |text| text.parse().unwrap());
    let (platform, one, _) = Platform::with_tenants().await;
    let between = Between::serve(&platform).await;
    let mut tally = BTreeMap::<String, usize>::new();
    for number in 0..rounds {
        let result = round(&platform, one, &between, number, kills_provider).await;
        *tally.entry(result).or_default() += 1;
    }
    assert!(tally.keys().any(|what| what.contains("killed done")) || rounds < USUAL_KILLS);
    tally
}
