//! `server init`: from an empty database and an identity provider without realms to the first operator's sign-in. The embedded
//! provider stands for Keycloak: it serves the realms as they were imported.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::{Path as UrlPath, Query, Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tower::ServiceExt;

use crate::support::{Database, ReservedPort, checksum, command, moment};

/// Long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);
const ADMIN: &str = "root-of-keycloak";
const ADMIN_PASSWORD: &str = "a-password-of-keycloak";
const OPERATOR: &str = "ada";
const NEW_PASSWORD: &str = "a-new-password-of-ada";

/// A provider whose realms are imported at run time.
#[derive(Clone)]
struct FakeKeycloak {
    url: String,
    realms: Arc<Mutex<BTreeMap<String, Value>>>,
    provider: Arc<Mutex<Option<axum::Router>>>,
    state: Arc<TempDir>,
}

impl FakeKeycloak {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (realms, provider, state) = (Arc::default(), Arc::default(), Arc::new(tempfile::tempdir().unwrap()));
        let keycloak = Self { url, realms, provider, state };
        let router = Router::new()
            .route("/realms/master/protocol/openid-connect/token", post(token))
            .route("/admin/realms", post(import))
            .route("/admin/realms/{realm}", get(realm))
            .route("/admin/realms/{realm}/clients", get(clients))
            .route("/admin/realms/{realm}/clients/{id}/client-secret", get(client_secret))
            .route("/admin/realms/{realm}/users", get(users).post(add_user))
            .route(
                "/admin/realms/{realm}/roles/{role}",
                get(async |UrlPath((_, role)): UrlPath<(String, String)>| Json(json!({ "id": role, "name": role }))),
            )
            .route("/admin/realms/{realm}/users/{id}/role-mappings/realm", post(give_role))
            .fallback(provide)
            .with_state(keycloak.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        keycloak
    }

    fn realm(&self, name: &str) -> Value {
        self.realms.lock().unwrap()[name].clone()
    }

    /// Serves the realms as they are now, from files like those that Keycloak imports.
    async fn serve_realms(&self) {
        let folder = self.state.path().join("realms");
        fs::create_dir_all(&folder).unwrap();
        for (name, realm) in self.realms.lock().unwrap().iter() {
            fs::write(folder.join(format!("{name}-realm.json")), realm.to_string()).unwrap();
        }
        self.serve_files(&folder).await;
    }

    async fn serve_files(&self, folder: &Path) {
        let settings = idp::Settings {
            realm_files: ["svc-platform", "svc-tenants"].map(|name| folder.join(format!("{name}-realm.json"))).into(),
            variables: BTreeMap::new(),
            auth_url: self.url.clone(),
            state_dir: self.state.path().join("state"),
            show_demo_accounts: false,
        };
        let provider = tokio::task::spawn_blocking(move || idp::Provider::load(settings).unwrap()).await.unwrap();
        *self.provider.lock().unwrap() = Some(provider.router());
    }
}

type Query_ = Query<BTreeMap<String, String>>;

async fn token(body: String) -> Response {
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    if form["username"] == ADMIN && form["password"] == ADMIN_PASSWORD {
        Json(json!({ "access_token": "admin" })).into_response()
    } else {
        StatusCode::UNAUTHORIZED.into_response()
    }
}

async fn import(State(keycloak): State<FakeKeycloak>, Json(realm): Json<Value>) -> StatusCode {
    let name = realm["realm"].as_str().unwrap().to_owned();
    keycloak.realms.lock().unwrap().insert(name, realm).map_or(StatusCode::CREATED, |_| StatusCode::CONFLICT)
}

async fn realm(State(keycloak): State<FakeKeycloak>, UrlPath(name): UrlPath<String>) -> Response {
    let realm = keycloak.realms.lock().unwrap().get(&name).cloned();
    realm.map_or(StatusCode::NOT_FOUND.into_response(), |realm| Json(realm).into_response())
}

