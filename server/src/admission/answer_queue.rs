//! Limits concurrent answers, in all and for each chatbot; further requests queue. Tenants are served round-robin, and within a
//! tenant its chatbots. While other tenants are active, a tenant's burst leaves a part of the slots to them. The queue of a
//! chatbot is bounded in length and in time.

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

/// How long a request waits before it is told its place.
const TELL_AFTER: Duration = if cfg!(test) { Duration::from_millis(10) } else { Duration::from_secs(2) };
/// How often a new place is looked for after that.
const TELL_EVERY: Duration = if cfg!(test) { Duration::from_millis(2) } else { Duration::from_millis(500) };

/// The limits of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueLimits {
    /// Answers at the same time in all, at least 1.
    pub max_concurrent: usize,
    /// Answers of one chatbot at the same time, at least 1.
    pub max_concurrent_per_chatbot: usize,
    /// Requests that may wait for one chatbot.
    pub max_queued: usize,
    /// How long a request may wait.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// When a burst request that must yield is looked at again.
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
        self.acquire_told(tenant, chatbot, |_| ()).await
    }

    /// As [`AnswerQueue::acquire`]; who waits for more than two seconds is told the place in the queue, and each new one.
    ///
    /// # Errors
    /// See [`QueueError`].
    pub async fn acquire_told(
        &self,
        tenant: TenantId,
        chatbot: ChatbotId,
        tell: impl FnMut(usize),
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
        let permit = tokio::time::timeout(self.limits.queue_timeout, queued.wait(granted, tell)).await;
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
            // A request that has left meanwhile drops its permit, which starts the next one.
            drop(sender.send(permit));
        }
    }

    /// Starts queued requests again when a burst request need no longer yield.
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
        mut tell: impl FnMut(usize),
    ) -> Result<AnswerPermit, oneshot::error::RecvError> {
        let (mut pause, mut told) = (TELL_AFTER, None);
        loop {
            tokio::select! {
                permit = &mut granted => return permit,
                () = tokio::time::sleep(pause) => {}
            }
            pause = TELL_EVERY;
            let place = self.queue.state.lock().queues.place(self.request, self.number);
            if place.is_some() && place != told {
                place.into_iter().for_each(&mut tell);
                told = place;
            }
        }
    }
}

impl AnswerPermit {
    /// Runs the work and gives the permit back. Burst requests run embedding and reranking on low-priority threads.
    pub async fn run<F: Future>(self, work: F) -> F::Output {
        if self.request.is_burst { rag::with_low_priority(work).await } else { work.await }
    }
}

impl Drop for AnswerPermit {
    fn drop(&mut self) {
        self.queue.state.lock().queues.finish(self.request, Instant::now());
        self.queue.start_next();
    }
}

impl Drop for QueuedRequest<'_> {
    fn drop(&mut self) {
        self.queue.state.lock().queues.remove(self.request, self.number);
    }
}

#[cfg(test)]
mod tests {
    use futures::{
        FutureExt,
        future::{BoxFuture, select_all},
    };
    use uuid::Uuid;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn queue(max_concurrent: usize, max_concurrent_per_chatbot: usize, max_queued: usize) -> AnswerQueue {
        AnswerQueue::new(QueueLimits { max_concurrent, max_concurrent_per_chatbot, max_queued, queue_timeout: LONG })
    }

    /// Running and waiting requests.
    fn load(queue: &AnswerQueue) -> (usize, usize) {
        let Load { running, waiting, .. } = queue.load();
        (running, waiting)
    }

    /// A request that waits, with its name.
    struct Waiting<'a>(&'static str, BoxFuture<'a, Result<AnswerPermit, QueueError>>);

    fn ask<'a>(queue: &'a AnswerQueue, name: &'static str, tenant: u128, chatbot: u128) -> Waiting<'a> {
        let mut permit = queue.acquire(TenantId(Uuid::from_u128(tenant)), ChatbotId(Uuid::from_u128(chatbot))).boxed();
        assert!((&mut permit).now_or_never().is_none(), "{name} waits");
        Waiting(name, permit)
    }

    async fn start(queue: &AnswerQueue, tenant: u128, chatbot: u128) -> AnswerPermit {
        queue.acquire(TenantId(Uuid::from_u128(tenant)), ChatbotId(Uuid::from_u128(chatbot))).await.unwrap()
    }

    /// Ends the running answer again and again; the order in which the waiting requests start.
    async fn order(mut running: AnswerPermit, mut requests: Vec<Waiting<'_>>) -> String {
        let mut order = String::new();
        while !requests.is_empty() {
            drop(running);
            let permits = requests.iter_mut().map(|request| &mut request.1);
            let (granted, at, _) = tokio::time::timeout(LONG, select_all(permits)).await.expect("a request is next");
            running = granted.unwrap();
            order.push_str(requests.remove(at).0);
            assert_eq!(load(&running.queue), (1, requests.len()));
        }
        order
    }

    #[tokio::test]
    async fn tenants_are_served_round_robin_despite_a_burst() {
        let queue = queue(1, 1, 100);
        let running = start(&queue, 1, 1).await;
        let mut requests: Vec<_> = (0..4).map(|_| ask(&queue, "a", 1, 1)).collect();
        requests.extend([ask(&queue, "b", 2, 2), ask(&queue, "b", 2, 2), ask(&queue, "c", 3, 3)]);
        assert_eq!(order(running, requests).await, "abcbaaa", "the rest of the burst comes last");
        assert_eq!(load(&queue), (0, 0));
    }

