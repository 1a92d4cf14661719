//! Computes figures from outcomes.

use std::{collections::BTreeMap, time::Duration};

use rag::retrieve::Confidence;

use super::{AnswerText, CaseResult, Half, Question, QuestionOutcome, Variant, statistics::auc};

/// The metrics of one search variant for a group of questions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metrics {
    /// The search variant.
    pub variant: Variant,
    /// Share of the answerable ones whose first hit is right.
    pub recall_1: f64,
    /// Share of the answerable ones with a right hit among the first five.
    pub recall_5: f64,
    /// Mean reciprocal rank of the first right hit.
    pub mrr: f64,
    /// Share of the answerable ones that got an answer.
    pub answered: f64,
    /// Share of the answerable ones whose answer cites a right passage first.
    pub right: f64,
    /// Share of the answerable ones that the chatbot was not sure about.
    pub low: f64,
    /// Share of the answerable ones that got the fallback message.
    pub none: f64,
    /// Number of unanswerable ones that got an answer.
    pub invented: usize,
    /// Number of unanswerable ones with low confidence.
    pub low_without: usize,
    /// Share of the answerable ones with labelled words whose answer has them; `None` when no question has such words.
    pub in_text: Option<f64>,
    /// Share of the answerable ones with labelled words that a visitor reads, in an answer or in what is closest.
    pub read: Option<f64>,
    /// Share of the answers to answerable ones that are complete; `None` when there is no answer.
    pub complete: Option<f64>,
    /// Median length of these answers in characters; `None` when there is no answer.
    pub characters: Option<usize>,
}

/// The criterion of a group of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// The kind of the question.
    Kind,
    /// Their half of a development set.
    Half(Half),
    /// Nothing: all questions.
    All,
}

/// The figures of a group of questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The criterion of the group.
    pub by: Grouping,
    /// The name of the group.
    pub name: String,
    /// Number of questions.
    pub count: usize,
    /// Number of answerable ones.
    pub answerable: usize,
    /// How well the evidence separates answerable from unanswerable questions: the area under the curve. `None` when
    /// the group has only one kind.
    pub auc: Option<f64>,
    /// Each way of searching; the last one is what a visitor gets.
    pub metrics: Vec<Metrics>,
}

impl Row {
    /// Whether a question belongs to the group.
    pub fn has(&self, question: &Question) -> bool {
        match self.by {
            Grouping::Kind => question.kind == self.name,
            Grouping::Half(half) => question.half == Some(half),
            Grouping::All => true,
        }
    }
}

/// The figures of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Each kind, each half, and all together as the last.
    pub rows: Vec<Row>,
    /// Median and 95th percentile of the [`STEPS`].
    pub times: [(Duration, Duration); STEPS.len()],
}

/// The measured steps.
pub const STEPS: [&str; 5] = ["embedding", "search", "ranking", "extraction", "together"];

impl Figures {
    /// Counts the outcomes of a group of questions.
    pub fn of(outcomes: &[QuestionOutcome]) -> Self {
        let mut kinds: BTreeMap<&str, Vec<&QuestionOutcome>> = BTreeMap::new();
        for outcome in outcomes {
            kinds.entry(&outcome.question.kind).or_default().push(outcome);
        }
        let mut rows: Vec<Row> = kinds.iter().map(|(name, group)| row(Grouping::Kind, name, group)).collect();
        for half in [Half::A, Half::B] {
            let group: Vec<&QuestionOutcome> =
                outcomes.iter().filter(|outcome| outcome.question.half == Some(half)).collect();
            if !group.is_empty() {
                rows.push(row(Grouping::Half(half), &format!("half {}", half.name()), &group));
            }
        }
        rows.push(row(Grouping::All, "all", &outcomes.iter().collect::<Vec<_>>()));
        let times = std::array::from_fn(|step| {
            let time = |outcome: &QuestionOutcome| match outcome.times.get(step) {
                Some(time) => *time,
                None => outcome.times.iter().sum(),
            };
            percentiles(outcomes.iter().map(time).collect())
        });
        Self { rows, times }
    }
}

