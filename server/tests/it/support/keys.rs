//! A token issuer for tests: one ES256 key, served as the key set of both realms, and tokens with any claims. A real
//! Keycloak may issue the tokens instead (see [`issued`]).

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    Json, Router,
    extract::{Path, Request},
    routing::get,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use contract::TenantId;
use jsonwebtoken::{
    Algorithm, EncodingKey, Header,
    jwk::{Jwk, JwkSet},
};
use serde_json::{Value, json};

use super::{issued, provider::LazyProvider};

/// A key that exists for these tests only.
const PRIVATE_KEY: &str = include_str!("test-key.pem");
/// Another key, which no realm has.
const FOREIGN_KEY: &str = include_str!("foreign-key.pem");

/// The issuer.
#[derive(Clone)]
pub struct Keys {
    pub auth_url: String,
    pub fetches: Arc<AtomicUsize>,
}

/// A token in the making.
#[derive(Clone)]
pub struct Token {
    pub header: Header,
    pub claims: Value,
    pub foreign: bool,
}

impl Keys {
    /// Serves the key set of both realms.
    pub async fn serve() -> Self {
        let fetches = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&fetches);
        let certs = async move |Path(_): Path<String>| {
            counter.fetch_add(1, Ordering::Relaxed);
            let mut jwk = Jwk::from_encoding_key(&signing_key(PRIVATE_KEY), Algorithm::ES256).unwrap();
            jwk.common.key_id = Some("test".to_owned());
            Json(JwkSet { keys: vec![jwk] })
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let auth_url = format!("http://{}", listener.local_addr().unwrap());
        let provider = Arc::new(LazyProvider::new(auth_url.clone()));
        let ask_provider = async move |request: Request| provider.answer(request).await;
        let router =
            Router::new().route("/realms/{realm}/protocol/openid-connect/certs", get(certs)).fallback(ask_provider);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { auth_url: issued::auth_url().unwrap_or(auth_url), fetches }
    }

    /// A good token of an operator.
    pub fn operator(&self) -> Token {
        self.token("svc-platform", "operator-ui", "olivia", "operator")
    }

    /// A good token of a vendor.
    pub fn vendor(&self) -> Token {
        self.token("svc-platform", "svc-api", "victor", "vendor")
    }

    /// A good token of a tenant user with `role`.
    pub fn tenant(&self, tenant: TenantId, role: &str) -> Token {
        let mut token = self.token("svc-tenants", "tenant-ui", role, role);
        token.claims["tenant_id"] = json!(tenant.to_string());
        token
    }

    fn token(&self, realm: &str, client: &str, user: &str, role: &str) -> Token {
        let now = chrono::Utc::now().timestamp();
        let claims = json!({
            "iss": format!("{}/realms/{realm}", self.auth_url), "azp": client, "typ": "Bearer",
            "preferred_username": user, "realm_access": { "roles": [role] }, "sid": "session-1",
            "iat": now, "exp": now + 300, "auth_time": now,
        });
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some("test".to_owned());
        Token { header, claims, foreign: false }
    }
}

impl Token {
    /// The same token with another claim; `null` leaves the claim out.
    pub fn with(mut self, claim: &str, value: Value) -> Self {
        match value {
            Value::Null => drop(self.claims.as_object_mut().unwrap().remove(claim)),
            value => self.claims[claim] = value,
        }
        self
    }

    /// The same token signed with a key that no realm has.
    pub fn forged(mut self) -> Self {
        self.foreign = true;
        self
    }

    pub fn encode(&self) -> String {
        if let Some(url) = issued::auth_url().filter(|_| !self.foreign) {
            return issued::token(&url, &self.claims);
        }
        let key = if self.foreign { FOREIGN_KEY } else { PRIVATE_KEY };
        jsonwebtoken::encode(&self.header, &self.claims, &signing_key(key)).unwrap()
    }
}

fn signing_key(pem: &str) -> EncodingKey {
    let body: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
    EncodingKey::from_ec_der(&STANDARD.decode(body).unwrap())
}