    #[tokio::test]
    async fn chatbots_of_a_tenant_share_its_slots_round_robin() {
        let queue = queue(1, 1, 100);
        let running = start(&queue, 1, 1).await;
        let mut requests = vec![ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1), ask(&queue, "x", 1, 10)];
        requests.extend([ask(&queue, "y", 1, 11), ask(&queue, "b", 2, 2), ask(&queue, "b", 2, 2)]);
        assert_eq!(order(running, requests).await, "abbxya");
    }

    #[tokio::test]
    async fn a_chatbot_at_its_limit_leaves_its_slots_to_others() {
        let queue = queue(4, 2, 100);
        let first = start(&queue, 1, 1).await;
        let _second = start(&queue, 1, 1).await;
        let mut third = ask(&queue, "a", 1, 1);
        let _other = start(&queue, 2, 2).await;
        assert_eq!(load(&queue), (3, 1));
        drop(first);
        assert!((&mut third.1).now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_second_request_of_a_tenant_is_a_burst() {
        let queue = queue(4, 2, 100);
        let first = start(&queue, 1, 1).await;
        let second = start(&queue, 1, 1).await;
        let mut third = ask(&queue, "a", 1, 1);
        let other = start(&queue, 2, 2).await;
        let is_burst = |permit: &AnswerPermit| permit.request.is_burst;
        assert_eq!([&first, &second, &other].map(is_burst), [false, true, false]);
        drop(first);
        let third = (&mut third.1).now_or_never().unwrap().unwrap();
        assert!(third.request.is_burst, "the second one is still there");
        drop((second, third));
        assert!(!start(&queue, 1, 1).await.request.is_burst);
    }

    #[tokio::test]
    async fn burst_requests_start_every_250_ms_while_others_are_active() {
        let queue = queue(2, 1, 100);
        for others_stay in [true, false] {
            let first = start(&queue, 1, 1).await;
            let [second, third] = ["a", "a"].map(|name| ask(&queue, name, 1, 1));
            let other = start(&queue, 2, 2).await;
            drop(first);
            let second = second.1.await.unwrap();
            drop(second);
            assert_eq!(load(&queue), (1, 1), "the free slot is not for a burst");
            let other = others_stay.then_some(other);
            assert!(tokio::time::timeout(LONG, third.1).await.unwrap().unwrap().request.is_burst);
            drop(other);
        }
    }

    #[tokio::test]
    async fn a_new_request_queues_behind_a_burst_that_yields() {
        let queue = queue(2, 1, 100);
        let first = start(&queue, 1, 1).await;
        let [second, third] = ["a", "a"].map(|name| ask(&queue, name, 1, 1));
        let _other = start(&queue, 2, 2).await;
        drop(first);
        drop(second.1.await.unwrap());
        let (last, third) = (ask(&queue, "a", 1, 1), third.1.await.unwrap());
        drop(third);
        assert!(last.1.await.is_ok());
    }

    #[tokio::test]
    async fn the_queue_of_one_chatbot_is_bounded_for_itself() {
        let queue = queue(1, 1, 2);
        let _running = start(&queue, 1, 1).await;
        let _waiting = [ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1)];
        let refused = queue.acquire(TenantId(Uuid::from_u128(1)), ChatbotId(Uuid::from_u128(1))).await;
        assert_eq!(refused.err(), Some(QueueError::Full));
        ask(&queue, "x", 1, 10);
        ask(&queue, "b", 2, 2);
    }

    #[tokio::test]
    async fn a_timed_out_request_leaves_the_queue() {
        let limits = QueueLimits {
            max_concurrent: 1,
            max_concurrent_per_chatbot: 1,
            max_queued: 1,
            queue_timeout: Duration::from_millis(20),
        };
        let queue = AnswerQueue::new(limits);
        let running = start(&queue, 1, 1).await;
        for _ in 0..2 {
            let timed_out = queue.acquire(TenantId(Uuid::from_u128(1)), ChatbotId(Uuid::from_u128(1))).await;
            assert_eq!(timed_out.err(), Some(QueueError::Timeout));
        }
        drop(running);
        assert_eq!(load(&queue), (0, 0));
    }

    #[tokio::test]
    async fn who_waits_is_told_each_new_place() {
        let queue = queue(1, 1, 100);
        let running = start(&queue, 1, 1).await;
        let first = ask(&queue, "b", 2, 2);
        let (told, mut places) = tokio::sync::mpsc::unbounded_channel();
        let (tenant, chatbot) = (TenantId(Uuid::from_u128(3)), ChatbotId(Uuid::from_u128(3)));
        let waiting = queue.acquire_told(tenant, chatbot, |place| told.send(place).unwrap());
        let serving = async {
            assert_eq!(places.recv().await, Some(2));
            drop(running);
            let second = first.1.await.unwrap();
            assert_eq!(places.recv().await, Some(1), "once for each place");
            drop(second);
        };
        let (granted, ()) = tokio::join!(waiting, serving);
        assert!(granted.is_ok());
    }

    #[tokio::test]
    async fn a_request_that_left_passes_its_permit_on() {
        let queue = queue(1, 1, 100);
        let running = start(&queue, 1, 1).await;
        let (left, granted, last) = (ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1));
        drop(left);
        assert_eq!(load(&queue), (1, 2));
        drop(running);
        assert_eq!(load(&queue), (1, 1), "the second one has its permit and has not seen it");
        drop(granted);
        assert_eq!(load(&queue), (1, 0));
        assert!(last.1.now_or_never().is_some_and(|permit| permit.is_ok()));
        assert_eq!(load(&queue), (0, 0));
    }
}
