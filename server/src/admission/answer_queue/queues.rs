//! The running and the queued requests, and the choice of the next one.

use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

use contract::{ChatbotId, TenantId};
use tokio::{sync::oneshot, time::Instant};

use super::{AnswerPermit, QueueLimits};

/// A burst starts a request at least this often, whichever tenants are active.
const BURST_INTERVAL: Duration = Duration::from_millis(250);
/// Grace period after a tenant's request during which it still counts as active, so that a burst does not immediately take its slot.
const ACTIVE_GRACE: Duration = Duration::from_millis(20);

/// A request to answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    tenant: TenantId,
    chatbot: ChatbotId,
    /// Whether another request of the chatbot was running, or one of the tenant was queued, when it arrived.
    pub(super) is_burst: bool,
}

#[derive(Debug, Default)]
pub(super) struct Queues {
    running: usize,
    of_chatbot: HashMap<ChatbotId, usize>,
    /// The non-empty queues of tenants, the next one first.
    tenants: VecDeque<(TenantId, VecDeque<Queue>)>,
    /// The tenants of running requests that are not a burst, one entry for each request.
    active: Vec<TenantId>,
    /// Tenants whose last request has just ended, with the end of their grace period.
    recently_active: Vec<(TenantId, Instant)>,
    /// When the burst of a tenant starts its next request at the latest.
    next_burst_at: HashMap<TenantId, Instant>,
    next_number: u64,
}

/// The requests that wait for one chatbot, the oldest first.
#[derive(Debug)]
struct Queue {
    chatbot: ChatbotId,
    requests: VecDeque<Queued>,
}

#[derive(Debug)]
pub(super) struct Queued {
    pub(super) request: Request,
    pub(super) sender: oneshot::Sender<AnswerPermit>,
    number: u64,
}

impl Queues {
    /// Creates a request that arrives now.
    pub(super) fn request(&self, tenant: TenantId, chatbot: ChatbotId) -> Request {
        let is_burst = self.of_chatbot.contains_key(&chatbot) || self.position_of(tenant).is_some();
        Request { tenant, chatbot, is_burst }
    }

    pub(super) fn running(&self) -> usize {
        self.running
    }

    pub(super) fn waiting(&self) -> usize {
        self.tenants.iter().flat_map(|(_, queues)| queues).map(|queue| queue.requests.len()).sum()
    }

    /// Whether a new request may start: no other one waits for its chatbot.
    pub(super) fn may_start(&self, limits: QueueLimits, request: Request, now: Instant) -> bool {
        let queues = self.position_of(request.tenant).map(|at| &self.tenants[at].1);
        !queues.is_some_and(|queues| queues.iter().any(|queue| queue.chatbot == request.chatbot))
            && self.has_room(limits, request, now)
    }

    pub(super) fn start(&mut self, Request { tenant, chatbot, is_burst }: Request, now: Instant) {
        self.running += 1;
        *self.of_chatbot.entry(chatbot).or_insert(0) += 1;
        if is_burst {
            self.next_burst_at.retain(|_, due| *due > now);
            self.next_burst_at.insert(tenant, now + BURST_INTERVAL);
        } else {
            self.active.push(tenant);
        }
    }

    pub(super) fn finish(&mut self, Request { tenant, chatbot, is_burst }: Request, now: Instant) {
        self.running -= 1;
        if let Some(own) = self.of_chatbot.get_mut(&chatbot) {
            *own -= 1;
            if *own == 0 {
                self.of_chatbot.remove(&chatbot);
            }
        }
        if let Some(at) = self.active.iter().position(|active| !is_burst && *active == tenant) {
            self.active.swap_remove(at);
            self.recently_active.retain(|(other, until)| *other != tenant && *until > now);
            self.recently_active.push((tenant, now + ACTIVE_GRACE));
        }
    }

    /// Appends to the chatbot's queue and returns the request's number; `None` when `max_queued` requests are queued.
    pub(super) fn push(
        &mut self,
        request: Request,
        sender: oneshot::Sender<AnswerPermit>,
        max_queued: usize,
    ) -> Option<u64> {
        let Request { tenant, chatbot, .. } = request;
        let at = self.position_of(tenant);
        let queues = at.map(|at| &mut self.tenants[at].1);
        let queue = queues.and_then(|queues| queues.iter_mut().find(|queue| queue.chatbot == chatbot));
        if queue.as_ref().map_or(0, |queue| queue.requests.len()) >= max_queued {
            return None;
        }
        let number = self.next_number;
        self.next_number += 1;
        let queued = Queued { request, sender, number };
        match (queue, at) {
            (Some(queue), _) => queue.requests.push_back(queued),
            (None, Some(at)) => self.tenants[at].1.push_back(Queue { chatbot, requests: [queued].into() }),
            (None, None) => {
                self.tenants.push_back((tenant, [Queue { chatbot, requests: [queued].into() }].into()));
            }
        }
        Some(number)
    }

