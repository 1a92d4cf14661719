//! Turns at work that costs much: so many in all, so many for each chatbot, the rest wait. Tenants take turns, and within a
//! tenant its chatbots, so that nobody waits for somebody else's flood. Waiting is bounded in number and in time.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use contract::{ChatbotId, TenantId};
use tokio::sync::oneshot;

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

/// Whose turn it is.
type Owner = (TenantId, ChatbotId);

#[derive(Debug, Default)]
struct State {
    running: usize,
    of_chatbot: HashMap<ChatbotId, usize>,
    /// Who waits, the next tenant first; nobody in it is empty.
    tenants: VecDeque<(TenantId, VecDeque<Line>)>,
    /// The next waiter's number.
    number: u64,
    /// Who got no turn, by [`Busy`].
    refused: [u64; 2],
}

/// Those who wait for one chatbot, the longest first.
#[derive(Debug)]
struct Line {
    chatbot: ChatbotId,
    waiters: VecDeque<Waiter>,
}

#[derive(Debug)]
struct Waiter {
    number: u64,
    called: oneshot::Sender<Turn>,
}

/// A turn; its end is its being dropped.
#[derive(Debug)]
pub struct Turn {
    queue: FairQueue,
    owner: Owner,
    crowded: bool,
}

/// A place in the queue that is given up when it is dropped.
struct Place<'a> {
    queue: &'a FairQueue,
    owner: Owner,
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
        let owner = (tenant, chatbot);
        let (place, called) = {
            let mut state = self.lock();
            if state.has_room(self.bounds, chatbot) {
                state.begin(owner);
                return Ok(self.begun(&state, owner));
            }
            let (called, call) = oneshot::channel();
            let number = state.wait(owner, called, self.bounds.waiting)?;
            (Place { queue: self, owner, number }, call)
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
        let lines = state.tenants.iter().flat_map(|(_, lines)| lines);
        let waiting = lines.map(|line| line.waiters.len()).sum();
        let [full, late] = state.refused;
        Load { running: state.running, waiting, full, late }
    }

    /// A turn that has begun.
    fn begun(&self, state: &State, owner: Owner) -> Turn {
        Turn { queue: self.clone(), owner, crowded: state.is_crowded(owner) }
    }

    /// Calls whoever is next, as long as there is room.
    fn call(&self) {
        let mut called = Vec::new();
        {
            let mut state = self.lock();
            while let Some((owner, waiter)) = state.next(self.bounds) {
                state.begin(owner);
                called.push((waiter, self.begun(&state, owner)));
            }
        }
        for (waiter, turn) in called {
            // Whoever has left meanwhile does not take the turn, and its end calls the next one.
            drop(waiter.called.send(turn));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Whether the tenant had other questions when it began: it takes what the others leave of the processor.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        self.crowded
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.queue.lock().end(self.owner.1);
        self.queue.call();
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.queue.lock().leave(self.owner, self.number);
    }
}

impl State {
    fn has_room(&self, bounds: Bounds, chatbot: ChatbotId) -> bool {
        let own = self.of_chatbot.get(&chatbot).copied().unwrap_or(0);
        self.running < bounds.at_once && own < bounds.per_chatbot
    }

    /// Whether another question to the chatbot is worked on or one to its tenant waits.
    fn is_crowded(&self, (tenant, chatbot): Owner) -> bool {
        self.of_chatbot.get(&chatbot).is_some_and(|own| *own > 1)
            || self.tenants.iter().any(|(known, _)| *known == tenant)
    }

    fn begin(&mut self, (_, chatbot): Owner) {
        self.running += 1;
        *self.of_chatbot.entry(chatbot).or_insert(0) += 1;
    }

    fn end(&mut self, chatbot: ChatbotId) {
        self.running -= 1;
        if let Some(own) = self.of_chatbot.get_mut(&chatbot) {
            *own -= 1;
            if *own == 0 {
                self.of_chatbot.remove(&chatbot);
            }
        }
    }

    /// Takes a place at the end of the chatbot's line; gives its number.
    fn wait(&mut self, (tenant, chatbot): Owner, called: oneshot::Sender<Turn>, most: usize) -> Result<u64, Busy> {
        let at = self.tenants.iter().position(|(known, _)| *known == tenant);
        let lines = at.map(|at| &mut self.tenants[at].1);
        let line = lines.and_then(|lines| lines.iter_mut().find(|line| line.chatbot == chatbot));
        if line.as_ref().map_or(0, |line| line.waiters.len()) >= most {
            self.refused[0] += 1;
            return Err(Busy::Full);
        }
        let number = self.number;
        self.number += 1;
        let waiter = Waiter { number, called };
        match (line, at) {
            (Some(line), _) => line.waiters.push_back(waiter),
            (None, Some(at)) => self.tenants[at].1.push_back(Line { chatbot, waiters: [waiter].into() }),
            (None, None) => {
                self.tenants.push_back((tenant, [Line { chatbot, waiters: [waiter].into() }].into()));
            }
        }
        Ok(number)
    }

