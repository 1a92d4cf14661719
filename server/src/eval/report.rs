//! The figures of a chatbot's own questions, for a terminal and as JSON.

use std::{collections::BTreeMap, fmt::Write as _};

use rag::retrieve::Confidence;
use serde_json::{Value, json as value};

use super::QuestionOutcome;

/// Rises when a name changes its meaning.
const VERSION: u32 = 2;

/// The counted outcomes of a group of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Questions that something answers.
    pub answerable: usize,
    /// Those whose right passage is found first.
    pub found: usize,
    /// Those that got a sure answer.
    pub answered: usize,
    /// Those whose answer is from a right passage.
    pub right: usize,
    /// Questions that nothing answers.
    pub unanswerable: usize,
    /// Those that got no sure answer.
    pub refused: usize,
}

impl Counts {
    /// Counts outcomes.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a QuestionOutcome>) -> Self {
        let mut counts = Self::default();
        for QuestionOutcome { question, judgement, .. } in outcomes {
            let is_sure = judgement.answer.is_some();
            if question.is_answerable() {
                counts.answerable += 1;
                counts.found += usize::from(judgement.rank == Some(1));
                counts.answered += usize::from(is_sure);
                counts.right += usize::from(judgement.is_right);
            } else {
                counts.unanswerable += 1;
                counts.refused += usize::from(!is_sure);
            }
        }
        counts
    }
}

/// The counts of each kind of question, and of all of them as the last.
fn groups(outcomes: &[QuestionOutcome]) -> Vec<(&str, Counts)> {
    let mut kinds: BTreeMap<&str, Vec<&QuestionOutcome>> = BTreeMap::new();
    for outcome in outcomes {
        kinds.entry(&outcome.question.kind).or_default().push(outcome);
    }
    let kinds = kinds.into_iter().map(|(kind, outcomes)| (kind, Counts::of(outcomes)));
    kinds.chain([("all", Counts::of(outcomes))]).collect()
}

/// A table of the kinds of questions, and the questions that went wrong.
pub fn text(outcomes: &[QuestionOutcome]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{:<14} {:>10} {:>10} {:>10} {:>10}", "kind", "found", "answered", "right", "refused");
    for (kind, counts) in groups(outcomes) {
        let share = |part: usize, of: usize| if of == 0 { "-".to_owned() } else { format!("{part} of {of}") };
        let Counts { answerable, found, answered, right, unanswerable, refused } = counts;
        let [found, answered, right] = [found, answered, right].map(|part| share(part, answerable));
        let refused = share(refused, unanswerable);
        let _ = writeln!(out, "{kind:<14} {found:>10} {answered:>10} {right:>10} {refused:>10}");
    }
    for (title, is_wrong) in FAULTS {
        let wrong: Vec<&QuestionOutcome> = outcomes.iter().filter(|outcome| is_wrong(outcome)).collect();
        if !wrong.is_empty() {
            let _ = writeln!(out, "\n{title} ({})", wrong.len());
        }
        for outcome in wrong {
            let _ = writeln!(out, "  {}", outcome.question.question);
        }
    }
    out
}

type Fault = (&'static str, fn(&QuestionOutcome) -> bool);

/// What can go wrong, the first that fits.
const FAULTS: [Fault; 4] = [
    ("Not found first", |outcome| outcome.question.is_answerable() && outcome.judgement.rank != Some(1)),
    ("Found, but not answered", |outcome| {
        let judgement = &outcome.judgement;
        outcome.question.is_answerable() && judgement.rank == Some(1) && judgement.answer.is_none()
    }),
    ("Found, but answered from another passage", |outcome| {
        let judgement = &outcome.judgement;
        judgement.rank == Some(1) && judgement.answer.is_some() && !judgement.is_right
    }),
    ("Answered without an answer", |outcome| !outcome.question.is_answerable() && outcome.judgement.answer.is_some()),
];

/// The same figures, and the result of each question. Names are stable; new ones may be added.
pub fn json(outcomes: &[QuestionOutcome]) -> Value {
    let group = |(kind, counts): &(&str, Counts)| {
        let Counts { answerable, found, answered, right, unanswerable, refused } = counts;
        value!({
            "kind": kind,
            "answerable": answerable,
            "found": found,
            "answered": answered,
            "right": right,
            "unanswerable": unanswerable,
            "refused": refused,
        })
    };
    let question = |QuestionOutcome { question, judgement, .. }: &QuestionOutcome| {
        value!({
            "question": question.question,
            "kind": question.kind,
            "answerable": question.is_answerable(),
            "rank": judgement.rank,
            "confidence": confidence_name(judgement.confidence),
            "right": judgement.is_right,
            "answer": judgement.answer.as_ref().map(|answer| &answer.text),
            "reply": judgement.reply,
        })
    };
    value!({
        "version": VERSION,
        "groups": groups(outcomes).iter().map(group).collect::<Vec<_>>(),
        "questions": outcomes.iter().map(question).collect::<Vec<_>>(),
    })
}

/// The name of a confidence in JSON.
pub const fn confidence_name(of: Confidence) -> &'static str {
    match of {
        Confidence::High => "high",
        Confidence::Low => "low",
        Confidence::None => "none",
    }
}

#[cfg(test)]
mod tests {
    use rag::generate::Answer;

    use super::*;
    use crate::eval::{Judgement, Question};

    fn outcome(kind: &str, rank: Option<usize>, answer: Option<&str>, is_right: bool) -> QuestionOutcome {
        let document = (kind != "none").then(|| "a.md".to_owned());
        let answer = answer.map(|text| Answer { text: text.to_owned(), ..Answer::default() });
        let confidence = if answer.is_some() { Confidence::High } else { Confidence::None };
        let reply = answer.as_ref().map(|answer| answer.text.clone());
        QuestionOutcome {
            question: Question {
                question: format!("{rank:?}?"),
                kind: kind.to_owned(),
                document,
                ..Question::default()
            },
            judgement: Judgement { rank, confidence, answer, reply, is_right },
            passages: Vec::new(),
            evidence: 0.0,
            timings: Default::default(),
            extracting: Default::default(),
        }
    }

    #[test]
    fn each_kind_is_counted_and_each_fault_is_listed_once() {
        let outcomes = [
            outcome("direct", Some(1), Some("At six."), true),
            outcome("direct", Some(3), Some("At nine."), false),
            outcome("direct", None, None, false),
            outcome("none", None, None, false),
            outcome("none", None, Some("Never."), false),
        ];
        let all = Counts { answerable: 3, found: 1, answered: 2, right: 1, unanswerable: 2, refused: 1 };
        assert_eq!(Counts::of(&outcomes), all);
        let text = text(&outcomes);
        let cells = |line: usize| {
            text.lines()
                .nth(line)
                .unwrap()
                .split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .collect::<Vec<_>>()
        };
        assert_eq!(cells(1), ["direct", "1 of 3", "2 of 3", "1 of 3", "-"]);
        assert_eq!(cells(3), ["all", "1 of 3", "2 of 3", "1 of 3", "1 of 2"]);
        assert!(text.contains("Not found first (2)\n  Some(3)?\n  None?\n\nAnswered without an answer (1)"), "{text}");
        let json = json(&outcomes);
        assert_eq!((&json["groups"][2]["kind"], &json["groups"][2]["refused"]), (&value!("all"), &value!(1)));
        assert_eq!((&json["questions"][0]["answer"], &json["questions"][1]["rank"]), (&value!("At six."), &value!(3)));
    }
}
