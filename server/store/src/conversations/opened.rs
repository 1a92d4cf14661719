//! The details of a conversation: its messages and its feedback.

use contract::{
    FeedbackId, MessageId, SessionId, TenantId, Timestamp,
    conversations::{ConversationMessage, MAX_MESSAGES, MessageFeedback, TokenUsage},
    widget::{Citation, Confidence, MessageRole, ReplyKind, WidgetSource},
};
use sqlx::{AssertSqlSafe, FromRow, types::Json};
use uuid::Uuid;

use super::{FEEDBACK, messages::generated_by};
use crate::{connection::PgConnection, error::Result};

#[derive(FromRow)]
struct MessageRow {
    id: Uuid,
    role: String,
    content: String,
    sources: Json<Vec<WidgetSource>>,
    citations: Json<Vec<Citation>>,
    answered: bool,
    confidence: Option<String>,
    answered_by: Option<String>,
    answer_model: Option<String>,
    prompt_version: Option<String>,
    truncated: bool,
    over_quota: bool,
    is_small_talk: bool,
    prompt_tokens: Option<i32>,
    cached_tokens: Option<i32>,
    answer_tokens: Option<i32>,
    filtered: bool,
    page_url: Option<String>,
    language: Option<String>,
    created_at: Timestamp,
}

/// The last [`MAX_MESSAGES`] messages of a session, oldest first.
pub async fn messages(
    connection: &mut PgConnection,
    tenant: TenantId,
    session: SessionId,
) -> Result<Vec<ConversationMessage>> {
    let mut rows: Vec<MessageRow> = sqlx::query_as(
        "select id, role, content, sources, citations, answered and not over_quota as answered, confidence,
                answered_by, answer_model, prompt_version, truncated, over_quota, prompt_tokens, cached_tokens, answer_tokens, filtered,
                page_url, language, small_talk is not null as is_small_talk, created_at
         from chat_messages
         where tenant_id = $1 and session_id = $2
         order by position desc
         limit $3",
    )
    .bind(tenant.0)
    .bind(session.0)
    .bind(MAX_MESSAGES)
    .fetch_all(connection)
    .await?;
    rows.reverse();
    let message = |row: MessageRow| {
        let role: MessageRole = row.role.parse()?;
        let confidence: Option<Confidence> = row.confidence.map(|text| text.parse()).transpose()?;
        Ok(ConversationMessage {
            message_id: MessageId(row.id),
            role,
            kind: (role == MessageRole::Assistant).then(|| kind(row.is_small_talk, confidence, row.answered)),
            content: row.content,
            sources: row.sources.0,
            citations: row.citations.0,
            answered: row.answered,
            confidence,
            generated_by: generated_by(row.answered_by.as_deref(), row.answer_model)?,
            answered_by: row.answered_by.map(|text| text.parse()).transpose()?,
            prompt_version: row.prompt_version,
            truncated: row.truncated,
            over_quota: row.over_quota,
            usage: row.prompt_tokens.map(|prompt_tokens| TokenUsage {
                prompt_tokens,
                cached_tokens: row.cached_tokens.unwrap_or_default(),
                answer_tokens: row.answer_tokens.unwrap_or_default(),
            }),
            filtered: row.filtered,
            page_url: row.page_url,
            language: row.language,
            created_at: row.created_at,
        })
    };
    rows.into_iter().map(message).collect()
}

/// The kind of an answer. Answers from before version 1.3 have no confidence.
fn kind(is_small_talk: bool, confidence: Option<Confidence>, answered: bool) -> ReplyKind {
    match confidence {
        _ if is_small_talk => ReplyKind::SmallTalk,
        Some(Confidence::None) => ReplyKind::Fallback,
        None if !answered => ReplyKind::Fallback,
        _ => ReplyKind::Answer,
    }
}

#[derive(FromRow)]
struct FeedbackRow {
    id: Uuid,
    message_id: Option<Uuid>,
    rating: String,
    category: Option<String>,
    comment: Option<String>,
    handled_at: Option<Timestamp>,
    created_at: Timestamp,
}

/// The feedback on a session and on its messages, oldest first.
pub async fn feedback(
    connection: &mut PgConnection,
    tenant: TenantId,
    session: SessionId,
) -> Result<Vec<MessageFeedback>> {
    let sql = format!(
        "select f.id, f.message_id, f.rating, f.category, f.comment, f.handled_at, f.created_at
         from chat_sessions s cross join lateral {FEEDBACK}
         where s.tenant_id = $1 and s.id = $2
         order by f.created_at, f.id"
    );
    let rows: Vec<FeedbackRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(session.0).fetch_all(connection).await?;
    let entry = |row: FeedbackRow| {
        Ok(MessageFeedback {
            id: FeedbackId(row.id),
            message_id: row.message_id.map(MessageId),
            rating: row.rating.parse()?,
            category: row.category.as_deref().map(str::parse).transpose()?,
            comment: row.comment,
            handled_at: row.handled_at,
            created_at: row.created_at,
        })
    };
    rows.into_iter().map(entry).collect()
}
