//! Filters an answer while it is streamed: releases only text that no rule can match any more.

use std::{collections::VecDeque, sync::Arc};

use regex_automata::hybrid::dfa::Cache;

use super::{
    FilterOutcome, OutputFilter, Trigger,
    automaton::Run,
    context::Context,
    redactor::{Purpose, Redactor, Span},
};

/// Characters before and after a match in an excerpt.
const AROUND: usize = 80;

/// The result of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Text for the client; empty when everything is held back.
    Pass(String),
    /// The answer is blocked. Nothing more may be sent, and the model can be stopped.
    Blocked,
}

/// An answer that is being filtered. Stores the whole answer for its rows, and holds back at most the longest possible
/// match.
#[derive(Debug)]
pub struct Stream {
    filter: Arc<OutputFilter>,
    context: Arc<Context>,
    cache: Option<Cache>,
    raw: String,
    /// All runs that begin before this position are in `runs`.
    scanned: usize,
    /// Runs in the order of their beginnings that may match, or have matched.
    runs: VecDeque<Run>,
    /// Where the comparison with the system prompt continues.
    compared: usize,
    /// Matches behind the decided text.
    found: Vec<Span>,
    redactor: Redactor,
    /// The text before this position was released.
    decided: usize,
}

impl Stream {
    pub(super) fn new(filter: Arc<OutputFilter>, context: Arc<Context>, purpose: Purpose) -> Self {
        Self {
            cache: Some(filter.automaton.cache()),
            filter,
            context,
            raw: String::new(),
            scanned: 0,
            runs: VecDeque::new(),
            compared: 0,
            found: Vec::new(),
            redactor: Redactor::new(purpose),
            decided: 0,
        }
    }

    /// Takes the next part of the answer.
    pub fn push(&mut self, chunk: &str) -> Step {
        if !self.redactor.blocked {
            self.raw.push_str(chunk);
            self.settle(false);
        }
        if self.redactor.blocked {
            return Step::Blocked;
        }
        let mark = &self.filter.replies(&self.context).mark;
        Step::Pass(self.redactor.release(self.decided, &self.raw, mark))
    }

    /// Bytes of the answer that are held back.
    pub fn held_back(&self) -> usize {
        self.raw.len() - self.decided
    }

    /// The answer so far, unfiltered.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// Ends the answer, applies the rules for whole answers and returns the outcome.
    pub fn finish(mut self) -> FilterOutcome {
        if !self.redactor.blocked {
            self.settle(true);
        }
        let filter = Arc::clone(&self.filter);
        let replies = filter.replies(&self.context);
        let mut late = if self.redactor.blocked { Vec::new() } else { filter.whole_spans(&self.raw, &self.context) };
        late.sort_unstable();
        let rest = self.redactor.release(self.decided, &self.raw, &replies.mark);
        let late = late.into_iter().map(|span| (span, &filter.rules[span.rule]));
        let text = self.redactor.finish(late, &self.raw, &replies.mark);
        let blocked = self.redactor.blocked;
        let changed = blocked || !self.redactor.masks.is_empty();
        let triggers = std::mem::take(&mut self.redactor.triggers).into_iter().map(|(rule, range)| {
            let rule = &filter.rules[rule];
            Trigger {
                rule: rule.id.clone(),
                category: rule.category,
                layer: rule.layer,
                action: rule.action,
                monitor_only: rule.monitor_only,
                excerpt: excerpt(&self.raw, &range),
                range,
            }
        });
        let triggers = triggers.collect();
        let (text, rest) = if blocked { (replies.blocked.clone(), String::new()) } else { (text, rest) };
        FilterOutcome { text, rest, blocked, changed, triggers, raw: std::mem::take(&mut self.raw) }
    }

    /// Decides as much of the answer as possible: everything with `last`, when no more text follows.
    ///
    /// If `AKIA[0-9A-Z]{16}` is the only pattern, the chunk `key AK` releases `key ` and holds `AK` back, because a key may
    /// follow. When the next chunk is `IDs`, its `D` rules that out, and `AKIDs` is released.
    fn settle(&mut self, last: bool) {
        let open = self.run_patterns(last).min(self.compare_prompt(last));
        self.found.sort_unstable();
        let ready = self.found.partition_point(|span| last || span.start < open);
        for span in self.found.drain(..ready) {
            if !self.redactor.blocked {
                self.redactor.apply(span, &self.filter.rules[span.rule]);
            }
        }
        self.decided = open;
    }

    /// Advances all patterns. Returns the first position where one may still match.
    fn run_patterns(&mut self, last: bool) -> usize {
        let filter = Arc::clone(&self.filter);
        let (automaton, text) = (&filter.automaton, self.raw.as_bytes());
        let cache = self.cache.get_or_insert_with(|| automaton.cache());
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
                let rule = filter.inline[pattern];
                let end = filter.accept(rule, &self.raw[run.start..end], &self.context);
                self.found.extend(end.map(|length| Span { start: run.start, rule, end: run.start + length }));
            }
        }
        self.runs.front().map_or(self.raw.len(), |run| run.start)
    }

    /// Compares with the system prompt. Returns the first position where an overlap may still begin.
    fn compare_prompt(&mut self, last: bool) -> usize {
        if self.filter.prompt_rules.is_empty() {
            return self.raw.len();
        }
        let (filter, context, raw, found) = (&self.filter, &self.context, &self.raw, &mut self.found);
        self.compared = context.prompt.scan(raw, self.compared, last, |start, end| {
            for rule in &filter.prompt_rules {
                if filter.accept(*rule, &raw[start..end], context).is_some() {
                    found.push(Span { start, rule: *rule, end });
                }
            }
        });
        self.compared
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(cache) = self.cache.take() {
            self.filter.automaton.return_cache(cache);
        }
    }
}

/// The match with some characters around it.
fn excerpt(raw: &str, range: &std::ops::Range<usize>) -> String {
    let before = raw[..range.start].char_indices().rev().take(AROUND).last().map_or(range.start, |(at, _)| at);
    let after = raw[range.end..].char_indices().nth(AROUND).map_or(raw.len(), |(at, _)| range.end + at);
    raw[before..after].to_owned()
}
