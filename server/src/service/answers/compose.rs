//! From a question to an answer: embedding, hits of the chatbot's own collection fused by rank, and the words of the
//! language model or, without one, an extract.

use std::time::Instant;

use contract::{
    ErrorCode,
    widget::{MessageRole, WidgetMessage},
};
use rag::{
    block,
    follow_up::Search,
    generate::{self, extractive},
    retrieve::{self, Candidate},
};
use store::{Scope, passages::Hit, vectors::Collection, widget::lookup::WidgetChatbot};
use uuid::Uuid;

use super::{
    exchange::Exchange,
    generated,
    stream::{AnswerStream, Draft},
};
use crate::{
    error::{ApiError, ApiResult},
    metrics::{self, AnswerStep},
    service::knowledge::retrieval::{self, RetrievalRequest},
    state::{App, AppSettings},
};

/// Below every relevance: all passages that were found.
const ALL: f32 = -1.0;
const DEFAULT_FALLBACK: &str = "I could not find an answer to that in my documents.";

/// Makes an answer and streams it.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn compose(exchange: &Exchange, stream: &mut AnswerStream<'_>) -> ApiResult<Draft> {
    let found = find(exchange).await?;
    answer(exchange, &found, stream).await
}

/// What the chatbot's own collection has on a question.
pub(super) struct Found {
    /// What was searched for.
    search: Search,
    /// The vectors of its texts.
    vectors: Vec<Vec<f32>>,
    /// For each text the nearest passages by meaning and the best ones by words.
    hits: Vec<[Vec<Candidate<Uuid>>; 2]>,
    /// The passages that may be answered from, best first.
    relevant: Vec<Candidate<Uuid>>,
}

impl Found {
    /// The passages that may be answered from, best first.
    pub(super) fn relevant(&self) -> &[Candidate<Uuid>] {
        &self.relevant
    }

    /// All passages that were found, whatever their relevance, in the order of both searches.
    pub(super) fn all(&self, app: &App) -> Vec<Candidate<Uuid>> {
        fuse(&self.search, &self.hits, app.settings.top_k, ALL)
    }
}

/// Searches the chatbot's own collection.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn find(exchange: &Exchange) -> ApiResult<Found> {
    let Exchange { app, chatbot, question, messages, .. } = exchange;
    let search = search(question, messages);
    let vectors = timed(AnswerStep::Embed, embed(app, search.texts())).await?;
    let hits = timed(AnswerStep::Search, retrieve(app, chatbot, &search, &vectors)).await?;
    let relevant = timed(AnswerStep::Rank, rank(app, &search, &hits)).await;
    Ok(Found { search, vectors, hits, relevant })
}

async fn timed<T>(step: AnswerStep, work: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let done = work.await;
    metrics::answer_step(step, started.elapsed());
    done
}

/// The passages that may be answered from, best first: as a reranker orders them, or as both searches do.
async fn rank(app: &App, search: &Search, hits: &[[Vec<Candidate<Uuid>>; 2]]) -> Vec<Candidate<Uuid>> {
    let threshold = app.settings.relevance_threshold;
    let mut relevant = fuse(search, hits, depth(app), threshold);
    if let Some(reranking) = app.settings.reranking.as_ref().filter(|_| relevant.len() > 1) {
        let ordered = reranking.order(search.combined_query(), &mut relevant).await;
        metrics::reranked(ordered.is_ok());
        if let Err(error) = ordered {
            tracing::warn!(%error, "rerank.failed");
        }
    }
    relevant.truncate(app.settings.top_k);
    relevant
}

/// The best `k` passages of both searches whose relevance is not below `threshold`.
fn fuse(search: &Search, hits: &[[Vec<Candidate<Uuid>>; 2]], k: usize, threshold: f32) -> Vec<Candidate<Uuid>> {
    let fused = search.texts().iter().zip(hits);
    let fused = fused.map(|(text, [nearest, matching])| retrieve::fuse(text, nearest, matching, k, threshold));
    search.fuse(fused.collect(), k)
}

