//! Calls as each principal, and their responses.

use contract::{TenantId, api_keys::KeyScope};
use reqwest::{Method, RequestBuilder, header::HeaderMap};
use serde_json::{Value, json};

use super::{ORIGIN, Platform, session_tokens};

/// A response with its body read.
#[derive(Debug)]
pub struct TestResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
    pub body: Value,
}

impl TestResponse {
    /// The machine-readable code of an error.
    pub fn detail(&self) -> &str {
        self.body["detail"].as_str().unwrap_or("")
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The `loc` of the first broken rule.
    pub fn loc(&self) -> Vec<&str> {
        self.body["errors"][0]["loc"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }
}

/// A caller.
pub struct Client<'a> {
    platform: &'a Platform,
    token: Option<String>,
    origin: Option<String>,
    /// Whether it knows the tokens of sessions, as the widget does.
    has_tokens: bool,
}

impl Platform {
    /// A client with this token.
    pub fn bearer(&self, token: &str) -> Client<'_> {
        Client { platform: self, token: Some(token.to_owned()), origin: None, has_tokens: false }
    }

    /// A client without a token or an origin.
    pub fn anonymous(&self) -> Client<'_> {
        Client { platform: self, token: None, origin: None, has_tokens: false }
    }

    /// A widget on an allowed page.
    pub fn widget(&self) -> Client<'_> {
        self.widget_on(ORIGIN)
    }

    /// A widget on a page of `origin`.
    pub fn widget_on(&self, origin: &str) -> Client<'_> {
        Client { platform: self, token: None, origin: Some(origin.to_owned()), has_tokens: true }
    }

    /// Somebody who has read the id of a session, and knows no token.
    pub fn stranger(&self) -> Client<'_> {
        Client { has_tokens: false, ..self.widget() }
    }

    pub fn operator(&self) -> Client<'_> {
        self.bearer(&self.keys.operator().encode())
    }

    pub fn vendor(&self) -> Client<'_> {
        self.bearer(&self.keys.vendor().encode())
    }

    /// An administrator of a tenant.
    pub fn admin(&self, tenant: TenantId) -> Client<'_> {
        self.bearer(&self.keys.tenant(tenant, "tenant-admin").encode())
    }

    /// A new API key of the tenant.
    pub async fn api_key(&self, tenant: TenantId, scopes: &[KeyScope]) -> String {
        let name = format!("Test {}", uuid::Uuid::new_v4());
        let body = json!({ "name": name, "scopes": scopes });
        let key = self.admin(tenant).post("/api/v1/tenants/me/api-keys", &body).await;
        assert_eq!(key.status, 201, "{key:?}");
        key.body["secret"].as_str().unwrap().to_owned()
    }

    pub fn viewer(&self, tenant: TenantId) -> Client<'_> {
        self.bearer(&self.keys.tenant(tenant, "tenant-viewer").encode())
    }
}

impl Client<'_> {
    /// A request that is not sent yet.
    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.platform.http.request(method, format!("{}{path}", self.platform.base_url));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(origin) = &self.origin {
            request = request.header("origin", origin);
        }
        if let Some(accept) = session_tokens::accept(path).filter(|_| self.has_tokens) {
            request = request.header("accept", accept);
        }
        request
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        send(self.request("GET", path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> TestResponse {
        let body = if self.has_tokens && path.ends_with("/query") { &session_tokens::add(body) } else { body };
        send(self.request("POST", path).json(body)).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> TestResponse {
        send(self.request("PUT", path).json(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> TestResponse {
        send(self.request("PATCH", path).json(body)).await
    }

    pub async fn delete(&self, path: &str) -> TestResponse {
        send(self.request("DELETE", path)).await
    }
}

/// Sends a request and reads its response.
pub async fn send(request: RequestBuilder) -> TestResponse {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    // Not `text()`, which removes a byte order mark.
    let text = String::from_utf8_lossy(&response.bytes().await.unwrap()).into_owned();
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    session_tokens::remember(&body);
    TestResponse { status, headers, text, body }
}