    /// The position of a queued request, from 1, as tenants and chatbots take turns: the number of requests that start
    /// up to and including it if no others arrive. `None` when it is not queued.
    pub(super) fn place(&self, request: Request, number: u64) -> Option<usize> {
        let tenant = self.position_of(request.tenant)?;
        let own = &self.tenants[tenant].1;
        let chatbot = own.iter().position(|queue| queue.chatbot == request.chatbot)?;
        let ahead = own[chatbot].requests.iter().position(|queued| queued.number == number)?;
        // Queues that are ahead in a round have one more turn before this one.
        let turns = |waiting: usize, is_ahead: bool, rounds: usize| waiting.min(rounds + usize::from(is_ahead));
        let of_queue = |(at, queue): (usize, &Queue)| turns(queue.requests.len(), at < chatbot, ahead);
        let of_tenant = ahead + own.iter().enumerate().filter(|(at, _)| *at != chatbot).map(of_queue).sum::<usize>();
        let others = self.tenants.iter().enumerate().filter(|(at, _)| *at != tenant);
        let of_others = others.map(|(at, (_, queues))| {
            let waiting = queues.iter().map(|queue| queue.requests.len()).sum();
            turns(waiting, at < tenant, of_tenant)
        });
        Some(1 + of_tenant + of_others.sum::<usize>())
    }

    pub(super) fn remove(&mut self, Request { tenant, chatbot, .. }: Request, number: u64) {
        for (_, queues) in self.tenants.iter_mut().filter(|(owner, _)| *owner == tenant) {
            for queue in queues.iter_mut().filter(|queue| queue.chatbot == chatbot) {
                queue.requests.retain(|queued| queued.number != number);
            }
            queues.retain(|queue| !queue.requests.is_empty());
        }
        self.tenants.retain(|(_, queues)| !queues.is_empty());
    }

    /// Removes the next request: of the first tenant that has a chatbot with a free slot, and of its first such
    /// chatbot. Both then move to the end of their queue.
    ///
    /// With tenant A waiting for chatbots `x, x, y`, tenant B for `z`, and one slot, the order is `x` (A), `z` (B), `y` (A),
    /// `x` (A): after its first `x`, tenant A goes behind B, and its chatbot `x` behind `y`.
    pub(super) fn pop(&mut self, limits: QueueLimits, now: Instant) -> Option<Queued> {
        let room =
            |queue: &Queue| queue.requests.front().is_some_and(|first| self.has_room(limits, first.request, now));
        let place =
            |(at, (_, queues)): (usize, &(TenantId, VecDeque<Queue>))| Some((at, queues.iter().position(room)?));
        let (at, queue) = self.tenants.iter().enumerate().find_map(place)?;
        let (tenant, mut queues) = self.tenants.remove(at)?;
        let mut queue = queues.remove(queue)?;
        let next = queue.requests.pop_front()?;
        if !queue.requests.is_empty() {
            queues.push_back(queue);
        }
        if !queues.is_empty() {
            self.tenants.push_back((tenant, queues));
        }
        Some(next)
    }

    /// When a request that must yield may start at the latest: at its interval, or when another tenant is no longer
    /// active.
    pub(super) fn due(&self, limits: QueueLimits, now: Instant) -> Option<Instant> {
        let firsts = self.tenants.iter().flat_map(|(_, queues)| queues).filter_map(|queue| queue.requests.front());
        let yielding = firsts
            .map(|first| first.request)
            .filter(|request| self.is_below_limits(limits, request.chatbot) && self.must_yield(limits, *request, now));
        let due = |Request { tenant, .. }: Request| {
            self.others_active_until(tenant, now).chain(self.next_burst_at.get(&tenant).copied())
        };
        yielding.flat_map(due).min()
    }

    /// Until when other tenants whose last request has just ended count as active.
    fn others_active_until(&self, tenant: TenantId, now: Instant) -> impl Iterator<Item = Instant> {
        let others = self.recently_active.iter().filter(move |(other, until)| *other != tenant && *until > now);
        others.map(|(_, until)| *until)
    }

    fn position_of(&self, tenant: TenantId) -> Option<usize> {
        self.tenants.iter().position(|(owner, _)| *owner == tenant)
    }

    fn has_room(&self, limits: QueueLimits, request: Request, now: Instant) -> bool {
        self.is_below_limits(limits, request.chatbot) && !self.must_yield(limits, request, now)
    }

    fn is_below_limits(&self, limits: QueueLimits, chatbot: ChatbotId) -> bool {
        let own = self.of_chatbot.get(&chatbot).copied().unwrap_or(0);
        self.running < limits.max_concurrent && own < limits.max_concurrent_per_chatbot
    }

