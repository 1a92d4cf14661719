//! Measures how well a chatbot finds and answers: a file of questions with the passages that answer them, and questions
//! that nothing answers, run through the same search and extraction as a visitor's question.

mod figures;
mod html;
mod questions;
mod text;

use std::time::{Duration, Instant};

use contract::chatbots::Chatbot;
use rag::{
    follow_up::Search,
    generate::extractive,
    retrieve::{self, Candidate},
};
use store::{Scope, passages::Hit, vectors::Collection};
use uuid::Uuid;

pub use figures::{Figures, Row};
pub use html::html;
pub use questions::{Question, QuestionsError, read};
pub use text::text;

use crate::{
    app_state::App,
    service::retrieval::{self, Wanted},
};

/// Hits of each search that are ranked.
const DEPTH: usize = 20;

/// Why an evaluation could not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The embedder failed.
    #[error(transparent)]
    Embed(#[from] rag::embed::EmbedError),
}

/// The ways of searching that are compared.
pub const VARIANTS: [&str; 3] = ["vector", "words", "fused"];

/// What became of one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The question.
    pub question: Question,
    /// The rank of the first right passage, from 1, for each of [`VARIANTS`].
    pub ranks: [Option<usize>; 3],
    /// Whether the chatbot answered at all.
    pub answered: bool,
    /// Whether the first source of the answer is a right passage.
    pub is_right: bool,
    /// The cosine of the best candidate.
    pub best_cosine: f32,
    /// Times of embedding, searching and extracting.
    pub times: [Duration; 3],
}

/// Asks the chatbot every question.
///
/// # Errors
/// When the database or the embedder fails.
pub async fn run(
    app: &App,
    chatbot: &Chatbot,
    questions: Vec<Question>,
    mut after_each: impl FnMut(),
) -> Result<Vec<Outcome>, Error> {
    let mut outcomes = Vec::with_capacity(questions.len());
    for question in questions {
        outcomes.push(ask(app, chatbot, question).await?);
        after_each();
    }
    Ok(outcomes)
}

async fn ask(app: &App, chatbot: &Chatbot, question: Question) -> Result<Outcome, Error> {
    let history: Vec<&str> = question.history.iter().map(String::as_str).collect();
    let wanted = Search::new(question.question.trim(), &history);
    let begun = Instant::now();
    let vectors = app.embedder.embed(wanted.texts().to_vec()).await?;
    let embedded = begun.elapsed();
    let lists: Vec<Searched<'_>> = wanted.texts().iter().zip(search(app, chatbot, &wanted, &vectors).await?).collect();
    let searched = begun.elapsed();
    let merged = |of: &dyn Fn(&Searched<'_>) -> Hits, k| wanted.fuse(lists.iter().map(of).collect(), k);
    let ranked = [
        merged(&|(_, (nearest, _))| nearest.clone(), usize::MAX),
        merged(&|(_, (_, matching))| matching.clone(), usize::MAX),
        merged(&|(text, (nearest, matching))| retrieve::fuse(text, nearest, matching, usize::MAX, -1.0), usize::MAX),
    ];
    let (k, threshold) = (app.settings.top_k, app.settings.relevance_threshold);
    let first = |list: &[Candidate<Found>]| list.iter().take(k).cloned().collect::<Vec<_>>();
    let fused = |(text, (nearest, matching)): &Searched<'_>| {
        retrieve::fuse(text, &first(nearest), &first(matching), k, threshold)
    };
    let candidates = merged(&fused, k);
    let vector = wanted.vector(&vectors);
    let answer = extractive::answer(wanted.text(), &vector, &candidates, app.embedder.as_ref()).await?;
    let source = answer.as_ref().and_then(|answer| answer.sources.first());
    let cosines = lists.iter().filter_map(|(_, (nearest, _))| nearest.first()).map(|candidate| candidate.cosine);
    Ok(Outcome {
        ranks: ranked.map(|list| rank(&question, &list)),
        answered: answer.is_some(),
        is_right: source.is_some_and(|source| is_right(&question, source)),
        best_cosine: cosines.fold(0.0, f32::max),
        times: [embedded, searched.saturating_sub(embedded), begun.elapsed().saturating_sub(searched)],
        question,
    })
}

type Hits = Vec<Candidate<Found>>;
/// Nearest and matching passages.
type Lists = (Hits, Hits);
/// A text with what was found for it.
type Searched<'a> = (&'a String, Lists);

/// A passage's id with the path of its document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Found {
    id: Uuid,
    path: String,
}

async fn search(app: &App, chatbot: &Chatbot, search: &Search, vectors: &[Vec<f32>]) -> Result<Vec<Lists>, Error> {
    let wanted = Wanted {
        collection: Collection { tenant: chatbot.tenant_id, chatbot: chatbot.id },
        language: &chatbot.language,
        limit: DEPTH,
        texts: search.texts(),
        vectors,
    };
    let found = retrieval::search(app, &Scope::tenant(chatbot.tenant_id), &wanted).await?;
    let candidates = |hits: Vec<Hit>| hits.into_iter().map(candidate).collect();
    Ok(found.into_iter().map(|hits| (candidates(hits.nearest), candidates(hits.matching))).collect())
}

fn candidate(hit: Hit) -> Candidate<Found> {
    #[allow(clippy::cast_possible_truncation, reason = "a cosine needs no more than 24 bits")]
    let cosine = hit.cosine as f32;
    let id = Found { id: hit.id, path: hit.path };
    Candidate { id, title: hit.title, heading: hit.heading, content: hit.content, cosine }
}

fn rank(question: &Question, list: &[Candidate<Found>]) -> Option<usize> {
    list.iter().position(|candidate| is_right(question, candidate)).map(|index| index + 1)
}

fn is_right(question: &Question, candidate: &Candidate<Found>) -> bool {
    question.is_answered_by(&candidate.id.path, &format!("{} {}", candidate.heading, candidate.content))
}
