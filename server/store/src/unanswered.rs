//! Questions that a chatbot's documents had no answer to, equal ones together.

use contract::{
    ChatbotId, MessageId, Page, SessionId, TenantId, Timestamp,
    unanswered::{LOOKED_THROUGH, UnansweredQuery, UnansweredQuestion},
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

#[derive(FromRow)]
struct QuestionRow {
    question_key: String,
    question: String,
    times: i64,
    last_asked_at: Timestamp,
    session_id: Uuid,
    message_id: Uuid,
    handled_at: Option<Timestamp>,
    handled_by: Option<String>,
}

impl From<QuestionRow> for UnansweredQuestion {
    fn from(row: QuestionRow) -> Self {
        Self {
            question_key: row.question_key,
            question: row.question,
            times: row.times,
            last_asked_at: row.last_asked_at,
            session_id: SessionId(row.session_id),
            message_id: MessageId(row.message_id),
            handled_at: row.handled_at,
            handled_by: row.handled_by,
        }
    }
}

/// The question that a fallback message `m` was given to.
const QUESTION: &str = "(
    select q.content from chat_messages q
    where q.tenant_id = m.tenant_id and q.session_id = m.session_id and q.role = 'user' and q.position < m.position
    order by q.position desc limit 1
) q";

/// The questions `found` of the chatbot that `$1` and `$2` name.
fn found() -> String {
    format!(
        "with asked as (
             select m.id, m.session_id, m.position, m.created_at, q.content, question_key(q.content) as question_key
             from (
                 select * from chat_messages
                 where tenant_id = $1 and chatbot_id = $2 and role = 'assistant' and not answered
                 order by position desc limit {LOOKED_THROUGH}
             ) m
             cross join lateral {QUESTION}
         ), grouped as (
             select question_key, count(*) as times, max(position) as position from asked group by question_key
         ), found as (
             select g.question_key, g.times, g.position, a.content as question, a.created_at as last_asked_at,
                    a.session_id, a.id as message_id, h.handled_at, h.handled_by
             from grouped g
             join asked a on a.position = g.position
             left join handled_questions h
                 on h.tenant_id = $1 and h.chatbot_id = $2 and h.question_key = g.question_key
                and h.handled_at >= a.created_at
         )"
    )
}

/// A page of the questions without an answer, the one asked last first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    query: &UnansweredQuery,
) -> Result<Page<UnansweredQuestion>> {
    const MATCHING: &str = "from found where ($3::boolean is null or (handled_at is not null) = $3)";
    let found = found();
    let rows: Vec<QuestionRow> =
        sqlx::query_as(AssertSqlSafe(format!("{found} select * {MATCHING} order by position desc limit $4 offset $5")))
            .bind(tenant.0)
            .bind(chatbot.0)
            .bind(query.handled)
            .bind(query.limit)
            .bind(query.offset)
            .fetch_all(&mut *connection)
            .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("{found} select count(*) {MATCHING}")))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(query.handled)
        .fetch_one(connection)
        .await?;
    let items = rows.into_iter().map(UnansweredQuestion::from).collect();
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}

/// The question that got this fallback message; `None` when the message is none of the chatbot's.
///
/// # Errors
/// When the database fails.
pub async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    message: MessageId,
) -> Result<Option<UnansweredQuestion>> {
    let sql = format!(
        "{} select found.* from found
         where question_key = (
             select question_key(q.content)
             from (
                 select * from chat_messages
                 where tenant_id = $1 and chatbot_id = $2 and id = $3 and role = 'assistant' and not answered
             ) m
             cross join lateral {QUESTION}
         )",
        found()
    );
    let row: Option<QuestionRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(message.0)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(UnansweredQuestion::from))
}

/// Remembers that somebody dealt with a question, and tells whether that is new.
///
/// # Errors
/// When the database fails.
pub async fn handle(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    question: &UnansweredQuestion,
    user: &str,
) -> Result<bool> {
    let done = sqlx::query(
        "insert into handled_questions (tenant_id, chatbot_id, question_key, handled_by) values ($1, $2, $3, $4)
         on conflict (tenant_id, chatbot_id, question_key) do update
         set handled_at = excluded.handled_at, handled_by = excluded.handled_by
         where handled_questions.handled_at < $5",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(&question.question_key)
    .bind(user)
    .bind(question.last_asked_at)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Forgets that somebody dealt with a question, and tells whether somebody had.
///
/// # Errors
/// When the database fails.
pub async fn reopen(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    question: &UnansweredQuestion,
) -> Result<bool> {
    let done = sqlx::query(
        "delete from handled_questions
         where tenant_id = $1 and chatbot_id = $2 and question_key = $3 and handled_at >= $4",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(&question.question_key)
    .bind(question.last_asked_at)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}
