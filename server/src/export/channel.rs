//! The way from the task that reads the database to the response's body: one chunk at a time, so that a slow reader
//! slows the database down. The body ends well only with the last chunk; whatever else happens to the task, the client
//! sees a broken transfer.

use std::{
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::body::{Body, Bytes};
use contract::ErrorCode;
use futures::stream;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::csv::Chunk;
use crate::error::{ApiError, ApiResult};

/// Longest wait for the body to take a chunk. The serving loop reaps readers that stand still long before; this ends
/// an export that is served in another way.
const STALL: Duration = Duration::from_secs(300);

enum Message {
    Chunk { chunk: Chunk, is_last: bool },
    Refused(ApiError),
}

/// The body is gone: the client has left, or was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gone;

/// What was handed to the transport.
#[derive(Debug, Default)]
struct Handed {
    /// Data rows.
    rows: u64,
    /// Nothing more is handed over: the number of rows stands in the audit log.
    is_closed: bool,
}

/// The task's end.
pub(super) struct Outlet {
    sender: Sender<Message>,
    handed: Arc<Mutex<Handed>>,
    has_begun: AtomicBool,
}

/// The response's end.
pub(super) struct Inlet {
    receiver: Receiver<Message>,
    handed: Arc<Mutex<Handed>>,
}

fn lock(handed: &Mutex<Handed>) -> MutexGuard<'_, Handed> {
    handed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Both ends.
pub(super) fn pair() -> (Outlet, Inlet) {
    let (sender, receiver) = mpsc::channel(1);
    let handed = Arc::default();
    (Outlet { sender, handed: Arc::clone(&handed), has_begun: AtomicBool::new(false) }, Inlet { receiver, handed })
}

impl Outlet {
    /// Waits until everything before was handed to the transport.
    pub(super) async fn settle(&self) -> Result<(), Gone> {
        match tokio::time::timeout(STALL, self.sender.reserve()).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }

    /// Sends a chunk that others follow, once there is room for it.
    pub(super) async fn send(&self, chunk: Chunk) -> Result<(), Gone> {
        self.settle().await?;
        self.has_begun.store(true, Ordering::Relaxed);
        self.sender.try_send(Message::Chunk { chunk, is_last: false }).map_err(|_| Gone)
    }

    /// Sends the last chunk; [`Outlet::settle`] has made room for it.
    pub(super) fn finish(self, chunk: Chunk) {
        if self.sender.try_send(Message::Chunk { chunk, is_last: true }).is_err() {
            tracing::debug!("export.left_at_the_end");
        }
    }

    /// Answers with an error instead of a stream; only before the first chunk.
    pub(super) fn refuse(self, error: ApiError) {
        if self.sender.try_send(Message::Refused(error)).is_err() {
            tracing::debug!("export.left_before_its_refusal");
        }
    }

    /// Breaks the transfer off and tells how many data rows were handed to the transport.
    pub(super) fn abort(self) -> u64 {
        let mut handed = lock(&self.handed);
        handed.is_closed = true;
        handed.rows
    }

    /// Ready when the body is gone.
    pub(super) async fn closed(&self) {
        self.sender.closed().await;
    }

    /// Whether a chunk was sent.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
    }
}

impl Inlet {
    /// Counts rows that the transport takes now, unless the task has broken the transfer off.
    fn hand_over(&self, rows: u64) -> io::Result<()> {
        let mut handed = lock(&self.handed);
        if handed.is_closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        handed.rows += rows;
        Ok(())
    }

    /// Waits for the first chunk, so that what goes wrong before is an answer with its own status.
    pub(super) async fn into_body(mut self) -> ApiResult<Body> {
        let first = match self.receiver.recv().await {
            Some(Message::Refused(error)) => return Err(error),
            Some(message) => message,
            None => return Err(ErrorCode::InternalError.into()),
        };
        let chunks = stream::try_unfold((self, Some(first), false), |(mut inlet, waiting, has_ended)| async move {
            if has_ended {
                return Ok(None);
            }
            let message = match waiting {
                Some(message) => Some(message),
                None => inlet.receiver.recv().await,
            };
            let Some(Message::Chunk { chunk, is_last }) = message else {
                return Err(io::Error::from(io::ErrorKind::BrokenPipe));
            };
            inlet.hand_over(chunk.rows)?;
            Ok::<Option<(Bytes, _)>, io::Error>(Some((chunk.bytes, (inlet, None, is_last))))
        });
        Ok(Body::from_stream(chunks))
    }
}
