//! Measures how well a chatbot finds and answers: asks it a file of questions, with the passages that answer them or
//! without an answer, through the same search and answering as a visitor's question.

pub mod corpus;
mod questions;
mod report;

use std::time::{Duration, Instant};

use contract::chatbots::Chatbot;
use rag::{
    follow_up::Search,
    generate::Answer,
    retrieve::{Candidate, Confidence},
};
use store::{Scope, vectors::Collection};

pub use questions::{Half, Question, QuestionsError, plain, read};
pub use report::{Counts, confidence_name, json, text};

use crate::{
    service::{
        answers::{Doubt, Quotable, Quoted, quote},
        knowledge::search::{self, SearchOptions, SearchOutcome, SearchTarget, Timings, search},
    },
    state::App,
};

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
    /// A service refused to make a chatbot for a corpus.
    #[error("the chatbot of a corpus could not be made: {0}")]
    Refused(String),
    /// The documents of a corpus could not be ingested.
    #[error("the documents of a corpus could not be ingested: {0}")]
    Ingest(#[from] crate::service::knowledge::Error),
}

/// What a visitor gets for one question.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionOutcome {
    /// What was asked, and where its answer is.
    pub question: Question,
    /// The answer.
    pub judgement: Judgement,
    /// All passages that were found, best first.
    pub passages: Vec<Candidate>,
    /// The evidence that the best one answers the question, relative to the limit of a sure answer.
    pub evidence: f32,
    /// The time of each step of the search.
    pub timings: Timings,
    /// The time of composing the answer.
    pub extracting: Duration,
}

/// An answer, compared with the label of its question.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The rank of the first right passage, from 1, whatever its relevance.
    pub rank: Option<usize>,
    /// The chatbot's confidence.
    pub confidence: Confidence,
    /// The sure answer; `None` when the confidence is low or the chatbot refuses.
    pub answer: Option<Answer>,
    /// What a visitor reads: the answer, or what is closest; `None` for a fallback message.
    pub reply: Option<String>,
    /// Whether the first source of the answer is a right passage.
    pub is_right: bool,
}

/// Asks the chatbot every question.
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

/// Asks the chatbot one question.
///
/// # Errors
/// When the database, the embedder or the reranker fails.
pub async fn ask(app: &App, chatbot: &Chatbot, question: Question) -> Result<QuestionOutcome, Error> {
    let (target, query) = (target(chatbot), query(chatbot, &question));
    let options = SearchOptions { reranking: app.settings.reranking.as_ref(), ..SearchOptions::default() };
    let mut outcome = search(app, &Scope::tenant(chatbot.tenant_id), &target, &query, &options).await?;
    if let Some(error) = outcome.rerank_error.take() {
        return Err(error.into());
    }
    let started = Instant::now();
    let judgement = judge(app, &target, &question, &outcome).await?;
    let extracting = started.elapsed();
    let SearchOutcome { passages, certainty: evidence, timings, .. } = outcome;
    Ok(QuestionOutcome { question, judgement, passages, evidence, timings, extracting })
}

/// The chatbot as it is searched.
pub fn target(chatbot: &Chatbot) -> SearchTarget<'_> {
    SearchTarget {
        collection: Collection { tenant: chatbot.tenant_id, chatbot: chatbot.id },
        language: &chatbot.language,
        model: chatbot.embedding_model.as_deref(),
        second_model: chatbot.second_embedding_model.as_deref().filter(|_| chatbot.cross_language),
        is_reindexing: false,
    }
}

/// The question as it is searched for.
pub fn query(chatbot: &Chatbot, question: &Question) -> Search {
    let history: Vec<&str> = question.history.iter().map(String::as_str).collect();
    Search::new(question.question.trim(), &history, &chatbot.language)
}

/// Answers from the results of a search, and compares the answer with the question's label.
///
/// # Errors
/// When the database or the embedder fails.
pub async fn judge(
    app: &App,
    target: &SearchTarget<'_>,
    question: &Question,
    outcome: &SearchOutcome,
) -> Result<Judgement, Error> {
    let quotable = Quotable::new(app, target.collection, target.language, outcome);
    let scope = Scope::tenant(target.collection.tenant);
    let (confidence, answer, reply) = match quote(app, &scope, &quotable).await? {
        Quoted::Answer(answer) => (Confidence::High, Some(answer.clone()), Some(answer.text)),
        Quoted::Unsure(correction) => {
            let doubt = Doubt::of(&quotable, correction).await?;
            let reply = doubt.reply(question.question.trim(), target.language, outcome.relevant());
            (Confidence::Low, None, Some(reply.text))
        }
        Quoted::Nothing => (Confidence::None, None, None),
    };
    let source = answer.as_ref().and_then(|answer| answer.sources.first());
    Ok(Judgement {
        rank: outcome.passages.iter().position(|passage| is_right(question, passage)).map(|index| index + 1),
        confidence,
        is_right: source.is_some_and(|source| is_right(question, source)),
        answer,
        reply,
    })
}

/// Whether a passage answers the question.
pub fn is_right(question: &Question, passage: &Candidate) -> bool {
    question.is_answered_by(&passage.path, &format!("{} {}", passage.heading, passage.content))
}