async fn clients(
    State(keycloak): State<FakeKeycloak>,
    UrlPath(name): UrlPath<String>,
    Query(query): Query_,
) -> Response {
    let Some(realm) = keycloak.realms.lock().unwrap().get(&name).cloned() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let all = realm["clients"].as_array().unwrap();
    let matching: Vec<Value> = all
        .iter()
        .filter(|client| client["clientId"] == query["clientId"])
        .map(|client| json!({ "id": client["clientId"] }))
        .collect();
    Json(matching).into_response()
}

async fn client_secret(
    State(keycloak): State<FakeKeycloak>,
    UrlPath((realm, id)): UrlPath<(String, String)>,
) -> Json<Value> {
    let realm = keycloak.realm(&realm);
    let client = realm["clients"].as_array().unwrap().iter().find(|client| client["clientId"] == id.as_str()).unwrap();
    Json(json!({ "value": client["secret"] }))
}

async fn users(
    State(keycloak): State<FakeKeycloak>,
    UrlPath(name): UrlPath<String>,
    Query(query): Query_,
) -> Json<Value> {
    let realm = keycloak.realm(&name);
    let all = realm["users"].as_array().unwrap();
    let matching: Vec<Value> = all
        .iter()
        .filter(|user| user["username"] == query["username"])
        .map(|user| json!({ "id": user["username"] }))
        .collect();
    Json(matching.into())
}

async fn add_user(
    State(keycloak): State<FakeKeycloak>,
    UrlPath(name): UrlPath<String>,
    Json(user): Json<Value>,
) -> StatusCode {
    assert_eq!(user["realmRoles"], Value::Null, "Keycloak would ignore them");
    keycloak.realms.lock().unwrap().get_mut(&name).unwrap()["users"].as_array_mut().unwrap().push(user);
    StatusCode::CREATED
}

async fn give_role(
    State(keycloak): State<FakeKeycloak>,
    UrlPath((realm, id)): UrlPath<(String, String)>,
    Json(roles): Json<Value>,
) -> StatusCode {
    let mut realms = keycloak.realms.lock().unwrap();
    let users = realms.get_mut(&realm).unwrap()["users"].as_array_mut().unwrap();
    let user = users.iter_mut().find(|user| user["username"] == id.as_str()).unwrap();
    user["realmRoles"] = json!([roles[0]["name"]]);
    StatusCode::NO_CONTENT
}

async fn provide(State(keycloak): State<FakeKeycloak>, request: Request) -> Response {
    let provider = keycloak.provider.lock().unwrap().clone();
    match provider {
        Some(provider) => provider.oneshot(request).await.unwrap(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// An empty database, a provider, and the file of settings to be.
struct Beginning {
    db: Database,
    owner_url: String,
    keycloak: FakeKeycloak,
    folder: TempDir,
    port: ReservedPort,
}

impl Beginning {
    async fn new() -> Self {
        let (db, owner_url) = Database::empty().await;
        let port = ReservedPort::reserve().unwrap();
        Self { db, owner_url, keycloak: FakeKeycloak::start().await, folder: tempfile::tempdir().unwrap(), port }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("platform.toml")
    }

    fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port.number)
    }

    async fn init(&self, further: &[&str]) -> Output {
        self.init_as(ADMIN_PASSWORD, further).await
    }

    async fn init_as(&self, password: &str, further: &[&str]) -> Output {
        let (file, base_url) = (self.file(), self.base_url());
        let mut arguments = vec!["--config", file.to_str().unwrap(), "init", "--yes", "--base-url", &base_url];
        arguments.extend([
            "--auth-url",
            &self.keycloak.url,
            "--operator",
            OPERATOR,
            "--operator-email",
            "ada@example.com",
        ]);
        arguments.extend(further);
        // The tests' server has the role already, with a password that all tests use.
        let variables = [
            ("SVC_DATABASE_ADMIN_URL", self.owner_url.clone()),
            ("SVC_DATABASE_URL", self.db.login_url()),
            ("KEYCLOAK_ADMIN_USER", ADMIN.to_owned()),
            ("KEYCLOAK_ADMIN_PASSWORD", password.to_owned()),
        ];
        command::run(&arguments, &variables).await
    }

    /// Serves the platform with the settings that were written.
    async fn serve(&self) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_server"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SVC_")) {
            command.env_remove(name);
        }
        command.arg("--config").arg(self.file()).arg("serve").env("SVC_DATABASE_URL", self.db.login_url());
        command.env("SVC_HTTP_PORT", self.port.number.to_string()).env("SVC_PATHS_VAR_DIR", self.folder.path());
        command
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let running = Running(command.spawn().unwrap());
        let deadline = Instant::now() + TIMEOUT;
        while Instant::now() < deadline {
            let ready = reqwest::get(format!("{}/health/ready", self.base_url())).await;
            if ready.is_ok_and(|ready| ready.status() == 200) {
                return running;
            }
            moment().await;
        }
        panic!("the platform does not become ready");
    }
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The first password in what the command wrote.
fn first_password(text: &str) -> String {
    let line = text.lines().find(|line| line.contains("first password")).unwrap_or_else(|| panic!("{text}"));
    line.rsplit(' ').next().unwrap().to_owned()
}

