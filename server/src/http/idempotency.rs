//! The header `Idempotency-Key` of a `POST`: a repeated call gets the answer of the first one.

use axum::{
    body::{Body, to_bytes},
    response::{IntoResponse, Response},
};
use contract::{
    Access, Endpoint, ErrorCode, Method,
    api_keys::CreateApiKey,
    people::{InvitePerson, InviteTenantPerson, ResetPersonPassword, ResetTenantPersonPassword},
};
use http::{HeaderName, HeaderValue, StatusCode, header, request::Parts};
use sha2::{Digest as _, Sha256};
use tracing::Instrument as _;

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    http::event_stream,
    service::idempotency::{self, Begun, Claim, KeptAnswer},
    state::App,
};

const HEADER: &str = "idempotency-key";
/// Marks an answer that was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const MAX_KEY: usize = 255;
/// Maximum bytes of an answer that is kept.
const MAX_ANSWER_BYTES: usize = 256 * 1024;
/// Endpoints whose answers have secrets that live long: they are not kept, not even encrypted with the caller's key.
const WITHOUT: [&str; 5] = [
    CreateApiKey::NAME,
    InvitePerson::NAME,
    InviteTenantPerson::NAME,
    ResetPersonPassword::NAME,
    ResetTenantPersonPassword::NAME,
];

/// The key of a call with the hash of what the call says.
#[derive(Debug, Clone)]
pub(super) struct IdempotencyKey {
    key: String,
    request: [u8; 32],
}

/// Whether the endpoint accepts the header.
pub(super) fn is_accepted(method: Method, name: &str, access: Access) -> bool {
    method == Method::Post && !matches!(access, Access::Public | Access::Widget) && !WITHOUT.contains(&name)
}

/// The key of a call whose body was read.
///
/// # Errors
/// A validation error for a key that is not 1 to 255 visible characters; `idempotency_key_not_supported`.
pub(super) fn of<E: Endpoint>(parts: &Parts, body: &[u8]) -> ApiResult<Option<IdempotencyKey>> {
    let Some(value) = parts.headers.get(HEADER).filter(|_| E::METHOD == Method::Post) else { return Ok(None) };
    if !is_accepted(E::METHOD, E::NAME, E::ACCESS) || event_stream::is_wanted(&parts.headers) {
        return Err(ErrorCode::IdempotencyKeyNotSupported.into());
    }
    let key = value.to_str().ok().filter(|key| (1..=MAX_KEY).contains(&key.len()));
    let key = key.filter(|key| key.bytes().all(|byte| byte.is_ascii_graphic()));
    let key = key.ok_or_else(|| {
        ApiError::field(&["header", "Idempotency-Key"], "must have 1 to 255 visible ASCII characters", "format")
    })?;
    let mut hash = Sha256::new();
    for part in [parts.uri.path(), parts.uri.query().unwrap_or("")] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(body);
    Ok(Some(IdempotencyKey { key: key.to_owned(), request: hash.finalize().into() }))
}

/// Refuses the header where bodies or answers are streamed.
///
/// # Errors
/// `idempotency_key_not_supported`.
pub(super) fn refuse(parts: &Parts) -> ApiResult<()> {
    let is_refused = parts.method == http::Method::POST && parts.headers.contains_key(HEADER);
    if is_refused { Err(ErrorCode::IdempotencyKeyNotSupported.into()) } else { Ok(()) }
}

/// Does the work of a call once: it goes on when the client disconnects, and a repeated call gets its answer.
///
/// # Errors
/// Those of [`idempotency::begin`].
pub(super) async fn once(
    app: &App,
    call: Option<(Caller, IdempotencyKey)>,
    work: impl Future<Output = Response> + Send + 'static,
) -> ApiResult<Response> {
    let Some((caller, IdempotencyKey { key, request })) = call else { return Ok(work.await) };
    match idempotency::begin(app, &caller, &key, request).await? {
        Begun::Known(answer) => Ok(replayed(answer)),
        Begun::New(claim) => {
            let working = async move { keep(claim, work.await).await };
            app.tasks.spawn(working.in_current_span()).await.map_err(|_| ErrorCode::InternalError.into())
        }
    }
}

/// Keeps the answer, unless another attempt may end differently.
async fn keep(claim: Box<Claim>, response: Response) -> Response {
    let (parts, body) = response.into_parts();
    // The bytes are in memory already.
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        claim.release().await;
        return ApiError::from(ErrorCode::InternalError).into_response();
    };
    if parts.status.is_server_error() || parts.status == StatusCode::TOO_MANY_REQUESTS {
        claim.release().await;
    } else {
        let location = parts.headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
        let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() <= MAX_ANSWER_BYTES);
        let answer = text.map(|body| KeptAnswer {
            status: parts.status.as_u16(),
            location: location.map(str::to_owned),
            body: body.to_owned(),
        });
        claim.finish(answer.as_ref()).await;
    }
    Response::from_parts(parts, Body::from(bytes))
}

fn replayed(KeptAnswer { status, location, body }: KeptAnswer) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let has_body = !body.is_empty();
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_TYPE);
    if has_body {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if let Some(location) = location.and_then(|path| HeaderValue::try_from(path).ok()) {
        headers.insert(header::LOCATION, location);
    }
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    response
}
