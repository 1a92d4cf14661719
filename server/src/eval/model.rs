//! Answers of a language model beside quoted ones: the same questions, the same passages, the same way to the visitor.

use std::{collections::BTreeMap, fmt::Write as _};

use contract::{
    conversations::AnsweredBy,
    widget::{Confidence, MessageRole},
};
use rag::generate::language::Language;
use store::widget::lookup::WidgetChatbot;

use super::{AnswerText, Error, Half, Question, Recorder, Recording, statistics::SplitMix64, support::Sentences};
use crate::{
    error::ApiError,
    service::answers::{Measured, Turn, measure},
    state::App,
};

/// Questions of a set that are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// How many; all of them when there is none.
    pub count: Option<usize>,
    /// The half of the development set; both when there is none.
    pub half: Option<Half>,
}

/// What became of one question.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelOutcome {
    /// The question.
    pub question: Question,
    /// The answer without the model.
    pub quoted: Measured,
    /// The answer with it.
    pub generated: Measured,
    /// What the model said; none when it was not asked.
    pub recording: Option<Recording>,
}

/// What became of one set of questions.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelReport {
    /// The set's name.
    pub name: String,
    /// The language of the documents.
    pub language: String,
    /// Each question.
    pub outcomes: Vec<ModelOutcome>,
}

impl Sample {
    /// The sampled questions: the same in every run, and as many of each kind as there are.
    pub fn of(self, questions: Vec<Question>) -> Vec<Question> {
        let is_wanted = |question: &Question| self.half.is_none() || question.half == self.half;
        let mut kinds: BTreeMap<String, Vec<Question>> = BTreeMap::new();
        for question in questions.into_iter().filter(is_wanted) {
            kinds.entry(question.kind.clone()).or_default().push(question);
        }
        let mut random = SplitMix64(0x5a3e);
        let mut kinds: Vec<Vec<Question>> = kinds.into_values().collect();
        kinds.iter_mut().for_each(|kind| random.shuffle(kind));
        let longest = kinds.iter().map(Vec::len).max().unwrap_or_default();
        let in_turn = (0..longest).flat_map(|at| kinds.iter().filter_map(move |kind| kind.get(at)));
        in_turn.take(self.count.unwrap_or(usize::MAX)).cloned().collect()
    }
}

/// Asks each question without and with the model of `recorder`.
///
/// # Errors
/// When the database or the embedder fails.
pub async fn run_model(
    app: &App,
    chatbot: &WidgetChatbot,
    questions: Vec<Question>,
    recorder: &Recorder,
    mut after_each: impl FnMut(&ModelOutcome),
) -> Result<Vec<ModelOutcome>, Error> {
    let refused = |error: ApiError| Error::Refused(error.into_body().detail);
    let mut outcomes = Vec::with_capacity(questions.len());
    for question in questions {
        let mut turns: Vec<Turn> = Vec::new();
        for earlier in &question.history {
            let said = measure(app, chatbot, &turns, earlier, None).await.map_err(refused)?;
            turns.push(Turn { role: MessageRole::User, content: earlier.clone() });
            turns.push(Turn { role: MessageRole::Assistant, content: said.text });
        }
        let asked = &question.question;
        let quoted = measure(app, chatbot, &turns, asked, None).await.map_err(refused)?;
        recorder.take();
        let generated = measure(app, chatbot, &turns, asked, Some(recorder.generator())).await.map_err(refused)?;
        let outcome = ModelOutcome { question, quoted, generated, recording: recorder.take() };
        after_each(&outcome);
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

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
    /// Questions without an answer, and those that got one.
    unanswerable: usize,
    invented: usize,
    sentences: Sentences,
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
        if question.is_answerable() {
            self.answerable += 1;
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
            self.sentences.add(Sentences::of(answer));
            self.worded += usize::from(answer.answered_by == Some(AnsweredBy::Generated));
            let expected = Language::of_question(&question.question, language).code;
            self.foreign += usize::from(Language::of_question(&answer.text, expected).code != expected);
        }
    }

    fn cells(&self) -> [String; 10] {
        let Sentences { count, supported, cited, rightly } = self.sentences;
        [
            share(self.in_text, self.labelled),
            share(self.complete, self.answered),
            share(supported, count),
            share(cited, count),
            share(rightly, cited),
            share(self.answered, self.answerable),
            format!("{} of {}", self.invented, self.unanswerable),
            self.wordless.to_string(),
            self.foreign.to_string(),
            format!("{}", self.worded),
        ]
    }
}

/// The table of all sets: for each half and for all questions the quoted answers above the generated ones.
pub fn model_summary(reports: &[ModelReport]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{:<18} {:<4} {:>5} {:<9} {:>7} {:>8} {:>9} {:>5} {:>7} {:>8} {:>12} {:>8} {:>7} {:>6} {:>7} {:>6} {:>6} {:>6} {:>6}",
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
        "first s",
        "last s",
        "prompt",
        "cached",
        "answer",
    );
    for report in reports {
        for (name, half) in [("a", Some(Half::A)), ("b", Some(Half::B)), ("all", None)] {
            let in_half = |outcome: &&ModelOutcome| half.is_none() || outcome.question.half == half;
            let outcomes: Vec<&ModelOutcome> = report.outcomes.iter().filter(in_half).collect();
            if outcomes.is_empty() || half.is_some() && outcomes.len() == report.outcomes.len() {
                continue;
            }
            let quoted = ModelFigures::of(&report.language, &outcomes, |outcome| &outcome.quoted);
            let generated = ModelFigures::of(&report.language, &outcomes, |outcome| &outcome.generated);
            let costs = costs(&outcomes);
            for (way, figures, costs) in [("quoted", quoted, String::new()), ("generated", generated, costs)] {
                let [text, complete, supported, cited, rightly, answered, sure, wordless, foreign, worded] =
                    figures.cells();
                let line = format!(
                    "{:<18} {name:<4} {:>5} {way:<9} {text:>7} {complete:>8} {supported:>9} {cited:>5} {rightly:>7} \
                     {answered:>8} {sure:>12} {wordless:>8} {foreign:>7} {worded:>6} {costs}",
                    report.name,
                    outcomes.len(),
                );
                let _ = writeln!(out, "{}", line.trim_end());
            }
        }
    }
    out
}

