//! From a question to an answer: what the chatbot's own collection has on it, how sure that is, and the words of the language model
//! or, without one, a quotation.

use std::{sync::Arc, time::Instant};

use contract::{
    ErrorCode,
    widget::{MessageRole, WidgetMessage},
};
use rag::{
    block,
    embed::{Embedder, Purpose},
    follow_up::Search,
    generate::{self, extractive, unsure},
    retrieve::{self, Calibration, Candidate, Confidence, DEPTH},
};
use store::{Scope, vectors::Collection, widget::lookup::WidgetChatbot};
use uuid::Uuid;

use super::{
    exchange::Exchange,
    generated::{self, Generated},
    stream::{AnswerStream, Draft},
};
use crate::{
    error::{ApiError, ApiResult},
    metrics::{self, AnswerStep},
    service::knowledge::retrieval::{self, FoundPassage, RetrievalRequest},
    state::App,
};

const DEFAULT_FALLBACK: &str = "I could not find an answer to that in my documents.";

/// For each text of a search what was found by vector and by words, best first.
type TextHits = Vec<[Vec<Candidate<Uuid>>; 2]>;

/// Makes an answer and streams it.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn compose(exchange: &Exchange, stream: &mut AnswerStream<'_>) -> ApiResult<Draft> {
    let found = find(exchange).await?;
    answer(exchange, &found, stream).await
}

/// What the chatbot's own collection has on a question: what every way of answering reads.
pub(super) struct Found {
    /// What was searched for.
    search: Search,
    /// The embedding model of the chatbot's vectors, and of those of the texts.
    embedder: Arc<dyn Embedder>,
    /// The vectors of its texts.
    vectors: Vec<Vec<f32>>,
    /// All passages that were found, best first.
    ranked: Vec<Candidate<Uuid>>,
    /// How sure the chatbot is that the first one answers the question.
    confidence: Confidence,
    /// The passages that may be answered from.
    relevant: usize,
}

impl Found {
    /// Turns sentences of passages into vectors of the chatbot's model.
    fn sentences<'a>(&self, app: &'a App) -> &'a dyn Embedder {
        app.embedders.sentences(self.embedder.model())
    }

    /// The passages that may be answered from, best first; none when nothing is relevant.
    pub(super) fn relevant(&self) -> &[Candidate<Uuid>] {
        &self.ranked[..self.relevant]
    }

    /// The passages behind those, best first.
    pub(super) fn others(&self) -> &[Candidate<Uuid>] {
        &self.ranked[self.relevant..]
    }
}

/// Searches the chatbot's own collection.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn find(exchange: &Exchange) -> ApiResult<Found> {
    let Exchange { app, chatbot, question, messages, .. } = exchange;
    let search = search(question, messages);
    let (embedder, vectors, hits) = search_collection(app, chatbot, &search).await?;
    let (ranked, confidence) = timed(AnswerStep::Rank, rank(app, embedder.model(), &search, &hits)).await;
    let relevant = if confidence == Confidence::None { 0 } else { ranked.len().min(app.settings.top_k) };
    Ok(Found { search, embedder, vectors, ranked, confidence, relevant })
}

/// Embeds a search and finds passages with the model of the chatbot's vectors; once more when the chatbot moved to another model
/// meanwhile.
async fn search_collection(
    app: &App,
    chatbot: &WidgetChatbot,
    search: &Search,
) -> ApiResult<(Arc<dyn Embedder>, Vec<Vec<f32>>, TextHits)> {
    let mut model = chatbot.embedding_model.clone();
    loop {
        let embedder = app.embedders.of_chatbot(model.as_deref(), &chatbot.config.language).ok_or_else(|| {
            tracing::error!(model, "embedding.model_unknown");
            ApiError::from(ErrorCode::GeneratorUnavailable)
        })?;
        let vectors = timed(AnswerStep::Embed, embed(embedder.as_ref(), search.texts())).await?;
        let hits = timed(AnswerStep::Search, retrieve(app, chatbot, embedder.model(), search, &vectors)).await?;
        let now = if chatbot.is_reindexing { current_model(app, chatbot).await? } else { model.clone() };
        if now == model {
            return Ok((Arc::clone(embedder), vectors, hits));
        }
        model = now;
    }
}

async fn current_model(app: &App, chatbot: &WidgetChatbot) -> ApiResult<Option<String>> {
    let mut tx = app.db.read(&Scope::widget(chatbot.tenant_id)).await?;
    let found = store::chatbots::embedding_model(&mut tx, chatbot.tenant_id, chatbot.config.chatbot_id).await?;
    Ok(found.and_then(|(_, model)| model))
}

async fn timed<T>(step: AnswerStep, work: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let done = work.await;
    metrics::answer_step(step, started.elapsed());
    done
}

