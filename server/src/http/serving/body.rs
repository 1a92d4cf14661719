//! Bodies of requests and responses: a timeout for clients that stop sending, and a signal when the response has been
//! handed over.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

use super::{Limits, activity::ResponseGuard, pace::Pace};

/// The rest of a request's body did not arrive in time.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the rest of the body did not arrive in time")]
pub(in crate::http) struct BodyTimedOut;

/// A request's body with a time limit from the first wait for it, and with a minimum speed. For a file, the limit
/// applies to the time without progress instead, and a longer one to the whole file.
pub(super) struct TimedBody {
    body: Incoming,
    limit: Duration,
    /// When the whole of a file is due.
    whole: Option<Instant>,
    deadline: Option<Instant>,
    pace: Pace,
    timer: Option<Pin<Box<Sleep>>>,
}

impl TimedBody {
    pub(super) fn new(body: Incoming, limits: &Limits, is_file: bool) -> Self {
        let whole = is_file.then(|| Instant::now() + limits.upload);
        Self { body, limit: limits.body, whole, deadline: None, pace: Pace::new(limits), timer: None }
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            if let Some(Ok(frame)) = &frame {
                self.pace.moved(frame.data_ref().map_or(0, Bytes::len));
            }
            if let Some(whole) = self.whole {
                self.deadline = None;
                // One that keeps coming is refused, too.
                if Instant::now() >= whole && matches!(frame, Some(Ok(_))) {
                    return Poll::Ready(Some(Err(BodyTimedOut.into())));
                }
            }
            return Poll::Ready(frame.map(|result| result.map_err(Into::into)));
        }
        loop {
            let now = Instant::now();
            let limit = self.limit;
            let deadline = *self.deadline.get_or_insert(now + limit);
            let deadline = self.whole.map_or(deadline, |whole| whole.min(deadline));
            let Ok(window) = self.pace.waits(now) else { return Poll::Ready(Some(Err(BodyTimedOut.into()))) };
            if now >= deadline {
                return Poll::Ready(Some(Err(BodyTimedOut.into())));
            }
            let next = window.map_or(deadline, |end| end.min(deadline));
            let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(next)));
            if timer.deadline() != next {
                timer.as_mut().reset(next);
            }
            ready!(timer.as_mut().poll(cx));
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A response's body; the response ends with it, or when it is dropped.
pub(super) struct TrackedBody {
    body: Body,
    _guard: ResponseGuard,
}

impl TrackedBody {
    pub(super) fn new(body: Body, guard: ResponseGuard) -> Self {
        Self { body, _guard: guard }
    }
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