/// Medians of the times and tokens of the questions that the model was asked.
fn costs(outcomes: &[&ModelOutcome]) -> String {
    let asked = || outcomes.iter().filter_map(|outcome| outcome.recording.as_ref());
    let median = |value: &dyn Fn(&Recording) -> u64| {
        let mut values: Vec<u64> = asked().map(value).collect();
        values.sort_unstable();
        values.get(values.len().saturating_sub(1) / 2).copied()
    };
    let seconds =
        |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |ms| format!("{}.{}", ms / 1000, ms % 1000 / 100));
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    format!(
        "{:>7} {:>6} {:>6} {:>6} {:>6}",
        seconds(median(&|said| said.first_ms)),
        seconds(median(&|said| said.last_ms)),
        number(median(&|said| said.prompt_tokens.into())),
        number(median(&|said| said.cached_tokens.into())),
        number(median(&|said| said.answer_tokens.into())),
    )
}

#[allow(clippy::cast_precision_loss, reason = "sentences are counted in hundreds")]
fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.2}", part as f64 / whole as f64) }
}

/// A question with its answers, for people to read.
pub fn model_text(outcome: &ModelOutcome) -> String {
    let ModelOutcome { question, quoted, generated, recording } = outcome;
    let mut out = String::new();
    let labels = question.words.join(" | ");
    let half = question.half.map_or("", Half::name);
    let _ = writeln!(out, "== {} {half} {:?} {}", question.kind, question.history, question.question);
    let _ = writeln!(out, "label: {}", if question.is_answerable() { labels } else { "no answer".to_owned() });
    if let Some(said) = recording {
        let _ = writeln!(out, "model ({:.1} s): {}", said.last_ms as f64 / 1000.0, said.text.trim());
    }
    for (way, answer) in [("shown", generated), ("quoted", quoted)] {
        let by = answer.answered_by.map_or("-", AnsweredBy::as_str);
        let text = AnswerText::of(question, &answer.text);
        let words = match text.has_words {
            Some(true) => ", has the words",
            Some(false) => ", lacks the words",
            None => "",
        };
        let _ = writeln!(out, "{way} ({by}, {}{words}): {}", answer.confidence.as_str(), answer.text.trim());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(kind: &str, number: usize, half: Half) -> Question {
        let words = if kind == "none" { vec![] } else { vec!["at six".to_owned()] };
        Question {
            question: format!("{kind} {number}?"),
            history: vec![],
            kind: kind.to_owned(),
            document: None,
            passage: None,
            words,
            half: Some(half),
        }
    }

    fn measured(text: &str, confidence: Confidence) -> Measured {
        Measured {
            text: text.to_owned(),
            confidence,
            answered_by: Some(AnsweredBy::Generated),
            sources: vec!["The desk closes at six on Mondays.".to_owned()],
            citations: vec![contract::widget::Citation { marker: "[1]".to_owned(), source_index: 0 }],
            usage: None,
        }
    }

    #[test]
    fn a_sample_is_the_same_in_every_run_and_has_each_kind() {
        let all = || -> Vec<Question> {
            let kinds = ["direct", "none", "typo"];
            kinds
                .iter()
                .flat_map(|kind| (0..10).map(|n| question(kind, n, if n % 2 == 0 { Half::A } else { Half::B })))
                .collect()
        };
        let sample = Sample { count: Some(7), half: Some(Half::B) };
        let first = sample.of(all());
        assert_eq!(first, sample.of(all()));
        let kinds: Vec<&str> = first.iter().map(|question| question.kind.as_str()).collect();
        assert_eq!(kinds, ["direct", "none", "typo", "direct", "none", "typo", "direct"]);
        assert!(first.iter().all(|question| question.half == Some(Half::B)));
        assert_eq!(Sample { count: None, half: None }.of(all()).len(), 30);
    }

    #[test]
    fn the_table_shows_what_each_way_of_answering_did() {
        let outcome = |kind: &str, quoted: Measured, generated: Measured| ModelOutcome {
            question: question(kind, 1, Half::B),
            quoted,
            generated,
            recording: None,
        };
        let low = || measured("I am not sure.", Confidence::Low);
        let outcomes = vec![
            outcome("direct", low(), measured("The desk closes at six on Mondays [1].", Confidence::High)),
            outcome("none", low(), measured("Whales sing about the deep blue sea.", Confidence::High)),
        ];
        let report = ModelReport { name: "english".to_owned(), language: "en".to_owned(), outcomes };
        let text = model_summary(&[report]);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1][..8], ["english", "all", "2", "quoted", "0.00", "-", "-", "-"], "{text}");
        assert_eq!(
            lines[2][..13],
            ["english", "all", "2", "generated", "1.00", "1.00", "0.50", "0.50", "1.00", "1.00", "1", "of", "1"],
            "{text}"
        );
    }
}
