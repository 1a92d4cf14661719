//! A provider in a separate folder, a controlled clock, and a browser with cookies.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicI64, Ordering},
    },
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{HeaderMap, Request, StatusCode, header},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::DateTime;
use http_body_util::BodyExt;
use idp::{Clock, Provider, Settings};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tower::ServiceExt;

pub(crate) const AUTH: &str = "http://127.0.0.1:8081";
pub(crate) const BASE: &str = "http://127.0.0.1:8080";
pub(crate) const PASSWORD: &str = "correct horse";
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const REDIRECT: &str = "http://127.0.0.1:8080/admin/operator/";

pub(crate) struct World {
    pub(crate) provider: Provider,
    pub(crate) router: Router,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) seconds: Arc<AtomicI64>,
}

pub(crate) struct TestResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// A browser: cookies by name and path, and an address.
#[derive(Default, Clone)]
pub(crate) struct Browser {
    cookies: BTreeMap<(String, String), String>,
}

pub(crate) fn realm_files() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../deploy/realms");
    vec![folder.join("svc-platform-realm.json"), folder.join("svc-tenants-realm.json")]
}

pub(crate) fn variables() -> BTreeMap<String, String> {
    [
        ("SVC_BASE_URL", BASE),
        ("SVC_API_CLIENT_SECRET", "api-secret"),
        ("SVC_BREAKGLASS_CLIENT_SECRET", "breakglass-secret"),
        ("SVC_TUNNEL_CLIENT_SECRET", "tunnel-secret"),
        ("SVC_AUDIT_CLIENT_SECRET", "audit secret & more: 100%"),
        ("SVC_TENANTS_API_CLIENT_SECRET", "tenants-secret"),
        ("SVC_PEOPLE_CLIENT_SECRET", "people-secret"),
        ("SVC_DEMO_PASSWORD", PASSWORD),
        ("SVC_DIRECT_GRANTS", "true"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

pub(crate) fn settings(folder: &tempfile::TempDir) -> Settings {
    Settings {
        realm_files: realm_files(),
        variables: variables(),
        auth_url: AUTH.to_owned(),
        state_dir: folder.path().join("keys"),
        show_demo_accounts: true,
    }
}

/// When every world begins, in Unix seconds.
const BEGINNING: i64 = 1_700_000_000;

/// Generated once, because generating keys is the slow part of a test.
static KEYS: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let clock: Clock = Arc::new(|| DateTime::from_timestamp(BEGINNING, 0).unwrap());
    Provider::load_with_clock(settings(&folder), clock).unwrap();
    folder
});

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for realm in ["svc-platform", "svc-tenants"] {
            let to = folder.path().join("keys").join(realm);
            std::fs::create_dir_all(&to).unwrap();
            for file in std::fs::read_dir(KEYS.path().join("keys").join(realm)).unwrap() {
                let file = file.unwrap();
                std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
            }
        }
        Self::in_folder(folder)
    }

    pub(crate) fn in_folder(folder: tempfile::TempDir) -> Self {
        let seconds = Arc::new(AtomicI64::new(BEGINNING));
        let clock: Clock = {
            let seconds = Arc::clone(&seconds);
            Arc::new(move || DateTime::from_timestamp(seconds.load(Ordering::SeqCst), 0).unwrap())
        };
        let provider = Provider::load_with_clock(settings(&folder), clock).unwrap();
        Self { router: provider.router(), provider, folder, seconds }
    }

    /// Advances the clock.
    pub(crate) fn pass(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) fn now(&self) -> i64 {
        self.seconds.load(Ordering::SeqCst)
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> TestResponse {
        self.send_from([127, 0, 0, 1], request).await
    }

    pub(crate) async fn send_from(&self, address: [u8; 4], mut request: Request<Body>) -> TestResponse {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from((address, 50_000))));
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        TestResponse { status: parts.status, headers: parts.headers, body: String::from_utf8(bytes.to_vec()).unwrap() }
    }

    pub(crate) async fn get(&self, path: &str) -> TestResponse {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn token(&self, realm: &str, form: &[(&str, &str)]) -> TestResponse {
        self.send(post(&endpoint(realm, "token"), form)).await
    }

    /// The password grant of `svc-api`.
    pub(crate) async fn password_grant(&self, realm: &str, username: &str) -> Value {
        let secret = if realm == "svc-platform" { "api-secret" } else { "tenants-secret" };
        let form = [
            ("grant_type", "password"),
            ("client_id", "svc-api"),
            ("client_secret", secret),
            ("username", username),
            ("password", PASSWORD),
            ("scope", "openid svc-scope"),
        ];
        self.token(realm, &form).await.json(StatusCode::OK)
    }

    /// An access token of the audit poller.
    pub(crate) async fn audit_token(&self) -> String {
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", "svc-platform-audit"),
            ("client_secret", "audit secret & more: 100%"),
        ];
        text(&self.token("svc-platform", &form).await.json(StatusCode::OK), "access_token")
    }

    /// Exchanges a code of `operator-ui`.
    pub(crate) async fn exchange(&self, code: &str, verifier: &str) -> TestResponse {
        let form = [
            ("grant_type", "authorization_code"),
            ("client_id", "operator-ui"),
            ("code", code),
            ("redirect_uri", REDIRECT),
            ("code_verifier", verifier),
        ];
        self.token("svc-platform", &form).await
    }

    /// The whole code flow of the operator console.
    pub(crate) async fn sign_in(&self, browser: &mut Browser, username: &str) -> Value {
        let answer = browser.sign_in(self, &auth_path(&[]), username, PASSWORD).await;
        let code = answer.redirect_param("code").unwrap();
        self.exchange(&code, VERIFIER).await.json(StatusCode::OK)
    }
}

