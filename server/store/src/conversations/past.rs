//! Inserts conversations with times in the past, for the demo data: many rows per statement.

use chrono::NaiveDate;
use contract::{
    ChatbotId, FeedbackId, MessageId, SessionId, TenantId, Timestamp,
    feedback::{FeedbackCategory, Rating},
};
use sqlx::types::Json;
use uuid::Uuid;

use super::NewMessage;
use crate::{connection::PgConnection, error::Result};

/// Maximum rows of one statement.
const MAX_ROWS: usize = 500;

/// The owner of the conversations.
#[derive(Debug, Clone, Copy)]
pub struct Owner {
    pub tenant: TenantId,
    pub chatbot: ChatbotId,
}

/// A session with the times of its first and its last message.
#[derive(Debug, Clone, Copy)]
pub struct PastSession {
    pub id: SessionId,
    pub first: Timestamp,
    pub last: Timestamp,
}

/// A message of the time `at`.
#[derive(Debug, Clone)]
pub struct PastMessage<'a> {
    pub session: SessionId,
    pub message: NewMessage<'a>,
    pub at: Timestamp,
}

/// Feedback of the time `at`.
#[derive(Debug, Clone, Copy)]
pub struct PastFeedback<'a> {
    pub session: SessionId,
    pub message: MessageId,
    pub rating: Rating,
    pub category: Option<FeedbackCategory>,
    pub comment: Option<&'a str>,
    pub at: Timestamp,
}