    /// Whether a burst request waits for other tenants: while they are active, the last quarter of all slots is theirs. Every
    /// [`BURST_INTERVAL`] a burst starts a request nevertheless.
    ///
    /// With 8 slots and another active tenant, a burst takes slots 1 to 6; with no other tenant active, all 8.
    fn must_yield(&self, limits: QueueLimits, Request { tenant, is_burst, .. }: Request, now: Instant) -> bool {
        if !is_burst || self.next_burst_at.get(&tenant).is_none_or(|due| *due <= now) {
            return false;
        }
        let recently = self.others_active_until(tenant, now).next().is_some();
        let others = recently || self.active.iter().any(|other| *other != tenant);
        others && self.running + usize::from(recently) + limits.max_concurrent.div_ceil(4) >= limits.max_concurrent
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const MOMENT: Duration = Duration::from_millis(1);

    fn limits(max_concurrent: usize) -> QueueLimits {
        QueueLimits {
            max_concurrent,
            max_concurrent_per_chatbot: max_concurrent.div_ceil(2),
            max_queued: 100,
            queue_timeout: MOMENT,
        }
    }

    fn request(queues: &Queues, tenant: u128) -> Request {
        queues.request(TenantId(Uuid::from_u128(tenant)), ChatbotId(Uuid::from_u128(tenant)))
    }

    /// A request that starts now.
    fn start(queues: &mut Queues, tenant: u128, now: Instant) -> Request {
        let request = request(queues, tenant);
        queues.start(request, now);
        request
    }

    /// A request that waits.
    fn wait(queues: &mut Queues, tenant: u128) {
        let (sender, _) = oneshot::channel();
        assert!(queues.push(request(queues, tenant), sender, 100).is_some());
    }

    /// A burst of tenant 1: two requests have just run, and the next one waits.
    fn burst(now: Instant) -> Queues {
        let mut queues = Queues::default();
        let first = start(&mut queues, 1, now);
        let second = start(&mut queues, 1, now);
        wait(&mut queues, 1);
        queues.finish(first, now);
        queues.finish(second, now);
        queues
    }

    #[test]
    fn a_burst_takes_all_slots_while_no_other_tenant_is_active() {
        let now = Instant::now();
        let mut queues = burst(now);
        assert_eq!(queues.due(limits(2), now), None);
        assert!(queues.pop(limits(2), now).is_some_and(|next| next.request.is_burst));
    }

    #[test]
    fn a_burst_yields_to_an_active_tenant_for_its_interval() {
        let now = Instant::now();
        let mut queues = burst(now);
        start(&mut queues, 2, now);
        assert_eq!(queues.due(limits(2), now), Some(now + BURST_INTERVAL));
        assert!(queues.pop(limits(2), now + BURST_INTERVAL - MOMENT).is_none());
        assert!(queues.pop(limits(2), now + BURST_INTERVAL).is_some());
    }

    #[test]
    fn a_burst_yields_for_the_grace_period_of_another_tenant() {
        let now = Instant::now();
        let mut queues = burst(now);
        let other = start(&mut queues, 2, now);
        queues.finish(other, now + MOMENT);
        assert_eq!(queues.due(limits(2), now + MOMENT), Some(now + MOMENT + ACTIVE_GRACE));
        assert!(queues.pop(limits(2), now + ACTIVE_GRACE).is_none());
        assert!(queues.pop(limits(2), now + MOMENT + ACTIVE_GRACE).is_some());
    }

    #[test]
    fn a_burst_leaves_a_quarter_of_the_slots_to_active_tenants() {
        let now = Instant::now();
        let mut queues = burst(now);
        for tenant in 2..=5 {
            start(&mut queues, tenant, now);
        }
        assert!(queues.pop(limits(6), now).is_none(), "four of six, and two are kept");
        assert!(queues.pop(limits(8), now).is_some(), "four of eight");
    }

    #[test]
    fn the_place_of_each_request_is_the_order_in_which_they_start() {
        let (mut queues, now) = (Queues::default(), Instant::now());
        let id = |number: u128| (TenantId(Uuid::from_u128(number / 10)), ChatbotId(Uuid::from_u128(number)));
        let mut waiting = Vec::new();
        for number in [10, 10, 11, 20, 10, 30, 11, 20, 20, 10] {
            let (tenant, chatbot) = id(number);
            let request = queues.request(tenant, chatbot);
            let (sender, receiver) = oneshot::channel();
            let queued = queues.push(request, sender, 100).unwrap();
            waiting.push((request, queued, receiver));
        }
        for _ in 0..waiting.len() {
            let places: Vec<_> =
                waiting.iter().map(|(request, queued, _)| (*queued, queues.place(*request, *queued))).collect();
            let mut order: Vec<usize> = places.iter().filter_map(|(_, place)| *place).collect();
            order.sort_unstable();
            assert_eq!(order, (1..=order.len()).collect::<Vec<_>>(), "{places:?}");
            let next = queues.pop(limits(100), now).unwrap();
            assert!(places.contains(&(next.number, Some(1))), "{} of {places:?}", next.number);
        }
    }

    #[test]
    fn the_first_request_of_a_tenant_waits_for_the_limits_only() {
        let now = Instant::now();
        let mut queues = burst(now);
        start(&mut queues, 2, now);
        let third = request(&queues, 3);
        assert!(!third.is_burst && queues.may_start(limits(2), third, now));
        start(&mut queues, 3, now);
        assert!(!queues.may_start(limits(2), request(&queues, 4), now));
    }
}
