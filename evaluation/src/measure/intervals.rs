//! Confidence intervals of the figures that visitors notice.

use super::{Metrics, QuestionOutcome, figures, statistics};

/// The 95 % interval of a figure; `None` when the figure has no value.
pub(super) type Interval = Option<(f64, f64)>;

/// Intervals of a group of questions, for what a visitor gets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intervals {
    /// Share of the answerable ones whose first hit is right.
    pub recall_1: Interval,
    /// Share of the answerable ones with a right hit among the first five.
    pub recall_5: Interval,
    /// Share of the answerable ones whose answer cites a right passage first.
    pub right: Interval,
    /// Share of the answerable ones whose answer has the words.
    pub in_text: Interval,
    /// Share of labelled answerable questions whose reply has all the words where a visitor reads.
    pub read: Interval,
    /// Share of those without an answer that got one.
    pub invented: Interval,
    /// Area under the curve of the refusal.
    pub auc: Interval,
}

impl Intervals {
    /// Draws samples of the group.
    pub fn of(group: &[&QuestionOutcome]) -> Self {
        let of = |answerable: bool| -> Vec<&QuestionOutcome> {
            group.iter().copied().filter(|outcome| outcome.question.is_answerable() == answerable).collect()
        };
        let (answerable, others) = (of(true), of(false));
        let metric = |of: &[&QuestionOutcome], figure: fn(&Metrics) -> Option<f64>| {
            statistics::interval(of, |sample| visitors(sample).as_ref().and_then(figure))
        };
        Self {
            recall_1: metric(&answerable, |metrics| Some(metrics.recall_1)),
            recall_5: metric(&answerable, |metrics| Some(metrics.recall_5)),
            right: metric(&answerable, |metrics| Some(metrics.right)),
            in_text: metric(&answerable, |metrics| metrics.in_text),
            read: metric(&answerable, |metrics| metrics.read),
            invented: statistics::interval(&others, invented_share),
            auc: statistics::interval(group, figures::refusal_auc),
        }
    }
}

/// The share of unanswerable questions that got an answer; `None` when every question is answerable.
pub(super) fn invented_share(group: &[&QuestionOutcome]) -> Option<f64> {
    let without = group.iter().filter(|outcome| !outcome.question.is_answerable());
    let (mut count, mut answered) = (0.0, 0.0);
    for outcome in without {
        count += 1.0;
        answered += if outcome.answered() { 1.0 } else { 0.0 };
    }
    (count > 0.0).then(|| answered / count)
}

/// The metrics of the visitors' variant; `None` for an empty group.
pub(super) fn visitors(group: &[&QuestionOutcome]) -> Option<Metrics> {
    let last = group.first()?.results.len().checked_sub(1)?;
    Some(figures::metrics(group, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::figures::tests::outcome;

    #[test]
    fn intervals_contain_the_figures_and_are_none_without_questions() {
        let outcomes = [
            outcome("direct", Some(1), Some("It closes at six."), true),
            outcome("direct", Some(2), None, false),
            outcome("direct", None, None, false),
        ];
        let intervals = Intervals::of(&outcomes.iter().collect::<Vec<_>>());
        let (low, high) = intervals.recall_1.unwrap();
        assert!(low < 1.0 / 3.0 && 1.0 / 3.0 < high, "{low} {high}");
        assert_eq!((intervals.invented, intervals.auc), (None, None));
    }
}
