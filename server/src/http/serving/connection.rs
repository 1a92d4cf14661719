//! A connection from accept to close.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::extract::ConnectInfo;
use axum::response::{IntoResponse, Response};
use contract::ErrorCode;
use http::{HeaderValue, Request, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::Limits;
use super::activity::ResponseGuard;
use super::body::{TimedBody, TrackedBody};
use super::slots::Slot;
use super::socket::Socket;
use crate::error::ApiError;
use crate::shutdown::{AbortSignal, Draining, Stop};

/// Maximum bytes of a request's head (a longer one is a 431), and of a response that are buffered in the process.
const BUFFER_BYTES: usize = 64 * 1024;
/// Longest life of a connection in the reserve.
const MAX_RESERVE_LIFE: Duration = Duration::from_secs(5);
/// Longest time for the head of a request there.
const RESERVE_HEAD_TIMEOUT: Duration = Duration::from_secs(2);
/// The response when the client's network has too many connections; nothing is read.
const REFUSAL: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 2\r\n\
                       connection: close\r\ncontent-length: 32\r\n\r\n{\"detail\":\"service_unavailable\"}";

/// A connection and what it needs to know.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    pub(super) router: Router,
    pub(super) limits: Arc<Limits>,
    pub(super) stop: Stop,
    /// The listener closes: no more requests after the running one.
    pub(super) closing: CancellationToken,
    /// The connection is cut off.
    pub(super) cut: CancellationToken,
    pub(super) slot: Slot,
}

/// Refuses a connection without spending anything on it.
pub(super) fn refuse(stream: &TcpStream) {
    // A new connection has room for these bytes; otherwise it is closed without them.
    let _ = stream.try_write(REFUSAL.as_bytes());
}

impl Connection {
    /// Serves the connection until it ends or is aborted, which drops everything held by a handler or a body.
    pub(super) async fn run(self) {
        let limits = Arc::clone(&self.limits);
        self.serve(&limits, false).await;
    }

    /// Answers one request: health checks, and everything else with 503.
    pub(super) async fn run_once(self) {
        let head = self.limits.head.min(RESERVE_HEAD_TIMEOUT);
        let limits = Limits { head, ..Limits::clone(&self.limits) };
        let close = self.slot.close.clone();
        tokio::select! {
            () = self.serve(&limits, true) => {}
            () = close.cancelled() => {}
            () = tokio::time::sleep(MAX_RESERVE_LIFE) => {}
        }
    }

    async fn serve(self, limits: &Limits, is_reserve: bool) {
        let Self { stream, peer, router, stop, closing, cut, slot, .. } = self;
        let socket = Socket::new(stream, slot.activity.clone(), limits);
        let inner = Arc::new(ConnectionService { router, peer, stop, abort: AbortSignal(cut.clone()), is_reserve });
        let service = service_fn(|request: Request<Incoming>| {
            let guard = slot.activity.begin();
            let is_file = is_upload(&request);
            let request = request.map(|body| Body::new(TimedBody::new(body, limits, is_file)));
            let inner = Arc::clone(&inner);
            async move { Ok::<_, Infallible>(inner.answer(request, guard).await) }
        });
        // The socket has the timeouts: hyper's own one for heads would count the idle time between requests too.
        let serving = http1::Builder::new()
            .header_read_timeout(None)
            .max_buf_size(BUFFER_BYTES)
            .serve_connection(TokioIo::new(socket), service);
        let mut serving = std::pin::pin!(serving);
        let result = tokio::select! {
            result = serving.as_mut() => result,
            () = either(&closing, &slot.close) => {
                serving.as_mut().graceful_shutdown();
                tokio::select! {
                    result = serving => result,
                    () = cut.cancelled() => return,
                }
            }
        };
        if let Err(error) = result {
            tracing::debug!(%error, "connection.ended");
        }
    }
}

/// Whether the body is a file for a source. A caller who may not upload is refused before any of it is read.
fn is_upload(request: &Request<Incoming>) -> bool {
    let path = request.uri().path();
    path.starts_with("/api/v1/tenants/me/chatbots/") && path.contains("/sources/") && path.contains("/documents")
}

async fn either(one: &CancellationToken, other: &CancellationToken) {
    tokio::select! {
        () = one.cancelled() => {}
        () = other.cancelled() => {}
    }
}

/// The service for the requests of one connection.
struct ConnectionService {
    router: Router,
    peer: SocketAddr,
    stop: Stop,
    abort: AbortSignal,
    is_reserve: bool,
}

impl ConnectionService {
    async fn answer(&self, mut request: Request<Body>, guard: ResponseGuard) -> Response<TrackedBody> {
        request.extensions_mut().insert(ConnectInfo(self.peer));
        request.extensions_mut().insert(self.abort.clone());
        request.extensions_mut().insert(self.stop.clone());
        if self.stop.is_requested() {
            request.extensions_mut().insert(Draining);
        }
        let response = if self.is_reserve && !request.uri().path().starts_with("/health/") {
            ApiError::from(ErrorCode::ServiceUnavailable).into_response()
        } else {
            let Ok(response) = self.router.clone().oneshot(request).await;
            response
        };
        finish(response, self.is_reserve || self.stop.is_requested(), guard)
    }
}

/// The answer as it is sent: the last one of its connection, or one of several.
fn finish(mut response: Response, is_last: bool, guard: ResponseGuard) -> Response<TrackedBody> {
    if is_last {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    // Everything but a stream is in memory and has a known length.
    if response.body().size_hint().exact().is_none() {
        guard.streams();
    }
    response.map(|body| TrackedBody::new(body, guard))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_is_the_error_that_the_router_answers_with() {
        let (head, body) = REFUSAL.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())));
        let expected = serde_json::to_string(&ApiError::from(ErrorCode::ServiceUnavailable).into_body()).unwrap();
        assert_eq!(body, expected);
    }
}
