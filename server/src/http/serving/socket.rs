//! A TCP stream that ends when its client draws it out: a head that does not arrive, idling between requests, a reader
//! that stands still. A body that does not arrive is [`super::body::Timely`]'s affair.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::Limits;

/// Whether a request of the connection is being answered; shared by its socket and its service.
#[derive(Debug, Clone, Default)]
pub(super) struct Activity(Arc<State>);

#[derive(Debug, Default)]
struct State {
    answering: AtomicBool,
    /// An answer has ended and the socket has not taken notice yet.
    answered: AtomicBool,
    /// Wakes the connection at the end of an answer, because its reading side may have gone to sleep without a timer.
    connection: AtomicWaker,
}

/// Held while a request is being answered, from its head to the last byte of the answer that was handed over.
#[derive(Debug)]
pub(super) struct Answering(Activity);

impl Activity {
    pub(super) fn begin(&self) -> Answering {
        self.0.answering.store(true, Ordering::Release);
        Answering(self.clone())
    }

    fn is_answering(&self) -> bool {
        self.0.answering.load(Ordering::Acquire)
    }

    /// Whether an answer has ended since the last question.
    fn has_answered(&self) -> bool {
        self.0.answered.load(Ordering::Acquire) && self.0.answered.swap(false, Ordering::AcqRel)
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let state = &self.0.0;
        state.answered.store(true, Ordering::Release);
        state.answering.store(false, Ordering::Release);
        state.connection.wake();
    }
}

/// What the client is expected to do next, while no request is being answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Send the rest of a head that it began at this time.
    Head(Instant),
    /// Begin another request, or leave; idle since this time.
    Idle(Instant),
}

/// The stream with its timers.
pub(super) struct Socket {
    stream: TcpStream,
    activity: Activity,
    limits: Limits,
    phase: Phase,
    last_write: Instant,
    read_timer: Timer,
    write_timer: Timer,
    write_waits: bool,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, activity: Activity, limits: Limits) -> Self {
        let now = Instant::now();
        Self {
            stream,
            activity,
            limits,
            phase: Phase::Head(now),
            last_write: now,
            read_timer: Timer::default(),
            write_timer: Timer::default(),
            write_waits: false,
        }
    }

    fn received(&mut self) {
        let is_body = self.activity.is_answering();
        if !is_body && (self.activity.has_answered() || matches!(self.phase, Phase::Idle(_))) {
            self.phase = Phase::Head(Instant::now());
        }
    }

    /// Whether the client has had its time; wakes the task when that comes.
    fn poll_overdue(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.activity.is_answering() {
            self.activity.0.connection.register(cx.waker());
            if self.activity.is_answering() {
                return Poll::Pending;
            }
        }
        if self.activity.has_answered() {
            self.phase = Phase::Idle(Instant::now());
        }
        let deadline = match self.phase {
            Phase::Head(since) => since + self.limits.head,
            // The end of an answer may still be on its way to a slow reader.
            Phase::Idle(since) => since.max(self.last_write) + self.limits.idle,
        };
        self.read_timer.poll(deadline, cx)
    }

    /// The result of a write, or an error when the reader has taken nothing for too long.
    fn wrote(&mut self, result: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let now = Instant::now();
        if result.is_ready() {
            self.write_waits = false;
            self.last_write = now;
            return result;
        }
        if !self.write_waits {
            self.write_waits = true;
            self.last_write = now;
        }
        let deadline = self.last_write + self.limits.write_idle;
        self.write_timer.poll(deadline, cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Socket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(cx, buffer) {
            Poll::Ready(result) => {
                if buffer.filled().len() > before {
                    self.received();
                }
                Poll::Ready(result)
            }
            // As if the client had left: nothing is answered to half a head.
            Poll::Pending => self.poll_overdue(cx).map(Ok),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(result, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.wrote(result, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// A timer that is made when it is first needed. A deadline that moved away costs nothing until the old one has come.
#[derive(Default)]
struct Timer(Option<Pin<Box<Sleep>>>);

impl Timer {
    fn poll(&mut self, deadline: Instant, cx: &mut Context<'_>) -> Poll<()> {
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if sleep.deadline() > deadline {
            sleep.as_mut().reset(deadline);
        }
        while sleep.as_mut().poll(cx).is_ready() {
            if sleep.deadline() >= deadline {
                return Poll::Ready(());
            }
            sleep.as_mut().reset(deadline);
        }
        Poll::Pending
    }
}
