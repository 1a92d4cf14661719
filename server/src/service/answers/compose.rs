//! Composes an answer: searches the chatbot's own collection, determines the confidence, and lets the language model
//! answer or, without one, quotes.

use std::time::Instant;

use contract::widget::MessageRole;
use rag::{
    block,
    follow_up::Search,
    generate::{
        self, nothing,
        unsure::{Closest, Unsure},
    },
    retrieve::Candidate,
};
use store::{Scope, usage, vectors::Collection, widget::lookup::WidgetChatbot};
use tracing::{Instrument as _, info_span};

use super::{
    exchange::Exchange,
    generated::{self, Generated},
    quoted::{self, Correction, Doubt, Quotable, Quoted},
    stream::{AnswerStream, ComposedAnswer},
};
use crate::{
    error::ApiResult,
    metrics::{self, AnswerStep},
    service::knowledge::search::{SearchOptions, SearchOutcome, SearchTarget, Timings, search},
    telemetry::TARGET,
};

/// Searches the chatbot's own collection.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn find(exchange: &Exchange) -> ApiResult<SearchOutcome> {
    let Exchange { app, chatbot, question, messages, .. } = exchange;
    let _first = app.visitor_searches().begin();
    let visitor_messages = messages.iter().filter(|message| message.role == MessageRole::User);
    let earlier: Vec<&str> = visitor_messages.map(|message| message.content.as_str()).collect();
    let query = Search::new(question, &earlier, &chatbot.config.language);
    let target = SearchTarget {
        collection: collection(chatbot),
        language: &chatbot.config.language,
        model: chatbot.embedding_model.as_deref(),
        second_model: chatbot.second_embedding_model.as_deref(),
        is_reindexing: chatbot.is_reindexing,
    };
    let options = SearchOptions { evidence_shift: exchange.evidence_shift, reranking: app.settings.reranking.as_ref() };
    let outcome = search(app, &Scope::widget(chatbot.tenant_id), &target, &query, &options).await?;
    if let Some(error) = &outcome.rerank_error {
        tracing::warn!(%error, "rerank.failed");
    }
    let Timings { embedding, searching, ranking } = outcome.timings;
    metrics::answer_step(AnswerStep::Embed, embedding);
    metrics::answer_step(AnswerStep::Search, searching);
    metrics::answer_step(AnswerStep::Rank, ranking);
    Ok(outcome)
}

fn collection(chatbot: &WidgetChatbot) -> Collection {
    Collection { tenant: chatbot.tenant_id, chatbot: chatbot.config.chatbot_id }
}

/// Composes an answer from the results and streams it.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn answer(
    exchange: &Exchange,
    outcome: &SearchOutcome,
    stream: &mut AnswerStream<'_>,
) -> ApiResult<ComposedAnswer> {
    let started = Instant::now();
    let span = info_span!(target: TARGET, "generate");
    let composed = composed(exchange, outcome, stream).instrument(span).await?;
    metrics::answer_step(AnswerStep::Generate, started.elapsed().saturating_sub(stream.filtering()));
    Ok(composed.unwrap_or_else(|| ComposedAnswer::Fallback(fallback(exchange))))
}

