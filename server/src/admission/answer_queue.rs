//! Limits concurrent answers, globally and per chatbot; further requests queue. Tenants are served round-robin, and
//! within a tenant its chatbots. While other tenants are active, a tenant's burst leaves some slots to them. Each
//! chatbot's queue is bounded in length and in time.

mod queues;

use std::{sync::Arc, time::Duration};

use contract::{ChatbotId, TenantId};
use parking_lot::Mutex;
use tokio::{
    runtime::Handle,
    sync::oneshot,
    time::{Instant, sleep_until},
};

use self::queues::{Queued, Queues, Request};

/// How long a request waits before its position is reported.
const FIRST_REPORT_AFTER: Duration = if cfg!(test) { Duration::from_millis(10) } else { Duration::from_secs(2) };
/// Interval between further position reports.
const REPORT_INTERVAL: Duration = if cfg!(test) { Duration::from_millis(2) } else { Duration::from_millis(500) };

/// How many answers run and wait, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueLimits {
    /// Maximum concurrent answers, at least 1.
    pub max_concurrent: usize,
    /// Maximum concurrent answers of one chatbot, at least 1.
    pub max_concurrent_per_chatbot: usize,
    /// Requests that may wait for one chatbot.
    pub max_queued: usize,
    /// Maximum wait of a request.
    pub queue_timeout: Duration,
}

/// Why a request got no permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueError {
    /// Too many requests wait for this chatbot already.
    Full,
    /// The request waited for [`QueueLimits::queue_timeout`].
    Timeout,
}

/// The state of a queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    /// Permits in use.
    pub running: usize,
    /// Requests that wait.
    pub waiting: usize,
    /// Requests that found their chatbot's queue full, since the start.
    pub full: u64,
    /// Requests that waited too long, since the start.
    pub timed_out: u64,
}

/// Hands out permits to answer.
#[derive(Debug, Clone)]
pub struct AnswerQueue {
    limits: QueueLimits,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    queues: Queues,
    /// When a burst request that must yield is checked again.
    wake_at: Option<Instant>,
    /// Requests without a permit, by [`QueueError`].
    refused: [u64; 2],
}

/// The right to answer one request, until it is dropped.
#[derive(Debug)]
pub struct AnswerPermit {
    queue: AnswerQueue,
    request: Request,
}

/// The time in which a request does not use its permit.
#[derive(Debug)]
pub struct AnswerPause<'a> {
    permit: &'a AnswerPermit,
}

/// A request that waits; leaves the queue when it is dropped.
struct QueuedRequest<'a> {
    queue: &'a AnswerQueue,
    request: Request,
    number: u64,
}

impl AnswerQueue {
    /// An empty queue.
    #[must_use]
    pub fn new(limits: QueueLimits) -> Self {
        Self { limits, state: Arc::default() }
    }

    /// Waits for a permit. Dropping the future leaves the queue.
    ///
    /// # Errors
    /// See [`QueueError`].
    pub async fn acquire(&self, tenant: TenantId, chatbot: ChatbotId) -> Result<AnswerPermit, QueueError> {
        self.acquire_with_position(tenant, chatbot, |_| ()).await
    }

    /// Like [`AnswerQueue::acquire`], but reports the position in the queue after two seconds, and each change of it.
    ///
    /// # Errors
    /// See [`QueueError`].
    pub async fn acquire_with_position(
        &self,
        tenant: TenantId,
        chatbot: ChatbotId,
        on_position: impl FnMut(usize),
    ) -> Result<AnswerPermit, QueueError> {
        let (queued, granted) = {
            let (mut state, now) = (self.state.lock(), Instant::now());
            let request = state.queues.request(tenant, chatbot);
            if state.queues.may_start(self.limits, request, now) {
                state.queues.start(request, now);
                return Ok(AnswerPermit { queue: self.clone(), request });
            }
            let (sender, receiver) = oneshot::channel();
            let Some(number) = state.queues.push(request, sender, self.limits.max_queued) else {
                state.refused[0] += 1;
                return Err(QueueError::Full);
            };
            self.schedule_wake(&mut state, now);
            (QueuedRequest { queue: self, request, number }, receiver)
        };
        let permit = tokio::time::timeout(self.limits.queue_timeout, queued.wait(granted, on_position)).await;
        drop(queued);
        let permit = permit.ok().and_then(Result::ok);
        permit.ok_or_else(|| {
            self.state.lock().refused[1] += 1;
            QueueError::Timeout
        })
    }

