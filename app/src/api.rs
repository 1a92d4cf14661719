//! API calls of the signed-in user. After a 401 the token is refreshed and the call repeated once. When that fails too,
//! the session has ended and the console shows its sign-in page.

use std::future::Future;

use contract::{Endpoint, ErrorCode, client, file::File};

use crate::{
    auth, bearer,
    download::{self, Received},
    event_stream::EventStream,
    problem::Problem,
    server_fns::ConsoleError,
};

/// Calls a REST endpoint.
///
/// # Errors
/// The API's error, or that it is unreachable.
pub async fn call<E: Endpoint>(path: &E::Path, query: &E::Query, body: &E::Body) -> Result<E::Reply, Problem> {
    let request = client::prepare::<E>("", path, query, body)?;
    Ok(client::parse::<E>(send(request).await?)?)
}

/// Calls a REST endpoint until the signal cancels the call.
///
/// # Errors
/// As [`call`]; a cancelled call is unreachable.
pub async fn call_until<E: Endpoint>(
    signal: Option<web_sys::AbortSignal>,
    path: &E::Path,
    query: &E::Query,
    body: &E::Body,
) -> Result<E::Reply, Problem> {
    let request = client::prepare::<E>("", path, query, body)?.until(signal);
    Ok(client::parse::<E>(send(request).await?)?)
}

/// Reads a resource, and which version of it that is.
///
/// # Errors
/// As [`call`].
pub async fn read_version<E: Endpoint<Query = (), Body = ()>>(
    path: &E::Path,
) -> Result<(E::Reply, Option<String>), Problem> {
    let answer = send(client::prepare::<E>("", path, &(), &())?).await?;
    let etag = answer.etag().map(str::to_owned);
    Ok((client::parse::<E>(answer)?, etag))
}

/// Changes a resource if its stored version is still the given one.
///
/// # Errors
/// As [`call`], and `precondition_failed` when another user changed it in the meantime.
pub async fn change_version<E: Endpoint<Query = ()>>(
    path: &E::Path,
    etag: Option<String>,
    body: &E::Body,
) -> Result<E::Reply, Problem> {
    let request = client::prepare::<E>("", path, &(), body)?.if_match(etag);
    Ok(client::parse::<E>(send(request).await?)?)
}

/// Uploads a file.
///
/// # Errors
/// As [`call`].
pub async fn upload<E: Endpoint<Body = File>>(
    path: &E::Path,
    query: &E::Query,
    file: web_sys::File,
) -> Result<E::Reply, Problem> {
    Ok(client::parse::<E>(send(client::prepare_file::<E>("", path, query, file.into())).await?)?)
}

/// Downloads a streamed response and saves it as a file with the API's file name.
///
/// # Errors
/// As [`call`]; also when the stream ends early.
pub async fn download<E: Endpoint>(path: &E::Path, query: &E::Query, body: &E::Body) -> Result<(), Problem> {
    let response = begin::<E>(path, query, body).await?;
    download::save(response).await.ok_or_else(|| ErrorCode::ServiceUnavailable.into())
}

/// Like [`download`], but calls `keep_going` with the number of received bytes. When it returns `false`, the download
/// stops and nothing is saved.
///
/// # Errors
/// As [`download`].
pub async fn download_watched<E: Endpoint>(
    path: &E::Path,
    query: &E::Query,
    body: &E::Body,
    keep_going: impl Fn(u64) -> bool,
) -> Result<Received, Problem> {
    let response = begin::<E>(path, query, body).await?;
    download::save_watched(response, keep_going).await.ok_or_else(|| ErrorCode::ServiceUnavailable.into())
}

/// Opens a stream of events.
///
/// # Errors
/// As [`call`].
pub async fn events<E: Endpoint>(path: &E::Path, query: &E::Query, body: &E::Body) -> Result<EventStream, Problem> {
    let request = client::prepare::<E>("", path, query, body)?.for_events();
    let response = open_again(&request).await?;
    EventStream::of(response).ok_or_else(|| ErrorCode::ServiceUnavailable.into())
}

async fn begin<E: Endpoint>(path: &E::Path, query: &E::Query, body: &E::Body) -> Result<client::Response, Problem> {
    open_again(&client::prepare::<E>("", path, query, body)?).await
}

async fn open_again(request: &client::Request) -> Result<client::Response, Problem> {
    let mut first = open(request).await;
    if first.as_ref().is_err_and(needs_fresh_token) && auth::refresh().await {
        first = open(request).await;
    }
    first
}

async fn open(request: &client::Request) -> Result<client::Response, Problem> {
    let token = bearer::current();
    client::open(request, token.as_deref()).await.map_err(Problem::from)
}

async fn send(request: client::Request) -> Result<client::TextResponse, Problem> {
    let first = once(&request).await;
    if first.as_ref().is_err_and(needs_fresh_token) && auth::refresh().await {
        return once(&request).await;
    }
    first
}

async fn once(request: &client::Request) -> Result<client::TextResponse, Problem> {
    let token = bearer::current();
    client::send(request, token.as_deref()).await.map_err(Problem::from)
}

/// Calls a server function, for example `api::function(fetch_operator_overview)`.
///
/// # Errors
/// As [`call`].
pub async fn function<T, Fut>(function: impl Fn() -> Fut) -> Result<T, Problem>
where
    Fut: Future<Output = Result<T, ConsoleError>>,
{
    let first = function().await.map_err(Problem::from);
    if first.as_ref().is_err_and(needs_fresh_token) && auth::refresh().await {
        return function().await.map_err(Problem::from);
    }
    first
}

pub(crate) fn needs_fresh_token(problem: &Problem) -> bool {
    problem.code() == Some(ErrorCode::NotAuthenticated)
}
