//! Logins are copied from the identity provider's events, once each, despite its outages.

mod list;

use std::{collections::BTreeMap, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use idp::Provider;
use serde_json::Value;
use server::{
    admission::rate_limit::RateLimiter,
    auth::TokenVerifier,
    service::vendor_access::{PollError, Poller},
    state::{App, AppParts, AppSettings},
};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::support::{Client, Platform, listen_again, moment, send};

pub(crate) const SECRET: &str = "a-secret-of-this-test";
pub(crate) const BREAKGLASS: &str = "svc-api-vendor-breakglass";
const LIST: &str = "/api/v1/platform/vendor-access";
pub(crate) const PASSWORD: &str = "a-password-of-this-test";
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/// The verifier's challenge.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// The embedded provider on a fixed port, which it keeps after a restart.
pub(crate) struct Idp {
    provider: Provider,
    address: SocketAddr,
    serving: Option<JoinHandle<()>>,
    _state: tempfile::TempDir,
}

impl Idp {
    pub(crate) async fn start() -> Self {
        Self::start_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/realms")).await
    }

    /// Starts the provider with the realm files of a folder.
    pub(crate) async fn start_in(realms: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = tempfile::tempdir().unwrap();
        let secrets = ["API", "BREAKGLASS", "TUNNEL", "AUDIT", "TENANTS_API", "PEOPLE"];
        let mut variables: BTreeMap<String, String> =
            secrets.map(|name| (format!("SVC_{name}_CLIENT_SECRET"), SECRET.to_owned())).into();
        for (name, value) in
            [("BASE_URL", "http://127.0.0.1:1"), ("DEMO_PASSWORD", PASSWORD), ("DIRECT_GRANTS", "true")]
        {
            variables.insert(format!("SVC_{name}"), value.to_owned());
        }
        let settings = idp::Settings {
            realm_files: ["svc-platform", "svc-tenants"].map(|realm| realms.join(format!("{realm}-realm.json"))).into(),
            variables,
            auth_url: format!("http://{address}"),
            state_dir: state.path().to_path_buf(),
            show_demo_accounts: false,
        };
        let provider = tokio::task::spawn_blocking(move || Provider::load(settings)).await.unwrap().unwrap();
        let mut idp = Self { provider, address, serving: None, _state: state };
        idp.serve(listener);
        idp
    }

    fn serve(&mut self, listener: TcpListener) {
        let service = self.provider.router().into_make_service_with_connect_info::<SocketAddr>();
        self.serving = Some(tokio::spawn(async move { axum::serve(listener, service).await.unwrap() }));
    }

    /// Stops answering: new connections are refused.
    pub(crate) async fn stop(&mut self) {
        let serving = self.serving.take().unwrap();
        serving.abort();
        drop(serving.await);
    }

    /// Answers again, with the events of before.
    async fn resume(&mut self) {
        self.serve(listen_again(self.address).await);
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Signs in by password and returns the access token.
    async fn sign_in(&self, platform: &Platform, username: &str) -> String {
        let url = format!("{}/realms/svc-platform/protocol/openid-connect/token", self.url());
        let form = [
            ("grant_type", "password"),
            ("client_id", "svc-api"),
            ("client_secret", SECRET),
            ("username", username),
            ("password", PASSWORD),
            ("scope", "openid"),
        ];
        let answer = send(platform.http.post(url).form(&form)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body["access_token"].as_str().unwrap().to_owned()
    }

    /// Signs in through the browser's form with a client of vendors.
    async fn sign_in_with(&self, client: &str, username: &str) {
        drop(self.code(client, username, "http://127.0.0.1:9/callback").await);
    }

    /// The code that such a sign-in returns to `redirect`.
    pub(crate) async fn code(&self, client: &str, username: &str, redirect: &str) -> String {
        let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let url = format!("{}/realms/svc-platform/protocol/openid-connect/auth", self.url());
        let query = [
            ("client_id", client),
            ("redirect_uri", redirect),
            ("response_type", "code"),
            ("scope", "openid svc-scope"),
            ("state", "s"),
            ("nonce", "n"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        let page = send(browser.get(url).query(&query)).await;
        assert_eq!(page.status, 200, "{page:?}");
        let cookie = page.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        let between = |before: &str| page.text.split_once(before).unwrap().1.split('"').next().unwrap();
        let form = [("request", between(r#"name="request" value=""#)), ("username", username), ("password", PASSWORD)];
        let action = format!("{}{}", self.url(), between(r#"action=""#));
        let done = send(browser.post(action).header("cookie", cookie).form(&form)).await;
        assert_eq!(done.status, 303, "{done:?}");
        let back = url::Url::parse(done.header("location").unwrap()).unwrap();
        let code = back.query_pairs().find(|(name, _)| name == "code").map(|(_, code)| code.into_owned());
        code.unwrap()
    }
}

async fn world() -> (Idp, Platform) {
    let idp = Idp::start().await;
    let auth_url = idp.url();
    let platform = Platform::start_with(|settings| settings.auth_url = auth_url).await;
    (idp, platform)
}

fn poller(platform: &Platform) -> Poller {
    Poller::new(platform.app.clone(), SECRET).unwrap()
}

/// Another process of the same platform, without what the first one remembers.
async fn other_process(platform: &Platform, auth_url: String) -> App {
    let tokens = TokenVerifier::new(&auth_url).unwrap();
    App::new(AppParts {
        db: platform.db.connect().await,
        tokens,
        people: None,
        limiter: RateLimiter::new(&platform.app.settings.rate_limit).unwrap(),
        embedders: Arc::clone(&platform.app.embedders),
        vectors: Arc::clone(&platform.app.vectors),
        tasks: TaskTracker::new(),
        settings: AppSettings { auth_url, ..platform.app.settings.clone() },
    })
}

/// The log: user and client of every row, oldest first.
/// Users and clients in the log, sorted: logins of one millisecond have no order.
async fn logged(platform: &Platform) -> Vec<(String, String)> {
    sqlx::query_as("select username, client_id from vendor_access_log order by username collate \"C\", client_id")
        .fetch_all(platform.everything())
        .await
        .unwrap()
}

fn rows(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut rows: Vec<_> = expected.iter().map(|(user, client)| ((*user).to_owned(), (*client).to_owned())).collect();
    rows.sort();
    rows
}

/// The list of the endpoint with this query: user and scope of every entry, newest first, and how many there are in all.
async fn listed(operator: &Client<'_>, query: &str) -> (Vec<(String, String)>, i64) {
    let answer = operator.get(&format!("{LIST}{query}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap().to_owned();
    let entries = answer.body["items"].as_array().unwrap();
    let logins = entries.iter().map(|entry| (text(entry, "username"), text(entry, "scope"))).collect();
    (logins, answer.body["total"].as_i64().unwrap())
}

#[tokio::test]
async fn every_login_is_logged_once_and_not_in_the_audit_log() {
    let (idp, platform) = world().await;
    idp.sign_in(&platform, "olivia").await;
    idp.sign_in_with("svc-api-vendor-breakglass", "victor").await;
    idp.sign_in_with("svc-api-vendor-tunnel", "oscar").await;
    let mut poller = poller(&platform);
    assert_eq!(poller.round().await.unwrap(), 3);
    let logins = [("victor", "svc-api-vendor-breakglass"), ("oscar", "svc-api-vendor-tunnel"), ("olivia", "svc-api")];
    assert_eq!(logged(&platform).await, rows(&logins));
    let row: Value = sqlx::query_scalar("select to_jsonb(l) from vendor_access_log l order by id limit 1")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!((&row["event_type"], &row["ip_address"]), (&"LOGIN".into(), &"127.0.0.1".into()));
    assert!(row["session_id"].is_string() && row["event_key"].is_string(), "{row}");
    assert_eq!(poller.round().await.unwrap(), 0, "nothing is logged twice");
    assert_eq!(platform.audit_rows().await, 0, "vendor logins are not in the audit log");
}

#[tokio::test]
async fn a_vendor_who_never_calls_the_api_is_listed() {
    let (idp, platform) = world().await;
    idp.sign_in(&platform, "victor").await;
    poller(&platform).round().await.unwrap();
    let operator = idp.sign_in(&platform, "olivia").await;
    assert_eq!(listed(&platform.bearer(&operator), "").await.0, rows(&[("victor", "unknown")]));
}

#[tokio::test]
async fn a_login_gets_its_scope_when_the_users_token_is_seen() {
    let (idp, platform) = world().await;
    let mut poller = poller(&platform);
    let vendor = idp.sign_in(&platform, "victor").await;
    let operator = idp.sign_in(&platform, "olivia").await;
    let both = idp.sign_in(&platform, "oscar").await;
    idp.sign_in_with("svc-api-vendor-tunnel", "oscar").await;
    assert_eq!(poller.round().await.unwrap(), 4);
    for token in [&vendor, &operator, &both] {
        assert_eq!(platform.bearer(token).get("/api/v1/me").await.status, 200);
    }
    assert_eq!(poller.round().await.unwrap(), 0);
    let olivia = platform.bearer(&operator);
    let (mut logins, total) = listed(&olivia, "").await;
    logins.sort();
    assert_eq!((logins, total), (rows(&[("oscar", "vendor"), ("victor", "vendor")]), 2), "operators are left out");
    let (mut logins, _) = listed(&olivia, "?scope=operator").await;
    logins.sort();
    assert_eq!(logins, rows(&[("olivia", "operator"), ("oscar", "operator")]));
    assert_eq!(listed(&olivia, "?scope=unknown").await, (vec![], 0));
}

#[tokio::test]
async fn a_restart_loses_no_login_and_logs_none_twice() {
    let (idp, platform) = world().await;
    let token = idp.sign_in(&platform, "victor").await;
    assert_eq!(platform.bearer(&token).get("/api/v1/me").await.status, 200);
    assert_eq!(poller(&platform).round().await.unwrap(), 1);
    let auth_url = idp.url();
    let restarted = other_process(&platform, auth_url).await;
    idp.sign_in(&platform, "victor").await;
    let mut after = Poller::new(restarted, SECRET).unwrap();
    assert_eq!(after.round().await.unwrap(), 1);
    let operator = idp.sign_in(&platform, "olivia").await;
    assert_eq!(
        listed(&platform.bearer(&operator), "?scope=vendor").await.1,
        2,
        "known although no token was seen since"
    );
}

#[tokio::test]
async fn more_logins_than_fit_on_a_page_are_all_logged() {
    let (idp, platform) = world().await;
    for login in 0..230 {
        idp.sign_in(&platform, if login % 10 == 9 { "olivia" } else { "victor" }).await;
    }
    let mut poller = poller(&platform);
    assert_eq!(poller.round().await.unwrap(), 230);
    assert_eq!(poller.round().await.unwrap(), 0);
    let operator = idp.sign_in(&platform, "olivia").await;
    let (page, total) = listed(&platform.bearer(&operator), "?username=VICTOR&limit=200&offset=200").await;
    assert_eq!((page.len(), total), (7, 207));
}

#[tokio::test]
async fn an_outage_of_the_identity_provider_loses_nothing() {
    let (mut idp, platform) = world().await;
    idp.sign_in_with("svc-api-vendor-breakglass", "victor").await;
    idp.stop().await;
    let stop = CancellationToken::new();
    let task = tokio::spawn(poller(&platform).run_until(Duration::from_millis(20), stop.clone()));
    assert!(matches!(poller(&platform).round().await, Err(PollError::Unreachable(_))));
    idp.resume().await;
    let arrived = async {
        while logged(&platform).await.len() != 1 {
            moment().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), arrived).await.unwrap();
    stop.cancel();
    tokio::time::timeout(Duration::from_secs(60), task).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_silent_provider_times_out_and_a_wrong_secret_is_named() {
    let (idp, platform) = world().await;
    let mut wrong = Poller::new(platform.app.clone(), "wrong").unwrap();
    let error = wrong.round().await.unwrap_err();
    assert!(matches!(error, PollError::Refused(_)) && error.to_string().contains("svc-platform-audit"), "{error}");
    assert!(!error.to_string().contains("wrong"), "{error}");
    drop(idp);
    // Accepts connections but sends nothing.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let auth_url = format!("http://{}", silent.local_addr().unwrap());
    let stuck = other_process(&platform, auth_url).await;
    let mut poller = Poller::new(stuck, SECRET).unwrap();
    let result = tokio::time::timeout(Duration::from_secs(60), poller.round()).await;
    assert!(matches!(result, Ok(Err(PollError::Unreachable(_)))), "{result:?}");
}

#[tokio::test]
async fn operators_alone_read_the_log_and_no_role_changes_it() {
    let (idp, platform) = world().await;
    idp.sign_in_with("svc-api-vendor-tunnel", "victor").await;
    poller(&platform).round().await.unwrap();
    for role in ["svc_operator", "svc_vendor", "svc_tenant", "svc_widget", "svc_system"] {
        let mut connection = platform.db.connect_as(role, None).await;
        let count =
            sqlx::query_scalar::<_, i64>("select count(*) from vendor_access_log").fetch_one(&mut connection).await;
        match role {
            "svc_vendor" | "svc_tenant" | "svc_widget" => {
                assert!(count.unwrap_err().to_string().contains("permission denied"), "{role}")
            }
            _ => assert_eq!(count.unwrap(), 1, "{role}"),
        }
        for statement in [
            "update vendor_access_log set username = 'x'",
            "delete from vendor_access_log",
            "update vendor_accounts set username = 'x'",
            "delete from vendor_accounts",
            "delete from operator_accounts",
        ] {
            let error = sqlx::query(statement).execute(&mut connection).await.unwrap_err().to_string();
            assert!(error.contains("permission denied"), "{role}: {statement}: {error}");
        }
    }
}
