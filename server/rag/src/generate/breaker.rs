//! A circuit breaker: stops requests to an endpoint that fails, and retries after a pause.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

/// Consecutive failures that open the breaker.
const FAILURES: u32 = 3;
/// The first pause; doubled with each further failure.
const PAUSE: Duration = Duration::from_secs(5);
/// The longest pause: it is not doubled any further.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Counts the failures of one endpoint.
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    closed_again: Option<Instant>,
}

impl Breaker {
    /// Whether a request is allowed now. After a pause, one request at a time may try.
    pub(super) fn allows(&self, now: Instant) -> bool {
        let mut state = self.0.lock();
        match state.closed_again {
            None => true,
            Some(until) if now < until => false,
            Some(_) => {
                state.closed_again = Some(now + pause(state.failures));
                true
            }
        }
    }

    /// Whether the breaker is open: too many failures, and no success since.
    pub(super) fn is_open(&self) -> bool {
        self.0.lock().closed_again.is_some()
    }

    pub(super) fn succeeded(&self) {
        *self.0.lock() = State::default();
    }

    pub(super) fn failed(&self, now: Instant) {
        let mut state = self.0.lock();
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES {
            state.closed_again = Some(now + pause(state.failures));
        }
    }
}

/// A request that the endpoint began to answer. If the answer is stopped after its first word, that is a success.
#[derive(Debug)]
pub(super) struct Attempt {
    breaker: Arc<Breaker>,
    /// Whether a word came and the answer has not ended since.
    is_answering: bool,
}

impl Attempt {
    pub(super) fn new(breaker: &Arc<Breaker>) -> Self {
        Self { breaker: Arc::clone(breaker), is_answering: false }
    }

    /// Records that the endpoint sent a word.
    pub(super) fn answers(&mut self) {
        self.is_answering = true;
    }

    pub(super) fn succeeded(&mut self) {
        self.is_answering = false;
        self.breaker.succeeded();
    }

    pub(super) fn failed(&mut self, now: Instant) {
        self.is_answering = false;
        self.breaker.failed(now);
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if self.is_answering {
            self.breaker.succeeded();
        }
    }
}

fn pause(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(FAILURES).min(8);
    (PAUSE * 2_u32.pow(doublings)).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_that_fails_is_left_alone_and_tried_again() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        breaker.failed(at(0));
        breaker.failed(at(0));
        assert!(breaker.allows(at(0)), "two failures may be chance");
        breaker.failed(at(0));
        assert!(!breaker.allows(at(4)) && breaker.is_open());
        assert!(breaker.allows(at(5)), "one question tries");
        assert!(!breaker.allows(at(6)), "the others wait for it");
        breaker.failed(at(7));
        assert!(!breaker.allows(at(16)) && breaker.allows(at(17)), "the pause is doubled");
        breaker.succeeded();
        assert!(!breaker.is_open());
        assert!(breaker.allows(at(17)) && breaker.allows(at(17)));
        (0..20).for_each(|_| breaker.failed(at(20)));
        assert!(breaker.allows(at(80)), "a minute at most");
    }

    #[test]
    fn an_answer_that_is_stopped_after_its_first_word_is_a_success() {
        let (breaker, now) = (Arc::new(Breaker::default()), Instant::now());
        (0..2).for_each(|_| breaker.failed(now));
        let mut stopped = Attempt::new(&breaker);
        stopped.answers();
        drop(stopped);
        (0..2).for_each(|_| breaker.failed(now));
        assert!(!breaker.is_open(), "two failures in a row");
        drop(Attempt::new(&breaker));
        let mut broken = Attempt::new(&breaker);
        broken.answers();
        broken.failed(now);
        drop(broken);
        assert!(breaker.is_open(), "an answer without a word and one that breaks off are no successes");
    }
}