    fn leave(&mut self, (tenant, chatbot): Owner, number: u64) {
        for (_, lines) in self.tenants.iter_mut().filter(|(known, _)| *known == tenant) {
            for line in lines.iter_mut().filter(|line| line.chatbot == chatbot) {
                line.waiters.retain(|waiter| waiter.number != number);
            }
            lines.retain(|line| !line.waiters.is_empty());
        }
        self.tenants.retain(|(_, lines)| !lines.is_empty());
    }

    /// Takes whoever is next out of the queue: the first tenant with a chatbot that has room, and of it the first such
    /// chatbot. Both go to the end.
    fn next(&mut self, bounds: Bounds) -> Option<(Owner, Waiter)> {
        let room = |line: &Line| self.has_room(bounds, line.chatbot);
        let place = |(at, (_, lines)): (usize, &(TenantId, VecDeque<Line>))| Some((at, lines.iter().position(room)?));
        let (at, line) = self.tenants.iter().enumerate().find_map(place)?;
        let (tenant, mut lines) = self.tenants.remove(at)?;
        let mut line = lines.remove(line)?;
        let waiter = line.waiters.pop_front()?;
        let owner = (tenant, line.chatbot);
        if !line.waiters.is_empty() {
            lines.push_back(line);
        }
        if !lines.is_empty() {
            self.tenants.push_back((tenant, lines));
        }
        Some((owner, waiter))
    }
}

#[cfg(test)]
mod tests {
    use futures::{FutureExt, future::BoxFuture};
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
    fn order(mut running: Turn, mut askers: Vec<Asker<'_>>) -> String {
        let mut order = String::new();
        while !askers.is_empty() {
            drop(running);
            let called: Vec<_> =
                askers.iter_mut().map(|asker| (&mut asker.1).now_or_never().map(Result::unwrap)).collect();
            let at = called.iter().position(Option::is_some).expect("somebody is next");
            assert_eq!(called.iter().flatten().count(), 1);
            running = called.into_iter().flatten().next().unwrap();
            order.push_str(askers.remove(at).0);
        }
        order
    }

    #[tokio::test]
    async fn a_flood_of_one_tenant_leaves_the_others_their_turns() {
        let queue = queue(1, 1, 100);
        let running = begin(&queue, 1, 1).await;
        let mut askers: Vec<_> = (0..4).map(|_| ask(&queue, "a", 1, 1)).collect();
        askers.extend([ask(&queue, "b", 2, 2), ask(&queue, "b", 2, 2), ask(&queue, "c", 3, 3)]);
        assert_eq!(order(running, askers), "abcabaa");
        assert_eq!(load(&queue), (0, 0));
    }

    #[tokio::test]
    async fn a_tenant_with_many_chatbots_gets_no_more_turns_and_its_chatbots_share_them() {
        let queue = queue(1, 1, 100);
        let running = begin(&queue, 1, 1).await;
        let mut askers = vec![ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1), ask(&queue, "x", 1, 10)];
        askers.extend([ask(&queue, "y", 1, 11), ask(&queue, "b", 2, 2), ask(&queue, "b", 2, 2)]);
        assert_eq!(order(running, askers), "abxbya");
    }

    #[tokio::test]
    async fn a_chatbot_at_its_bound_leaves_room_that_another_one_takes_at_once() {
        let queue = queue(3, 2, 100);
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
        let queue = queue(3, 2, 100);
        let first = begin(&queue, 1, 1).await;
        let second = begin(&queue, 1, 1).await;
        let mut third = ask(&queue, "a", 1, 1);
        let other = begin(&queue, 2, 2).await;
        let crowded = |turn: &Turn| turn.is_crowded();
        assert_eq!([&first, &second, &other].map(crowded), [false, true, false]);
        drop(first);
        let third = (&mut third.1).now_or_never().unwrap().unwrap();
        assert!(third.is_crowded(), "the second one is still there");
        drop((second, third));
        assert!(!begin(&queue, 1, 1).await.is_crowded());
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