/// A browser that signs somebody in: it keeps cookies and fills in forms.
struct Browser {
    http: reqwest::Client,
    provider: url::Url,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    fn new(provider: &str) -> Self {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { http, provider: provider.parse().unwrap(), cookies: BTreeMap::new() }
    }

    /// Sends a request and follows redirects within the provider.
    async fn send(&mut self, mut request: reqwest::RequestBuilder) -> reqwest::Response {
        loop {
            let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let response = request.header("cookie", cookies.join("; ")).send().await.unwrap();
            for cookie in response.headers().get_all("set-cookie") {
                let (name, value) = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
            let next =
                response.headers().get("location").map(|next| self.provider.join(next.to_str().unwrap()).unwrap());
            match next {
                Some(next) if next.origin() == self.provider.origin() => request = self.http.get(next),
                _ => return response,
            }
        }
    }

    /// Fills in the form of a page.
    async fn fill_in(&mut self, page: reqwest::Response, fields: &[(&str, &str)]) -> reqwest::Response {
        let page = page.text().await.unwrap();
        let after = |text: &str, start: &str| {
            let (_, rest) = text.split_once(start)?;
            Some(rest.split('"').next().unwrap().replace("&amp;", "&"))
        };
        let action = after(&page, "action=\"").unwrap_or_else(|| panic!("no form: {page}"));
        let request = after(&page, r#"name="request" value=""#);
        let fields = fields.iter().copied().chain(request.as_deref().map(|request| ("request", request)));
        let fields: Vec<_> = fields.collect();
        let request = self.http.post(self.provider.join(&action).unwrap()).form(&fields);
        self.send(request).await
    }
}

/// Signs the operator in as the console does, and chooses a new password; returns an access token.
async fn sign_in(keycloak: &str, base_url: &str, password: &str) -> String {
    let mut browser = Browser::new(keycloak);
    let realm = format!("{keycloak}/realms/svc-platform/protocol/openid-connect");
    let verifier = "v".repeat(64);
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
    let redirect = format!("{base_url}/admin/operator/");
    let query = [
        ("client_id", "operator-ui"),
        ("response_type", "code"),
        ("redirect_uri", &redirect),
        ("scope", "openid"),
        ("state", "s"),
        ("nonce", "n"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let request = browser.http.get(format!("{realm}/auth")).query(&query);
    let page = browser.send(request).await;
    let page = browser.fill_in(page, &[("username", OPERATOR), ("password", password)]).await;
    let back = browser.fill_in(page, &[("password-new", NEW_PASSWORD), ("password-confirm", NEW_PASSWORD)]).await;
    let location = back.headers().get("location").unwrap_or_else(|| panic!("{back:?}")).to_str().unwrap();
    let location: url::Url = location.parse().unwrap();
    let code = location.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned();
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", "operator-ui"),
        ("code", &code),
        ("redirect_uri", &redirect),
        ("code_verifier", &verifier),
    ];
    let granted = browser.http.post(format!("{realm}/token")).form(&form).send().await.unwrap();
    let granted: Value = granted.json().await.unwrap();
    granted["access_token"].as_str().unwrap_or_else(|| panic!("{granted}")).to_owned()
}

async fn is_an_operator(base_url: &str, token: &str) {
    let tenants = reqwest::Client::new().get(format!("{base_url}/api/v1/platform/tenants")).bearer_auth(token);
    let answer = tenants.send().await.unwrap();
    assert_eq!(answer.status(), 200, "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_operator_signs_in_after_one_command() {
    let beginning = Beginning::new().await;
    let text = command::succeeded(&beginning.init(&[]).await);
    let password = first_password(&text);
    assert!(text.contains(&format!("open {}/admin/operator/", beginning.base_url())), "{text}");

    let file = fs::read_to_string(beginning.file()).unwrap();
    assert_eq!(fs::metadata(beginning.file()).unwrap().permissions().mode() & 0o777, 0o600);
    let settings: toml::Table = file.parse().unwrap();
    assert!(settings["auth"]["people_client_secret"].as_str().unwrap().len() > 20, "{file}");
    let platform = beginning.keycloak.realm("svc-platform");
    let users: Vec<&str> =
        platform["users"].as_array().unwrap().iter().filter_map(|user| user["username"].as_str()).collect();
    assert_eq!(users, ["service-account-svc-platform-audit", "service-account-svc-api", OPERATOR]);
    assert!(!platform.to_string().contains("${") && !platform.to_string().contains("demo-"), "{platform}");

    // Nothing changes in a second run, nor in one whose settings file was lost.
    let (realms, tables) =
        (beginning.keycloak.realm("svc-tenants"), checksum::of_everything(&beginning.db.superuser).await);
    let again = command::succeeded(&beginning.init(&[]).await);
    assert!(again.contains("nothing was changed"), "{again}");
    assert_eq!(fs::read_to_string(beginning.file()).unwrap(), file);
    fs::remove_file(beginning.file()).unwrap();
    command::succeeded(&beginning.init(&[]).await);
    assert_eq!(fs::read_to_string(beginning.file()).unwrap(), file);
    assert_eq!((beginning.keycloak.realm("svc-platform"), beginning.keycloak.realm("svc-tenants")), (platform, realms));
    let after = checksum::of_everything(&beginning.db.superuser).await;
    assert_eq!(checksum::changed(&tables, &after), [""; 0]);

    beginning.keycloak.serve_realms().await;
    let _running = beginning.serve().await;
    let token = sign_in(&beginning.keycloak.url, &beginning.base_url(), &password).await;
    is_an_operator(&beginning.base_url(), &token).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_administrator_the_realms_become_files() {
    let beginning = Beginning::new().await;
    let folder = beginning.folder.path().join("realms");
    let further = ["--realm-files", folder.to_str().unwrap()];
    let text = command::succeeded(&beginning.init(&further).await);
    let file = folder.join("svc-platform-realm.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let realm = fs::read_to_string(&file).unwrap();
    for absent in ["olivia", "victor", "oscar", "${"] {
        assert!(!realm.contains(absent), "{absent}");
    }
    let again = command::succeeded(&beginning.init(&further).await);
    assert!(again.contains("nothing was changed"), "{again}");
    assert_eq!(fs::read_to_string(&file).unwrap(), realm);
    beginning.keycloak.serve_files(&folder).await;
    let _running = beginning.serve().await;
    let token = sign_in(&beginning.keycloak.url, &beginning.base_url(), &first_password(&text)).await;
    is_an_operator(&beginning.base_url(), &token).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_found_before_anything_changes() {
    let beginning = Beginning::new().await;
    let refused = command::refusal(&beginning.init_as("a-guess", &[]).await);
    assert!(refused.starts_with("Keycloak refuses the administrator"), "{refused}");
    let file = beginning.file();
    let run = async |owner: &str, auth_url: &str, login: Option<String>| {
        let arguments = [
            "--config",
            file.to_str().unwrap(),
            "init",
            "--yes",
            "--base-url",
            "http://127.0.0.1:1",
            "--auth-url",
            auth_url,
        ];
        let arguments: Vec<&str> =
            arguments.into_iter().chain(["--operator", OPERATOR, "--operator-email", "ada@example.com"]).collect();
        let mut variables = vec![
            ("SVC_DATABASE_ADMIN_URL", owner.to_owned()),
            ("KEYCLOAK_ADMIN_USER", ADMIN.to_owned()),
            ("KEYCLOAK_ADMIN_PASSWORD", ADMIN_PASSWORD.to_owned()),
        ];
        variables.extend(login.map(|login| ("SVC_DATABASE_URL", login)));
        command::refusal(&command::run(&arguments, &variables).await)
    };
    let keycloak = beginning.keycloak.url.as_str();
    let text = run(&beginning.owner_url, "http://127.0.0.1:1", Some(beginning.db.login_url())).await;
    assert!(text.starts_with("Keycloak does not answer at http://127.0.0.1:1"), "{text}");
    let text = run(&beginning.owner_url, keycloak, None).await;
    assert!(
        text.contains("svc_app is on this PostgreSQL server already") && text.contains("--replace-password"),
        "{text}"
    );
    let text = run(&beginning.db.login_url(), keycloak, None).await;
    assert!(text.contains("does not own the database"), "{text}");
    let text = run("postgres://nobody:x@127.0.0.1:1/platform", keycloak, None).await;
    assert!(text.contains("Connection refused"), "{text}");
    let arguments = ["--config", file.to_str().unwrap(), "init", "--yes"];
    let text =
        command::refusal(&command::run(&arguments, &[("SVC_DATABASE_ADMIN_URL", beginning.owner_url.clone())]).await);
    assert_eq!(text, "there is no terminal to ask at: add --base-url");

    assert!(!file.exists() && beginning.keycloak.realms.lock().unwrap().is_empty());
    let tables = "select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'";
    let tables: i64 = sqlx::query_scalar(tables).fetch_one(&beginning.db.superuser).await.unwrap();
    assert_eq!(tables, 0);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a Keycloak without realms: `make test-keycloak`"]
async fn init_sets_up_a_real_keycloak() {
    let url = std::env::var("TEST_EMPTY_KEYCLOAK").unwrap();
    let beginning = Beginning::new().await;
    let file = beginning.file();
    let base_url = beginning.base_url();
    let variables = [
        ("SVC_DATABASE_ADMIN_URL", beginning.owner_url.clone()),
        ("SVC_DATABASE_URL", beginning.db.login_url()),
        ("KEYCLOAK_ADMIN_USER", "admin".to_owned()),
        ("KEYCLOAK_ADMIN_PASSWORD", "a-password-of-these-tests".to_owned()),
    ];
    let arguments = ["--config", file.to_str().unwrap(), "init", "--yes", "--base-url", &base_url, "--auth-url", &url];
    let arguments = [&arguments[..], &["--operator", OPERATOR, "--operator-email", "ada@example.com"]].concat();
    let password = first_password(&command::succeeded(&command::run(&arguments, &variables).await));
    let again = command::succeeded(&command::run(&arguments, &variables).await);
    assert!(again.contains("nothing was changed"), "{again}");

    let arguments = ["--config", file.to_str().unwrap(), "doctor", "--json", "--admin"];
    let output = command::run(&arguments, &variables).await;
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let checks = report["checks"].as_array().unwrap();
    let checks = checks.iter().filter(|check| ["identity", "keycloak"].contains(&check["area"].as_str().unwrap()));
    let (bad, others): (Vec<&Value>, Vec<&Value>) =
        checks.partition(|check| ["failed", "warning"].contains(&check["status"].as_str().unwrap()));
    assert!(others.len() > 20 && bad.is_empty(), "of {} checks: {bad:#?}", others.len());

    let _running = beginning.serve().await;
    let token = sign_in(&url, &base_url, &password).await;
    is_an_operator(&base_url, &token).await;
}
