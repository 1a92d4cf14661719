//! Filters an answer while it is streamed: releases only text that no rule can match any more.

use std::sync::Arc;

use regex_automata::hybrid::dfa::Cache;

use super::{
    FilterOutcome, OutputFilter, Trigger,
    context::Context,
    fold::{self, Folded},
    redactor::{Purpose, Redactor, Span},
    scan::{Scan, View},
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
/// match. Rules look at the answer as it is written and, from the first character that folding changes, at the folded
/// answer as well.
#[derive(Debug)]
pub struct Stream {
    filter: Arc<OutputFilter>,
    context: Arc<Context>,
    cache: Option<Cache>,
    raw: String,
    /// The end of the last complete segment. What follows may still change when more text arrives, so nothing looks at it.
    complete: usize,
    written: Scan,
    folded: Option<(Folded, Scan)>,
    /// Matches behind the decided text.
    spans: Vec<Span>,
    redactor: Redactor,
    /// The text before this position was released.
    decided: usize,
}

impl Stream {
    pub(super) fn new(filter: Arc<OutputFilter>, context: Arc<Context>, purpose: Purpose) -> Self {
        Self {
            cache: Some(filter.automaton.cache()),
            folded: context.is_always_folded().then(|| (Folded::unchanged(""), Scan::from(0))),
            filter,
            context,
            raw: String::new(),
            complete: 0,
            written: Scan::from(0),
            spans: Vec::new(),
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
        let mut late = if self.redactor.blocked { Vec::new() } else { self.whole_spans() };
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
        self.fold(last);
        let (filter, context) = (Arc::clone(&self.filter), Arc::clone(&self.context));
        let (rules, cache) = ((&*filter, &*context), self.cache.get_or_insert_with(|| filter.automaton.cache()));
        let view = View { text: &self.raw[..self.complete], folded_from: None, prompt: &context.prompt };
        let mut open = self.written.advance(rules, cache, &view, last, &mut self.spans);
        if let Some((folded, scan)) = &mut self.folded {
            let view = folded_view(folded, &self.raw, &context);
            let at = scan.advance(rules, cache, &view, last, &mut self.spans);
            let start = if at < folded.text.len() { folded.original_start(at) } else { self.complete };
            open = open.min(start);
        }
        self.spans.sort_unstable();
        let ready = self.spans.partition_point(|span| last || span.start < open);
        for span in self.spans.drain(..ready) {
            if !self.redactor.blocked {
                self.redactor.apply(span, &self.filter.rules[span.rule]);
            }
        }
        self.decided = open;
    }

    /// Folds the segments that are complete. The text before the first changed one is the same in both views, and no
    /// match that begins in its released part can still be open.
    fn fold(&mut self, last: bool) {
        while let Some(length) = fold::segment(&self.raw[self.complete..], last) {
            let segment = &self.raw[self.complete..self.complete + length];
            if self.folded.is_none() && fold::changes(segment) {
                self.folded = Some((Folded::unchanged(&self.raw[..self.complete]), Scan::from(self.decided)));
            }
            if let Some((folded, _)) = &mut self.folded {
                folded.push(segment, self.complete);
            }
            self.complete += length;
        }
    }

    /// The matches of rules for whole answers, in both views.
    fn whole_spans(&self) -> Vec<Span> {
        let view = View { text: &self.raw, folded_from: None, prompt: &self.context.prompt };
        let mut spans = self.filter.whole_spans(&view, &self.context);
        if let Some((folded, _)) = &self.folded {
            let view = folded_view(folded, &self.raw, &self.context);
            spans.extend(self.filter.whole_spans(&view, &self.context));
        }
        spans
    }
}

fn folded_view<'a>(folded: &'a Folded, answer: &'a str, context: &'a Context) -> View<'a> {
    View { text: &folded.text, folded_from: Some((folded, answer)), prompt: context.folded_prompt() }
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