impl Browser {
    pub(crate) async fn get(&mut self, world: &World, path: &str) -> TestResponse {
        let request = Request::get(path).header(header::COOKIE, self.cookies_for(path)).body(Body::empty()).unwrap();
        let answer = world.send(request).await;
        self.keep(&answer);
        answer
    }

    pub(crate) async fn post(&mut self, world: &World, path: &str, form: &[(&str, &str)]) -> TestResponse {
        let mut request = post(path, form);
        request.headers_mut().insert(header::COOKIE, self.cookies_for(path).parse().unwrap());
        let answer = world.send(request).await;
        self.keep(&answer);
        answer
    }

    /// Opens the sign-in page and submits its form.
    pub(crate) async fn sign_in(&mut self, world: &World, path: &str, username: &str, password: &str) -> TestResponse {
        let page = self.get(world, path).await;
        self.submit(world, &page, username, password).await
    }

    pub(crate) async fn submit(
        &mut self,
        world: &World,
        page: &TestResponse,
        username: &str,
        password: &str,
    ) -> TestResponse {
        let form = [("request", page.hidden("request")), ("username", username), ("password", password)];
        self.post(world, page.action(), &form).await
    }

    fn cookies_for(&self, path: &str) -> String {
        let sent = self.cookies.iter().filter(|((_, scope), _)| path.starts_with(scope));
        sent.map(|((name, _), value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    fn keep(&mut self, answer: &TestResponse) {
        for header in answer.headers.get_all(header::SET_COOKIE) {
            let mut parts = header.to_str().unwrap().split("; ");
            let (name, value) = parts.next().unwrap().split_once('=').unwrap();
            let attributes: Vec<_> = parts.collect();
            assert!(attributes.contains(&"HttpOnly") && attributes.contains(&"SameSite=Lax"), "{attributes:?}");
            let path = attributes.iter().find_map(|part| part.strip_prefix("Path=")).unwrap();
            let key = (name.to_owned(), path.to_owned());
            match attributes.contains(&"Max-Age=0") {
                true => self.cookies.remove(&key),
                false => self.cookies.insert(key, value.to_owned()),
            };
        }
    }
}

impl TestResponse {
    pub(crate) fn json(&self, expected: StatusCode) -> Value {
        assert_eq!(self.status, expected, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    /// Asserts an OAuth error.
    pub(crate) fn error(&self, status: StatusCode, code: &str) {
        let body = self.json(status);
        assert_eq!(body["error"], code, "{body}");
        assert!(body["error_description"].is_string(), "{body}");
    }

    pub(crate) fn location(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.body);
        self.headers[header::LOCATION].to_str().unwrap()
    }

    pub(crate) fn redirect_param(&self, name: &str) -> Option<String> {
        let url = url::Url::parse(self.location()).unwrap();
        url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    fn hidden(&self, name: &str) -> &str {
        between(&self.body, &format!(r#"name="{name}" value=""#), "\"")
    }

    fn action(&self) -> &str {
        between(&self.body, "action=\"", "\"")
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let start = text.find(before).unwrap_or_else(|| panic!("no {before} in {text}")) + before.len();
    &text[start..start + text[start..].find(after).unwrap()]
}

pub(crate) fn endpoint(realm: &str, name: &str) -> String {
    format!("/realms/{realm}/protocol/openid-connect/{name}")
}

pub(crate) fn post(path: &str, form: &[(&str, &str)]) -> Request<Body> {
    let body = serde_urlencoded::to_string(form).unwrap();
    Request::post(path)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(body))
        .unwrap()
}

/// The operator console's authorization request; a later parameter replaces an earlier one, an empty one drops it.
pub(crate) fn auth_path(changes: &[(&str, &str)]) -> String {
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER.as_bytes()));
    let mut params = BTreeMap::from([
        ("client_id", "operator-ui"),
        ("redirect_uri", REDIRECT),
        ("response_type", "code"),
        ("scope", "openid svc-scope"),
        ("state", "st&te"),
        ("nonce", "n0nce"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ]);
    params.extend(changes.iter().copied());
    params.retain(|_, value| !value.is_empty());
    format!("{}?{}", endpoint("svc-platform", "auth"), serde_urlencoded::to_string(params).unwrap())
}

/// The payload of a token, unchecked.
pub(crate) fn claims(token: &str) -> Value {
    part(token, 1)
}

pub(crate) fn jose_header(token: &str) -> Value {
    part(token, 0)
}

fn part(token: &str, index: usize) -> Value {
    let encoded = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(encoded).unwrap()).unwrap()
}

pub(crate) fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}")).to_owned()
}
