//! Records matches in the order of their beginnings, and masks or blocks the text.

use std::ops::Range;

use super::rules::{Action, Rule};

/// Maximum matches: an answer with more is blocked, because each match is stored.
pub const MAX_TRIGGERS: usize = 100;

/// The mode of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Purpose {
    /// Act as the rules say and record each match.
    #[default]
    Filter,
    /// Mask everything that a rule would block or mask.
    Redact,
    /// Record each match without changing the text.
    Probe,
}

/// An accepted match of one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) rule: usize,
    pub(super) end: usize,
}

/// The matches so far and how much of the answer was released. Which matches are joined, and where a blocked answer
/// ends, depends on the text alone and not on its chunks.
#[derive(Debug, Default)]
pub(super) struct Redactor {
    /// Matches with their rules; overlapping and adjacent ones of the same rule are joined.
    pub(super) triggers: Vec<(usize, Range<usize>)>,
    /// Whether the answer is blocked.
    pub(super) blocked: bool,
    /// The masked ranges, disjoint and in order.
    pub(super) masks: Vec<Range<usize>>,
    purpose: Purpose,
    /// Number of triggers that changed the answer.
    effective: usize,
    /// The text before this position was released or replaced.
    released: usize,
}

impl Redactor {
    pub(super) fn new(purpose: Purpose) -> Self {
        Self { purpose, ..Self::default() }
    }

    /// Records a match, and blocks or masks as its rule says. Matches must come in the order of their beginnings.
    pub(super) fn apply(&mut self, span: Span, rule: &Rule) {
        let acts = !rule.monitor_only && self.purpose != Purpose::Probe;
        if self.purpose != Purpose::Redact {
            self.record(span, acts);
            self.blocked |= acts && (rule.action == Action::Block || self.effective >= MAX_TRIGGERS);
        }
        if acts {
            join(&mut self.masks, span.start..span.end);
        }
    }

    fn record(&mut self, span: Span, acts: bool) {
        let full = self.triggers.len() >= MAX_TRIGGERS;
        let mut recorded = self.triggers.iter_mut().rev();
        match recorded.find(|(rule, last)| *rule == span.rule && last.end >= span.start) {
            Some((_, last)) => last.end = last.end.max(span.end),
            None if !acts && full => {}
            None => {
                self.effective += usize::from(acts);
                self.triggers.push((span.rule, span.start..span.end));
            }
        }
    }

    /// Returns the masked text of `raw` that was not released yet, up to `end`. Every match that begins before `end`
    /// must have been applied.
    pub(super) fn release(&mut self, end: usize, raw: &str, mark: &str) -> String {
        let mut text = String::new();
        let next = self.masks.partition_point(|masked| masked.start < self.released);
        if let Some(grown) = next.checked_sub(1).map(|index| self.masks[index].end) {
            self.released = self.released.max(grown);
        }
        for masked in &self.masks[next..] {
            text.push_str(&raw[self.released..masked.start]);
            text.push_str(mark);
            self.released = masked.end;
        }
        if end > self.released {
            text.push_str(&raw[self.released..end]);
            self.released = end;
        }
        text
    }

    /// Applies the matches found in the whole answer after those of the stream, and returns the whole text.
    pub(super) fn finish<'a>(&mut self, late: impl Iterator<Item = (Span, &'a Rule)>, raw: &str, mark: &str) -> String {
        let mut masks = std::mem::take(&mut self.masks);
        for (span, rule) in late {
            self.apply(span, rule);
        }
        masks.append(&mut self.masks);
        masks.sort_by_key(|masked| (masked.start, masked.end));
        for masked in masks {
            join(&mut self.masks, masked);
        }
        self.released = 0;
        self.release(raw.len(), raw, mark)
    }
}

/// Adds a range that begins no earlier than the last one, and joins it with the last one if they overlap or touch.
fn join(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
        _ => ranges.push(range),
    }
}
