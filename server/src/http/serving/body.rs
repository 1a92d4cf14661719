//! Bodies on their way in and out: one that gives up on a client that stops sending, and one that says when the answer
//! has been handed over.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

use super::{Limits, activity::Answering, pace::Pace};

/// The rest of a request's body did not come in time.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the rest of the body did not arrive in time")]
pub(in crate::http) struct BodyTimedOut;

/// A request's body whose rest must arrive within a limit from the first wait for it, and not too slowly meanwhile.
pub(super) struct Timely {
    body: Incoming,
    limit: Duration,
    deadline: Option<Instant>,
    pace: Pace,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Timely {
    pub(super) fn new(body: Incoming, limits: &Limits) -> Self {
        Self { body, limit: limits.body, deadline: None, pace: Pace::new(limits), timer: None }
    }
}

impl HttpBody for Timely {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            if let Some(Ok(frame)) = &frame {
                self.pace.moved(frame.data_ref().map_or(0, Bytes::len));
            }
            return Poll::Ready(frame.map(|result| result.map_err(Into::into)));
        }
        loop {
            let now = Instant::now();
            let limit = self.limit;
            let deadline = *self.deadline.get_or_insert(now + limit);
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

/// An answer's body; its end, or its being dropped, is the end of the answering.
pub(super) struct Answered {
    body: Body,
    _answering: Answering,
}

impl Answered {
    pub(super) fn new(body: Body, answering: Answering) -> Self {
        Self { body, _answering: answering }
    }
}

impl HttpBody for Answered {
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
