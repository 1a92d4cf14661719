//! Composes an answer: searches the chatbot's own collection, determines the confidence, and lets the language model
//! answer or, without one, quotes.

use std::{sync::Arc, time::Instant};

use contract::{
    ErrorCode,
    widget::{MessageRole, WidgetMessage},
};
use rag::{
    block,
    embed::Embedder,
    follow_up::Search,
    generate::{
        self, asked,
        language::Language,
        nothing,
        unsure::{self, Closest, Unsure},
    },
    retrieve::{self, Candidate, Confidence, DEPTH},
};
use store::{
    Scope,
    passages::{Hit, PassageRef},
    usage,
    vectors::Collection,
    widget::lookup::WidgetChatbot,
};
use tracing::{Instrument as _, info_span};

use super::{
    exchange::Exchange,
    generated::{self, Generated},
    quoted::{self, Doubt, Quotable, Quoted},
    stream::{AnswerStream, ComposedAnswer},
};
use crate::{
    error::{ApiError, ApiResult},
    metrics::{self, AnswerStep},
    service::knowledge::{
        question_search::{self, Finding, Findings, Searched},
        ranking::{self, Ranking},
    },
    state::App,
    telemetry::TARGET,
};

/// The search results for a question, shared by every way of answering.
pub(super) struct Found {
    search: Search,
    /// The text whose words an answer must contain, with typing errors corrected.
    asked: String,
    /// The embedding model that found them, and of the vectors of the texts.
    embedder: Arc<dyn Embedder>,
    /// The vectors of its texts.
    vectors: Vec<Vec<f32>>,
    /// All passages that were found, best first.
    ranked: Vec<Candidate<PassageRef>>,
    /// The confidence that the first one answers the question.
    confidence: Confidence,
    /// The passages that may be answered from.
    relevant: usize,
}

impl Found {
    /// Turns sentences of passages into vectors of the chatbot's model.
    fn sentences<'a>(&self, app: &'a App) -> &'a dyn Embedder {
        app.embedders.sentences(self.embedder.model())
    }

    /// The passages to answer from, best first; empty when nothing is relevant.
    pub(super) fn relevant(&self) -> &[Candidate<PassageRef>] {
        &self.ranked[..self.relevant]
    }

    /// The passages after those, best first.
    pub(super) fn others(&self) -> &[Candidate<PassageRef>] {
        &self.ranked[self.relevant..]
    }
}

/// Searches the chatbot's own collection. If several models were used, the result with the best evidence counts.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn find(exchange: &Exchange) -> ApiResult<Found> {
    let Exchange { app, chatbot, question, messages, .. } = exchange;
    let _first = app.visitor_searches().begin();
    let search = search(question, messages, &chatbot.config.language);
    let findings = search_collection(app, chatbot, &search).await?;
    let started = Instant::now();
    let span = info_span!(target: TARGET, "rank");
    let fused = span.in_scope(|| findings.iter().map(|finding| (finding, fuse(&search, finding))).collect());
    let reranking = app.settings.reranking.as_ref();
    let decided = ranking::decide(app, &search, fused, exchange.evidence_shift, reranking).instrument(span).await;
    let Some(Ranking { finding, candidates: ranked, confidence, rerank_error, .. }) = decided else {
        return Err(ErrorCode::InternalError.into());
    };
    if let Some(error) = rerank_error {
        tracing::warn!(%error, "rerank.failed");
    }
    metrics::answer_step(AnswerStep::Rank, started.elapsed());
    let relevant = if confidence == Confidence::None { 0 } else { ranked.len().min(app.settings.top_k) };
    let (embedder, vectors) = (Arc::clone(&finding.embedder), finding.vectors.clone());
    let asked = finding.answer_query(&search).to_owned();
    Ok(Found { search, asked, embedder, vectors, ranked, confidence, relevant })
}

