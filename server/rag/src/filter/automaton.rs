//! Combines all inline patterns in one lazily built automaton that can pause and resume anywhere.
//!
//! A [`Run`] begins at one position of a text and goes on until no pattern can match from there. Its longest matches
//! are then final, whatever text follows. A stream must hold back the text from the first run that is still alive.

use parking_lot::Mutex;
use regex_automata::{
    Anchored, MatchKind,
    hybrid::{
        LazyStateID,
        dfa::{Cache, DFA},
    },
    nfa::thompson::NFA,
    util::start,
};
use regex_syntax::hir::Hir;

/// Maximum memory of the automaton for one stream, in bytes.
const CACHE: usize = 2 << 20;
/// Maximum caches kept for later streams.
const POOLED: usize = 16;
/// The classes of the character before a run that the automaton distinguishes: none, a letter, a line feed, a carriage
/// return, any other.
const BEFORE: [Option<u8>; 5] = [None, Some(b'a'), Some(b'\n'), Some(b'\r'), Some(b' ')];

/// The patterns of all inline rules.
pub(super) struct Automaton {
    dfa: DFA,
    /// For each class of the preceding character and each first byte: whether a match can begin there.
    viable: [[bool; 256]; BEFORE.len()],
    pool: Mutex<Vec<Cache>>,
}

/// The matches of all patterns from one position of a text.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) start: usize,
    /// The longest match of each pattern so far: its number and its end.
    pub(super) ends: Vec<(usize, usize)>,
    /// Whether the result is final.
    pub(super) done: bool,
    /// The next byte to read, with the state there and the number of times that the cache was cleared before.
    paused: Option<(usize, LazyStateID, usize)>,
}

impl Run {
    pub(super) fn new(start: usize) -> Self {
        Self { start, ends: Vec::new(), done: false, paused: None }
    }
}

impl Automaton {
    /// Combines patterns. Each is numbered by its index in `patterns`.
    ///
    /// # Errors
    /// When the patterns are too large together.
    pub(super) fn new(patterns: &[Hir]) -> Result<Self, String> {
        let nfa = NFA::compiler().build_many_from_hir(patterns).map_err(|error| error.to_string())?;
        let config = DFA::config().match_kind(MatchKind::All).cache_capacity(CACHE).skip_cache_capacity_check(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).map_err(|error| error.to_string())?;
        let mut automaton = Self { dfa, viable: [[false; 256]; BEFORE.len()], pool: Mutex::default() };
        let mut cache = automaton.dfa.create_cache();
        for (row, before) in BEFORE.into_iter().enumerate() {
            for byte in 0..=u8::MAX {
                let state = automaton.begin(&mut cache, before);
                automaton.viable[row][usize::from(byte)] = !automaton.step(&mut cache, state, byte).is_dead();
            }
        }
        automaton.return_cache(cache);
        Ok(automaton)
    }

    /// Working memory for one stream.
    pub(super) fn cache(&self) -> Cache {
        let pooled = self.pool.lock().pop();
        pooled.unwrap_or_else(|| self.dfa.create_cache())
    }

    /// Returns working memory to the pool.
    pub(super) fn return_cache(&self, cache: Cache) {
        let mut pool = self.pool.lock();
        if pool.len() < POOLED {
            pool.push(cache);
        }
    }

    /// The first position at or after `from` where a match can begin.
    pub(super) fn next_start(&self, text: &[u8], from: usize) -> Option<usize> {
        let mut before = from.checked_sub(1).map(|at| text[at]);
        for (at, byte) in text.iter().enumerate().skip(from) {
            if self.viable[row(before)][usize::from(*byte)] {
                return Some(at);
            }
            before = Some(*byte);
        }
        None
    }

    /// Continues a run over the text added to `text`. With `last`, no more text follows.
    ///
    /// The automaton reports a match one byte after its end. If the patterns are `ab` (0) and `ab+c` (1), the run at the
    /// start of `ab` has no end yet. With `abb` it has `ends == [(0, 2)]` and is not done, because a `c` may follow. With
    /// `abbx` it is done.
    pub(super) fn advance(&self, cache: &mut Cache, run: &mut Run, text: &[u8], last: bool) {
        let (mut at, mut state) = match run.paused {
            Some((at, state, cleared)) if cleared == cache.clear_count() => (at, state),
            _ => {
                run.ends.clear();
                (run.start, self.begin(cache, run.start.checked_sub(1).map(|at| text[at])))
            }
        };
        while at < text.len() && !state.is_dead() {
            state = self.step(cache, state, text[at]);
            if state.is_match() {
                self.record_ends(cache, state, at, &mut run.ends);
            }
            at += 1;
        }
        if last && !state.is_dead() {
            state = self.dfa.next_eoi_state(cache, state).expect("the cache may be cleared without limit");
            if state.is_match() {
                self.record_ends(cache, state, at, &mut run.ends);
            }
        }
        run.done = last || state.is_dead();
        run.paused = Some((at, state, cache.clear_count()));
    }

    fn begin(&self, cache: &mut Cache, before: Option<u8>) -> LazyStateID {
        let config = start::Config::new().look_behind(before).anchored(Anchored::Yes);
        self.dfa.start_state(cache, &config).expect("no byte is forbidden and the cache may be cleared")
    }

    fn step(&self, cache: &mut Cache, state: LazyStateID, byte: u8) -> LazyStateID {
        self.dfa.next_state(cache, state, byte).expect("the cache may be cleared without limit")
    }

    fn record_ends(&self, cache: &Cache, state: LazyStateID, end: usize, ends: &mut Vec<(usize, usize)>) {
        for index in 0..self.dfa.match_len(cache, state) {
            let pattern = self.dfa.match_pattern(cache, state, index).as_usize();
            match ends.iter_mut().find(|(recorded, _)| *recorded == pattern) {
                Some(match_end) => match_end.1 = end,
                None => ends.push((pattern, end)),
            }
        }
    }
}

impl std::fmt::Debug for Automaton {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Automaton").field("patterns", &self.dfa.pattern_len()).finish_non_exhaustive()
    }
}

/// The row of the table for the preceding character.
fn row(before: Option<u8>) -> usize {
    match before {
        None => 0,
        Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' => 1,
        Some(b'\n') => 2,
        Some(b'\r') => 3,
        Some(_) => 4,
    }
}
