//! From a question to an answer: embedding, hits of the chatbot's own collection fused by rank, and the words of the
//! language model or, without one, an extract.

use contract::{
    ErrorCode,
    widget::{MessageRole, WidgetMessage},
};
use rag::{
    block,
    citation::Citation,
    follow_up::Search,
    generate::{self, extractive},
    retrieve::{self, Candidate},
};
use store::{
    Scope, conversations,
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
    let messages = conversation(exchange).await?;
    let search = search(question, &messages);
    let vectors = embed(app, search.texts()).await?;
    let candidates = retrieve(app, chatbot, &search, &vectors).await?;
    let draft = match &app.settings.generator {
        _ if candidates.is_empty() => None,
        Some(generator) => generated::answer(exchange, generator, &messages, &candidates, telling).await?,
        None => extracted(app, search.text(), &search.vector(&vectors), &candidates, telling).await?,
    };
    Ok(draft.unwrap_or_else(|| fallback(chatbot)))
}

/// The conversation so far, oldest first.
async fn conversation(exchange: &Exchange) -> ApiResult<Vec<WidgetMessage>> {
    let Exchange { app, chatbot, session, .. } = exchange;
    if session.is_new {
        return Ok(Vec::new());
    }
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    let messages = conversations::messages(&mut tx, tenant, id, session.id).await?;
    tx.end().await?;
    Ok(messages)
}

/// The question, with the earlier ones when it leans on them.
fn search(question: &str, messages: &[WidgetMessage]) -> Search {
    let asked = messages.iter().filter(|message| message.role == MessageRole::User);
    let earlier: Vec<&str> = asked.map(|message| message.content.as_str()).collect();
    Search::new(question, &earlier)
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

async fn embed(app: &App, texts: &[String]) -> ApiResult<Vec<Vec<f32>>> {
    app.embedder.embed(texts.to_vec()).await.map_err(|error| {
        tracing::error!(%error, "embedding.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })
}

async fn retrieve(
    app: &App,
    chatbot: &WidgetChatbot,
    search: &Search,
    vectors: &[Vec<f32>],
) -> ApiResult<Vec<Candidate<Uuid>>> {
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let (k, threshold) = (app.settings.top_k, app.settings.relevance_threshold);
    let limit = i64::try_from(k).unwrap_or(20);
    let language = &chatbot.config.language;
    let mut found = Vec::with_capacity(vectors.len());
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    for (text, vector) in search.texts().iter().zip(vectors) {
        let nearest = passages::nearest(&mut tx, tenant, id, vector, limit).await?;
        let matching = passages::matching(&mut tx, tenant, id, text, language, vector, limit).await?;
        let nearest: Vec<_> = nearest.into_iter().map(candidate).collect();
        let matching: Vec<_> = matching.into_iter().map(candidate).collect();
        found.push(retrieve::fuse(text, &nearest, &matching, k, threshold));
    }
    tx.end().await?;
    Ok(search.fuse(found, k))
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