fn row(by: Grouping, name: &str, group: &[&QuestionOutcome]) -> Row {
    let variants = group.first().map_or(0, |outcome| outcome.results.len());
    Row {
        by,
        name: name.to_owned(),
        count: group.len(),
        answerable: of(group, true).count(),
        auc: refusal_auc(group),
        metrics: (0..variants).map(|at| metrics(group, at)).collect(),
    }
}

/// The outcomes of answerable, or of unanswerable questions.
fn of<'a>(group: &'a [&'a QuestionOutcome], answerable: bool) -> impl Iterator<Item = &'a QuestionOutcome> {
    group.iter().copied().filter(move |outcome| outcome.question.is_answerable() == answerable)
}

/// How well the evidence separates a group's answerable from its unanswerable questions.
pub(super) fn refusal_auc(group: &[&QuestionOutcome]) -> Option<f64> {
    let evidence = |answerable| of(group, answerable).map(|outcome| outcome.evidence).collect::<Vec<_>>();
    auc(&evidence(true), &evidence(false))
}

/// The figures of the variant at `at`, which every outcome has. The group has at least one outcome.
pub(super) fn metrics(group: &[&QuestionOutcome], at: usize) -> Metrics {
    let answerable: Vec<CaseResult> = of(group, true).map(|outcome| outcome.results[at]).collect();
    let mean = |points: &dyn Fn(&CaseResult) -> f64| share(answerable.iter().map(points).sum(), answerable.len());
    let counted = |holds: bool| if holds { 1.0 } else { 0.0 };
    let within = |limit: usize| mean(&|result| counted(result.rank.is_some_and(|rank| rank <= limit)));
    #[allow(clippy::cast_precision_loss, reason = "a rank is at most 40")]
    let reciprocal = |result: &CaseResult| result.rank.map_or(0.0, |rank| 1.0 / rank as f64);
    let texts: Vec<AnswerText> = answerable.iter().filter_map(|result| result.text).collect();
    let labelled = of(group, true).filter(|outcome| !outcome.question.words.is_empty()).count();
    let with_words = texts.iter().filter(|text| text.has_words == Some(true)).count();
    let read = answerable.iter().filter(|result| result.is_read == Some(true)).count();
    let complete = texts.iter().filter(|text| text.is_complete).count();
    Metrics {
        variant: group[0].results[at].variant,
        recall_1: within(1),
        recall_5: within(5),
        mrr: mean(&reciprocal),
        answered: mean(&|result| counted(result.text.is_some())),
        right: mean(&|result| counted(result.is_right)),
        low: mean(&|result| counted(result.confidence == Confidence::Low)),
        none: mean(&|result| counted(result.confidence == Confidence::None)),
        low_without: of(group, false).filter(|outcome| outcome.results[at].confidence == Confidence::Low).count(),
        invented: of(group, false).filter(|outcome| outcome.results[at].text.is_some()).count(),
        in_text: (labelled > 0).then(|| ratio(with_words, labelled)),
        read: (labelled > 0).then(|| ratio(read, labelled)),
        complete: (!texts.is_empty()).then(|| ratio(complete, texts.len())),
        characters: median(texts.iter().map(|text| text.characters).collect()),
    }
}

#[allow(clippy::cast_precision_loss, reason = "questions are counted in hundreds")]
fn share(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[allow(clippy::cast_precision_loss, reason = "questions are counted in hundreds")]
fn ratio(part: usize, whole: usize) -> f64 {
    share(part as f64, whole)
}

fn median(mut lengths: Vec<usize>) -> Option<usize> {
    lengths.sort_unstable();
    lengths.get(lengths.len().saturating_sub(1) / 2).copied()
}

fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    let at = |percent: usize| times.get(times.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default();
    (at(50), at(95))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::measure::{Question, answer_text};

    /// An outcome of a question of this kind, `none` for an unanswerable one, with `text` as its answer.
    pub(in crate::measure) fn outcome(
        kind: &str,
        rank: Option<usize>,
        text: Option<&str>,
        is_right: bool,
    ) -> QuestionOutcome {
        let answerable = kind != "none";
        let question = Question {
            question: "?".to_owned(),
            history: vec![],
            kind: kind.to_owned(),
            document: answerable.then(|| "a.md".to_owned()),
            passage: None,
            words: answerable.then(|| "at six".to_owned()).into_iter().collect(),
            half: Some(Half::B),
            ..Question::default()
        };
        let confidence = if text.is_some() { Confidence::High } else { Confidence::None };
        let lost = CaseResult {
            variant: Variant::Words,
            rank: None,
            confidence: Confidence::None,
            text: None,
            is_read: Some(false),
            is_right: false,
        };
        let is_read = answer_text::is_read(&question, text);
        let judged = text.map(|text| AnswerText::of(&question, text));
        let results =
            vec![lost, CaseResult { variant: Variant::Fused, rank, confidence, text: judged, is_read, is_right }];
        let evidence = if answerable { 0.6 } else { -0.4 };
        let times = [1, 2, 3, 4].map(Duration::from_millis);
        let answer = text.map(str::to_owned);
        let (reply, candidates) = (answer.clone(), Vec::new());
        QuestionOutcome { question, results, answer, reply, evidence, candidates, times }
    }

    #[test]
    fn shares_count_answerable_questions_only() {
        let outcomes = [
            outcome("direct", Some(1), Some("It closes at six."), true),
            outcome("direct", Some(4), Some("Related topics"), false),
            outcome("direct", None, None, false),
            outcome("none", None, Some("It never closes."), false),
        ];
        let figures = Figures::of(&outcomes);
        let all = figures.rows.last().unwrap();
        assert_eq!((all.by, all.count, all.answerable), (Grouping::All, 4, 3));
        let [words, fused] = all.metrics[..] else { panic!("two variants: {all:?}") };
        assert_eq!((fused.recall_1, fused.recall_5), (1.0 / 3.0, 2.0 / 3.0));
        assert!((fused.mrr - 1.25 / 3.0).abs() < 1e-9);
        assert_eq!((fused.answered, fused.right, fused.invented), (2.0 / 3.0, 1.0 / 3.0, 1));
        assert_eq!((fused.low, fused.none), (0.0, 1.0 / 3.0));
        assert_eq!((words.recall_5, words.answered, words.none, words.invented), (0.0, 0.0, 1.0, 0));
        assert_eq!(figures.times[4].0, Duration::from_millis(10));
    }

    #[test]
    fn words_count_when_answerable_and_completeness_when_answered() {
        let outcomes = [
            outcome("direct", Some(1), Some("It closes at six."), true),
            outcome("direct", Some(2), Some("Related topics"), false),
            outcome("direct", None, None, false),
            outcome("direct", None, None, false),
        ];
        let figures = Figures::of(&outcomes);
        let fused = figures.rows.last().unwrap().metrics[1];
        assert_eq!((fused.in_text, fused.complete, fused.characters), (Some(0.25), Some(0.5), Some(14)));
        let words = figures.rows.last().unwrap().metrics[0];
        assert_eq!((words.in_text, words.complete, words.characters), (Some(0.0), None, None));
    }

    #[test]
    fn halves_have_own_rows_and_auc_needs_both_sorts_of_questions() {
        let outcomes = [outcome("direct", Some(1), None, false), outcome("none", None, None, false)];
        let rows = Figures::of(&outcomes).rows;
        let names: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.auc)).collect();
        assert_eq!(names, [("direct", None), ("none", None), ("half b", Some(1.0)), ("all", Some(1.0))]);
    }
}