/// What was found, best first, and how sure it is. A reranker orders the first ones, and changes nothing about how sure they are.
async fn rank(app: &App, model: &str, search: &Search, hits: &TextHits) -> (Vec<Candidate<Uuid>>, Confidence) {
    let calibration = Calibration::of(model, app.settings.relevance_threshold);
    let fused = hits.iter().map(|[nearest, matching]| retrieve::rank(nearest, matching, &calibration, DEPTH));
    let mut ranked = search.fuse(fused.collect(), &calibration, DEPTH);
    let confidence = calibration.confidence(&ranked);
    if let Some(reranking) =
        app.settings.reranking.as_ref().filter(|_| confidence != Confidence::None && ranked.len() > 1)
    {
        let others = ranked.split_off(ranked.len().min(reranking.depth.max(app.settings.top_k)));
        let ordered = reranking.order(search.combined_query(), &mut ranked).await;
        metrics::reranked(ordered.is_ok());
        if let Err(error) = ordered {
            tracing::warn!(%error, "rerank.failed");
        }
        ranked.extend(others);
    }
    (ranked, confidence)
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
        Some(generator) => {
            match generated::answer(exchange, generator, candidates, found.sentences(app), stream).await? {
                Generated::Answer(draft) => Some(draft),
                Generated::Refused => Some(unsure(chatbot, candidates, stream)),
                Generated::Unusable => quoted(exchange, found, stream).await?,
            }
        }
        None => quoted(exchange, found, stream).await?,
    };
    metrics::answer_step(AnswerStep::Generate, started.elapsed().saturating_sub(stream.filtering()));
    Ok(draft.unwrap_or_else(|| fallback(chatbot)))
}

/// Streams an answer without a language model.
async fn quoted(exchange: &Exchange, found: &Found, stream: &mut AnswerStream<'_>) -> ApiResult<Option<Draft>> {
    let Exchange { app, chatbot, .. } = exchange;
    if found.confidence == Confidence::Low {
        return Ok(Some(unsure(chatbot, found.relevant(), stream)));
    }
    let vector = found.search.vector(&found.vectors);
    extracted(found.sentences(app), found.search.answer_query(), &vector, found.relevant(), stream).await
}

/// The question, with the earlier ones when it leans on them.
fn search(question: &str, messages: &[WidgetMessage]) -> Search {
    let asked = messages.iter().filter(|message| message.role == MessageRole::User);
    let earlier: Vec<&str> = asked.map(|message| message.content.as_str()).collect();
    Search::new(question, &earlier)
}

/// Says that the answer is not sure, and streams where it may stand.
fn unsure(chatbot: &WidgetChatbot, candidates: &[Candidate<Uuid>], stream: &mut AnswerStream<'_>) -> Draft {
    let (text, sources, citations) = unsure::answer(&chatbot.config.language, candidates);
    stream.start(&sources);
    // A block is found again at the end.
    let _ = stream.push(&text);
    Draft::Unsure { sources, citations }
}

/// Streams the best sentences of the passages.
async fn extracted(
    sentences: &dyn Embedder,
    question: &str,
    vector: &[f32],
    candidates: &[Candidate<Uuid>],
    stream: &mut AnswerStream<'_>,
) -> ApiResult<Option<Draft>> {
    let Some(found) = extract(sentences, question, vector, candidates).await? else { return Ok(None) };
    stream.start(&found.sources);
    for part in block::parts(&found.text) {
        if stream.push(part).is_break() {
            break;
        }
    }
    Ok(Some(Draft::Answer { sources: found.sources, citations: found.citations }))
}

async fn extract(
    sentences: &dyn Embedder,
    question: &str,
    vector: &[f32],
    candidates: &[Candidate<Uuid>],
) -> ApiResult<Option<generate::Answer<Uuid>>> {
    extractive::answer(question, vector, candidates, sentences).await.map_err(|error| {
        tracing::error!(%error, "answer.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })
}

async fn embed(embedder: &dyn Embedder, texts: &[String]) -> ApiResult<Vec<Vec<f32>>> {
    embedder.embed(texts.to_vec(), Purpose::Query).await.map_err(|error| {
        tracing::error!(%error, "embedding.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })
}

/// What was found for each text of a search.
async fn retrieve(
    app: &App,
    chatbot: &WidgetChatbot,
    model: &str,
    search: &Search,
    vectors: &[Vec<f32>],
) -> ApiResult<TextHits> {
    let wanted = RetrievalRequest {
        collection: Collection { tenant: chatbot.tenant_id, chatbot: chatbot.config.chatbot_id },
        language: &chatbot.config.language,
        model,
        limit: DEPTH,
        texts: search.texts(),
        vectors,
    };
    let found = retrieval::search(app, &Scope::widget(chatbot.tenant_id), &wanted).await?;
    let candidates = |hits: Vec<FoundPassage>| hits.into_iter().map(|found| found.candidate(|hit| hit.id)).collect();
    Ok(found.into_iter().map(|hits| [hits.nearest, hits.matching].map(candidates)).collect())
}

fn fallback(chatbot: &WidgetChatbot) -> Draft {
    let text = chatbot.fallback_message.trim();
    Draft::Fallback(if text.is_empty() { DEFAULT_FALLBACK } else { text }.to_owned())
}
