//! From outcomes to figures.

use std::{collections::BTreeMap, time::Duration};

use super::{Outcome, VARIANTS};

/// The figures of a group of questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The group.
    pub name: String,
    /// How many questions it has.
    pub count: usize,
    /// How many of them have an answer.
    pub answerable: usize,
    /// Share of the answerable ones whose first hit is right, for each of [`VARIANTS`].
    pub recall_1: [f64; 3],
    /// Share of the answerable ones with a right hit among the first five.
    pub recall_5: [f64; 3],
    /// Mean of 1 / rank of the first right hit.
    pub mrr: [f64; 3],
    /// Share of all that got an answer.
    pub answered: f64,
    /// Share of the answerable ones whose answer rests on a right passage first.
    pub right: f64,
}

/// The figures of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Each group, and all together as the last.
    pub rows: Vec<Row>,
    /// Median and 95th percentile of embedding, searching, extracting, and of all three.
    pub times: [(Duration, Duration); 4],
}

impl Figures {
    /// Counts.
    pub fn of(outcomes: &[Outcome]) -> Self {
        let mut groups: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
        for outcome in outcomes {
            groups.entry(&outcome.question.kind).or_default().push(outcome);
        }
        let mut rows: Vec<Row> = groups.iter().map(|(name, group)| row(name, group)).collect();
        rows.push(row("all", &outcomes.iter().collect::<Vec<_>>()));
        let time = |of: &dyn Fn(&Outcome) -> Duration| percentiles(outcomes.iter().map(of).collect());
        let times = [
            time(&|outcome| outcome.times[0]),
            time(&|outcome| outcome.times[1]),
            time(&|outcome| outcome.times[2]),
            time(&|outcome| outcome.times.iter().sum()),
        ];
        Self { rows, times }
    }
}

fn row(name: &str, group: &[&Outcome]) -> Row {
    let answerable: Vec<&&Outcome> = group.iter().filter(|outcome| outcome.question.is_answerable()).collect();
    let by_rank = |points: &dyn Fn(usize) -> f64| {
        std::array::from_fn(|variant| {
            let sum: f64 = answerable.iter().map(|outcome| outcome.ranks[variant].map_or(0.0, points)).sum();
            share(sum, answerable.len())
        })
    };
    let within = |limit: usize| by_rank(&|rank| if rank <= limit { 1.0 } else { 0.0 });
    #[allow(clippy::cast_precision_loss, reason = "a rank is at most 40")]
    let reciprocal = |rank: usize| 1.0 / rank as f64;
    let count = |holds: &dyn Fn(&Outcome) -> bool| group.iter().filter(|outcome| holds(outcome)).count();
    #[allow(clippy::cast_precision_loss, reason = "questions are counted in hundreds")]
    let (answered, right) = (count(&|outcome| outcome.answered) as f64, count(&|outcome| outcome.is_right) as f64);
    Row {
        name: name.to_owned(),
        count: group.len(),
        answerable: answerable.len(),
        recall_1: within(1),
        recall_5: within(5),
        mrr: by_rank(&reciprocal),
        answered: share(answered, group.len()),
        right: share(right, answerable.len()),
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

/// The name of the variant that a visitor's question uses.
pub(super) const USED: usize = VARIANTS.len() - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Question;

    fn outcome(kind: &str, rank: Option<usize>, answered: bool, is_right: bool) -> Outcome {
        let passage = (kind != "none").then(|| "x".to_owned());
        let question =
            Question { question: "?".to_owned(), history: vec![], kind: kind.to_owned(), document: None, passage };
        let times = [Duration::from_millis(1), Duration::from_millis(2), Duration::from_millis(3)];
        Outcome { question, ranks: [None, None, rank], answered, is_right, best_cosine: 0.5, times }
    }

    #[test]
    fn shares_count_answerable_questions_only_where_they_must() {
        let outcomes = [
            outcome("direct", Some(1), true, true),
            outcome("direct", Some(4), true, false),
            outcome("direct", None, false, false),
            outcome("none", None, true, false),
        ];
        let figures = Figures::of(&outcomes);
        let all = figures.rows.last().unwrap();
        assert_eq!((all.count, all.answerable), (4, 3));
        assert_eq!((all.recall_1[USED], all.recall_5[USED]), (1.0 / 3.0, 2.0 / 3.0));
        assert!((all.mrr[USED] - 1.25 / 3.0).abs() < 1e-9);
        assert_eq!((all.answered, all.right), (0.75, 1.0 / 3.0));
        assert_eq!(figures.times[3].0, Duration::from_millis(6));
    }
}
