//! Turns at work that costs much: so many in all, so many for each chatbot, the rest wait. Tenants take turns, and within a
//! tenant its chatbots, so that nobody waits for somebody else's flood; and whoever floods waits for the others. Waiting is
//! bounded in number and in time.

mod lines;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use contract::{ChatbotId, TenantId};
use tokio::{
    runtime::Handle,
    sync::oneshot,
    time::{Instant, sleep_until},
};

use self::lines::{Asker, Lines, Waiter};

/// The bounds of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Turns at the same time in all, at least 1.
    pub at_once: usize,
    /// Turns of one chatbot at the same time, at least 1.
    pub per_chatbot: usize,
    /// How many may wait for one chatbot.
    pub waiting: usize,
    /// How long one may wait.
    pub patience: Duration,
}

/// Why there is no turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Busy {
    /// Too many wait for this chatbot already.
    Full,
    /// It took too long.
    Late,
}

/// What a queue is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Turns that are taken.
    pub running: usize,
    /// How many wait.
    pub waiting: usize,
    /// How many found their chatbot's line full, since the start.
    pub full: u64,
    /// How many waited too long, since the start.
    pub late: u64,
}

/// Hands out turns.
#[derive(Debug, Clone)]
pub struct FairQueue {
    bounds: Bounds,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    lines: Lines,
    /// When somebody who is held back is looked after next.
    alarm: Option<Instant>,
    /// Who got no turn, by [`Busy`].
    refused: [u64; 2],
}

/// A turn; its end is its being dropped.
#[derive(Debug)]
pub struct Turn {
    queue: FairQueue,
    asker: Asker,
}

/// A place in the queue that is given up when it is dropped.
struct Place<'a> {
    queue: &'a FairQueue,
    asker: Asker,
    number: u64,
}

