//! Conversations counted by day.

use chrono::{DateTime, NaiveDate, Utc};
use contract::{ChatbotId, TenantId};
use sqlx::{FromRow, PgConnection};

use crate::error::Result;

/// What happened on a day of which something is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct DayFigures {
    /// The day in UTC.
    pub day: NaiveDate,
    /// Conversations that began.
    pub conversations: i64,
    /// Questions that were answered from the documents.
    pub answered: i64,
    /// Questions that got the fallback message.
    pub unanswered: i64,
    /// Answers that the output filter changed.
    pub filtered: i64,
}

/// The days since `first` on which something happened, of one chatbot or all of the tenant's.
///
/// # Errors
/// When the database fails.
pub async fn by_day(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: Option<ChatbotId>,
    first: DateTime<Utc>,
) -> Result<Vec<DayFigures>> {
    Ok(sqlx::query_as(
        "select day, sum(conversations)::bigint as conversations, sum(answered)::bigint as answered,
                sum(unanswered)::bigint as unanswered, sum(filtered)::bigint as filtered
         from (
             select (created_at at time zone 'UTC')::date as day, 1 as conversations, 0 as answered, 0 as unanswered,
                    0 as filtered
             from chat_sessions
             where tenant_id = $1 and ($2::uuid is null or chatbot_id = $2) and created_at >= $3
             union all
             select (created_at at time zone 'UTC')::date, 0, answered::integer, (not answered)::integer,
                    filtered::integer
             from chat_messages
             where tenant_id = $1 and ($2::uuid is null or chatbot_id = $2) and role = 'assistant' and created_at >= $3
         ) happened
         group by day
         order by day",
    )
    .bind(tenant.0)
    .bind(chatbot.map(|id| id.0))
    .bind(first)
    .fetch_all(connection)
    .await?)
}
