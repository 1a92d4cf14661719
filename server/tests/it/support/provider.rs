//! The embedded identity provider behind the tests' issuer. It is loaded when a test uses people, so that other tests
//! do not pay for it. Its signing keys are generated once for all tests.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use axum::{
    Json,
    body::to_bytes,
    extract::Request,
    http::Uri,
    response::{IntoResponse, Response},
};
use contract::TenantId;
use idp::Provider;
use serde_json::{Value, json};
use server::{
    config::Secret,
    identity_admin::{IdentityAdmin, IdentityAdminSettings},
};
use tokio::sync::OnceCell;
use tower::ServiceExt;
use uuid::Uuid;

use super::{Platform, issued};

/// The secret of every client.
pub const PROVIDER_SECRET: &str = "a-secret-of-these-tests";
/// The password of everybody in the realm files.
pub const PROVIDER_PASSWORD: &str = "a-password-of-these-tests";
const REALMS: [&str; 2] = ["svc-platform", "svc-tenants"];

/// A provider that is loaded by the first request.
pub struct LazyProvider {
    auth_url: String,
    provider: OnceCell<Provider>,
    state: tempfile::TempDir,
}

impl LazyProvider {
    pub fn new(auth_url: String) -> Self {
        Self { auth_url, provider: OnceCell::new(), state: tempfile::tempdir().unwrap() }
    }

    pub async fn answer(&self, request: Request) -> Response {
        if let Some(answer) = principal(request.uri()) {
            return answer;
        }
        if let Ok(keycloak) = std::env::var("TEST_KEYCLOAK") {
            return forward(&keycloak, request).await;
        }
        let load = async || {
            copy_keys(signing_keys().await, self.state.path());
            load(self.auth_url.clone(), self.state.path()).await
        };
        self.provider.get_or_init(load).await.router().oneshot(request).await.unwrap()
    }
}

/// The answer about an account of the tests' own tokens of tenants, whose user name is their role. The provider has no
/// such accounts: the same name acts for many tenants, and lists of people must not contain it.
pub fn principal(uri: &Uri) -> Option<Response> {
    const ROLES: [&str; 2] = ["tenant-admin", "tenant-viewer"];
    let (path, query) = (uri.path().strip_prefix("/admin/realms/svc-tenants/users")?, uri.query().unwrap_or_default());
    let id = |role: &str| Uuid::from_u128(if role == ROLES[0] { 0xad } else { 0x1e });
    if path.is_empty() {
        let pairs: BTreeMap<_, _> = url::form_urlencoded::parse(query.as_bytes()).collect();
        let role = ROLES.into_iter().find(|role| pairs.get("username").is_some_and(|name| name == role))?;
        let tenant = pairs.get("q")?.strip_prefix("tenant_id:")?;
        let account =
            json!({ "id": id(role), "username": role, "enabled": true, "attributes": { "tenant_id": [tenant] } });
        return Some(Json(json!([account])).into_response());
    }
    let role = ROLES.into_iter().find(|role| path == format!("/{}/role-mappings/realm/composite", id(role)))?;
    Some(Json(json!([{ "name": role }])).into_response())
}

/// Hands a request on to another provider.
pub async fn forward(provider: &str, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    let mut headers = parts.headers;
    headers.remove("host");
    let sent =
        reqwest::Client::new().request(parts.method, format!("{provider}{}", parts.uri)).headers(headers).body(body);
    let got = sent.send().await.unwrap();
    let (status, mut headers) = (got.status(), got.headers().clone());
    headers.remove("transfer-encoding");
    (status, headers, got.bytes().await.unwrap()).into_response()
}

/// A folder with signing keys of both realms.
async fn signing_keys() -> &'static Path {
    static KEYS: OnceCell<tempfile::TempDir> = OnceCell::const_new();
    let make = async || {
        let folder = tempfile::tempdir().unwrap();
        load("http://127.0.0.1:1".to_owned(), folder.path()).await;
        folder
    };
    KEYS.get_or_init(make).await.path()
}

fn copy_keys(from: &Path, to: &Path) {
    for realm in REALMS {
        std::fs::create_dir_all(to.join(realm)).unwrap();
        for entry in std::fs::read_dir(from.join(realm)).unwrap().flatten() {
            std::fs::copy(entry.path(), to.join(realm).join(entry.file_name())).unwrap();
        }
    }
}

