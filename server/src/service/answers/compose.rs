//! From a question to an answer: embedding, hits of the chatbot's own collection fused by rank, and the words of the
//! language model or, without one, an extract.

use contract::ErrorCode;
use rag::{
    block,
    citation::Citation,
    generate::{self, extractive},
    retrieve::{self, Candidate},
};
use store::{
    Scope,
    passages::{self, Hit},
    widgets::WidgetChatbot,
};
use uuid::Uuid;

use super::{exchange::Exchange, generated, telling::Telling};
use crate::{
    app_state::App,
    http::error::{ApiError, ApiResult},
};

const DEFAULT_FALLBACK: &str = "I could not find an answer to that in my documents.";

/// What an answer rests on when its words are said.
pub(super) enum Draft {
    /// The documents have no answer: the tenant's own words.
    Fallback(String),
    /// The answer that was told.
    Answer {
        /// The passages, those that `citations` point to first.
        sources: Vec<Candidate<Uuid>>,
        /// The markers.
        citations: Vec<Citation>,
    },
}

/// Makes an answer and tells it.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database is down.
pub(super) async fn compose(exchange: &Exchange, telling: &mut Telling<'_>) -> ApiResult<Draft> {
    let Exchange { app, chatbot, question, .. } = exchange;
    let vector = embed(app, question).await?;
    let candidates = retrieve(app, chatbot, question, &vector).await?;
    let draft = match &app.settings.generator {
        _ if candidates.is_empty() => None,
        Some(generator) => generated::answer(exchange, generator, &candidates, telling).await?,
        None => extracted(app, question, &vector, &candidates, telling).await?,
    };
    Ok(draft.unwrap_or_else(|| fallback(chatbot)))
}

/// Tells the best sentences of the passages.
async fn extracted(
    app: &App,
    question: &str,
    vector: &[f32],
    candidates: &[Candidate<Uuid>],
    telling: &mut Telling<'_>,
) -> ApiResult<Option<Draft>> {
    let Some(found) = extract(app, question, vector, candidates).await? else { return Ok(None) };
    telling.begin(&found.sources);
    for part in block::parts(&found.text) {
        if telling.say(part).is_break() {
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
    extractive::answer(question, vector, candidates, app.embedder.as_ref()).await.map_err(|error| {
        tracing::error!(%error, "answer.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })
}

async fn embed(app: &App, question: &str) -> ApiResult<Vec<f32>> {
    let embedded = app.embedder.embed(vec![question.to_owned()]).await;
    embedded.ok().and_then(|mut vectors| vectors.pop()).ok_or_else(|| {
        tracing::error!("embedding.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })
}

async fn retrieve(
    app: &App,
    chatbot: &WidgetChatbot,
    question: &str,
    vector: &[f32],
) -> ApiResult<Vec<Candidate<Uuid>>> {
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let limit = i64::try_from(app.settings.top_k).unwrap_or(20);
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    let nearest = passages::nearest(&mut tx, tenant, id, vector, limit).await?;
    let language = &chatbot.config.language;
    let matching = passages::matching(&mut tx, tenant, id, question, language, vector, limit).await?;
    tx.end().await?;
    let nearest: Vec<_> = nearest.into_iter().map(candidate).collect();
    let matching: Vec<_> = matching.into_iter().map(candidate).collect();
    Ok(retrieve::fuse(question, &nearest, &matching, app.settings.top_k, app.settings.relevance_threshold))
}

fn candidate(hit: Hit) -> Candidate<Uuid> {
    #[allow(clippy::cast_possible_truncation, reason = "a cosine needs no more than 24 bits")]
    let cosine = hit.cosine as f32;
    Candidate { id: hit.id, title: hit.title, heading: hit.heading, content: hit.content, cosine }
}

fn fallback(chatbot: &WidgetChatbot) -> Draft {
    let text = chatbot.fallback_message.trim();
    Draft::Fallback(if text.is_empty() { DEFAULT_FALLBACK } else { text }.to_owned())
}
