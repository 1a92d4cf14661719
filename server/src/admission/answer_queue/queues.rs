//! Who works, who waits, and who is next.

use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

use contract::{ChatbotId, TenantId};
use tokio::{sync::oneshot, time::Instant};

use super::{Bounds, Turn};

/// How often a tenant that crowds begins at least, whoever else asks.
const PACE: Duration = Duration::from_millis(250);
/// For how long after its question a tenant is taken to be there still: the room that it left is not given to a crowd at once.
const LINGER: Duration = Duration::from_millis(20);

/// Who asks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asker {
    tenant: TenantId,
    chatbot: ChatbotId,
    /// Whether, when he came, the chatbot had another question under way or the tenant one that waited.
    pub(super) crowded: bool,
}

#[derive(Debug, Default)]
pub(super) struct Lines {
    running: usize,
    of_chatbot: HashMap<ChatbotId, usize>,
    /// Who waits, the next tenant first; nobody in it is empty.
    tenants: VecDeque<(TenantId, VecDeque<Line>)>,
    /// Whose question is worked on that is not crowded, one for each.
    calm: Vec<TenantId>,
    /// Whose such question has just ended, and until when he is taken to be there.
    lingering: Vec<(TenantId, Instant)>,
    /// When a tenant that crowds begins next at the latest.
    paced: HashMap<TenantId, Instant>,
    /// The next waiter's number.
    number: u64,
}

/// Those who wait for one chatbot, the longest first.
#[derive(Debug)]
struct Line {
    chatbot: ChatbotId,
    waiters: VecDeque<Waiter>,
}

#[derive(Debug)]
pub(super) struct Waiter {
    pub(super) asker: Asker,
    pub(super) called: oneshot::Sender<Turn>,
    number: u64,
}

impl Lines {
    /// Who asks for a chatbot of a tenant.
    pub(super) fn asker(&self, tenant: TenantId, chatbot: ChatbotId) -> Asker {
        let crowded = self.of_chatbot.contains_key(&chatbot) || self.line_of(tenant).is_some();
        Asker { tenant, chatbot, crowded }
    }

    /// Turns that are taken.
    pub(super) fn running(&self) -> usize {
        self.running
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.tenants.iter().flat_map(|(_, lines)| lines).map(|line| line.waiters.len()).sum()
    }

    /// Whether somebody who has just come may begin: nobody of his chatbot waits before him.
    pub(super) fn may_begin(&self, bounds: Bounds, asker: Asker, now: Instant) -> bool {
        let lines = self.line_of(asker.tenant).map(|at| &self.tenants[at].1);
        !lines.is_some_and(|lines| lines.iter().any(|line| line.chatbot == asker.chatbot))
            && self.has_room(bounds, asker, now)
    }

    pub(super) fn begin(&mut self, Asker { tenant, chatbot, crowded }: Asker, now: Instant) {
        self.running += 1;
        *self.of_chatbot.entry(chatbot).or_insert(0) += 1;
        if crowded {
            self.paced.retain(|_, due| *due > now);
            self.paced.insert(tenant, now + PACE);
        } else {
            self.calm.push(tenant);
        }
    }

    pub(super) fn end(&mut self, Asker { tenant, chatbot, crowded }: Asker, now: Instant) {
        self.running -= 1;
        if let Some(own) = self.of_chatbot.get_mut(&chatbot) {
            *own -= 1;
            if *own == 0 {
                self.of_chatbot.remove(&chatbot);
            }
        }
        if let Some(at) = self.calm.iter().position(|calm| !crowded && *calm == tenant) {
            self.calm.swap_remove(at);
            self.lingering.retain(|(other, until)| *other != tenant && *until > now);
            self.lingering.push((tenant, now + LINGER));
        }
    }

    /// Takes a place at the end of the chatbot's line; gives its number, or nothing when `most` wait there.
    pub(super) fn wait(&mut self, asker: Asker, called: oneshot::Sender<Turn>, most: usize) -> Option<u64> {
        let Asker { tenant, chatbot, .. } = asker;
        let at = self.line_of(tenant);
        let lines = at.map(|at| &mut self.tenants[at].1);
        let line = lines.and_then(|lines| lines.iter_mut().find(|line| line.chatbot == chatbot));
        if line.as_ref().map_or(0, |line| line.waiters.len()) >= most {
            return None;
        }
        let number = self.number;
        self.number += 1;
        let waiter = Waiter { asker, called, number };
        match (line, at) {
            (Some(line), _) => line.waiters.push_back(waiter),
            (None, Some(at)) => self.tenants[at].1.push_back(Line { chatbot, waiters: [waiter].into() }),
            (None, None) => {
                self.tenants.push_back((tenant, [Line { chatbot, waiters: [waiter].into() }].into()));
            }
        }
        Some(number)
    }