async fn load(auth_url: String, state: &Path) -> Provider {
    let realms = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/realms");
    let names = ["API", "BREAKGLASS", "TUNNEL", "AUDIT", "TENANTS_API", "PEOPLE"];
    let mut variables: BTreeMap<String, String> =
        names.map(|name| (format!("SVC_{name}_CLIENT_SECRET"), PROVIDER_SECRET.to_owned())).into();
    for (name, value) in
        [("BASE_URL", "http://127.0.0.1:1"), ("DEMO_PASSWORD", PROVIDER_PASSWORD), ("DIRECT_GRANTS", "true")]
    {
        variables.insert(format!("SVC_{name}"), value.to_owned());
    }
    let settings = idp::Settings {
        realm_files: REALMS.map(|realm| realms.join(format!("{realm}-realm.json"))).into(),
        variables,
        auth_url,
        state_dir: PathBuf::from(state),
        show_demo_accounts: false,
    };
    tokio::task::spawn_blocking(move || Provider::load(settings).unwrap()).await.unwrap()
}

/// The address of the people's provider: a real Keycloak if `TEST_KEYCLOAK` has one, else the tests' own.
pub fn people_url(own: &str) -> String {
    std::env::var("TEST_KEYCLOAK").unwrap_or_else(|_| own.to_owned())
}

/// The client of a platform that manages people at this provider.
pub fn people_client(auth_url: &str) -> IdentityAdmin {
    let settings = IdentityAdminSettings {
        auth_url: auth_url.to_owned(),
        secret: Secret::new(PROVIDER_SECRET),
        audit_secret: Some(Secret::new(PROVIDER_SECRET)),
        timeout: std::time::Duration::from_secs(30),
    };
    IdentityAdmin::new(&settings).unwrap()
}

impl Platform {
    /// Adds a person to a tenant at the provider, past the platform.
    pub async fn add_person(&self, tenant: TenantId, username: &str, last_name: &str, role: &str) -> Uuid {
        let person = json!({
            "username": username, "email": format!("{username}@example.com"), "firstName": "Pat", "lastName": last_name,
            "enabled": true, "attributes": { "tenant_id": [tenant] },
        });
        let response = self.at_provider("POST", "users", &person).await;
        assert_eq!(response.status(), 201, "{response:?}");
        let id: Uuid = response.headers()["location"].to_str().unwrap().rsplit('/').next().unwrap().parse().unwrap();
        let role: Value = self.at_provider("GET", &format!("roles/{role}"), &json!({})).await.json().await.unwrap();
        let mapping = json!([{ "id": role["id"], "name": role["name"] }]);
        let role_response = self.at_provider("POST", &format!("users/{id}/role-mappings/realm"), &mapping).await;
        assert_eq!(role_response.status(), 204, "{role_response:?}");
        id
    }

    /// Removes people that earlier tests left at a real Keycloak, which all tests share.
    pub async fn without_former_people(self) -> Self {
        if std::env::var("TEST_KEYCLOAK").is_ok() {
            let all = self.at_provider("GET", "users?first=0&max=2000", &json!({})).await;
            let all: Vec<Value> = all.json().await.unwrap();
            for person in all {
                let (id, name) = (person["id"].as_str().unwrap(), person["username"].as_str().unwrap());
                if !["hanna", "henry", "dora"].contains(&name) {
                    self.at_provider("DELETE", &format!("users/{id}"), &json!({})).await;
                }
            }
            issued::forget();
        }
        self
    }

    /// Sets a permanent password and signs in with it, which creates a session.
    pub async fn sign_in(&self, id: Uuid, username: &str) -> reqwest::Response {
        let password = json!({ "value": PROVIDER_PASSWORD, "temporary": false });
        assert_eq!(self.at_provider("PUT", &format!("users/{id}/reset-password"), &password).await.status(), 204);
        self.password_grant(username, PROVIDER_PASSWORD).await
    }

    /// Signs in with a password.
    pub async fn password_grant(&self, username: &str, password: &str) -> reqwest::Response {
        self.token_of("svc-api", &[("grant_type", "password"), ("username", username), ("password", password)]).await
    }

    /// A call of the provider's administration interface of the tenants' realm.
    pub async fn at_provider(&self, method: &str, path: &str, body: &Value) -> reqwest::Response {
        let token = self.token_of("svc-people", &[("grant_type", "client_credentials")]).await;
        let token: Value = token.json().await.unwrap();
        let url = format!("{}/admin/realms/svc-tenants/{path}", people_url(&self.keys.auth_url));
        let request = self.http.request(method.parse().unwrap(), url);
        let request = if method == "GET" { request } else { request.json(body) };
        request.bearer_auth(token["access_token"].as_str().unwrap()).send().await.unwrap()
    }

    async fn token_of(&self, client: &str, form: &[(&str, &str)]) -> reqwest::Response {
        let provider = people_url(&self.keys.auth_url);
        let url = format!("{provider}/realms/svc-tenants/protocol/openid-connect/token");
        let client = [("client_id", client), ("client_secret", PROVIDER_SECRET)];
        let form: Vec<_> = form.iter().copied().chain(client).collect();
        self.http.post(url).form(&form).send().await.unwrap()
    }
}
