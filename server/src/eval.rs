//! Measures how well a chatbot finds and answers: runs a file of questions, with the passages that answer them or
//! without an answer, through the same search and answering as a visitor's question.

mod answer_text;
mod figures;
mod html;
mod intervals;
mod json;
mod model;
mod model_figures;
mod perfect;
mod questions;
mod recorder;
mod sets;
mod statistics;
mod summary;
mod support;
mod text;
mod vector_files;

use std::time::{Duration, Instant};

use contract::chatbots::Chatbot;
use rag::{
    follow_up::Search,
    retrieve::{self, Candidate, Confidence},
};
use store::{Scope, vectors::Collection};

pub use answer_text::{AnswerText, is_complete};
pub use figures::{Figures, Grouping, Metrics, Row, STEPS};
pub use html::html;
pub use intervals::Intervals;
pub use json::json;
pub use model::{ModelOutcome, ModelReport, Sample, model_text, run_model};
pub use model_figures::{model_json, model_summary};
pub use questions::{Half, Question, QuestionsError, read};
pub use recorder::{Recorder, Recording};
pub use sets::{Sets, SetsError};
pub use summary::summary;
pub use text::text;
pub use vector_files::StoredVectors;

use crate::{
    service::{
        answers::{Quotable, Quoted, quote},
        knowledge::search::{
            self, SearchOptions, SearchOutcome, SearchTarget, Timings,
            models::{self, ModelResults},
            ranking, search,
        },
    },
    state::App,
};

/// Candidates of a question that a report shows.
const SHOWN: usize = 20;

