//! Looks for matches in one view of an answer, as it grows.

use std::{collections::VecDeque, ops::Range};

use regex_automata::hybrid::dfa::Cache;

use super::{OutputFilter, automaton::Run, context::Context, fold::Folded, overlap::Prompt, redactor::Span};

/// The answer as written, or folded.
pub(super) struct View<'a> {
    pub(super) text: &'a str,
    /// The answer that the text was folded from.
    pub(super) folded_from: Option<(&'a Folded, &'a str)>,
    /// The system prompt in the same form.
    pub(super) prompt: &'a Prompt,
}

impl View<'_> {
    /// The range of the answer that a range of the text stands for.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        self.folded_from.map_or(range.clone(), |(folded, _)| folded.original(range))
    }
}

/// The state of the search in a view.
#[derive(Debug)]
pub(super) struct Scan {
    /// All runs that begin before this position are in `runs`.
    scanned: usize,
    /// Runs in the order of their beginnings that may match, or have matched.
    runs: VecDeque<Run>,
    /// Where the comparison with the system prompt continues.
    compared: usize,
}

impl Scan {
    /// A search for matches that begin at or after a position.
    pub(super) fn from(position: usize) -> Self {
        Self { scanned: position, runs: VecDeque::new(), compared: position }
    }

    /// Continues with the text added to the view. Returns the first position of the view where a match may still begin
    /// or is not decided.
    pub(super) fn advance(
        &mut self,
        (filter, context): (&OutputFilter, &Context),
        cache: &mut Cache,
        view: &View<'_>,
        last: bool,
        spans: &mut Vec<Span>,
    ) -> usize {
        let open = self.run_patterns((filter, context), cache, view, last, spans);
        open.min(self.compare_prompt((filter, context), view, last, spans))
    }

    /// Advances all patterns. Returns the first position where one may still match.
    fn run_patterns(
        &mut self,
        (filter, context): (&OutputFilter, &Context),
        cache: &mut Cache,
        view: &View<'_>,
        last: bool,
        spans: &mut Vec<Span>,
    ) -> usize {
        let (automaton, text) = (&filter.automaton, view.text.as_bytes());
        for run in self.runs.iter_mut().filter(|run| !run.done) {
            automaton.advance(cache, run, text, last);
        }
        while let Some(start) = automaton.next_start(text, self.scanned) {
            let mut run = Run::new(start);
            automaton.advance(cache, &mut run, text, last);
            if !run.done || !run.ends.is_empty() {
                self.runs.push_back(run);
            }
            self.scanned = start + 1;
        }
        self.scanned = text.len();
        while let Some(run) = self.runs.pop_front_if(|run| run.done) {
            for (pattern, end) in run.ends {
                spans.extend(filter.accept(filter.inline[pattern], view, run.start..end, context));
            }
        }
        self.runs.front().map_or(text.len(), |run| run.start)
    }

    /// Compares with the system prompt. Returns the first position where an overlap may still begin.
    fn compare_prompt(
        &mut self,
        (filter, context): (&OutputFilter, &Context),
        view: &View<'_>,
        last: bool,
        spans: &mut Vec<Span>,
    ) -> usize {
        if filter.prompt_rules.is_empty() {
            return view.text.len();
        }
        self.compared = view.prompt.scan(view.text, self.compared, last, |start, end| {
            let rules = filter.prompt_rules.iter();
            spans.extend(rules.filter_map(|rule| filter.accept(*rule, view, start..end, context)));
        });
        self.compared
    }
}
