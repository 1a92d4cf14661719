//! Compares answers of a language model with quoted ones, for the same questions and passages and through the same code
//! as for visitors.

use std::{collections::BTreeMap, fmt::Write as _};

use contract::{conversations::AnsweredBy, widget::MessageRole};
use server::{
    error::ApiError,
    service::answers::{Measured, Turn, measure},
    state::App,
};
use store::widget::lookup::WidgetChatbot;

use super::{AnswerText, Error, Half, Question, Recorder, Recording, statistics::SplitMix64};

/// A sample of a set's questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Number of questions; all of them when `None`.
    pub count: Option<usize>,
    /// The half of the development set; both when `None`.
    pub half: Option<Half>,
}

/// The result of one question.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelOutcome {
    /// What was asked, and where its answer is.
    pub question: Question,
    /// The answer without the model.
    pub quoted: Measured,
    /// The answer with a model that makes no mistake, on the same prompt.
    pub perfect: Measured,
    /// The answer with the model.
    pub generated: Measured,
    /// The model's output; `None` when it was not called.
    pub recording: Option<Recording>,
}

/// The results of one set of questions.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelReport {
    /// The set's name.
    pub name: String,
    /// The language of the documents.
    pub language: String,
    /// The result of each question.
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

/// Asks each question without a model, with a perfect model, and with the model of `recorder`.
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
            let reply = measure(app, chatbot, &turns, earlier, None).await.map_err(refused)?;
            turns.push(Turn { role: MessageRole::User, content: earlier.clone() });
            turns.push(Turn { role: MessageRole::Assistant, content: reply.text });
        }
        let text = &question.question;
        let quoted = measure(app, chatbot, &turns, text, None).await.map_err(refused)?;
        let generator = Some(recorder.generator());
        // First, because the passages' token limit follows the speed measured from the model's own answers.
        recorder.play_perfect(Some(&question));
        let perfect = measure(app, chatbot, &turns, text, generator).await.map_err(refused)?;
        recorder.play_perfect(None);
        recorder.take();
        let generated = measure(app, chatbot, &turns, text, generator).await.map_err(refused)?;
        let outcome = ModelOutcome { question, quoted, perfect, generated, recording: recorder.take() };
        after_each(&outcome);
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// A question with its answers, for people to read.
pub fn model_text(outcome: &ModelOutcome) -> String {
    let ModelOutcome { question, quoted, perfect, generated, recording } = outcome;
    let mut out = String::new();
    let labels = question.words.join(" | ");
    let half = question.half.map_or("", Half::name);
    let _ = writeln!(out, "== {} {half} {:?} {}", question.kind, question.history, question.question);
    let _ = writeln!(out, "label: {}", if question.is_answerable() { labels } else { "no answer".to_owned() });
    if let Some(answer) = recording {
        let _ = writeln!(out, "model ({:.1} s): {}", answer.last_ms as f64 / 1000.0, answer.text.trim());
    }
    for (way, answer) in [("shown", generated), ("perfect", perfect), ("quoted", quoted)] {
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
            ..Question::default()
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
}
