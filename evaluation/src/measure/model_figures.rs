//! Compares the figures of a language model with those of quoted answers and of a perfect model, as a table and as
//! JSON.

use std::fmt::Write as _;

use contract::{conversations::AnsweredBy, widget::Confidence};
use rag::generate::language::Language;
use serde_json::{Map, Value, json};

use super::{AnswerText, Half, ModelOutcome, ModelReport, Question, Recording, support::Sentences};
use server::service::answers::Measured;

/// Rises when a name in JSON changes its meaning.
const VERSION: u32 = 1;

/// The figures of one way of answering.
#[derive(Debug, Clone, Default, PartialEq)]
struct ModelFigures {
    /// Answerable questions, those with labelled words, and those whose answer has them.
    answerable: usize,
    labelled: usize,
    in_text: usize,
    /// Answers to answerable questions, and those that are complete.
    answered: usize,
    complete: usize,
    /// Questions that the model was asked, and answerable ones that it refused.
    asked: usize,
    refused: usize,
    /// Questions without an answer, and those that got one.
    unanswerable: usize,
    invented: usize,
    sentences: Sentences,
    /// Sentences of answers in the model's words, without quoted answers.
    own: Sentences,
    /// Answers in the model's words, without any word, and in another language than the question.
    worded: usize,
    wordless: usize,
    foreign: usize,
}

impl ModelFigures {
    fn of(language: &str, outcomes: &[&ModelOutcome], answer: impl Fn(&ModelOutcome) -> &Measured) -> Self {
        let mut figures = Self::default();
        for outcome in outcomes {
            figures.count(language, &outcome.question, answer(outcome));
        }
        figures
    }

    fn count(&mut self, language: &str, question: &Question, answer: &Measured) {
        let is_sure = answer.confidence == Confidence::High;
        let text = AnswerText::of(question, &answer.text);
        self.asked += usize::from(answer.usage.is_some());
        if question.is_answerable() {
            self.answerable += 1;
            self.refused += usize::from(answer.is_refused);
            self.labelled += usize::from(!question.words.is_empty());
            self.in_text += usize::from(is_sure && text.has_words == Some(true));
            self.answered += usize::from(is_sure);
            self.complete += usize::from(is_sure && text.is_complete);
        } else {
            self.unanswerable += 1;
            self.invented += usize::from(is_sure);
        }
        self.wordless += usize::from(!answer.text.contains(char::is_alphabetic));
        if is_sure {
            let sentences = Sentences::of(answer);
            self.sentences.add(sentences);
            if answer.answered_by == Some(AnsweredBy::Generated) {
                self.worded += 1;
                self.own.add(sentences);
            }
            let expected = Language::of_question(&question.question, language).code;
            self.foreign += usize::from(Language::of_question(&answer.text, expected).code != expected);
        }
    }

    /// Answerable questions that the model refused; `None` when it was asked nothing.
    fn refused(&self) -> Option<f64> {
        share(self.refused, self.answerable).filter(|_| self.asked > 0)
    }

    fn cells(&self) -> [String; 11] {
        let Sentences { count, supported, cited, rightly } = self.sentences;
        [
            cell(share(self.in_text, self.labelled)),
            cell(share(self.complete, self.answered)),
            cell(share(supported, count)),
            cell(share(cited, count)),
            cell(share(rightly, cited)),
            cell(share(self.answered, self.answerable)),
            format!("{} of {}", self.invented, self.unanswerable),
            self.wordless.to_string(),
            self.foreign.to_string(),
            self.worded.to_string(),
            cell(share(self.own.cited, self.own.count)),
        ]
    }

    fn json(&self) -> Value {
        let Sentences { count, supported, cited, rightly } = self.sentences;
        json!({
            "in_text": share(self.in_text, self.labelled),
            "complete": share(self.complete, self.answered),
            "supported": share(supported, count),
            "cited": share(cited, count),
            "rightly": share(rightly, cited),
            "answered": share(self.answered, self.answerable),
            "invented": self.invented,
            "wordless": self.wordless,
            "foreign": self.foreign,
            "worded": self.worded,
            "own_supported": share(self.own.supported, self.own.count),
            "own_cited": share(self.own.cited, self.own.count),
            "own_rightly": share(self.own.rightly, self.own.cited),
            "refused": self.refused(),
        })
    }
}