/// Inserts conversations with their times in the past.
pub async fn insert_sessions(connection: &mut PgConnection, owner: Owner, sessions: &[PastSession]) -> Result<()> {
    for batch in sessions.chunks(MAX_ROWS) {
        sqlx::query(
            "insert into chat_sessions (id, tenant_id, chatbot_id, created_at, last_message_at)
             select s.id, $1, $2, s.began, s.ended
             from unnest($3::uuid[], $4::timestamptz[], $5::timestamptz[]) s (id, began, ended)",
        )
        .bind(owner.tenant.0)
        .bind(owner.chatbot.0)
        .bind(batch.iter().map(|session| session.id.0).collect::<Vec<_>>())
        .bind(batch.iter().map(|session| session.first).collect::<Vec<_>>())
        .bind(batch.iter().map(|session| session.last).collect::<Vec<_>>())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Inserts messages in their order.
pub async fn insert_messages(connection: &mut PgConnection, owner: Owner, messages: &[PastMessage<'_>]) -> Result<()> {
    for batch in messages.chunks(MAX_ROWS) {
        let texts = |of: fn(&NewMessage<'_>) -> Option<&'static str>| {
            batch.iter().map(|past| of(&past.message).map(str::to_owned)).collect::<Vec<_>>()
        };
        sqlx::query(
            "insert into chat_messages (id, tenant_id, chatbot_id, session_id, role, content, sources, citations, answered,
                                        confidence, answered_by, small_talk, language, created_at)
             select m.id, $1, $2, m.session_id, m.role, m.content, m.sources, m.citations, m.answered, m.confidence,
                    m.answered_by, m.small_talk, m.language, m.created_at
             from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::jsonb[], $8::jsonb[], $9::bool[], $10::text[],
                         $11::text[], $12::text[], $13::text[], $14::timestamptz[]) with ordinality
                      m (id, session_id, role, content, sources, citations, answered, confidence, answered_by, small_talk,
                         language, created_at, n)
             order by m.n",
        )
        .bind(owner.tenant.0)
        .bind(owner.chatbot.0)
        .bind(batch.iter().map(|past| past.message.id.0).collect::<Vec<_>>())
        .bind(batch.iter().map(|past| past.session.0).collect::<Vec<_>>())
        .bind(texts(|message| Some(message.role.as_str())))
        .bind(batch.iter().map(|past| past.message.content.to_owned()).collect::<Vec<_>>())
        .bind(batch.iter().map(|past| Json(past.message.sources.to_vec())).collect::<Vec<_>>())
        .bind(batch.iter().map(|past| Json(past.message.citations.to_vec())).collect::<Vec<_>>())
        .bind(batch.iter().map(|past| past.message.answered).collect::<Vec<_>>())
        .bind(texts(|message| message.confidence.map(|confidence| confidence.as_str())))
        .bind(texts(|message| message.answered_by.map(|answered_by| answered_by.as_str())))
        .bind(texts(|message| message.small_talk.map(|topic| topic.as_str())))
        .bind(batch.iter().map(|past| past.message.language.map(str::to_owned)).collect::<Vec<_>>())
        .bind(batch.iter().map(|past| past.at).collect::<Vec<_>>())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Inserts feedback with its times in the past.
pub async fn insert_feedback(connection: &mut PgConnection, owner: Owner, feedback: &[PastFeedback<'_>]) -> Result<()> {
    for batch in feedback.chunks(MAX_ROWS) {
        let categories = batch.iter().map(|feedback| feedback.category.map(|category| category.as_str().to_owned()));
        sqlx::query(
            "insert into chatbot_feedback
                 (id, tenant_id, chatbot_id, session_id, message_id, rating, category, comment, created_at)
             select f.id, $1, $2, f.session_id, f.message_id, f.rating, f.category, f.comment, f.created_at
             from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
                      f (id, session_id, message_id, rating, category, comment, created_at)",
        )
        .bind(owner.tenant.0)
        .bind(owner.chatbot.0)
        .bind(batch.iter().map(|_| FeedbackId(Uuid::now_v7()).0).collect::<Vec<_>>())
        .bind(batch.iter().map(|feedback| feedback.session.0).collect::<Vec<_>>())
        .bind(batch.iter().map(|feedback| feedback.message.0).collect::<Vec<_>>())
        .bind(batch.iter().map(|feedback| feedback.rating.as_str().to_owned()).collect::<Vec<_>>())
        .bind(categories.collect::<Vec<_>>())
        .bind(batch.iter().map(|feedback| feedback.comment.map(str::to_owned)).collect::<Vec<_>>())
        .bind(batch.iter().map(|feedback| feedback.at).collect::<Vec<_>>())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Adds questions to the tenant's usage on their days.
pub async fn count_questions(connection: &mut PgConnection, tenant: TenantId, days: &[(NaiveDate, i64)]) -> Result<()> {
    sqlx::query(
        "insert into usage_days as u (tenant_id, day, questions)
         select $1, d.day, d.questions from unnest($2::date[], $3::bigint[]) d (day, questions)
         on conflict on constraint usage_days_pkey do update set questions = u.questions + excluded.questions",
    )
    .bind(tenant.0)
    .bind(days.iter().map(|(day, _)| *day).collect::<Vec<_>>())
    .bind(days.iter().map(|(_, questions)| *questions).collect::<Vec<_>>())
    .execute(connection)
    .await?;
    Ok(())
}

/// Marks earlier unanswered questions and feedback as resolved at `at` by `user`.
pub async fn resolve(
    connection: &mut PgConnection,
    owner: Owner,
    questions: &[String],
    (at, user): (Timestamp, &str),
) -> Result<()> {
    sqlx::query(
        "insert into handled_questions (tenant_id, chatbot_id, question_key, handled_at, handled_by)
         select distinct $1::uuid, $2::uuid, question_key(asked), $4::timestamptz, $5::text
         from unnest($3::text[]) asked
         on conflict do nothing",
    )
    .bind(owner.tenant.0)
    .bind(owner.chatbot.0)
    .bind(questions)
    .bind(at)
    .bind(user)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "update chatbot_feedback set handled_at = $3, handled_by = $4
         where tenant_id = $1 and chatbot_id = $2 and created_at < $3 and handled_at is null",
    )
    .bind(owner.tenant.0)
    .bind(owner.chatbot.0)
    .bind(at)
    .bind(user)
    .execute(connection)
    .await?;
    Ok(())
}
