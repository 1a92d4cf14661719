//! An issuer for the benchmarks: one RSA key as in Keycloak's default realm, its key set, and the tokens of an operator and of
//! tenants' administrators.

use axum::{Json, Router, extract::Path, routing::get};
use contract::clients;
use jsonwebtoken::{
    Algorithm, EncodingKey, Header,
    jwk::{Jwk, JwkSet},
};
use rsa::{RsaPrivateKey, pkcs1::EncodeRsaPrivateKey};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Result;

const KEY_ID: &str = "bench";

/// The issuer: its address and an operator's token.
pub(crate) struct Issuer {
    pub(crate) auth_url: String,
    pub(crate) operator: String,
    key: EncodingKey,
}

impl Issuer {
    /// Makes a key, serves its key set for both realms, and signs an operator's token that outlives the benchmark.
    pub(crate) async fn serve() -> Result<Self> {
        let der = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048)?.to_pkcs1_der()?;
        let key = EncodingKey::from_rsa_der(der.as_bytes());
        let mut jwk = Jwk::from_encoding_key(&key, Algorithm::RS256)?;
        jwk.common.key_id = Some(KEY_ID.to_owned());
        let set = JwkSet { keys: vec![jwk] };
        let certs = async move |Path(_): Path<String>| Json(set.clone());
        let router = Router::new().route("/realms/{realm}/protocol/openid-connect/certs", get(certs));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let auth_url = format!("http://{}", listener.local_addr()?);
        tokio::spawn(async move { axum::serve(listener, router).await });
        let claims = json!({
            "iss": format!("{auth_url}/realms/svc-platform"), "azp": clients::OPERATOR_CONSOLE, "preferred_username": "olivia",
            "realm_access": { "roles": ["operator"] },
        });
        let operator = sign(&key, claims)?;
        Ok(Self { auth_url, operator, key })
    }

    /// The token of a tenant's administrator.
    pub(crate) fn tenant_admin(&self, tenant: Uuid) -> Result<String> {
        let claims = json!({
            "iss": format!("{}/realms/svc-tenants", self.auth_url), "azp": clients::TENANT_CONSOLE, "preferred_username": "hanna",
            "realm_access": { "roles": ["tenant-admin"] }, "tenant_id": tenant,
        });
        sign(&self.key, claims)
    }
}

/// A token with these claims that outlives the benchmark.
fn sign(key: &EncodingKey, mut claims: Value) -> Result<String> {
    let now = chrono::Utc::now().timestamp();
    claims["typ"] = json!("Bearer");
    claims["sid"] = json!("bench");
    claims["iat"] = json!(now);
    claims["auth_time"] = json!(now);
    claims["exp"] = json!(now + 6 * 60 * 60);
    let mut header = Header::new(Algorithm::RS256);
    header.kid = Some(KEY_ID.to_owned());
    Ok(jsonwebtoken::encode(&header, &claims, key)?)
}
