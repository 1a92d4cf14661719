//! Tokens of a real Keycloak instead of the tests' own, for suites that forge none: its address is in
//! `TEST_KEYCLOAK_TOKENS` (`make test-keycloak`).

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
    time::{Duration, Instant},
};

use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::provider::{PROVIDER_PASSWORD, PROVIDER_SECRET};

/// Tokens live for five minutes.
const FRESH: Duration = Duration::from_secs(120);
const TENANT_REALM: &str = "svc-tenants";
const TENANT_ROLES: [&str; 2] = ["tenant-admin", "tenant-viewer"];

/// The address of the Keycloak that issues the tests' tokens.
pub fn auth_url() -> Option<String> {
    std::env::var("TEST_KEYCLOAK_TOKENS").ok()
}

/// The last token of each user.
static ISSUED: LazyLock<Mutex<HashMap<String, Issued>>> = LazyLock::new(Mutex::default);

struct Issued {
    at: Instant,
    claims: String,
    token: String,
}

/// A token for the user, role and tenant of these claims. A user of Keycloak has one tenant at a time, so that a token
/// of another tenant moves the account there.
pub fn token(url: &str, claims: &Value) -> String {
    let (url, claims) = (url.to_owned(), claims.clone());
    // The caller is in a runtime, which cannot wait for another one.
    let issuing = std::thread::spawn(move || {
        let text = |names: &[&str]| names.iter().map(|name| claims[*name].to_string()).collect::<String>();
        let (user, account) = (text(&["iss", "preferred_username"]), text(&["realm_access", "tenant_id"]));
        let mut issued = ISSUED.lock().unwrap();
        if let Some(last) = issued.get(&user).filter(|last| last.claims == account && last.at.elapsed() < FRESH) {
            return last.token.clone();
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let token = runtime.block_on(Issuer { http: Client::new(), url }.issue(&claims));
        issued.insert(user, Issued { at: Instant::now(), claims: account, token: token.clone() });
        token
    });
    issuing.join().unwrap()
}

/// Forgets all tokens, because their accounts were removed.
pub fn forget() {
    ISSUED.lock().unwrap().clear();
}

struct Issuer {
    http: Client,
    url: String,
}

impl Issuer {
    async fn issue(&self, claims: &Value) -> String {
        let realm = claims["iss"].as_str().unwrap().rsplit('/').next().unwrap();
        let user = claims["preferred_username"].as_str().unwrap();
        if realm == TENANT_REALM {
            self.prepare(user, claims).await;
        }
        let form = [("grant_type", "password"), ("username", user), ("password", PROVIDER_PASSWORD)];
        self.granted(realm, "svc-api", &form).await
    }

    /// Creates or changes the user, so that a token has these claims.
    async fn prepare(&self, name: &str, claims: &Value) {
        let admin = self.granted(TENANT_REALM, "svc-people", &[("grant_type", "client_credentials")]).await;
        let call = async |method: Method, path: String, body: Value| {
            let request = self.http.request(method, format!("{}/admin/realms/{TENANT_REALM}/{path}", self.url));
            let request = if body.is_null() { request } else { request.json(&body) };
            let answer = request.bearer_auth(&admin).send().await.unwrap();
            assert!(answer.status().is_success(), "{path}: {answer:?}");
            answer.json::<Value>().await.unwrap_or_default()
        };
        let find = || call(Method::GET, format!("users?username={name}&exact=true"), Value::Null);
        let attributes = match claims["tenant_id"].as_str() {
            Some(tenant) => json!({ "tenant_id": [tenant] }),
            None => json!({}),
        };
        let user = json!({
            "username": name, "email": format!("{name}@example.com"), "firstName": "Pat", "lastName": "Test", "enabled": true,
            "attributes": attributes, "credentials": [{ "type": "password", "value": PROVIDER_PASSWORD, "temporary": false }],
        });
        if find().await[0].is_null() {
            call(Method::POST, "users".to_owned(), user.clone()).await;
        }
        let users = find().await;
        let id = users[0]["id"].as_str().unwrap();
        call(Method::PUT, format!("users/{id}"), user).await;
        for role in TENANT_ROLES {
            let has = claims["realm_access"]["roles"].as_array().unwrap().iter().any(|one| one == role);
            let realm_role = call(Method::GET, format!("roles/{role}"), Value::Null).await;
            let mapping = json!([{ "id": realm_role["id"], "name": role }]);
            let method = if has { Method::POST } else { Method::DELETE };
            call(method, format!("users/{id}/role-mappings/realm"), mapping).await;
        }
    }

    async fn granted(&self, realm: &str, client: &str, form: &[(&str, &str)]) -> String {
        let own = [("client_id", client), ("client_secret", PROVIDER_SECRET)];
        let form: Vec<_> = form.iter().copied().chain(own).collect();
        let url = format!("{}/realms/{realm}/protocol/openid-connect/token", self.url);
        let answer: Value = self.http.post(url).form(&form).send().await.unwrap().json().await.unwrap();
        answer["access_token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }
}