/// The language model's answer, or the quoted one; `None` when nothing is found.
async fn composed(
    exchange: &Exchange,
    outcome: &SearchOutcome,
    stream: &mut AnswerStream<'_>,
) -> ApiResult<Option<ComposedAnswer>> {
    let candidates = outcome.relevant();
    Ok(match &exchange.model {
        Some(model) if !is_over_budget(exchange).await? => {
            let quoted = quote(exchange, outcome).await?;
            let sure = if let Quoted::Answer(answer) = &quoted { Some(answer) } else { None };
            let generated = generated::answer(exchange, model, outcome, sure, stream).await?;
            if matches!(generated, Generated::Refused) {
                stream.note_refusal();
            }
            match generated {
                Generated::Answer(composed) => Some(composed),
                Generated::Refused | Generated::Unsure if candidates.is_empty() => None,
                Generated::Refused | Generated::Unsure => {
                    let correction = if let Quoted::Unsure(correction) = quoted { correction } else { None };
                    Some(unsure(exchange, &doubt(exchange, outcome, correction).await?, candidates, stream))
                }
                Generated::Unusable => show(exchange, quoted, outcome, stream).await?,
            }
        }
        _ => show(exchange, quote(exchange, outcome).await?, outcome, stream).await?,
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
async fn show(
    exchange: &Exchange,
    quoted: Quoted,
    outcome: &SearchOutcome,
    stream: &mut AnswerStream<'_>,
) -> ApiResult<Option<ComposedAnswer>> {
    Ok(match quoted {
        Quoted::Answer(answer) => Some(streamed(answer, stream)),
        Quoted::Unsure(correction) => {
            let doubt = doubt(exchange, outcome, correction).await?;
            Some(unsure(exchange, &doubt, outcome.relevant(), stream))
        }
        Quoted::Nothing => None,
    })
}

/// Quotes the answer to a question.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database is down.
pub(super) async fn quote(exchange: &Exchange, outcome: &SearchOutcome) -> ApiResult<Quoted> {
    let scope = Scope::widget(exchange.chatbot.tenant_id);
    Ok(quoted::quote(&exchange.app, &scope, &quotable(exchange, outcome)).await?)
}

/// What is closest to a question that has no answer.
///
/// # Errors
/// `generator_unavailable`.
pub(super) async fn doubt(
    exchange: &Exchange,
    outcome: &SearchOutcome,
    correction: Option<Correction>,
) -> ApiResult<Doubt> {
    Ok(Doubt::of(&quotable(exchange, outcome), correction).await?)
}

/// What is closest to a question.
///
/// # Errors
/// `generator_unavailable`.
pub(super) async fn closest(exchange: &Exchange, outcome: &SearchOutcome) -> ApiResult<Vec<Closest>> {
    Ok(quoted::closest(&quotable(exchange, outcome)).await?)
}

/// Quotes the passage of a unit, from the unit on.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database is down.
pub(super) async fn quote_passage(
    exchange: &Exchange,
    outcome: &SearchOutcome,
    unit: &Closest,
) -> ApiResult<Option<generate::Answer>> {
    let passage: Vec<_> =
        outcome.relevant().iter().filter(|candidate| candidate.id == unit.source.id).cloned().collect();
    let quotable_passage = Quotable { question: &unit.text, passages: &passage, ..quotable(exchange, outcome) };
    let scope = Scope::widget(exchange.chatbot.tenant_id);
    Ok(quoted::quote_passages(&exchange.app, &scope, &quotable_passage).await?)
}

fn quotable<'a>(exchange: &'a Exchange, outcome: &'a SearchOutcome) -> Quotable<'a> {
    let Exchange { app, chatbot, .. } = exchange;
    Quotable::new(app, collection(chatbot), &chatbot.config.language, outcome)
}

/// Streams the answer for low confidence, in the question's language, with what is closest.
fn unsure(
    exchange: &Exchange,
    doubt: &Doubt,
    candidates: &[Candidate],
    stream: &mut AnswerStream<'_>,
) -> ComposedAnswer {
    let Unsure { text, sources, citations, closest } =
        doubt.reply(&exchange.question, &exchange.chatbot.config.language, candidates);
    stream.start(&sources);
    // A block is found again at the end.
    let _ = stream.push(&text);
    ComposedAnswer::Unsure { sources, citations, closest }
}

/// Streams a finished answer.
pub(super) fn streamed(answer: generate::Answer, stream: &mut AnswerStream<'_>) -> ComposedAnswer {
    stream.start_quoted(&answer.sources, answer.texts);
    for part in block::parts(&answer.text) {
        if stream.push(part).is_break() {
            break;
        }
    }
    ComposedAnswer::Answer { sources: answer.sources, citations: answer.citations }
}

/// The chatbot's fallback message, or one in the question's language when that is another.
pub(super) fn fallback(exchange: &Exchange) -> String {
    let Exchange { chatbot, question, .. } = exchange;
    let language = &chatbot.config.language;
    let own = Some(chatbot.fallback_message.trim()).filter(|text| !text.is_empty());
    let in_its_language = || own.unwrap_or_else(|| nothing::message(language)).to_owned();
    nothing::message_in_other_language(question, language).unwrap_or_else(in_its_language)
}