/// Medians of the questions that the model was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Costs {
    first_ms: Option<u64>,
    last_ms: Option<u64>,
    prompt_tokens: Option<u64>,
    cached_tokens: Option<u64>,
    answer_tokens: Option<u64>,
}

impl Costs {
    fn of(outcomes: &[&ModelOutcome]) -> Self {
        let recordings = || outcomes.iter().filter_map(|outcome| outcome.recording.as_ref());
        let median = |value: &dyn Fn(&Recording) -> u64| {
            let mut values: Vec<u64> = recordings().map(value).collect();
            values.sort_unstable();
            values.get(values.len().saturating_sub(1) / 2).copied()
        };
        Self {
            first_ms: median(&|recording| recording.first_ms),
            last_ms: median(&|recording| recording.last_ms),
            prompt_tokens: median(&|recording| recording.prompt_tokens.into()),
            cached_tokens: median(&|recording| recording.cached_tokens.into()),
            answer_tokens: median(&|recording| recording.answer_tokens.into()),
        }
    }

    fn cells(self) -> [String; 5] {
        let none = || "-".to_owned();
        let seconds =
            |value: Option<u64>| value.map_or_else(none, |millis| format!("{}.{}", millis / 1000, millis % 1000 / 100));
        let number = |value: Option<u64>| value.map_or_else(none, |value| value.to_string());
        [
            seconds(self.first_ms),
            seconds(self.last_ms),
            number(self.prompt_tokens),
            number(self.cached_tokens),
            number(self.answer_tokens),
        ]
    }

    fn json(self) -> Value {
        json!({
            "first_ms": self.first_ms,
            "last_ms": self.last_ms,
            "prompt_tokens": self.prompt_tokens,
            "cached_tokens": self.cached_tokens,
            "answer_tokens": self.answer_tokens,
        })
    }
}

/// A half of a set, or all of it, with the figures of each way of answering.
struct Group {
    name: &'static str,
    questions: usize,
    ways: [(&'static str, ModelFigures); 3],
    costs: Costs,
}

/// The sampled halves and the whole of a set.
fn groups(report: &ModelReport) -> Vec<Group> {
    let mut groups = Vec::new();
    for (name, half) in [("a", Some(Half::A)), ("b", Some(Half::B)), ("all", None)] {
        let in_half = |outcome: &&ModelOutcome| half.is_none() || outcome.question.half == half;
        let outcomes: Vec<&ModelOutcome> = report.outcomes.iter().filter(in_half).collect();
        if outcomes.is_empty() || half.is_some() && outcomes.len() == report.outcomes.len() {
            continue;
        }
        let language = report.language.as_str();
        let ways = [
            ("quoted", ModelFigures::of(language, &outcomes, |outcome| &outcome.quoted)),
            ("perfect", ModelFigures::of(language, &outcomes, |outcome| &outcome.perfect)),
            ("generated", ModelFigures::of(language, &outcomes, |outcome| &outcome.generated)),
        ];
        groups.push(Group { name, questions: outcomes.len(), ways, costs: Costs::of(&outcomes) });
    }
    groups
}

/// The table of all sets: for each half and for all questions a line for each way of answering.
pub fn model_summary(reports: &[ModelReport]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{:<18} {:<4} {:>5} {:<9} {:>7} {:>8} {:>9} {:>5} {:>7} {:>8} {:>12} {:>8} {:>7} \
         {:>6} {:>9} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7}",
        "set",
        "half",
        "count",
        "answers",
        "in text",
        "complete",
        "supported",
        "cited",
        "rightly",
        "answered",
        "sure without",
        "wordless",
        "foreign",
        "worded",
        "own cited",
        "first s",
        "last s",
        "prompt",
        "cached",
        "answer",
        "refused",
    );
    for report in reports {
        for Group { name, questions, ways, costs } in groups(report) {
            for (way, figures) in ways {
                let costs = if way == "generated" { costs } else { Costs::default() };
                let cells = row(&figures, costs);
                let _ = writeln!(out, "{:<18} {name:<4} {questions:>5} {way:<9} {cells}", report.name);
            }
        }
    }
    out
}

fn row(figures: &ModelFigures, costs: Costs) -> String {
    let [text, complete, supported, cited, rightly, answered, sure, wordless, foreign, worded, own] = figures.cells();
    let [first, last, prompt, cached, answer] = costs.cells();
    let refused = cell(figures.refused());
    format!(
        "{text:>7} {complete:>8} {supported:>9} {cited:>5} {rightly:>7} {answered:>8} {sure:>12} {wordless:>8} \
         {foreign:>7} {worded:>6} {own:>9} {first:>7} {last:>6} {prompt:>6} {cached:>6} {answer:>6} {refused:>7}"
    )
}

