//! Questions without an answer in a chatbot's documents; equal ones are grouped.

use contract::{
    ChatbotId, MessageId, SessionId, TenantId, Timestamp,
    page::TotalIs,
    unanswered::{MAX_SCANNED, UnansweredPage, UnansweredQuery, UnansweredQuestion},
    widget::Confidence,
};
use sqlx::{AssertSqlSafe, FromRow, types::Json};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    cursor::{Cursor, CursorList, Side},
    error::Result,
};

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
    confidence: String,
}

impl TryFrom<QuestionRow> for UnansweredQuestion {
    type Error = crate::Error;

    fn try_from(row: QuestionRow) -> Result<Self> {
        Ok(Self {
            question_key: row.question_key,
            question: row.question,
            times: row.times,
            last_asked_at: row.last_asked_at,
            session_id: SessionId(row.session_id),
            message_id: MessageId(row.message_id),
            handled_at: row.handled_at,
            handled_by: row.handled_by,
            confidence: row.confidence.parse()?,
        })
    }
}

/// The question that a fallback message `m` answers.
pub(crate) const QUESTION: &str = "(
    select q.content from chat_messages q
    where q.tenant_id = m.tenant_id and q.session_id = m.session_id and q.role = 'user' and q.position < m.position
    order by q.position desc limit 1
) q";

/// The questions `found` of the chatbot given by `$1` and `$2`, in the newest of its fallback messages before the
/// position `$3`.
fn open_questions_sql() -> String {
    format!(
        "with looked as materialized (
             select id, session_id, tenant_id, position, created_at, coalesce(confidence, 'none') as confidence
             from chat_messages
             where tenant_id = $1 and chatbot_id = $2 and role = 'assistant' and not answered and position < $3
             order by position desc limit {MAX_SCANNED} + 1
         ), asked as (
             select m.id, m.session_id, m.position, m.created_at, m.confidence, q.content, question_key(q.content) as question_key
             from (select * from looked order by position desc limit {MAX_SCANNED}) m
             cross join lateral {QUESTION}
         ), grouped as (
             select question_key, count(*) as times, max(position) as position from asked group by question_key
         ), found as (
             select g.question_key, g.times, g.position, a.content as question, a.created_at as last_asked_at,
                    a.session_id, a.id as message_id, a.confidence, h.handled_at, h.handled_by
             from grouped g
             join asked a on a.position = g.position
             left join handled_questions h
                 on h.tenant_id = $1 and h.chatbot_id = $2 and h.question_key = g.question_key
                and h.handled_at >= a.created_at
         )"
    )
}

#[derive(FromRow)]
struct PageRow {
    total: i64,
    items: Json<Vec<UnansweredQuestion>>,
    /// The oldest fallback message that was scanned, when there are older ones.
    last_at: Option<Timestamp>,
    last_id: Option<Uuid>,
}

/// A page of the questions `found`: `$4` is whether they are resolved, `$5` the limit, `$6` the offset and `$7` the
/// confidence.
fn page() -> String {
    format!(
        "{}, matching as materialized (
             select * from found
             where ($4::boolean is null or (handled_at is not null) = $4) and ($7::text is null or confidence = $7)
         )
         select (select count(*) from matching) as total,
                (select coalesce(json_agg(page order by page.position desc), '[]')
                 from (select * from matching order by position desc limit $5 offset $6) page) as items,
                last.created_at as last_at, last.id as last_id
         from (select count(*) as messages from looked) all_looked
         left join lateral (
             select l.created_at, l.id from looked l
             where all_looked.messages > {MAX_SCANNED}
             order by l.position desc limit 1 offset {MAX_SCANNED} - 1
         ) last on true",
        open_questions_sql()
    )
}

/// A page of the unanswered questions, the latest first, with one scan of the fallback messages older than the cursor.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    query: &UnansweredQuery,
    cursor: Option<Cursor>,
) -> Result<UnansweredPage> {
    let before = match cursor {
        Some(cursor) => position_of(connection, tenant, chatbot, cursor).await?,
        None => i64::MAX,
    };
    let row: PageRow = sqlx::query_as(AssertSqlSafe(page()))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(before)
        .bind(query.handled)
        .bind(query.limit)
        .bind(query.offset)
        .bind(query.confidence.map(Confidence::as_str))
        .fetch_one(connection)
        .await?;
    let older = row.last_at.zip(row.last_id).map(|(at, id)| Cursor { at, id, side: Side::Older });
    let is_last_page = query.offset.saturating_add(query.limit) >= row.total;
    Ok(UnansweredPage {
        items: row.items.0,
        total: row.total,
        total_is: if older.is_some() { TotalIs::AtLeast } else { TotalIs::Exact },
        limit: query.limit,
        offset: query.offset,
        next_cursor: older.filter(|_| is_last_page).map(|older| older.encode(CursorList::UnansweredQuestions)),
    })
}

/// The position before which a list continues. The cursor's message may have been erased in the meantime.
async fn position_of(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    cursor: Cursor,
) -> Result<i64> {
    let position: Option<i64> = sqlx::query_scalar(
        "select coalesce(
             (select position from chat_messages where tenant_id = $1 and chatbot_id = $2 and id = $3),
             (select position + 1 from chat_messages
              where tenant_id = $1 and chatbot_id = $2 and role = 'assistant' and not answered and created_at <= $4
              order by position desc limit 1)
         )",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(cursor.id)
    .bind(cursor.at)
    .fetch_one(connection)
    .await?;
    Ok(position.unwrap_or(0))
}

/// The question of this fallback message; `None` when the message does not belong to the chatbot.
pub async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    message: MessageId,
) -> Result<Option<UnansweredQuestion>> {
    let position: Option<i64> = sqlx::query_scalar(
        "select position from chat_messages
         where tenant_id = $1 and chatbot_id = $2 and id = $3 and role = 'assistant' and not answered",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(message.0)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(position) = position else { return Ok(None) };
    let newest = find_before(connection, tenant, chatbot, message, i64::MAX).await?;
    if newest.is_some() {
        return Ok(newest);
    }
    find_before(connection, tenant, chatbot, message, position + 1).await
}

/// Like [`find`], in the fallback messages before a position.
async fn find_before(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    message: MessageId,
    before: i64,
) -> Result<Option<UnansweredQuestion>> {
    let sql = format!(
        "{} select found.* from found
         where question_key = (
             select question_key(q.content)
             from (
                 select * from chat_messages
                 where tenant_id = $1 and chatbot_id = $2 and id = $4 and role = 'assistant' and not answered
             ) m
             cross join lateral {QUESTION}
         )",
        open_questions_sql()
    );
    let row: Option<QuestionRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(before)
        .bind(message.0)
        .fetch_optional(connection)
        .await?;
    row.map(UnansweredQuestion::try_from).transpose()
}

/// Marks a question as resolved and returns whether that changed anything.
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

/// Reopens a question and returns whether that changed anything.
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