    /// Its current state.
    #[must_use]
    pub fn load(&self) -> Load {
        let state = self.state.lock();
        let [full, timed_out] = state.refused;
        Load { running: state.queues.running(), waiting: state.queues.waiting(), full, timed_out }
    }

    /// Starts queued requests as long as there is room.
    fn start_next(&self) {
        let mut granted = Vec::new();
        {
            let (mut state, now) = (self.state.lock(), Instant::now());
            while let Some(Queued { request, sender, .. }) = state.queues.pop(self.limits, now) {
                state.queues.start(request, now);
                granted.push((sender, AnswerPermit { queue: self.clone(), request }));
            }
            self.schedule_wake(&mut state, now);
        }
        for (sender, permit) in granted {
            // If the request was cancelled, its permit is dropped, which starts the next one.
            drop(sender.send(permit));
        }
    }

    /// Schedules a check for when a burst request need no longer yield.
    fn schedule_wake(&self, state: &mut State, now: Instant) {
        let Some(due) = state.queues.due(self.limits, now) else { return };
        if state.wake_at.is_some_and(|wake_at| wake_at <= due) {
            return;
        }
        // Without a runtime the process is ending.
        let Ok(runtime) = Handle::try_current() else { return };
        state.wake_at = Some(due);
        let queue = self.clone();
        runtime.spawn(async move {
            sleep_until(due).await;
            queue.state.lock().wake_at.take_if(|wake_at| *wake_at <= due);
            queue.start_next();
        });
    }
}

impl QueuedRequest<'_> {
    async fn wait(
        &self,
        mut granted: oneshot::Receiver<AnswerPermit>,
        mut on_position: impl FnMut(usize),
    ) -> Result<AnswerPermit, oneshot::error::RecvError> {
        let (mut pause, mut reported) = (FIRST_REPORT_AFTER, None);
        loop {
            tokio::select! {
                permit = &mut granted => return permit,
                () = tokio::time::sleep(pause) => {}
            }
            pause = REPORT_INTERVAL;
            let place = self.queue.state.lock().queues.place(self.request, self.number);
            if place.is_some() && place != reported {
                place.into_iter().for_each(&mut on_position);
                reported = place;
            }
        }
    }
}

impl AnswerPermit {
    /// Runs `work`. Burst requests run embedding and reranking on low-priority threads.
    pub async fn run<F: Future>(&self, work: F) -> F::Output {
        if self.request.is_burst { rag::with_low_priority(work).await } else { work.await }
    }

    /// Lets other requests start while this one waits for a language model. When the pause is dropped, it goes on at once,
    /// also beyond the limits.
    #[must_use]
    pub fn pause(&self) -> AnswerPause<'_> {
        self.release();
        AnswerPause { permit: self }
    }

    fn release(&self) {
        self.queue.state.lock().queues.finish(self.request, Instant::now());
        self.queue.start_next();
    }
}

impl Drop for AnswerPermit {
    fn drop(&mut self) {
        self.release();
    }
}

impl Drop for AnswerPause<'_> {
    fn drop(&mut self) {
        let AnswerPermit { queue, request } = self.permit;
        queue.state.lock().queues.start(*request, Instant::now());
    }
}

impl Drop for QueuedRequest<'_> {
    fn drop(&mut self) {
        self.queue.state.lock().queues.remove(self.request, self.number);
    }
}

#[cfg(test)]
mod tests;