/// The same figures as JSON. Names are stable; new ones may be added.
pub fn model_json(reports: &[ModelReport]) -> Value {
    let group = |group: &Group| {
        let answers = group.ways.iter().map(|(way, figures)| ((*way).to_owned(), figures.json()));
        json!({
            "by": if group.name == "all" { "all" } else { "half" },
            "name": group.name,
            "questions": group.questions,
            "answers": answers.collect::<Map<_, _>>(),
            "costs": group.costs.json(),
        })
    };
    let set = |report: &ModelReport| {
        let groups: Vec<Value> = groups(report).iter().map(group).collect();
        json!({ "name": report.name, "language": report.language, "groups": groups })
    };
    json!({ "version": VERSION, "sets": reports.iter().map(set).collect::<Vec<_>>() })
}

#[allow(clippy::cast_precision_loss, reason = "sentences are counted in hundreds")]
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn cell(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.2}"))
}

#[cfg(test)]
mod tests {
    use rag::generate::openai::Usage;

    use super::*;

    fn measured(text: &str, confidence: Confidence, usage: Option<Usage>) -> Measured {
        Measured {
            text: text.to_owned(),
            confidence,
            answered_by: Some(AnsweredBy::Generated),
            sources: vec!["The desk closes at six on Mondays.".to_owned()],
            citations: vec![contract::widget::Citation { marker: "[1]".to_owned(), source_index: 0 }],
            usage,
            is_refused: confidence == Confidence::Low && usage.is_some(),
        }
    }

    fn report() -> ModelReport {
        let question = |kind: &str, words: &[&str]| Question {
            question: format!("{kind} 1?"),
            history: vec![],
            kind: kind.to_owned(),
            document: None,
            passage: None,
            words: words.iter().map(|words| (*words).to_owned()).collect(),
            half: Some(Half::B),
            ..Question::default()
        };
        let usage = Some(Usage::default());
        let low = |usage| measured("I am not sure.", Confidence::Low, usage);
        let right = measured("The desk closes at six on Mondays [1].", Confidence::High, usage);
        let whales = measured("Whales sing about the deep blue sea.", Confidence::High, usage);
        let outcome = |question: Question, perfect: Measured, generated: Measured| ModelOutcome {
            question,
            quoted: low(None),
            perfect,
            generated,
            recording: None,
        };
        let outcomes = vec![
            outcome(question("direct", &["at six"]), low(usage), right),
            outcome(question("none", &[]), low(usage), whales),
        ];
        ModelReport { name: "english".to_owned(), language: "en".to_owned(), outcomes }
    }

    #[test]
    fn the_table_shows_what_each_way_of_answering_did() {
        let text = model_summary(&[report()]);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1][..8], ["english", "all", "2", "quoted", "0.00", "-", "-", "-"], "{text}");
        assert_eq!(lines[2][..5], ["english", "all", "2", "perfect", "0.00"], "{text}");
        assert_eq!(
            lines[3][..13],
            ["english", "all", "2", "generated", "1.00", "1.00", "0.50", "0.50", "1.00", "1.00", "1", "of", "1"],
            "{text}"
        );
        let refused: Vec<&str> = lines.iter().filter_map(|line| line.last().copied()).collect();
        assert_eq!(refused, ["refused", "-", "1.00", "0.00"], "{text}");
    }

    #[test]
    fn programs_read_the_same_figures() {
        let value = model_json(&[report()]);
        let group = &value["sets"][0]["groups"][0];
        assert_eq!((&group["by"], &group["questions"]), (&json!("all"), &json!(2)));
        let answers = &group["answers"];
        assert_eq!(answers["quoted"]["refused"], Value::Null);
        assert_eq!((&answers["perfect"]["refused"], &answers["generated"]["refused"]), (&json!(1.0), &json!(0.0)));
        assert_eq!((&answers["generated"]["in_text"], &answers["generated"]["invented"]), (&json!(1.0), &json!(1)));
        assert_eq!((&answers["generated"]["own_cited"], &answers["quoted"]["own_cited"]), (&json!(0.5), &Value::Null));
    }
}
