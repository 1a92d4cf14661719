//! All inline patterns in one lazily built automaton that stops and resumes anywhere.
//!
//! A [`Run`] begins at one place of a text and goes on until no pattern can match from there any more, so that its
//! longest matches are final whatever text follows. A run that is still alive at the end of the text so far is what a
//! stream has to hold back.

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

/// Memory of one stream's share of the automaton in bytes, at most.
const CACHE: usize = 2 << 20;
/// Caches kept for the next streams.
const POOLED: usize = 16;
/// What can stand before a run, as the automaton tells it apart: nothing, a letter, a line feed, a carriage return,
/// anything else.
const BEFORE: [Option<u8>; 5] = [None, Some(b'a'), Some(b'\n'), Some(b'\r'), Some(b' ')];

/// The patterns of all inline rules.
pub(super) struct Automaton {
    dfa: DFA,
    /// For what stands before and each first byte: whether a match can begin there.
    viable: [[bool; 256]; BEFORE.len()],
    pool: Mutex<Vec<Cache>>,
}

/// What can match from one place of a text.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) start: usize,
    /// The longest match of each pattern so far: its number and its end.
    pub(super) ends: Vec<(usize, usize)>,
    /// Whether nothing can change any more.
    pub(super) done: bool,
    /// The first byte that was not seen, with the state there and the number of times the cache was cleared before.
    paused: Option<(usize, LazyStateID, usize)>,
}

impl Run {
    pub(super) fn new(start: usize) -> Self {
        Self { start, ends: Vec::new(), done: false, paused: None }
    }
}

impl Automaton {
    /// Joins patterns; their numbers are their places in `patterns`.
    ///
    /// # Errors
    /// When they are too large together.
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
        automaton.give_back(cache);
        Ok(automaton)
    }

    /// Working memory for one stream.
    pub(super) fn cache(&self) -> Cache {
        let pooled = self.pool.lock().pop();
        pooled.unwrap_or_else(|| self.dfa.create_cache())
    }

    /// Takes working memory back.
    pub(super) fn give_back(&self, cache: Cache) {
        let mut pool = self.pool.lock();
        if pool.len() < POOLED {
            pool.push(cache);
        }
    }

    /// The first place at or after `from` where a match can begin.
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

    /// Goes on with a run over what was added to `text`; `last` when nothing follows.
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
                self.note(cache, state, at, &mut run.ends);
            }
            at += 1;
        }
        if last && !state.is_dead() {
            state = self.dfa.next_eoi_state(cache, state).expect("the cache may be cleared without limit");
            if state.is_match() {
                self.note(cache, state, at, &mut run.ends);
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

    fn note(&self, cache: &Cache, state: LazyStateID, end: usize, ends: &mut Vec<(usize, usize)>) {
        for index in 0..self.dfa.match_len(cache, state) {
            let pattern = self.dfa.match_pattern(cache, state, index).as_usize();
            match ends.iter_mut().find(|(known, _)| *known == pattern) {
                Some(known) => known.1 = end,
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

/// The row of the table for what stands before.
fn row(before: Option<u8>) -> usize {
    match before {
        None => 0,
        Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' => 1,
        Some(b'\n') => 2,
        Some(b'\r') => 3,
        Some(_) => 4,
    }
}
