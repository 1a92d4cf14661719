//! From outcomes to figures.

use std::{collections::BTreeMap, time::Duration};

use super::{Outcome, Tried, Variant};

/// What one way of searching did with a group of questions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// The way.
    pub variant: Variant,
    /// Share of the answerable ones whose first hit is right.
    pub recall_1: f64,
    /// Share of the answerable ones with a right hit among the first five.
    pub recall_5: f64,
    /// Mean of 1 / rank of the first right hit.
    pub mrr: f64,
    /// Share of the answerable ones that got an answer.
    pub answered: f64,
    /// Share of the answerable ones whose answer rests on a right passage first.
    pub right: f64,
    /// How many of those without an answer got one.
    pub invented: usize,
}

/// The figures of a group of questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The group.
    pub name: String,
    /// How many questions it has.
    pub count: usize,
    /// How many of them have an answer.
    pub answerable: usize,
    /// Each way of searching; the last one is what a visitor gets.
    pub measures: Vec<Measures>,
}

/// The figures of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Each group, and all together as the last.
    pub rows: Vec<Row>,
    /// Median and 95th percentile of the [`STEPS`].
    pub times: [(Duration, Duration); STEPS.len()],
}

/// What is timed.
pub const STEPS: [&str; 5] = ["embedding", "search", "ranking", "extraction", "together"];

impl Figures {
    /// Counts.
    pub fn of(outcomes: &[Outcome]) -> Self {
        let mut groups: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
        for outcome in outcomes {
            groups.entry(&outcome.question.kind).or_default().push(outcome);
        }
        let mut rows: Vec<Row> = groups.iter().map(|(name, group)| row(name, group)).collect();
        rows.push(row("all", &outcomes.iter().collect::<Vec<_>>()));
        let times = std::array::from_fn(|step| {
            let time = |outcome: &Outcome| match outcome.times.get(step) {
                Some(time) => *time,
                None => outcome.times.iter().sum(),
            };
            percentiles(outcomes.iter().map(time).collect())
        });
        Self { rows, times }
    }
}

fn row(name: &str, group: &[&Outcome]) -> Row {
    let variants = group.first().map_or(0, |outcome| outcome.tried.len());
    Row {
        name: name.to_owned(),
        count: group.len(),
        answerable: group.iter().filter(|outcome| outcome.question.is_answerable()).count(),
        measures: (0..variants).map(|at| measures(group, at)).collect(),
    }
}

/// The figures of the variant at `at`, which every outcome has.
fn measures(group: &[&Outcome], at: usize) -> Measures {
    let of = |answerable: bool| group.iter().filter(move |outcome| outcome.question.is_answerable() == answerable);
    let answerable: Vec<Tried> = of(true).map(|outcome| outcome.tried[at]).collect();
    let mean = |points: &dyn Fn(&Tried) -> f64| share(answerable.iter().map(points).sum(), answerable.len());
    let counted = |holds: bool| if holds { 1.0 } else { 0.0 };
    let within = |limit: usize| mean(&|tried| counted(tried.rank.is_some_and(|rank| rank <= limit)));
    #[allow(clippy::cast_precision_loss, reason = "a rank is at most 40")]
    let reciprocal = |tried: &Tried| tried.rank.map_or(0.0, |rank| 1.0 / rank as f64);
    Measures {
        variant: group[0].tried[at].variant,
        recall_1: within(1),
        recall_5: within(5),
        mrr: mean(&reciprocal),
        answered: mean(&|tried| counted(tried.answered)),
        right: mean(&|tried| counted(tried.is_right)),
        invented: of(false).filter(|outcome| outcome.tried[at].answered).count(),
    }
}

#[allow(clippy::cast_precision_loss, reason = "questions are counted in hundreds")]
fn share(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    let at = |percent: usize| times.get(times.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default();
    (at(50), at(95))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Question;

    fn outcome(kind: &str, rank: Option<usize>, answered: bool, is_right: bool) -> Outcome {
        let passage = (kind != "none").then(|| "x".to_owned());
        let question =
            Question { question: "?".to_owned(), history: vec![], kind: kind.to_owned(), document: None, passage };
        let lost = Tried { variant: Variant::Words, rank: None, answered: false, is_right: false };
        let tried = vec![lost, Tried { variant: Variant::Fused, rank, answered, is_right }];
        Outcome { question, tried, best_cosine: 0.5, times: [1, 2, 3, 4].map(Duration::from_millis) }
    }

    #[test]
    fn shares_count_answerable_questions_only_and_the_others_are_counted_when_answered() {
        let outcomes = [
            outcome("direct", Some(1), true, true),
            outcome("direct", Some(4), true, false),
            outcome("direct", None, false, false),
            outcome("none", None, true, false),
        ];
        let figures = Figures::of(&outcomes);
        let all = figures.rows.last().unwrap();
        assert_eq!((all.count, all.answerable), (4, 3));
        let [words, fused] = all.measures[..] else { panic!("two variants: {all:?}") };
        assert_eq!((fused.recall_1, fused.recall_5), (1.0 / 3.0, 2.0 / 3.0));
        assert!((fused.mrr - 1.25 / 3.0).abs() < 1e-9);
        assert_eq!((fused.answered, fused.right, fused.invented), (2.0 / 3.0, 1.0 / 3.0, 1));
        assert_eq!((words.recall_5, words.answered, words.invented), (0.0, 0.0, 0));
        assert_eq!(figures.times[4].0, Duration::from_millis(10));
    }
}