/// Why an evaluation could not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The question could not be searched for or answered.
    #[error(transparent)]
    Search(#[from] search::Error),
    /// The reranker failed.
    #[error(transparent)]
    Rerank(#[from] rag::rerank::RerankError),
    /// Passages got no vectors for questions in other languages.
    #[error("no vectors for questions in other languages were made: a worker failed (jobs.workers must not be 0)")]
    SecondVectors,
    /// A file of sets or questions cannot be used.
    #[error(transparent)]
    Sets(#[from] SetsError),
    /// A service refused to make a chatbot for a corpus.
    #[error("the chatbot of a corpus could not be made: {0}")]
    Refused(String),
    /// The documents of a corpus could not be ingested.
    #[error("the documents of a corpus could not be ingested: {0}")]
    Ingest(#[from] crate::service::knowledge::Error),
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

/// A way of searching that is compared with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// The nearest passages alone.
    Vector,
    /// The best passages by words alone.
    Words,
    /// Both rankings, fused.
    Fused,
    /// Both, fused, for the question without the earlier ones.
    WithoutHistory,
    /// Both, fused, and ordered by the reranker.
    Reranked,
}

impl Variant {
    /// The one that visitors get, and those that it is compared with.
    fn of(app: &App) -> (Self, Vec<Self>) {
        let mut others = vec![Self::Vector, Self::Words, Self::WithoutHistory];
        if app.settings.reranking.is_none() {
            return (Self::Fused, others);
        }
        others.push(Self::Fused);
        (Self::Reranked, others)
    }

    /// The passages that one model found for a question, best first.
    fn rank(self, query: &Search, results: &ModelResults) -> Vec<Candidate> {
        ranking::fuse_by(query, results, |text| match self {
            Self::Vector => text.nearest.clone(),
            Self::Words => text.matching.clone(),
            Self::Fused | Self::WithoutHistory | Self::Reranked => {
                retrieve::rank(&text.nearest, &text.matching, &results.calibration)
            }
        })
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Words => "words",
            Self::Fused => "fused",
            Self::WithoutHistory => "no history",
            Self::Reranked => "reranked",
        }
    }

    /// Its name in JSON, which stays.
    pub fn key(self) -> &'static str {
        match self {
            Self::WithoutHistory => "no_history",
            _ => self.name(),
        }
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

/// Asks the chatbot every question with each variant.
///
/// # Errors
/// When the database, the embedder or the reranker fails.
pub async fn run(
    app: &App,
    chatbot: &Chatbot,
    questions: Vec<Question>,
    mut after_each: impl FnMut(),
) -> Result<Vec<QuestionOutcome>, Error> {
    let mut outcomes = Vec::with_capacity(questions.len());
    for question in questions {
        outcomes.push(ask(app, chatbot, question).await?);
        after_each();
    }
    Ok(outcomes)
}

/// Asks one question as a visitor does, and with each other variant.
async fn ask(app: &App, chatbot: &Chatbot, question: Question) -> Result<QuestionOutcome, Error> {
    let history: Vec<&str> = question.history.iter().map(String::as_str).collect();
    let query = Search::new(question.question.trim(), &history, &chatbot.language);
    let target = SearchTarget {
        collection: Collection { tenant: chatbot.tenant_id, chatbot: chatbot.id },
        language: &chatbot.language,
        model: chatbot.embedding_model.as_deref(),
        second_model: chatbot.second_embedding_model.as_deref().filter(|_| chatbot.cross_language),
        is_reindexing: false,
    };
    let asked = Asked { app, scope: Scope::tenant(chatbot.tenant_id), target, question: &question };
    let (visitors, others) = Variant::of(app);
    let options = SearchOptions { reranking: app.settings.reranking.as_ref(), ..SearchOptions::default() };
    let mut outcome = search(app, &asked.scope, &target, &query, &options).await?;
    if let Some(error) = outcome.rerank_error.take() {
        return Err(error.into());
    }
    let started = Instant::now();
    let (visitors, answer, reply) = asked.judge(visitors, &outcome).await?;
    let extracting = started.elapsed();
    let mut results = asked.compare(&query, &others).await?;
    results.push(visitors);
    let Timings { embedding, searching, ranking } = outcome.timings;
    let shown = outcome.passages.into_iter().take(SHOWN).map(|passage| {
        let is_right = is_right(&question, &passage);
        (passage, is_right)
    });
    Ok(QuestionOutcome {
        results,
        answer,
        reply,
        evidence: outcome.certainty,
        candidates: shown.collect(),
        times: [embedding, searching, ranking, extracting],
        question,
    })
}

/// A question to a chatbot.
struct Asked<'a> {
    app: &'a App,
    scope: Scope,
    target: SearchTarget<'a>,
    question: &'a Question,
}

impl Asked<'_> {
    /// The result of a search, the answer's text, and what a visitor reads.
    async fn judge(
        &self,
        variant: Variant,
        outcome: &SearchOutcome,
    ) -> Result<(CaseResult, Option<String>, Option<String>), Error> {
        let Self { app, question, target: SearchTarget { collection, language, .. }, .. } = self;
        let quotable = Quotable::new(app, *collection, language, outcome);
        let (confidence, answer, reply) = match quote(app, &self.scope, &quotable).await? {
            Quoted::Answer(answer) => (Confidence::High, Some(answer.clone()), Some(answer.text)),
            Quoted::Unsure(doubt) => {
                let reply = doubt.reply(question.question.trim(), language, outcome.relevant());
                (Confidence::Low, None, Some(reply.text))
            }
            Quoted::Nothing => (Confidence::None, None, None),
        };
        let source = answer.as_ref().and_then(|answer| answer.sources.first());
        let result = CaseResult {
            variant,
            rank: outcome.passages.iter().position(|passage| is_right(question, passage)).map(|index| index + 1),
            confidence,
            text: answer.as_ref().map(|answer| AnswerText::of(question, &answer.text)),
            is_read: answer_text::is_read(question, reply.as_deref()),
            is_right: source.is_some_and(|source| is_right(question, source)),
        };
        Ok((result, answer.map(|answer| answer.text), reply))
    }

    /// The results of other variants, which rank what one search found.
    async fn compare(&self, query: &Search, variants: &[Variant]) -> Result<Vec<CaseResult>, Error> {
        let found = models::find(self.app, &self.scope, &self.target, query).await?;
        let mut results = Vec::with_capacity(variants.len());
        for &variant in variants {
            let query = if variant == Variant::WithoutHistory { query.alone() } else { query.clone() };
            let ranked = found.models.iter().map(|results| (results, variant.rank(&query, results))).collect();
            let outcome = ranking::decide(self.app, &query, ranked, &SearchOptions::default()).await;
            let outcome = outcome.ok_or(search::Error::NothingSearched)?;
            results.push(self.judge(variant, &outcome).await?.0);
        }
        Ok(results)
    }
}

fn is_right(question: &Question, passage: &Candidate) -> bool {
    question.is_answered_by(&passage.path, &format!("{} {}", passage.heading, passage.content))
}