    pub(super) fn leave(&mut self, Asker { tenant, chatbot, .. }: Asker, number: u64) {
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
    pub(super) fn next(&mut self, bounds: Bounds, now: Instant) -> Option<Waiter> {
        let room = |line: &Line| line.waiters.front().is_some_and(|first| self.has_room(bounds, first.asker, now));
        let place = |(at, (_, lines)): (usize, &(TenantId, VecDeque<Line>))| Some((at, lines.iter().position(room)?));
        let (at, line) = self.tenants.iter().enumerate().find_map(place)?;
        let (tenant, mut lines) = self.tenants.remove(at)?;
        let mut line = lines.remove(line)?;
        let waiter = line.waiters.pop_front()?;
        if !line.waiters.is_empty() {
            lines.push_back(line);
        }
        if !lines.is_empty() {
            self.tenants.push_back((tenant, lines));
        }
        Some(waiter)
    }

    /// When somebody who is held back may begin, if nothing else happens: at his pace, or when another one has gone.
    pub(super) fn due(&self, bounds: Bounds, now: Instant) -> Option<Instant> {
        let firsts = self.tenants.iter().flat_map(|(_, lines)| lines).filter_map(|line| line.waiters.front());
        let held = firsts
            .map(|first| first.asker)
            .filter(|asker| self.is_within(bounds, asker.chatbot) && self.is_held(bounds, *asker, now));
        let due =
            |Asker { tenant, .. }: Asker| self.lingering_beside(tenant, now).chain(self.paced.get(&tenant).copied());
        held.flat_map(due).min()
    }

    /// Until when each other tenant is taken to be there whose question has just ended.
    fn lingering_beside(&self, tenant: TenantId, now: Instant) -> impl Iterator<Item = Instant> {
        let others = self.lingering.iter().filter(move |(other, until)| *other != tenant && *until > now);
        others.map(|(_, until)| *until)
    }

    fn line_of(&self, tenant: TenantId) -> Option<usize> {
        self.tenants.iter().position(|(known, _)| *known == tenant)
    }

    fn has_room(&self, bounds: Bounds, asker: Asker, now: Instant) -> bool {
        self.is_within(bounds, asker.chatbot) && !self.is_held(bounds, asker, now)
    }

    fn is_within(&self, bounds: Bounds, chatbot: ChatbotId) -> bool {
        let own = self.of_chatbot.get(&chatbot).copied().unwrap_or(0);
        self.running < bounds.at_once && own < bounds.per_chatbot
    }

    /// Whether a question of a crowd waits for other tenants, who have one each: the last quarter of all turns is theirs, as
    /// long as they are there. At its pace it begins nevertheless.
    fn is_held(&self, bounds: Bounds, Asker { tenant, crowded, .. }: Asker, now: Instant) -> bool {
        if !crowded || self.paced.get(&tenant).is_none_or(|due| *due <= now) {
            return false;
        }
        let lingers = self.lingering_beside(tenant, now).next().is_some();
        let others = lingers || self.calm.iter().any(|other| *other != tenant);
        others && self.running + usize::from(lingers) + bounds.at_once.div_ceil(4) >= bounds.at_once
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const MOMENT: Duration = Duration::from_millis(1);

    fn bounds(at_once: usize) -> Bounds {
        Bounds { at_once, per_chatbot: at_once.div_ceil(2), waiting: 100, patience: MOMENT }
    }

    fn asker(lines: &Lines, tenant: u128) -> Asker {
        lines.asker(TenantId(Uuid::from_u128(tenant)), ChatbotId(Uuid::from_u128(tenant)))
    }

    /// A question that begins now.
    fn begin(lines: &mut Lines, tenant: u128, now: Instant) -> Asker {
        let asker = asker(lines, tenant);
        lines.begin(asker, now);
        asker
    }

    /// A question that waits.
    fn wait(lines: &mut Lines, tenant: u128) {
        let (called, _) = oneshot::channel();
        assert!(lines.wait(asker(lines, tenant), called, 100).is_some());
    }

    /// A crowd of tenant 1 on two cores, one of which has just begun and ended; the next one waits.
    fn crowd(now: Instant) -> Lines {
        let mut lines = Lines::default();
        let first = begin(&mut lines, 1, now);
        let second = begin(&mut lines, 1, now);
        wait(&mut lines, 1);
        lines.end(first, now);
        lines.end(second, now);
        lines
    }

    #[test]
    fn a_crowd_has_everything_when_nobody_else_is_there() {
        let now = Instant::now();
        let mut lines = crowd(now);
        assert_eq!(lines.due(bounds(2), now), None);
        assert!(lines.next(bounds(2), now).is_some_and(|waiter| waiter.asker.crowded));
    }

    #[test]
    fn a_crowd_waits_for_another_tenant_until_its_pace() {
        let now = Instant::now();
        let mut lines = crowd(now);
        begin(&mut lines, 2, now);
        assert_eq!(lines.due(bounds(2), now), Some(now + PACE));
        assert!(lines.next(bounds(2), now + PACE - MOMENT).is_none());
        assert!(lines.next(bounds(2), now + PACE).is_some());
    }

    #[test]
    fn a_crowd_waits_until_another_tenant_has_gone_for_a_while() {
        let now = Instant::now();
        let mut lines = crowd(now);
        let other = begin(&mut lines, 2, now);
        lines.end(other, now + MOMENT);
        assert_eq!(lines.due(bounds(2), now + MOMENT), Some(now + MOMENT + LINGER));
        assert!(lines.next(bounds(2), now + LINGER).is_none());
        assert!(lines.next(bounds(2), now + MOMENT + LINGER).is_some());
    }

    #[test]
    fn a_crowd_leaves_a_quarter_of_all_turns_and_takes_the_rest() {
        let now = Instant::now();
        let mut lines = crowd(now);
        for tenant in 2..=5 {
            begin(&mut lines, tenant, now);
        }
        assert!(lines.next(bounds(6), now).is_none(), "four of six, and two are kept");
        assert!(lines.next(bounds(8), now).is_some(), "four of eight");
    }

    #[test]
    fn the_first_question_of_a_tenant_waits_for_nobody_but_the_bounds() {
        let now = Instant::now();
        let mut lines = crowd(now);
        begin(&mut lines, 2, now);
        let third = asker(&lines, 3);
        assert!(!third.crowded && lines.may_begin(bounds(2), third, now));
        begin(&mut lines, 3, now);
        assert!(!lines.may_begin(bounds(2), asker(&lines, 4), now));
    }
}