impl FairQueue {
    /// An empty queue.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds, state: Arc::default() }
    }

    /// Waits for a turn. Dropping the future gives the place up.
    ///
    /// # Errors
    /// See [`Busy`].
    pub async fn turn(&self, tenant: TenantId, chatbot: ChatbotId) -> Result<Turn, Busy> {
        let (place, called) = {
            let (mut state, now) = (self.lock(), Instant::now());
            let asker = state.lines.asker(tenant, chatbot);
            if state.lines.may_begin(self.bounds, asker, now) {
                state.lines.begin(asker, now);
                return Ok(Turn { queue: self.clone(), asker });
            }
            let (called, call) = oneshot::channel();
            let Some(number) = state.lines.wait(asker, called, self.bounds.waiting) else {
                state.refused[0] += 1;
                return Err(Busy::Full);
            };
            self.set_alarm(&mut state, now);
            (Place { queue: self, asker, number }, call)
        };
        let turn = tokio::time::timeout(self.bounds.patience, called).await;
        drop(place);
        let turn = turn.ok().and_then(Result::ok);
        turn.ok_or_else(|| {
            self.lock().refused[1] += 1;
            Busy::Late
        })
    }

    /// What it is doing.
    #[must_use]
    pub fn load(&self) -> Load {
        let state = self.lock();
        let [full, late] = state.refused;
        Load { running: state.lines.running(), waiting: state.lines.waiting(), full, late }
    }

    /// Calls whoever is next, as long as there is room.
    fn call(&self) {
        let mut called = Vec::new();
        {
            let (mut state, now) = (self.lock(), Instant::now());
            while let Some(Waiter { asker, called: call, .. }) = state.lines.next(self.bounds, now) {
                state.lines.begin(asker, now);
                called.push((call, Turn { queue: self.clone(), asker }));
            }
            self.set_alarm(&mut state, now);
        }
        for (call, turn) in called {
            // Whoever has left meanwhile does not take the turn, and its end calls the next one.
            drop(call.send(turn));
        }
    }

    /// Calls again when somebody who is held back may begin.
    fn set_alarm(&self, state: &mut State, now: Instant) {
        let Some(due) = state.lines.due(self.bounds, now) else { return };
        if state.alarm.is_some_and(|alarm| alarm <= due) {
            return;
        }
        // Without a runtime the process is ending.
        let Ok(runtime) = Handle::try_current() else { return };
        state.alarm = Some(due);
        let queue = self.clone();
        runtime.spawn(async move {
            sleep_until(due).await;
            queue.lock().alarm.take_if(|alarm| *alarm <= due);
            queue.call();
        });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Works within the turn. Whoever crowds has his embedding and reranking done with what the others leave of the processor.
    pub async fn work<F: Future>(self, work: F) -> F::Output {
        if self.asker.crowded { rag::with_low_priority(work).await } else { work.await }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.queue.lock().lines.end(self.asker, Instant::now());
        self.queue.call();
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.queue.lock().lines.leave(self.asker, self.number);
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

    fn queue(at_once: usize, per_chatbot: usize, waiting: usize) -> FairQueue {
        FairQueue::new(Bounds { at_once, per_chatbot, waiting, patience: LONG })
    }

    /// How many have a turn, and how many wait.
    fn load(queue: &FairQueue) -> (usize, usize) {
        let Load { running, waiting, .. } = queue.load();
        (running, waiting)
    }

    /// Somebody who asks for a chatbot of a tenant.
    struct Asker<'a>(&'static str, BoxFuture<'a, Result<Turn, Busy>>);

    fn ask<'a>(queue: &'a FairQueue, name: &'static str, tenant: u128, chatbot: u128) -> Asker<'a> {
        let mut turn = queue.turn(TenantId(Uuid::from_u128(tenant)), ChatbotId(Uuid::from_u128(chatbot))).boxed();
        assert!((&mut turn).now_or_never().is_none(), "{name} waits");
        Asker(name, turn)
    }

    async fn begin(queue: &FairQueue, tenant: u128, chatbot: u128) -> Turn {
        queue.turn(TenantId(Uuid::from_u128(tenant)), ChatbotId(Uuid::from_u128(chatbot))).await.unwrap()
    }

    /// Ends the turn that runs, again and again; the order in which the others get theirs.
    async fn order(mut running: Turn, mut askers: Vec<Asker<'_>>) -> String {
        let mut order = String::new();
        while !askers.is_empty() {
            drop(running);
            let calls = askers.iter_mut().map(|asker| &mut asker.1);
            let (called, at, _) = tokio::time::timeout(LONG, select_all(calls)).await.expect("somebody is next");
            running = called.unwrap();
            order.push_str(askers.remove(at).0);
            assert_eq!(load(&running.queue), (1, askers.len()));
        }
        order
    }

    #[tokio::test]
    async fn a_flood_of_one_tenant_leaves_the_others_their_turns() {
        let queue = queue(1, 1, 100);
        let running = begin(&queue, 1, 1).await;
        let mut askers: Vec<_> = (0..4).map(|_| ask(&queue, "a", 1, 1)).collect();
        askers.extend([ask(&queue, "b", 2, 2), ask(&queue, "b", 2, 2), ask(&queue, "c", 3, 3)]);
        assert_eq!(order(running, askers).await, "abcbaaa", "once the others have had theirs");
        assert_eq!(load(&queue), (0, 0));
    }

    #[tokio::test]
    async fn a_tenant_with_many_chatbots_gets_no_more_turns_and_its_chatbots_share_them() {
        let queue = queue(1, 1, 100);
        let running = begin(&queue, 1, 1).await;
        let mut askers = vec![ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1), ask(&queue, "x", 1, 10)];
        askers.extend([ask(&queue, "y", 1, 11), ask(&queue, "b", 2, 2), ask(&queue, "b", 2, 2)]);
        assert_eq!(order(running, askers).await, "abbxya");
    }

    #[tokio::test]
    async fn a_chatbot_at_its_bound_leaves_room_that_another_one_takes_at_once() {
        let queue = queue(4, 2, 100);
        let first = begin(&queue, 1, 1).await;
        let _second = begin(&queue, 1, 1).await;
        let mut third = ask(&queue, "a", 1, 1);
        let _other = begin(&queue, 2, 2).await;
        assert_eq!(load(&queue), (3, 1));
        drop(first);
        assert!((&mut third.1).now_or_never().is_some());
    }

    #[tokio::test]
    async fn whoever_asks_beside_others_of_the_tenant_gives_way() {
        let queue = queue(4, 2, 100);
        let first = begin(&queue, 1, 1).await;
        let second = begin(&queue, 1, 1).await;
        let mut third = ask(&queue, "a", 1, 1);
        let other = begin(&queue, 2, 2).await;
        let crowded = |turn: &Turn| turn.asker.crowded;
        assert_eq!([&first, &second, &other].map(crowded), [false, true, false]);
        drop(first);
        let third = (&mut third.1).now_or_never().unwrap().unwrap();
        assert!(third.asker.crowded, "the second one is still there");
        drop((second, third));
        assert!(!begin(&queue, 1, 1).await.asker.crowded);
    }

    #[tokio::test]
    async fn whoever_is_held_back_is_called_at_his_pace_and_when_the_others_have_gone() {
        let queue = queue(2, 1, 100);
        for others_stay in [true, false] {
            let first = begin(&queue, 1, 1).await;
            let [second, third] = ["a", "a"].map(|name| ask(&queue, name, 1, 1));
            let other = begin(&queue, 2, 2).await;
            drop(first);
            let second = second.1.await.unwrap();
            drop(second);
            assert_eq!(load(&queue), (1, 1), "there is room, but not for a crowd");
            let other = others_stay.then_some(other);
            assert!(tokio::time::timeout(LONG, third.1).await.unwrap().unwrap().asker.crowded);
            drop(other);
        }
    }

    #[tokio::test]
    async fn whoever_comes_while_his_chatbot_is_held_back_goes_behind() {
        let queue = queue(2, 1, 100);
        let first = begin(&queue, 1, 1).await;
        let [second, third] = ["a", "a"].map(|name| ask(&queue, name, 1, 1));
        let _other = begin(&queue, 2, 2).await;
        drop(first);
        drop(second.1.await.unwrap());
        let (last, third) = (ask(&queue, "a", 1, 1), third.1.await.unwrap());
        drop(third);
        assert!(last.1.await.is_ok());
    }

    #[tokio::test]
    async fn a_chatbots_line_is_bounded_and_the_others_are_not_full() {
        let queue = queue(1, 1, 2);
        let _running = begin(&queue, 1, 1).await;
        let _waiting = [ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1)];
        let refused = queue.turn(TenantId(Uuid::from_u128(1)), ChatbotId(Uuid::from_u128(1))).await;
        assert_eq!(refused.err(), Some(Busy::Full));
        ask(&queue, "x", 1, 10);
        ask(&queue, "b", 2, 2);
    }

    #[tokio::test]
    async fn waiting_ends_and_the_place_with_it() {
        let bounds = Bounds { at_once: 1, per_chatbot: 1, waiting: 1, patience: Duration::from_millis(20) };
        let queue = FairQueue::new(bounds);
        let running = begin(&queue, 1, 1).await;
        for _ in 0..2 {
            let late = queue.turn(TenantId(Uuid::from_u128(1)), ChatbotId(Uuid::from_u128(1))).await;
            assert_eq!(late.err(), Some(Busy::Late));
        }
        drop(running);
        assert_eq!(load(&queue), (0, 0));
    }

    #[tokio::test]
    async fn whoever_leaves_takes_no_turn_even_one_that_was_called() {
        let queue = queue(1, 1, 100);
        let running = begin(&queue, 1, 1).await;
        let (left, called, last) = (ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1));
        drop(left);
        assert_eq!(load(&queue), (1, 2));
        drop(running);
        assert_eq!(load(&queue), (1, 1), "the second one is called and has not heard it");
        drop(called);
        assert_eq!(load(&queue), (1, 0));
        assert!(last.1.now_or_never().is_some_and(|turn| turn.is_ok()));
        assert_eq!(load(&queue), (0, 0));
    }
}
