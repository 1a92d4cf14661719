//! Answers a visitor's question: embedding, hits of the chatbot's own collection fused by rank, the
//! extractive answer with citations, stored messages. Nothing relevant means the chatbot's fallback
//! message, without sources (decisions, 5).

use contract::{
    ChatbotId, ErrorCode, MessageId, SessionId, TenantId,
    widget::{Citation, MessageRole, WidgetHistory, WidgetQuery, WidgetReply, WidgetSource},
};
use rag::{
    generate::extractive,
    retrieve::{self, Candidate},
    snippet,
};
use store::{
    Exemption, Scope,
    conversations::{self, NewMessage},
    passages::{self, Hit},
    widgets::WidgetChatbot,
};
use uuid::Uuid;

use crate::{
    app_state::App,
    http::error::{ApiError, ApiResult},
};

const DEFAULT_FALLBACK: &str = "I could not find an answer to that in my documents.";

/// What is said and what it rests on.
struct Answer {
    text: String,
    sources: Vec<WidgetSource>,
    citations: Vec<Citation>,
    answered: bool,
}

/// Answers a question and stores both messages.
///
/// # Errors
/// `session_not_found`; `service_unavailable` when the database is down.
pub async fn answer(app: &App, chatbot: &WidgetChatbot, query: WidgetQuery) -> ApiResult<WidgetReply> {
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let session_id = open_session(app, tenant, id, query.session_id).await?;
    let question = query.question.trim();
    let answer = compose(app, chatbot, question).await?;
    let message_id = MessageId(Uuid::now_v7());
    let mut tx = app.db.write(&Scope::widget(tenant)).await?;
    conversations::touch_session(&mut tx, tenant, id, session_id).await?;
    conversations::insert_message(&mut tx, tenant, id, session_id, &asked(question)).await?;
    let said = NewMessage {
        id: message_id,
        role: MessageRole::Assistant,
        content: &answer.text,
        sources: &answer.sources,
        citations: &answer.citations,
        answered: answer.answered,
        filtered: false,
    };
    conversations::insert_message(&mut tx, tenant, id, session_id, &said).await?;
    let exempt = tx.exempt(Exemption::Conversation);
    tx.commit(exempt).await?;
    let Answer { text, sources, citations, .. } = answer;
    Ok(WidgetReply { session_id, message_id, answer: text, sources, citations, filtered: false })
}

/// The messages of a session.
///
/// # Errors
/// `session_not_found`.
pub async fn history(app: &App, chatbot: &WidgetChatbot, session_id: SessionId) -> ApiResult<WidgetHistory> {
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    if !conversations::session_exists(&mut tx, tenant, id, session_id).await? {
        return Err(ErrorCode::SessionNotFound.into());
    }
    let messages = conversations::messages(&mut tx, tenant, id, session_id).await?;
    tx.end().await?;
    Ok(WidgetHistory { session_id, messages })
}

async fn open_session(
    app: &App,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: Option<SessionId>,
) -> ApiResult<SessionId> {
    let Some(session) = session else { return Ok(SessionId(Uuid::new_v4())) };
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    let exists = conversations::session_exists(&mut tx, tenant, chatbot, session).await?;
    tx.end().await?;
    if exists { Ok(session) } else { Err(ErrorCode::SessionNotFound.into()) }
}

fn asked(question: &str) -> NewMessage<'_> {
    NewMessage {
        id: MessageId(Uuid::now_v7()),
        role: MessageRole::User,
        content: question,
        sources: &[],
        citations: &[],
        answered: true,
        filtered: false,
    }
}

async fn compose(app: &App, chatbot: &WidgetChatbot, question: &str) -> ApiResult<Answer> {
    let vector = embed(app, question).await?;
    let candidates = retrieve(app, chatbot, question, &vector).await?;
    let found = extractive::answer(question, &vector, &candidates, app.embedder.as_ref()).await;
    let found = found.map_err(|error| {
        tracing::error!(%error, "answer.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })?;
    Ok(found.map_or_else(|| fallback(chatbot), |found| cited(found, question)))
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

fn fallback(chatbot: &WidgetChatbot) -> Answer {
    let text = chatbot.fallback_message.trim();
    let text = if text.is_empty() { DEFAULT_FALLBACK } else { text };
    Answer { text: text.to_owned(), sources: Vec::new(), citations: Vec::new(), answered: false }
}

fn cited(found: extractive::Answer<Uuid>, question: &str) -> Answer {
    let source = |candidate: &Candidate<Uuid>| WidgetSource {
        source_title: match candidate.heading.as_str() {
            "" => candidate.title.clone(),
            heading => format!("{} › {heading}", candidate.title),
        },
        content_snippet: snippet::snippet(&candidate.content, question),
        score: f64::from(candidate.cosine.clamp(0.0, 1.0)),
    };
    let citation = |citation: &rag::citation::Citation| Citation {
        marker: citation.marker.clone(),
        source_index: citation.source_index,
    };
    Answer {
        text: found.text,
        sources: found.sources.iter().map(source).collect(),
        citations: found.citations.iter().map(citation).collect(),
        answered: true,
    }
}
