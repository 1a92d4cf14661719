//! Feedback of visitors on a chatbot's answers.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use contract::{
    ChatbotId, FeedbackId, MessageId, Page, SessionId, TenantId,
    feedback::{Feedback, FeedbackCategory, FeedbackExport, FeedbackListQuery, NewFeedback, Rating},
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::Result,
    export::{CopyQuery, literal},
};

/// The number of feedback entries of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedbackCount {
    pub rating: Rating,
    /// The category, when one was given.
    pub category: Option<FeedbackCategory>,
    /// The day in UTC; `None` for everything before the first requested day.
    pub day: Option<NaiveDate>,
    pub number: i64,
}

#[derive(FromRow)]
struct FeedbackRow {
    id: Uuid,
    session_id: Option<Uuid>,
    message_id: Option<Uuid>,
    rating: String,
    category: Option<String>,
    comment: Option<String>,
    question: Option<String>,
    answer: Option<String>,
    handled_at: Option<contract::Timestamp>,
    handled_by: Option<String>,
    created_at: contract::Timestamp,
}

pub async fn insert(
    connection: &mut PgConnection,
    id: FeedbackId,
    tenant: TenantId,
    chatbot: ChatbotId,
    new: &NewFeedback,
) -> Result<()> {
    sqlx::query(
        "insert into chatbot_feedback (id, tenant_id, chatbot_id, session_id, message_id, rating, category, comment)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id.0)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(new.session_id.map(|id| id.0))
    .bind(new.message_id.map(|id| id.0))
    .bind(new.rating.as_str())
    .bind(new.category.map(FeedbackCategory::as_str))
    .bind(&new.comment)
    .execute(connection)
    .await?;
    Ok(())
}

/// The last rating of each rated message of a session. The widget's scope can only write feedback, so this needs a
/// scope that can read it.
pub async fn ratings(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
) -> Result<HashMap<MessageId, Rating>> {
    let rows: Vec<(Uuid, String)> = sqlx::query_as(
        "select distinct on (message_id) message_id, rating from chatbot_feedback
         where tenant_id = $1 and chatbot_id = $2 and session_id = $3 and message_id is not null
         order by message_id, created_at desc, id desc",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(session.0)
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(|(message, text)| Ok((MessageId(message), text.parse()?))).collect()
}

/// The feedback of a list with the parameters `$1` to `$5`.
const MATCHING: &str = "from chatbot_feedback f
    where f.tenant_id = $1 and f.chatbot_id = $2 and ($3::text is null or f.rating = $3)
      and ($4::text is null or f.category = $4) and ($5::boolean is null or (f.handled_at is not null) = $5)";

/// The answers that feedback `f` refers to, and their questions.
const TEXTS: &str = "
    left join chat_messages m
      on m.tenant_id = f.tenant_id and m.chatbot_id = f.chatbot_id and m.id = f.message_id
    left join lateral (
        select content from chat_messages q
        where q.tenant_id = m.tenant_id and q.session_id = m.session_id and q.role = 'user'
          and q.position <= m.position
        order by q.position desc limit 1
    ) q on true
    order by f.created_at desc, f.id";

/// The columns of feedback with its texts.
const COLUMNS: &str = "f.id, f.session_id, f.message_id, f.rating, f.category, f.comment, f.handled_at, f.handled_by,
    f.created_at, q.content as question, case when m.role = 'assistant' then m.content end as answer";

/// A page of a chatbot's feedback, newest first.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    query: &FeedbackListQuery,
) -> Result<Page<Feedback>> {
    let (rating, category) = (query.rating.map(Rating::as_str), query.category.map(FeedbackCategory::as_str));
    let rows: Vec<FeedbackRow> = sqlx::query_as(AssertSqlSafe(format!(
        "with page as (select f.* {MATCHING} order by f.created_at desc, f.id limit $6 offset $7)
         select {COLUMNS} from page f {TEXTS}"
    )))
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(rating)
    .bind(category)
    .bind(query.handled)
    .bind(query.limit)
    .bind(query.offset)
    .fetch_all(&mut *connection)
    .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {MATCHING}")))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(rating)
        .bind(category)
        .bind(query.handled)
        .fetch_one(connection)
        .await?;
    let items = rows.into_iter().map(|row| feedback(tenant, chatbot, row)).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}

/// Feedback on a chatbot.
pub async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FeedbackId,
) -> Result<Option<Feedback>> {
    let sql = format!(
        "with one as (select * from chatbot_feedback where tenant_id = $1 and chatbot_id = $2 and id = $3)
         select {COLUMNS} from one f {TEXTS}"
    );
    let row: Option<FeedbackRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(chatbot.0).bind(id.0).fetch_optional(connection).await?;
    row.map(|row| feedback(tenant, chatbot, row)).transpose()
}

