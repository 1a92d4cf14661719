//! Extractors of every endpoint: the realm of the path and the peer's address.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    Json,
    extract::{ConnectInfo, FromRequestParts, Path},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::state::{LoadedRealm, ProviderState};

/// The provider with the realm of the path; an unknown realm is 404.
pub(crate) struct InRealm {
    pub(crate) state: Arc<ProviderState>,
    index: usize,
}

/// The address of the peer; `None` when the router is served without connect info.
pub(crate) struct Peer(pub(crate) Option<IpAddr>);

impl InRealm {
    pub(crate) fn loaded(&self) -> &LoadedRealm {
        &self.state.realms[self.index]
    }
}

impl FromRequestParts<Arc<ProviderState>> for InRealm {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<ProviderState>) -> Result<Self, Response> {
        let Path(slots) = Path::<BTreeMap<String, String>>::from_request_parts(parts, state)
            .await
            .map_err(IntoResponse::into_response)?;
        let name = slots.get("realm").map(String::as_str).unwrap_or_default();
        let index = state.realms.iter().position(|loaded| loaded.realm.name == name);
        let missing = || (StatusCode::NOT_FOUND, Json(json!({"error": "Realm does not exist"}))).into_response();
        Ok(Self { state: Arc::clone(state), index: index.ok_or_else(missing)? })
    }
}

impl<S: Sync> FromRequestParts<S> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_canonical())))
    }
}
