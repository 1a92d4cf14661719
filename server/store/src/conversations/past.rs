//! Conversations that took place earlier, for the demo world.

use chrono::NaiveDate;
use contract::{
    ChatbotId, FeedbackId, MessageId, SessionId, TenantId, Timestamp,
    feedback::{FeedbackCategory, Rating},
};
use sqlx::types::Json;

use super::NewMessage;
use crate::{connection::PgConnection, error::Result};

/// Whose conversation it is.
#[derive(Debug, Clone, Copy)]
pub struct PastSession {
    pub tenant: TenantId,
    pub chatbot: ChatbotId,
    pub id: SessionId,
}

/// Inserts a session with the times of its first and its last message.
pub async fn insert_session(
    connection: &mut PgConnection,
    session: PastSession,
    (first, last): (Timestamp, Timestamp),
) -> Result<()> {
    sqlx::query(
        "insert into chat_sessions (id, tenant_id, chatbot_id, created_at, last_message_at) values ($3, $1, $2, $4, $5)",
    )
    .bind(session.tenant.0)
    .bind(session.chatbot.0)
    .bind(session.id.0)
    .bind(first)
    .bind(last)
    .execute(connection)
    .await?;
    Ok(())
}

/// Inserts a message that was said at `at`.
pub async fn insert_message(
    connection: &mut PgConnection,
    session: PastSession,
    message: &NewMessage<'_>,
    at: Timestamp,
) -> Result<()> {
    sqlx::query(
        "insert into chat_messages (id, tenant_id, chatbot_id, session_id, role, content, sources, citations, answered,
                                    confidence, answered_by, small_talk, page_url, language, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    )
    .bind(message.id.0)
    .bind(session.tenant.0)
    .bind(session.chatbot.0)
    .bind(session.id.0)
    .bind(message.role.as_str())
    .bind(message.content)
    .bind(Json(message.sources))
    .bind(Json(message.citations))
    .bind(message.answered)
    .bind(message.confidence.map(|confidence| confidence.as_str()))
    .bind(message.answered_by.map(|made| made.as_str()))
    .bind(message.small_talk.map(|topic| topic.as_str()))
    .bind(message.page_url)
    .bind(message.language)
    .bind(at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Inserts feedback that was given at `at`.
pub async fn insert_feedback(
    connection: &mut PgConnection,
    session: PastSession,
    (id, message): (FeedbackId, MessageId),
    (rating, category, comment): (Rating, Option<FeedbackCategory>, Option<&str>),
    at: Timestamp,
) -> Result<()> {
    sqlx::query(
        "insert into chatbot_feedback
             (id, tenant_id, chatbot_id, session_id, message_id, rating, category, comment, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(id.0)
    .bind(session.tenant.0)
    .bind(session.chatbot.0)
    .bind(session.id.0)
    .bind(message.0)
    .bind(rating.as_str())
    .bind(category.map(|category| category.as_str()))
    .bind(comment)
    .bind(at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Adds questions to the tenant's usage of a day in UTC.
pub async fn add_questions(
    connection: &mut PgConnection,
    tenant: TenantId,
    day: NaiveDate,
    questions: i64,
) -> Result<()> {
    sqlx::query(
        "insert into usage_days as u (tenant_id, day, questions) values ($1, $2, $3)
         on conflict on constraint usage_days_pkey do update set questions = u.questions + excluded.questions",
    )
    .bind(tenant.0)
    .bind(day)
    .bind(questions)
    .execute(connection)
    .await?;
    Ok(())
}
