//! A TCP stream with timeouts: for a head that does not arrive, idling between requests, and a reader that takes
//! nothing or too little. [`super::body::TimedBody`] handles bodies.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Duration, Instant, Sleep, sleep_until};

use super::{
    Limits,
    activity::Activity,
    pace::{Pace, TooSlow},
};

/// What is expected from the client while no request is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The rest of a head that began at this time.
    Head(Instant),
    /// Begin another request, or leave; idle since this time.
    Idle(Instant),
}

/// The stream with its timers.
pub(super) struct Socket {
    stream: TcpStream,
    activity: Activity,
    head: Duration,
    idle: Duration,
    write_idle: Duration,
    pace: Pace,
    phase: Phase,
    last_write: Instant,
    read_timer: Timer,
    write_timer: Timer,
    write_waits: bool,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, activity: Activity, limits: &Limits) -> Self {
        let now = Instant::now();
        Self {
            stream,
            activity,
            head: limits.head,
            idle: limits.idle,
            write_idle: limits.write_idle,
            pace: Pace::new(limits),
            phase: Phase::Head(now),
            last_write: now,
            read_timer: Timer::default(),
            write_timer: Timer::default(),
            write_waits: false,
        }
    }

    fn received(&mut self) {
        if self.activity.is_answering() {
            // A part of the body.
            return;
        }
        self.activity.received();
        if !self.write_waits {
            self.pace.reset();
        }
        if self.activity.has_answered() || matches!(self.phase, Phase::Idle(_)) {
            self.phase = Phase::Head(Instant::now());
        }
    }

    /// Whether the client's time is over; wakes the task when it will be.
    fn poll_overdue(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.activity.is_answering() {
            self.activity.wake_at_end(cx.waker());
            if self.activity.is_answering() {
                return Poll::Pending;
            }
        }
        if self.activity.has_answered() {
            self.phase = Phase::Idle(Instant::now());
        }
        let deadline = match self.phase {
            Phase::Head(since) => since + self.head,
            // The end of an answer may still be on its way to a slow reader.
            Phase::Idle(since) => since.max(self.last_write) + self.idle,
        };
        self.read_timer.poll(deadline, cx)
    }

    /// The result of a write, or an error when the reader has taken nothing for too long, or too little.
    fn on_write(&mut self, result: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let now = Instant::now();
        if let Poll::Ready(result) = result {
            self.set_write_waits(false);
            self.last_write = now;
            self.pace.moved(*result.as_ref().unwrap_or(&0));
            return Poll::Ready(result);
        }
        if !self.write_waits {
            self.set_write_waits(true);
            self.last_write = now;
        }
        let deadline = self.last_write + self.write_idle;
        loop {
            let now = Instant::now();
            let window = self.window(now).map_err(|TooSlow| io::ErrorKind::TimedOut)?;
            if now >= deadline {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            ready!(self.write_timer.poll(window.map_or(deadline, |end| end.min(deadline)), cx));
        }
    }

    fn set_write_waits(&mut self, waits: bool) {
        self.write_waits = waits;
        self.activity.set_writing(waits);
    }

    /// When the reader's speed is checked next; never for a stream.
    fn window(&mut self, now: Instant) -> Result<Option<Instant>, TooSlow> {
        if self.activity.is_streaming() {
            self.pace.reset();
            return Ok(None);
        }
        self.pace.waits(now)
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
            // Treated as a disconnect: half a head gets no response.
            Poll::Pending => self.poll_overdue(cx).map(Ok),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.on_write(result, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.on_write(result, cx)
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

/// A lazily created timer. A deadline that moves later costs nothing until the old one has passed.
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
