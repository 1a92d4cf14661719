//! The knowledge bases that a language model's endpoint has in its cache: a prompt that begins with one of them is read in a
//! moment, also by an endpoint that needs a minute to read it for the first time.

use std::collections::VecDeque;

use parking_lot::Mutex;

/// Bases that an endpoint is expected to keep: the cache of the embedded one has room for about ten of the largest ones.
const MAX_KEPT: usize = 8;

/// The bases that one endpoint read last, by the number of the prompt that begins with each.
#[derive(Debug, Default)]
pub struct CachedBases {
    state: Mutex<State>,
    are_all: bool,
}

#[derive(Debug, Default)]
struct State {
    /// The most recent one last.
    bases: VecDeque<u64>,
    is_reading: bool,
}

/// A base that is being read for later questions, until this is dropped.
#[derive(Debug)]
pub struct Reading<'a>(&'a CachedBases);

impl CachedBases {
    /// For an evaluation, which waits as long as an endpoint reads.
    pub fn all() -> Self {
        Self { are_all: true, ..Self::default() }
    }

    /// Whether the endpoint has read this base lately.
    pub fn has(&self, base: u64) -> bool {
        self.are_all || self.state.lock().bases.contains(&base)
    }

    /// Records that the endpoint has read this base.
    pub fn note(&self, base: u64) {
        let bases = &mut self.state.lock().bases;
        bases.retain(|other| *other != base);
        bases.push_back(base);
        while bases.len() > MAX_KEPT {
            bases.pop_front();
        }
    }

    /// Records that the endpoint did not answer in time: it may have dropped the base.
    pub fn forget(&self, base: u64) {
        self.state.lock().bases.retain(|other| *other != base);
    }

    /// Begins to read a base; `None` while another one is read.
    pub fn begin(&self) -> Option<Reading<'_>> {
        let mut state = self.state.lock();
        let is_free = !std::mem::replace(&mut state.is_reading, true);
        is_free.then(|| Reading(self))
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.0.state.lock().is_reading = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bases_that_were_read_last_are_known() {
        let bases = CachedBases::default();
        assert!(!bases.has(0));
        (0..10).for_each(|base| bases.note(base));
        bases.note(3);
        bases.note(10);
        assert_eq!((0..11).filter(|base| bases.has(*base)).collect::<Vec<_>>(), [3, 4, 5, 6, 7, 8, 9, 10]);
        bases.forget(7);
        assert!(!bases.has(7) && CachedBases::all().has(7));
    }

    #[test]
    fn one_base_is_read_at_a_time() {
        let bases = CachedBases::default();
        let reading = bases.begin();
        assert!(reading.is_some() && bases.begin().is_none());
        drop(reading);
        assert!(bases.begin().is_some());
    }
}