/// Passages that are taken from each search.
fn depth(app: &App) -> usize {
    let AppSettings { reranking, top_k, .. } = &app.settings;
    reranking.as_ref().map_or(*top_k, |reranking| reranking.depth.max(*top_k))
}

/// Makes an answer of what was found and streams it.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn answer(exchange: &Exchange, found: &Found, stream: &mut AnswerStream<'_>) -> ApiResult<Draft> {
    let Exchange { app, chatbot, .. } = exchange;
    let candidates = found.relevant();
    let started = Instant::now();
    let draft = match &app.settings.generator {
        _ if candidates.is_empty() => None,
        Some(generator) => generated::answer(exchange, generator, candidates, stream).await?,
        None => {
            let vector = found.search.vector(&found.vectors);
            extracted(app, found.search.answer_query(), &vector, candidates, stream).await?
        }
    };
    metrics::answer_step(AnswerStep::Generate, started.elapsed().saturating_sub(stream.filtering()));
    Ok(draft.unwrap_or_else(|| fallback(chatbot)))
}

/// The question, with the earlier ones when it leans on them.
fn search(question: &str, messages: &[WidgetMessage]) -> Search {
    let asked = messages.iter().filter(|message| message.role == MessageRole::User);
    let earlier: Vec<&str> = asked.map(|message| message.content.as_str()).collect();
    Search::new(question, &earlier)
}

/// Streams the best sentences of the passages.
async fn extracted(
    app: &App,
    question: &str,
    vector: &[f32],
    candidates: &[Candidate<Uuid>],
    stream: &mut AnswerStream<'_>,
) -> ApiResult<Option<Draft>> {
    let Some(found) = extract(app, question, vector, candidates).await? else { return Ok(None) };
    stream.start(&found.sources);
    for part in block::parts(&found.text) {
        if stream.push(part).is_break() {
            break;
        }
    }
    Ok(Some(Draft::Answer { sources: found.sources, citations: found.citations }))
}

async fn extract(
    app: &App,
    question: &str,
    vector: &[f32],
    candidates: &[Candidate<Uuid>],
) -> ApiResult<Option<generate::Answer<Uuid>>> {
    extractive::answer(question, vector, candidates, app.sentence_embedder()).await.map_err(|error| {
        tracing::error!(%error, "answer.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })
}

async fn embed(app: &App, texts: &[String]) -> ApiResult<Vec<Vec<f32>>> {
    app.embedder.embed(texts.to_vec()).await.map_err(|error| {
        tracing::error!(%error, "embedding.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })
}

/// What was found for each text of a search.
async fn retrieve(
    app: &App,
    chatbot: &WidgetChatbot,
    search: &Search,
    vectors: &[Vec<f32>],
) -> ApiResult<Vec<[Vec<Candidate<Uuid>>; 2]>> {
    let wanted = RetrievalRequest {
        collection: Collection { tenant: chatbot.tenant_id, chatbot: chatbot.config.chatbot_id },
        language: &chatbot.config.language,
        limit: depth(app),
        texts: search.texts(),
        vectors,
    };
    let found = retrieval::search(app, &Scope::widget(chatbot.tenant_id), &wanted).await?;
    let candidates = |hits: Vec<Hit>| hits.into_iter().map(candidate).collect();
    Ok(found.into_iter().map(|hits| [hits.nearest, hits.matching].map(candidates)).collect())
}

fn candidate(hit: Hit) -> Candidate<Uuid> {
    #[allow(clippy::cast_possible_truncation, reason = "a cosine needs no more than 24 bits")]
    let cosine = hit.cosine as f32;
    Candidate {
        id: hit.id,
        title: hit.title,
        heading: hit.heading,
        content: hit.content,
        prepared: hit.prepared,
        cosine,
    }
}

fn fallback(chatbot: &WidgetChatbot) -> Draft {
    let text = chatbot.fallback_message.trim();
    Draft::Fallback(if text.is_empty() { DEFAULT_FALLBACK } else { text }.to_owned())
}
