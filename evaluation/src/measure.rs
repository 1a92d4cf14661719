//! What is measured: every search that is compared, the text of answers, and a language model next to quoted answers.

mod answer_text;
mod figures;
mod html;
mod intervals;
mod json;
mod model;
mod model_figures;
mod perfect;
mod recorder;
mod sets;
mod statistics;
mod summary;
mod support;
mod text;
mod variants;
mod vector_files;

use std::time::Duration;

use contract::chatbots::Chatbot;
use rag::retrieve::{Candidate, Confidence};
use server::{
    eval::{self, Judgement},
    state::App,
};

pub use answer_text::AnswerText;
pub use figures::{Figures, Grouping, Metrics, Row, STEPS};
pub use html::html;
pub use intervals::Intervals;
pub use json::json;
pub use model::{ModelOutcome, ModelReport, Sample, model_text, run_model};
pub use model_figures::{model_json, model_summary};
pub use recorder::{Recorder, Recording};
pub use server::eval::{Half, Question};
pub use sets::{Sets, SetsError};
pub use summary::summary;
pub use text::text;
pub use variants::Variant;
pub use vector_files::StoredVectors;

/// Candidates of a question that a report shows.
const SHOWN: usize = 20;

/// Why an evaluation could not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A question could not be asked.
    #[error(transparent)]
    Ask(#[from] eval::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A file of sets or questions cannot be used.
    #[error(transparent)]
    Sets(#[from] SetsError),
    /// The service refused a question or a chatbot.
    #[error("the service refused: {0}")]
    Refused(String),
}

/// The results of one set of questions.
#[derive(Debug, Clone, PartialEq)]
pub struct SetReport {
    /// The set's name, or the chatbot's slug.
    pub name: String,
    /// The language of the documents.
    pub language: String,
    /// Whether weights were chosen on it, so that its figures say little about other documents.
    pub tuned: bool,
    /// The result of each question.
    pub outcomes: Vec<QuestionOutcome>,
    /// The figures of all questions and of groups.
    pub figures: Figures,
}

impl SetReport {
    /// The outcomes of one of its figures' rows.
    pub fn group(&self, row: &Row) -> Vec<&QuestionOutcome> {
        self.outcomes.iter().filter(|outcome| row.has(&outcome.question)).collect()
    }
}

/// The result of one search variant for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaseResult {
    /// The search variant.
    pub variant: Variant,
    /// The rank of the first right passage, from 1, whatever its relevance.
    pub rank: Option<usize>,
    /// The chatbot's confidence.
    pub confidence: Confidence,
    /// Properties of the answer's text; `None` when the confidence is low or the chatbot refuses.
    pub text: Option<AnswerText>,
    /// Whether the beginning of what a visitor reads, an answer or what is closest, has the words of the question's label;
    /// `None` when the label has none.
    pub is_read: Option<bool>,
    /// Whether the first source of the answer is a right passage.
    pub is_right: bool,
}

impl CaseResult {
    fn of(variant: Variant, question: &Question, judgement: &Judgement) -> Self {
        let Judgement { rank, confidence, answer, reply, is_right } = judgement;
        Self {
            variant,
            rank: *rank,
            confidence: *confidence,
            text: answer.as_ref().map(|answer| AnswerText::of(question, &answer.text)),
            is_read: answer_text::is_read(question, reply.as_deref()),
            is_right: *is_right,
        }
    }
}

/// The results of searches and answers for one question.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionOutcome {
    /// What was asked, and where its answer is.
    pub question: Question,
    /// Each way of searching; the last one is what a visitor gets.
    pub results: Vec<CaseResult>,
    /// The visitor's answer; `None` when the chatbot refuses.
    pub answer: Option<String>,
    /// What a visitor reads: the answer, or what is closest; `None` for a fallback message.
    pub reply: Option<String>,
    /// The evidence that the best candidate answers the question, above what makes an answer sure.
    pub evidence: f32,
    /// The best candidates, each with whether it is right.
    pub candidates: Vec<(Candidate, bool)>,
    /// Times of embedding, searching, ranking and extracting, as a visitor has them.
    pub times: [Duration; 4],
}

impl QuestionOutcome {
    /// Whether the chatbot answered at all, as a visitor gets it.
    pub fn answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether the first source of a visitor's answer is a right passage.
    pub fn is_right(&self) -> bool {
        self.results.last().is_some_and(|result| result.is_right)
    }
}

/// Asks the chatbot every question as a visitor does, and with the other variants.
///
/// # Errors
/// When the database, the embedder or the reranker fails.
pub async fn run(app: &App, chatbot: &Chatbot, questions: Vec<Question>) -> Result<Vec<QuestionOutcome>, Error> {
    let mut outcomes = Vec::with_capacity(questions.len());
    for question in questions {
        outcomes.push(ask(app, chatbot, question).await?);
    }
    Ok(outcomes)
}

async fn ask(app: &App, chatbot: &Chatbot, question: Question) -> Result<QuestionOutcome, Error> {
    let (of_visitors, others) = Variant::of(app);
    let outcome = eval::ask(app, chatbot, question).await?;
    let eval::QuestionOutcome { question, judgement, passages, evidence, timings, extracting } = outcome;
    let mut results = variants::compare(app, chatbot, &question, &others).await?;
    results.push(CaseResult::of(of_visitors, &question, &judgement));
    let candidates = passages.into_iter().take(SHOWN).map(|passage| {
        let is_right = eval::is_right(&question, &passage);
        (passage, is_right)
    });
    Ok(QuestionOutcome {
        results,
        answer: judgement.answer.map(|answer| answer.text),
        reply: judgement.reply,
        evidence,
        candidates: candidates.collect(),
        times: [timings.embedding, timings.searching, timings.ranking, extracting],
        question,
    })
}
