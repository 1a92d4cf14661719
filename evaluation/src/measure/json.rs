//! The figures as JSON. Names are stable; new ones may be added.

use rag::retrieve::Candidate;
use serde_json::{Map, Value, json};
use server::eval::confidence_name;

use super::{
    Grouping, Intervals, Metrics, QuestionOutcome, STEPS, SetReport,
    intervals::{Interval, invented_share},
};

/// Rises when a name changes its meaning.
const VERSION: u32 = 1;

/// Every set with its groups, times and questions.
pub fn json(sets: &[SetReport]) -> Value {
    json!({ "version": VERSION, "sets": sets.iter().map(set).collect::<Vec<_>>() })
}

fn set(report: &SetReport) -> Value {
    let figures = &report.figures;
    let visitor = figures.rows.last().and_then(|row| row.metrics.last()).map(|metrics| metrics.variant.key());
    let times = STEPS.iter().zip(figures.times).map(|(step, (p50, p95))| {
        let millis = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        ((*step).to_owned(), json!({ "p50": millis(p50), "p95": millis(p95) }))
    });
    json!({
        "name": report.name,
        "language": report.language,
        "tuned": report.tuned,
        "visitor": visitor,
        "groups": groups(report),
        "times_ms": times.collect::<Map<_, _>>(),
        "questions": report.outcomes.iter().map(question).collect::<Vec<_>>(),
    })
}

fn groups(report: &SetReport) -> Vec<Value> {
    let group = |row: &super::Row| {
        let (by, name) = match row.by {
            Grouping::Kind => ("kind", row.name.as_str()),
            Grouping::Half(half) => ("half", half.name()),
            Grouping::All => ("all", "all"),
        };
        let outcomes = report.group(row);
        let searches = row.metrics.iter().map(|of| (of.variant.key().to_owned(), metrics(of)));
        json!({
            "by": by,
            "name": name,
            "questions": row.count,
            "answerable": row.answerable,
            "refusal_auc": row.auc,
            "invented_share": invented_share(&outcomes),
            "searches": searches.collect::<Map<_, _>>(),
            "interval_95": intervals(&Intervals::of(&outcomes)),
        })
    };
    report.figures.rows.iter().map(group).collect()
}

fn metrics(of: &Metrics) -> Value {
    json!({
        "recall_1": of.recall_1,
        "recall_5": of.recall_5,
        "mrr": of.mrr,
        "answered": of.answered,
        "right": of.right,
        "low": of.low,
        "none": of.none,
        "invented": of.invented,
        "low_without": of.low_without,
        "in_text": of.in_text,
        "read": of.read,
        "complete": of.complete,
        "characters": of.characters,
    })
}

fn intervals(of: &Intervals) -> Value {
    let pair = |interval: Interval| interval.map(|(low, high)| [low, high]);
    json!({
        "recall_1": pair(of.recall_1),
        "recall_5": pair(of.recall_5),
        "right": pair(of.right),
        "in_text": pair(of.in_text),
        "read": pair(of.read),
        "invented_share": pair(of.invented),
        "refusal_auc": pair(of.auc),
    })
}

fn question(outcome: &QuestionOutcome) -> Value {
    let result = outcome.results.last();
    let text = result.and_then(|result| result.text);
    json!({
        "question": outcome.question.question,
        "kind": outcome.question.kind,
        "half": outcome.question.half.map(super::Half::name),
        "answerable": outcome.question.is_answerable(),
        "ask_back": outcome.question.ask_back,
        "rank": result.and_then(|result| result.rank),
        "right": outcome.is_right(),
        "evidence": outcome.evidence,
        "confidence": result.map(|result| confidence_name(result.confidence)),
        "candidates": outcome.candidates.iter().map(candidate).collect::<Vec<_>>(),
        "answer": outcome.answer,
        "reply": outcome.reply,
        "read": result.and_then(|result| result.is_read),
        "in_text": text.and_then(|text| text.has_words),
        "complete": text.map(|text| text.is_complete),
        "characters": text.map(|text| text.characters),
    })
}

fn candidate((candidate, is_right): &(Candidate, bool)) -> Value {
    let Candidate { title, heading, cosine, words, coverage, likeness, lacks_own_words, .. } = candidate;
    json!({
        "title": title,
        "heading": heading,
        "cosine": cosine,
        "words": words,
        "coverage": coverage,
        "likeness": likeness,
        "lacks_own_words": lacks_own_words,
        "right": is_right,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Figures, figures::tests::outcome};

    #[test]
    fn names_are_those_that_programs_read() {
        let outcomes =
            vec![outcome("direct", Some(1), Some("It closes at six."), true), outcome("none", None, None, false)];
        let figures = Figures::of(&outcomes);
        let (name, language) = ("english".to_owned(), "en".to_owned());
        let value = json(&[SetReport { name, language, tuned: false, outcomes, figures }]);
        let set = &value["sets"][0];
        assert_eq!((&set["name"], &set["visitor"]), (&json!("english"), &json!("fused")));
        let all = set["groups"].as_array().unwrap().last().unwrap();
        assert_eq!((&all["by"], &all["refusal_auc"]), (&json!("all"), &json!(1.0)));
        assert_eq!(
            (&all["searches"]["fused"]["in_text"], &all["searches"]["fused"]["read"]),
            (&json!(1.0), &json!(1.0))
        );
        assert_eq!((&all["searches"]["fused"]["none"], &all["searches"]["words"]["none"]), (&json!(0.0), &json!(1.0)));
        assert_eq!(all["interval_95"]["recall_1"], json!([1.0, 1.0]));
        assert_eq!(set["groups"][2]["name"], json!("b"), "halves follow the kinds");
        assert_eq!(set["questions"][0]["answer"], json!("It closes at six."));
        assert!(set["times_ms"]["together"]["p95"].is_number());
    }
}