/// Finds passages with the model of the chatbot's vectors, or the one for other languages; retries once when the
/// chatbot moved to another model in the meantime.
async fn search_collection(app: &App, chatbot: &WidgetChatbot, search: &Search) -> ApiResult<Vec<Finding>> {
    let mut model = chatbot.embedding_model.clone();
    loop {
        let searched = Searched {
            collection: Collection { tenant: chatbot.tenant_id, chatbot: chatbot.config.chatbot_id },
            language: &chatbot.config.language,
            model: model.as_deref(),
            second_model: chatbot.second_embedding_model.as_deref(),
        };
        let found = question_search::search(app, &Scope::widget(chatbot.tenant_id), &searched, search).await;
        let Findings { all, embedding, searching } = found.map_err(refusal)?;
        metrics::answer_step(AnswerStep::Embed, embedding);
        metrics::answer_step(AnswerStep::Search, searching);
        let now = if chatbot.is_reindexing { current_model(app, chatbot).await? } else { model.clone() };
        if now == model {
            return Ok(all);
        }
        model = now;
    }
}

fn refusal(error: question_search::Error) -> ApiError {
    match error {
        question_search::Error::Store(error) => error.into(),
        error => {
            tracing::error!(%error, "embedding.failed");
            ErrorCode::GeneratorUnavailable.into()
        }
    }
}

async fn current_model(app: &App, chatbot: &WidgetChatbot) -> ApiResult<Option<String>> {
    let mut tx = app.db.read(&Scope::widget(chatbot.tenant_id)).await?;
    let found = store::chatbots::embedding_model(&mut tx, chatbot.tenant_id, chatbot.config.chatbot_id).await?;
    Ok(found.and_then(|(_, model)| model))
}

/// The results of one model, best first.
fn fuse(search: &Search, finding: &Finding) -> Vec<Candidate<PassageRef>> {
    let calibration = &finding.calibration;
    let hits = finding.candidates(Hit::reference);
    let ranked = hits.iter().map(|[nearest, matching]| retrieve::rank(nearest, matching, calibration));
    search.fuse(ranked.collect(), finding.has_unfamiliar_words(), calibration, DEPTH)
}

/// Composes an answer from the results and streams it.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn answer(
    exchange: &Exchange,
    found: &Found,
    stream: &mut AnswerStream<'_>,
) -> ApiResult<ComposedAnswer> {
    let started = Instant::now();
    let span = info_span!(target: TARGET, "generate");
    let composed = composed(exchange, found, stream).instrument(span).await?;
    metrics::answer_step(AnswerStep::Generate, started.elapsed().saturating_sub(stream.filtering()));
    Ok(composed.unwrap_or_else(|| ComposedAnswer::Fallback(fallback(exchange))))
}

/// The language model's answer, or the quoted one; `None` when nothing is found.
async fn composed(
    exchange: &Exchange,
    found: &Found,
    stream: &mut AnswerStream<'_>,
) -> ApiResult<Option<ComposedAnswer>> {
    let Exchange { app, .. } = exchange;
    let candidates = found.relevant();
    Ok(match &exchange.model {
        _ if candidates.is_empty() => None,
        Some(model) if !is_over_budget(exchange).await? => {
            match generated::answer(exchange, model, candidates, found.sentences(app), stream).await? {
                Generated::Answer(composed) => Some(composed),
                Generated::Refused => {
                    stream.note_refusal();
                    let doubt = Doubt { correction: None, closest: closest(exchange, found).await? };
                    Some(unsure(exchange, &doubt, candidates, stream))
                }
                Generated::Unusable => quoted(exchange, found, stream).await?,
            }
        }
        _ => quoted(exchange, found, stream).await?,
    })
}

/// Whether language models have used as many tokens for the tenant this month as they may. Answers in the making are not counted yet.
async fn is_over_budget(exchange: &Exchange) -> ApiResult<bool> {
    let Some(limit) = exchange.tokens_per_month() else { return Ok(false) };
    let tenant = exchange.chatbot.tenant_id;
    let mut tx = exchange.app.db.read(&Scope::widget(tenant)).await?;
    Ok(usage::tokens_this_month(&mut tx, tenant).await? >= limit)
}

/// Streams an answer without a language model.
async fn quoted(
    exchange: &Exchange,
    found: &Found,
    stream: &mut AnswerStream<'_>,
) -> ApiResult<Option<ComposedAnswer>> {
    Ok(match quote(exchange, found).await? {
        Quoted::Answer(answer) => Some(streamed(answer, stream)),
        Quoted::Unsure(doubt) => Some(unsure(exchange, &doubt, found.relevant(), stream)),
        Quoted::Nothing => None,
    })
}

