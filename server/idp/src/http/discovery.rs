//! Discovery: the configuration document and the public keys.

use std::collections::BTreeSet;

use axum::{Json, http::header, response::IntoResponse};
use serde_json::{Value, json};

use super::realm_path::InRealm;
use crate::{realm::Mapper, state::LoadedRealm};

/// `GET .well-known/openid-configuration` (OpenID Connect Discovery 1.0, 4).
pub(crate) async fn configuration(at: InRealm) -> Json<Value> {
    let loaded = at.loaded();
    let endpoint = |name: &str| format!("{}/protocol/openid-connect/{name}", loaded.issuer);
    let authentication = json!(["client_secret_basic", "client_secret_post"]);
    Json(json!({
        "issuer": loaded.issuer,
        "authorization_endpoint": endpoint("auth"),
        "token_endpoint": endpoint("token"),
        "userinfo_endpoint": endpoint("userinfo"),
        "end_session_endpoint": endpoint("logout"),
        "revocation_endpoint": endpoint("revoke"),
        "jwks_uri": endpoint("certs"),
        "grant_types_supported": ["authorization_code", "refresh_token", "password", "client_credentials"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query", "fragment"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "token_endpoint_auth_methods_supported": authentication,
        "revocation_endpoint_auth_methods_supported": authentication,
        "code_challenge_methods_supported": ["S256"],
        "prompt_values_supported": ["none", "login"],
        "scopes_supported": scopes(loaded),
        "claims_supported": claims(loaded),
        "ui_locales_supported": ["en", "de"],
        "claims_parameter_supported": false,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
        "authorization_response_iss_parameter_supported": true,
    }))
}

/// `GET certs`: the key set. Cached only briefly, so that a rotation is noticed soon.
pub(crate) async fn certs(at: InRealm) -> impl IntoResponse {
    let keys = at.loaded().keys.jwks(at.state.now_millis());
    ([(header::CACHE_CONTROL, "no-cache")], Json(keys))
}

fn scopes(loaded: &LoadedRealm) -> Vec<&str> {
    let own = loaded.realm.scopes.iter().map(|scope| scope.name.as_str());
    std::iter::once("openid").chain(own).collect()
}

fn claims(loaded: &LoadedRealm) -> BTreeSet<&str> {
    let mapped = loaded.realm.scopes.iter().flat_map(|scope| &scope.mappers).map(Mapper::top_level_claim);
    ["sub", "iss", "aud", "exp", "iat", "azp", "sid", "nonce"].into_iter().chain(mapped).collect()
}
