//! Serves a router over TCP with limits on everything that a client can use: the number of connections, in total and
//! per address, the time for a request to arrive, idle time, and the minimum speed of reading. `axum::serve` has none
//! of these limits, so the platform, the demo world and the tests use this loop.

mod accept;
mod activity;
mod body;
mod connection;
mod limits;
mod pace;
mod slots;
mod socket;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(super) use self::body::BodyTimedOut;
pub use self::limits::Limits;

use self::connection::{Connection, refuse};
use self::slots::{Admission, Slots};
use crate::shutdown::Stop;

/// How long a connection that was accepted at the end of the drain may take to send its request.
const LAST_REQUESTS: Duration = Duration::from_millis(200);

/// Serves a router until a stop is requested. After that, requests are still accepted for [`Limits::drain`], each as
/// the last one of its connection. Then the port is closed, running requests may finish within
/// [`Limits::grace_period`], and the remaining ones are aborted. Handlers get the peer as `ConnectInfo<SocketAddr>`,
/// the stop as [`Stop`], and after the request to stop [`Draining`](crate::shutdown::Draining).
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, stop: impl Into<Stop>) {
    let listening = Listening::new(router, limits, stop.into());
    tokio::select! {
        () = listening.accept_from(&listener) => {}
        () = listening.drained() => {}
    }
    drop(listener);
    listening.finish().await;
}

/// One listener and its open connections.
struct Listening {
    router: Router,
    limits: Arc<Limits>,
    slots: Slots,
    stop: Stop,
    /// Connections close as soon as no request runs on them.
    closing: CancellationToken,
    cut: CancellationToken,
    tasks: TaskTracker,
}

impl Listening {
    fn new(router: Router, limits: Limits, stop: Stop) -> Self {
        Self {
            router,
            slots: Slots::new(limits.clone()),
            limits: Arc::new(limits),
            stop,
            closing: CancellationToken::new(),
            cut: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    async fn accept_from(&self, listener: &TcpListener) {
        loop {
            let (stream, peer) = accept::one(listener).await;
            match self.slots.admit(peer.ip()) {
                Admission::Served(slot) => self.spawn(stream, peer, slot, Connection::run),
                Admission::Reserve(slot) => self.spawn(stream, peer, slot, Connection::run_once),
                Admission::Refused => refuse(&stream),
            }
        }
    }

    fn spawn<F: Future<Output = ()> + Send + 'static>(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        slot: slots::Slot,
        run: fn(Connection) -> F,
    ) {
        let connection = Connection {
            stream,
            peer,
            router: self.router.clone(),
            limits: Arc::clone(&self.limits),
            stop: self.stop.clone(),
            closing: self.closing.clone(),
            cut: self.cut.clone(),
            slot,
        };
        self.tasks.spawn(run(connection));
    }

    /// Waits for a stop and for the end of its drain, which may be skipped.
    async fn drained(&self) {
        self.stop.requested().await;
        let drain = self.limits.drain;
        if !drain.is_zero() {
            tracing::info!(seconds = drain.as_secs(), "server.draining");
            let _ = tokio::time::timeout(drain, self.stop.drained()).await;
        }
        self.stop.end_drain();
    }

    /// Closes idle connections, waits for the others, and aborts the remaining ones after the grace period.
    async fn finish(self) {
        self.tasks.close();
        if !self.limits.drain.is_zero() {
            let _ = tokio::time::timeout(LAST_REQUESTS, self.tasks.wait()).await;
        }
        self.closing.cancel();
        if tokio::time::timeout(self.limits.grace_period, self.tasks.wait()).await.is_err() {
            tracing::warn!(
                seconds = self.limits.grace_period.as_secs(),
                connections = self.tasks.len(),
                "server.requests_aborted: they were still running at the end of the stop"
            );
        }
        self.cut.cancel();
        self.tasks.wait().await;
    }
}
