//! The activity of a connection, shared by its socket, its service and the list of open connections.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use std::task::Waker;

use futures::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::time::Instant;

/// Whether a request of the connection is being answered, and since when nothing happens.
#[derive(Debug, Clone)]
pub(super) struct Activity(Arc<State>);

#[derive(Debug)]
struct State {
    answering: AtomicBool,
    /// The response is a stream, whose reader may be arbitrarily slow.
    streaming: AtomicBool,
    /// A response has ended and the socket has not noticed it yet.
    answered: AtomicBool,
    /// Bytes of an answer wait for the reader.
    writing: AtomicBool,
    /// Since when the client neither sends a request nor waits for an answer.
    idle_since: Mutex<Option<Instant>>,
    /// Wakes the connection at the end of a response, because its reading side may be waiting without a timer.
    connection: AtomicWaker,
}

/// Held during a request, from its head until the last byte of the response was handed over.
#[derive(Debug)]
pub(super) struct ResponseGuard(Activity);

impl Activity {
    /// A connection on which nothing has happened yet.
    pub(super) fn new() -> Self {
        Self(Arc::new(State {
            answering: AtomicBool::new(false),
            streaming: AtomicBool::new(false),
            answered: AtomicBool::new(false),
            writing: AtomicBool::new(false),
            idle_since: Mutex::new(Some(Instant::now())),
            connection: AtomicWaker::new(),
        }))
    }

    pub(super) fn begin(&self) -> ResponseGuard {
        self.0.answering.store(true, Ordering::Release);
        self.set_idle_since(None);
        ResponseGuard(self.clone())
    }

    pub(super) fn is_answering(&self) -> bool {
        self.0.answering.load(Ordering::Acquire)
    }

    pub(super) fn is_streaming(&self) -> bool {
        self.0.streaming.load(Ordering::Acquire)
    }

    /// Whether an answer has ended since the last question.
    pub(super) fn has_answered(&self) -> bool {
        self.0.answered.load(Ordering::Acquire) && self.0.answered.swap(false, Ordering::AcqRel)
    }

    /// The client has started a request.
    pub(super) fn received(&self) {
        self.set_idle_since(None);
    }

    /// Whether bytes of an answer wait for the reader.
    pub(super) fn set_writing(&self, writing: bool) {
        self.0.writing.store(writing, Ordering::Release);
    }

    /// Wakes this task at the end of the answer.
    pub(super) fn wake_at_end(&self, waker: &Waker) {
        self.0.connection.register(waker);
    }

    /// Since when the connection is idle; `None` while it is not.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        if self.0.writing.load(Ordering::Acquire) {
            return None;
        }
        *self.0.idle_since.lock()
    }

    fn set_idle_since(&self, since: Option<Instant>) {
        *self.0.idle_since.lock() = since;
    }
}

impl ResponseGuard {
    /// The answer is a stream.
    pub(super) fn streams(&self) {
        self.0.0.streaming.store(true, Ordering::Release);
    }
}

impl Drop for ResponseGuard {
    fn drop(&mut self) {
        let state = &self.0.0;
        self.0.set_idle_since(Some(Instant::now()));
        state.streaming.store(false, Ordering::Release);
        state.answered.store(true, Ordering::Release);
        state.answering.store(false, Ordering::Release);
        state.connection.wake();
    }
}