/// Sets who resolved the feedback, or reopens it with `None`. Returns whether that changed anything.
pub async fn set_handled(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FeedbackId,
    user: Option<&str>,
) -> Result<bool> {
    let done = sqlx::query(
        "update chatbot_feedback
         set handled_at = case when $4::text is not null then now() end, handled_by = $4
         where tenant_id = $1 and chatbot_id = $2 and id = $3 and (handled_at is null) = ($4::text is not null)",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(id.0)
    .bind(user)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The feedback on a chatbot, newest first, for an export.
pub fn copy_query(tenant: TenantId, chatbot: ChatbotId, query: &FeedbackExport) -> CopyQuery {
    let rating = query.rating.map(|rating| format!(" and f.rating = '{}'", rating.as_str()));
    let category = query.category.map(|category| format!(" and f.category = '{}'", category.as_str()));
    let handled = query.handled.map(|handled| format!(" and (f.handled_at is not null) = {handled}"));
    let filters: String = [rating, category, handled].into_iter().flatten().collect();
    let (tenant, chatbot) = (literal::id(tenant.0), literal::id(chatbot.0));
    CopyQuery(format!(
        "select f.id, f.created_at, f.rating, f.category, f.comment, q.content,
                case when m.role = 'assistant' then m.content end, f.session_id, f.message_id, f.handled_at, f.handled_by
         from (select * from chatbot_feedback f
               where f.tenant_id = {tenant} and f.chatbot_id = {chatbot}{filters}) f {TEXTS}"
    ))
}

/// Counts a chatbot's feedback by rating, category and day since `first`.
pub async fn count(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    first: DateTime<Utc>,
) -> Result<Vec<FeedbackCount>> {
    let rows: Vec<(String, Option<String>, Option<NaiveDate>, i64)> = sqlx::query_as(
        "select rating, category, case when created_at >= $3 then (created_at at time zone 'UTC')::date end as day,
                count(*)
         from chatbot_feedback
         where tenant_id = $1 and chatbot_id = $2
         group by rating, category, day",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(first)
    .fetch_all(connection)
    .await?;
    let count = |(rating, category, day, number): (String, Option<String>, _, _)| {
        let category = category.as_deref().map(str::parse).transpose()?;
        Ok(FeedbackCount { rating: rating.parse()?, category, day, number })
    };
    rows.into_iter().map(count).collect()
}

fn feedback(tenant: TenantId, chatbot: ChatbotId, row: FeedbackRow) -> Result<Feedback> {
    Ok(Feedback {
        id: FeedbackId(row.id),
        tenant_id: tenant,
        chatbot_id: chatbot,
        session_id: row.session_id.map(SessionId),
        message_id: row.message_id.map(MessageId),
        rating: row.rating.parse()?,
        category: row.category.as_deref().map(str::parse).transpose()?,
        comment: row.comment,
        question: row.question,
        answer: row.answer,
        handled_at: row.handled_at,
        handled_by: row.handled_by,
        created_at: row.created_at,
    })
}
