//! The channel from the task that reads the database to the response's body: one chunk at a time, so that a slow client
//! slows the database down. The body ends normally only after the last chunk; otherwise the client sees an aborted
//! transfer.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::body::{Body, Bytes};
use contract::ErrorCode;
use futures::stream;
use parking_lot::Mutex;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::csv::Chunk;
use crate::error::{ApiError, ApiResult};

/// Timeout for the body to take a chunk. The connection write timeout normally fires first; this ends an export that is
/// served in another way.
const MAX_STALL: Duration = Duration::from_secs(300);

enum Message {
    Chunk { chunk: Chunk, is_last: bool },
    Refused(ApiError),
}

/// The body was dropped: the client has disconnected, or was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Disconnected;

/// What was delivered to the transport.
#[derive(Debug, Default)]
struct Delivered {
    /// Data rows.
    rows: u64,
    /// Nothing more is delivered: the audit log has the number of rows.
    is_closed: bool,
}

/// The task's end of the channel.
pub(super) struct ChunkSender {
    sender: Sender<Message>,
    delivered: Arc<Mutex<Delivered>>,
    has_started: AtomicBool,
}

/// The response's end of the channel.
pub(super) struct ChunkReceiver {
    receiver: Receiver<Message>,
    delivered: Arc<Mutex<Delivered>>,
}

pub(super) fn channel() -> (ChunkSender, ChunkReceiver) {
    let (sender, receiver) = mpsc::channel(1);
    let delivered = Arc::default();
    (
        ChunkSender { sender, delivered: Arc::clone(&delivered), has_started: AtomicBool::new(false) },
        ChunkReceiver { receiver, delivered },
    )
}

impl ChunkSender {
    /// Waits until every chunk before was delivered to the transport.
    pub(super) async fn reserve(&self) -> Result<(), Disconnected> {
        match tokio::time::timeout(MAX_STALL, self.sender.reserve()).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Disconnected),
        }
    }

    /// Sends a chunk that others follow, once there is room for it.
    pub(super) async fn send(&self, chunk: Chunk) -> Result<(), Disconnected> {
        self.reserve().await?;
        self.has_started.store(true, Ordering::Relaxed);
        self.sender.try_send(Message::Chunk { chunk, is_last: false }).map_err(|_| Disconnected)
    }

    /// Sends the last chunk; requires a successful [`ChunkSender::reserve`].
    pub(super) fn finish(self, chunk: Chunk) {
        if self.sender.try_send(Message::Chunk { chunk, is_last: true }).is_err() {
            tracing::debug!("export.disconnected_at_the_end");
        }
    }

    /// Answers with an error instead of a stream; only before the first chunk.
    pub(super) fn refuse(self, error: ApiError) {
        if self.sender.try_send(Message::Refused(error)).is_err() {
            tracing::debug!("export.disconnected_before_error");
        }
    }

    /// Aborts the transfer and returns the number of data rows that were delivered to the transport.
    pub(super) fn abort(self) -> u64 {
        let mut delivered = self.delivered.lock();
        delivered.is_closed = true;
        delivered.rows
    }

    /// Ready when the body was dropped.
    pub(super) async fn closed(&self) {
        self.sender.closed().await;
    }

    /// Whether a chunk was sent.
    pub(super) fn has_started(&self) -> bool {
        self.has_started.load(Ordering::Relaxed)
    }
}

impl ChunkReceiver {
    /// Counts rows that the transport takes, unless the task has aborted the transfer.
    fn deliver(&self, rows: u64) -> io::Result<()> {
        let mut delivered = self.delivered.lock();
        if delivered.is_closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        delivered.rows += rows;
        Ok(())
    }

    /// Waits for the first chunk, so that earlier errors become a response with their own status.
    pub(super) async fn into_body(mut self) -> ApiResult<Body> {
        let first = match self.receiver.recv().await {
            Some(Message::Refused(error)) => return Err(error),
            Some(message) => message,
            None => return Err(ErrorCode::InternalError.into()),
        };
        let chunks = stream::try_unfold((self, Some(first), false), |(mut receiver, waiting, has_ended)| async move {
            if has_ended {
                return Ok(None);
            }
            let message = match waiting {
                Some(message) => Some(message),
                None => receiver.receiver.recv().await,
            };
            let Some(Message::Chunk { chunk, is_last }) = message else {
                return Err(io::Error::from(io::ErrorKind::BrokenPipe));
            };
            receiver.deliver(chunk.rows)?;
            Ok::<Option<(Bytes, _)>, io::Error>(Some((chunk.bytes, (receiver, None, is_last))))
        });
        Ok(Body::from_stream(chunks))
    }
}
