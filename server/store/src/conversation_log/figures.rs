//! Conversations counted by day.

use chrono::{DateTime, NaiveDate, Utc};
use contract::{TenantId, conversations::ConversationFilter};
use sqlx::{FromRow, Postgres, QueryBuilder};

use super::{push_filters, search};
use crate::{connection::PgConnection, error::Result};

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

/// The days on which something happened from `first` to before `end`, in the tenant's conversations that the filter lets
/// through.
///
/// # Errors
/// When the database fails.
pub async fn by_day(
    connection: &mut PgConnection,
    tenant: TenantId,
    filter: &ConversationFilter,
    (first, end): (DateTime<Utc>, DateTime<Utc>),
) -> Result<Vec<DayFigures>> {
    let mut sql: QueryBuilder<Postgres> = QueryBuilder::new("");
    let search = search::push_found(&mut sql, filter);
    sql.push(
        "select day, sum(conversations)::bigint as conversations, sum(answered)::bigint as answered,
                sum(unanswered)::bigint as unanswered, sum(filtered)::bigint as filtered
         from (
             select (s.created_at at time zone 'UTC')::date as day, 1 as conversations, 0 as answered, 0 as unanswered,
                    0 as filtered
             from chat_sessions s
             where s.tenant_id = ",
    );
    sql.push_bind(tenant.0).push(" and s.created_at >= ").push_bind(first).push(" and s.created_at < ").push_bind(end);
    push_filters(&mut sql, filter, search);
    sql.push(
        " union all
             select (said.created_at at time zone 'UTC')::date, 0, said.answered::integer, (not said.answered)::integer,
                    said.filtered::integer
             from chat_messages said
             where said.role = 'assistant' and said.tenant_id = ",
    );
    sql.push_bind(tenant.0);
    sql.push(" and said.created_at >= ").push_bind(first).push(" and said.created_at < ").push_bind(end);
    if let Some(chatbot) = filter.chatbot_id {
        sql.push(" and said.chatbot_id = ").push_bind(chatbot.0);
    }
    let beyond_chatbot = ConversationFilter { chatbot_id: None, ..filter.clone() };
    if beyond_chatbot != ConversationFilter::default() {
        sql.push(
            " and exists (select from chat_sessions s where s.tenant_id = said.tenant_id and s.id = said.session_id",
        );
        push_filters(&mut sql, &beyond_chatbot, search);
        sql.push(")");
    }
    sql.push(") happened group by day order by day");
    Ok(sql.build_query_as().persistent(false).fetch_all(connection).await?)
}