/// Quotes the answer to a question.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database is down.
pub(super) async fn quote(exchange: &Exchange, found: &Found) -> ApiResult<Quoted<PassageRef>> {
    let vector = found.search.vector(&found.vectors);
    let scope = Scope::widget(exchange.chatbot.tenant_id);
    quoted::quote(&exchange.app, &scope, &quotable(exchange, found, &vector)).await.map_err(refusal)
}

/// What is closest to a question.
///
/// # Errors
/// `generator_unavailable`.
pub(super) async fn closest(exchange: &Exchange, found: &Found) -> ApiResult<Vec<Closest<PassageRef>>> {
    let vector = found.search.vector(&found.vectors);
    quoted::closest(&quotable(exchange, found, &vector)).await.map_err(refusal)
}

/// Quotes the passage of a unit, from the unit on.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database is down.
pub(super) async fn quote_passage(
    exchange: &Exchange,
    found: &Found,
    unit: &Closest<PassageRef>,
) -> ApiResult<Option<generate::Answer<PassageRef>>> {
    let vector = found.search.vector(&found.vectors);
    let passage: Vec<_> = found.relevant().iter().filter(|known| known.id == unit.source.id).cloned().collect();
    let asked = Quotable { question: &unit.text, passages: &passage, ..quotable(exchange, found, &vector) };
    let scope = Scope::widget(exchange.chatbot.tenant_id);
    quoted::quote_passages(&exchange.app, &scope, &asked).await.map_err(refusal)
}

fn quotable<'a>(exchange: &'a Exchange, found: &'a Found, vector: &'a [f32]) -> Quotable<'a, PassageRef> {
    let Exchange { app, chatbot, .. } = exchange;
    Quotable {
        collection: Collection { tenant: chatbot.tenant_id, chatbot: chatbot.config.chatbot_id },
        question: &found.asked,
        written: found.search.answer_query(),
        language: &chatbot.config.language,
        vector,
        embedder: found.sentences(app),
        confidence: found.confidence,
        passages: found.relevant(),
    }
}

/// The question, with the earlier ones when it is a follow-up.
fn search(question: &str, messages: &[WidgetMessage], language: &str) -> Search {
    let asked = messages.iter().filter(|message| message.role == MessageRole::User);
    let earlier: Vec<&str> = asked.map(|message| message.content.as_str()).collect();
    Search::new(question, &earlier, language)
}

/// Streams the answer for low confidence, in the question's language, with what is closest.
fn unsure(
    exchange: &Exchange,
    doubt: &Doubt<PassageRef>,
    candidates: &[Candidate<PassageRef>],
    stream: &mut AnswerStream<'_>,
) -> ComposedAnswer {
    let Exchange { question, chatbot, .. } = exchange;
    let usual = &chatbot.config.language;
    let language = Language::of_question(question, usual);
    let hint = doubt.correction.as_ref().map(|pair| asked::did_you_mean(question, usual, pair));
    let Unsure { text, sources, citations, closest } =
        unsure::answer(language.code, hint.as_deref(), &doubt.closest, candidates);
    stream.start(&sources);
    // A block is found again at the end.
    let _ = stream.push(&text);
    ComposedAnswer::Unsure { sources, citations, closest }
}

/// Streams a finished answer.
pub(super) fn streamed(found: generate::Answer<PassageRef>, stream: &mut AnswerStream<'_>) -> ComposedAnswer {
    stream.start_quoted(&found.sources, found.texts);
    for part in block::parts(&found.text) {
        if stream.push(part).is_break() {
            break;
        }
    }
    ComposedAnswer::Answer { sources: found.sources, citations: found.citations }
}

/// The chatbot's fallback message, or one in the question's language when that is another.
pub(super) fn fallback(exchange: &Exchange) -> String {
    let Exchange { chatbot, question, .. } = exchange;
    let language = &chatbot.config.language;
    let own = Some(chatbot.fallback_message.trim()).filter(|text| !text.is_empty());
    let in_its_language = || own.unwrap_or_else(|| nothing::found(language)).to_owned();
    nothing::found_in_other_language(question, language).unwrap_or_else(in_its_language)
}
