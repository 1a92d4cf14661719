//! Lets searches of the knowledge hub yield to visitors' questions, which use the same processors.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use tokio::time::{Instant, sleep};

/// How often a yielding search checks whether it may continue.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The visitors' questions that this process is searching for.
#[derive(Debug, Default)]
pub struct VisitorSearches(AtomicUsize);

/// A visitor's question that is being searched for, until it is dropped.
#[derive(Debug)]
pub struct VisitorSearch<'a>(&'a VisitorSearches);

/// The remaining time for which a search yields.
#[derive(Debug)]
pub struct YieldBudget<'a> {
    searches: &'a VisitorSearches,
    remaining: Duration,
}

impl VisitorSearches {
    /// Registers the search for a visitor's question.
    pub fn begin(&self) -> VisitorSearch<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        VisitorSearch(self)
    }

    /// Registers another search, which yields for at most `remaining` in total.
    pub fn yield_budget(&self, remaining: Duration) -> YieldBudget<'_> {
        YieldBudget { searches: self, remaining }
    }
}

impl Drop for VisitorSearch<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl YieldBudget<'_> {
    /// Waits until no visitor's question is being searched for, or the budget is spent.
    pub async fn yield_to_visitors(&mut self) {
        let started = Instant::now();
        while self.searches.0.load(Ordering::Relaxed) > 0 && started.elapsed() < self.remaining {
            sleep(POLL_INTERVAL).await;
        }
        self.remaining = self.remaining.saturating_sub(started.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_search_waits_for_visitors_within_its_budget() {
        let searches = VisitorSearches::default();
        let mut budget = searches.yield_budget(Duration::from_secs(60));
        assert!(budget.yield_to_visitors().now_or_never().is_some(), "nobody asks");
        let question = searches.begin();
        assert!(budget.yield_to_visitors().now_or_never().is_none());
        drop(question);
        budget.yield_to_visitors().await;
        let _endless = searches.begin();
        let mut budget = searches.yield_budget(POLL_INTERVAL);
        budget.yield_to_visitors().await;
        assert!(budget.yield_to_visitors().now_or_never().is_some(), "the budget is spent");
    }
}
