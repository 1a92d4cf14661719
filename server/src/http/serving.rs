//! Serves a router over TCP with a bound on everything a client can draw out: how many connections there are, how long
//! a request may take to arrive, how long a connection may idle, how long a reader may stand still. `axum::serve` has
//! none of these bounds, so this is the loop of the platform, of the demo world and of the tests.

mod accept;
mod body;
mod limits;
mod socket;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

pub(super) use self::body::BodyTimedOut;
pub use self::limits::Limits;

use self::body::{Answered, Timely};
use self::socket::{Activity, Socket};

/// Whether the serving loop has cut a request's connection off at the end of a stop. Among the extensions of a request.
#[derive(Debug, Clone, Default)]
pub struct Cut(CancellationToken);

impl Cut {
    /// That of a request; one that is never cut off when another loop serves it.
    pub fn of(extensions: &http::Extensions) -> Self {
        extensions.get().cloned().unwrap_or_default()
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Bytes of a request's head at most (a longer one is a 431), and of an answer that wait outside the kernel.
const BUFFER_BYTES: usize = 64 * 1024;

/// Serves a router until the token is cancelled; then lets running requests finish within [`Limits::patience`] and
/// cuts off the rest. Handlers see the peer as `ConnectInfo<SocketAddr>`.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, stopped: CancellationToken) {
    let connections = Connections::new(router, limits);
    tokio::select! {
        () = connections.accept_from(&listener) => {}
        () = stopped.cancelled() => {}
    }
    drop(listener);
    connections.finish().await;
}

/// The open connections of one listener.
struct Connections {
    router: Router,
    limits: Limits,
    slots: Arc<Semaphore>,
    graceful: GracefulShutdown,
    cut: CancellationToken,
    tasks: TaskTracker,
}

/// What ties one connection to the listener that it came from.
struct Ties {
    watcher: Watcher,
    cut: CancellationToken,
    _slot: OwnedSemaphorePermit,
}

impl Connections {
    fn new(router: Router, limits: Limits) -> Self {
        Self {
            router,
            limits,
            slots: Arc::new(Semaphore::new(limits.max_connections)),
            graceful: GracefulShutdown::new(),
            cut: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Accepts for ever. Beyond the bound, new connections wait in the kernel's queue.
    async fn accept_from(&self, listener: &TcpListener) {
        loop {
            let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await else { return };
            let (stream, peer) = accept::one(listener).await;
            let ties = Ties { watcher: self.graceful.watcher(), cut: self.cut.clone(), _slot: slot };
            self.tasks.spawn(connection(stream, peer, self.router.clone(), self.limits, ties));
        }
    }

    /// Closes idle connections at once, waits for the others, and cuts off what is left after the patience.
    async fn finish(self) {
        self.tasks.close();
        if tokio::time::timeout(self.limits.patience, self.graceful.shutdown()).await.is_err() {
            tracing::warn!(
                seconds = self.limits.patience.as_secs(),
                connections = self.tasks.len(),
                "requests were cut off at the end of the stop"
            );
        }
        self.cut.cancel();
        self.tasks.wait().await;
    }
}

/// Serves one connection until it ends or is cut off; what a handler or a body holds is dropped with it.
async fn connection(stream: TcpStream, peer: SocketAddr, router: Router, limits: Limits, ties: Ties) {
    let activity = Activity::default();
    let socket = Socket::new(stream, activity.clone(), limits);
    let cut = Cut(ties.cut.clone());
    let service = service_fn(move |request: Request<Incoming>| {
        let answering = activity.begin();
        let mut request = request.map(|body| Body::new(Timely::new(body, limits.body)));
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(cut.clone());
        let router = router.clone();
        async move {
            let Ok(response) = router.oneshot(request).await;
            Ok::<_, Infallible>(response.map(|body| Answered::new(body, answering)))
        }
    });
    // The socket has the timeouts: hyper's own one for heads would count the idle time between requests too.
    let serving = http1::Builder::new()
        .header_read_timeout(None)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(TokioIo::new(socket), service);
    tokio::select! {
        result = ties.watcher.watch(serving) => if let Err(error) = result {
            tracing::debug!(%error, "connection.ended");
        },
        () = ties.cut.cancelled() => {}
    }
}
