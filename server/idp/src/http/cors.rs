//! CORS for the consoles: a realm's web origins, and for a response to one client only its own.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{realm::Client, state::ProviderState};

/// How long a browser may cache the response to a preflight, in seconds.
const PREFLIGHT_SECONDS: &str = "600";

/// Put into an answer, this narrows its origins to those of one client.
#[derive(Clone)]
pub(crate) struct OnlyFor(String);

/// Restricts a response to the origins of a client.
pub(crate) fn only_for(client: &Client, mut response: Response) -> Response {
    response.extensions_mut().insert(OnlyFor(client.id.clone()));
    response
}

/// Answers preflights and adds the header to answers. Other origins get no header at all.
pub(crate) async fn layer(State(state): State<Arc<ProviderState>>, request: Request, next: Next) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let realm = request.uri().path().split('/').nth(2).unwrap_or_default().to_owned();
    let preflight = is_preflight(&request);
    let mut response = match preflight {
        true => StatusCode::NO_CONTENT.into_response(),
        false => next.run(request).await,
    };
    let client = response.extensions_mut().remove::<OnlyFor>();
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin.filter(|origin| allows(&state, &realm, client.as_ref(), origin)) {
        allow(headers, origin, preflight);
    }
    response
}

fn is_preflight(request: &Request) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(header::ORIGIN)
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

fn allows(state: &ProviderState, realm: &str, client: Option<&OnlyFor>, origin: &HeaderValue) -> bool {
    let (Some(loaded), Ok(origin)) = (state.loaded(realm), origin.to_str()) else { return false };
    match client {
        Some(OnlyFor(id)) => loaded.realm.client(id).is_some_and(|client| client.allows_origin(origin)),
        None => loaded.realm.allows_origin(origin),
    }
}

fn allow(headers: &mut HeaderMap, origin: HeaderValue, preflight: bool) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    if preflight {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, OPTIONS"));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("authorization, content-type"));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(PREFLIGHT_SECONDS));
    }
}
