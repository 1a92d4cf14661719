//! Searches a chatbot's passages for a question. Visitors' answers, the playground and evaluations call [`search`], so that
//! what is measured is what visitors get. The knowledge hub searches many collections in one statement instead.

mod likeness;
pub mod models;
pub mod ranking;
pub mod retrieval;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use contract::ErrorCode;
use rag::{
    embed::{EmbedError, Embedder},
    follow_up::Search,
    rerank::{RerankError, Reranking},
    retrieve::{Candidate, Confidence},
};
use store::{Scope, chatbots, vectors::Collection};
use tracing::{Instrument as _, info_span};

use crate::{error::ApiError, state::App, telemetry::TARGET};

/// Why a question could not be searched for.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The chatbot's vectors are of a model that the platform does not have.
    #[error("the chatbot's embedding model {0} is not configured")]
    UnknownModel(String),
    /// No model searched.
    #[error("no embedding model searched for the question")]
    NothingSearched,
    /// A model failed.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The database or the vector store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(error) => error.into(),
            Error::NothingSearched => ErrorCode::InternalError.into(),
            error => {
                tracing::error!(%error, "embedding.failed");
                ErrorCode::GeneratorUnavailable.into()
            }
        }
    }
}

/// The chatbot to search.
#[derive(Debug, Clone, Copy)]
pub struct SearchTarget<'a> {
    /// The chatbot's passages and vectors.
    pub collection: Collection,
    /// The chatbot's language.
    pub language: &'a str,
    /// The model of its own vectors.
    pub model: Option<&'a str>,
    /// The model of its second vectors; `None` when questions in other languages are not answered.
    pub second_model: Option<&'a str>,
    /// Whether its vectors are being replaced by those of another model.
    pub is_reindexing: bool,
}

/// How the results are ranked.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchOptions<'a> {
    /// Added to the evidence that the best passage answers the question.
    pub evidence_shift: f32,
    /// Orders the first passages again.
    pub reranking: Option<&'a Reranking>,
}

/// The passages for a question, and how sure they are.
pub struct SearchOutcome {
    /// All passages that were found, best first.
    pub passages: Vec<Candidate>,
    /// The confidence that the first one answers the question.
    pub confidence: Confidence,
    /// The evidence for that, relative to the limit of a sure answer.
    pub certainty: f32,
    /// The text whose words an answer must contain, with typing errors corrected.
    pub question: String,
    /// The same text as it was written.
    pub written: String,
    /// The question's vector by `embedder`.
    pub vector: Vec<f32>,
    /// The embedding model that found the passages.
    pub embedder: Arc<dyn Embedder>,
    /// Why the reranker left the order as it was.
    pub rerank_error: Option<RerankError>,
    /// How long each step took.
    pub timings: Timings,
    /// How many of the passages may be answered from.
    relevant: usize,
}

/// The duration of each step of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timings {
    /// Turning the question into vectors.
    pub embedding: Duration,
    /// Searching, by vector and by words.
    pub searching: Duration,
    /// Ordering the passages and determining the confidence.
    pub ranking: Duration,
}

impl SearchOutcome {
    /// The passages to answer from, best first; empty when nothing is relevant.
    pub fn relevant(&self) -> &[Candidate] {
        &self.passages[..self.relevant]
    }

    /// The passages after those, best first.
    pub fn others(&self) -> &[Candidate] {
        &self.passages[self.relevant..]
    }

    /// Turns sentences of passages into vectors of the chatbot's model.
    pub fn sentences<'a>(&self, app: &'a App) -> &'a dyn Embedder {
        app.embedders.sentences(self.embedder.model())
    }
}

/// Searches the chatbot's own collection. If several models were used, the result with the best evidence counts. `scope` may
/// read the passages.
///
/// # Errors
/// When a model, the database or the vector store fails. A failing reranker is no error: the order stays.
pub async fn search(
    app: &App,
    scope: &Scope,
    target: &SearchTarget<'_>,
    query: &Search,
    options: &SearchOptions<'_>,
) -> Result<SearchOutcome, Error> {
    let models::Results { models, embedding, searching } = find(app, scope, target, query).await?;
    let started = Instant::now();
    let span = info_span!(target: TARGET, "rank");
    let ranked = span.in_scope(|| models.iter().map(|results| (results, ranking::fuse(query, results))).collect());
    let outcome = ranking::decide(app, query, ranked, options).instrument(span).await.ok_or(Error::NothingSearched)?;
    Ok(SearchOutcome { timings: Timings { embedding, searching, ranking: started.elapsed() }, ..outcome })
}

/// Finds passages with the model of the chatbot's vectors, or the one for other languages; again when the chatbot moved to
/// another model in the meantime.
async fn find(app: &App, scope: &Scope, target: &SearchTarget<'_>, query: &Search) -> Result<models::Results, Error> {
    let mut model = target.model.map(str::to_owned);
    loop {
        let target = SearchTarget { model: model.as_deref(), ..*target };
        let results = models::find(app, scope, &target, query).await?;
        let now =
            if target.is_reindexing { current_model(app, scope, target.collection).await? } else { model.clone() };
        if now == model {
            return Ok(results);
        }
        model = now;
    }
}

async fn current_model(
    app: &App,
    scope: &Scope,
    Collection { tenant, chatbot }: Collection,
) -> store::Result<Option<String>> {
    let mut tx = app.db.read(scope).await?;
    Ok(chatbots::embedding_model(&mut tx, tenant, chatbot).await?.and_then(|(_, model)| model))
}
