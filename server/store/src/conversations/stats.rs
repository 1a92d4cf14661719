//! Counts of conversations by day.

use chrono::{DateTime, NaiveDate, Utc};
use contract::{
    TenantId,
    conversations::{ConversationFilter, MAX_SCANNED_FOR_FIGURES},
    page::TotalIs,
};
use sqlx::{FromRow, Postgres, QueryBuilder};

use super::{
    history::{TIME, edge, push_belongings, push_own},
    search::{self, Search},
};
use crate::{connection::PgConnection, cursor, error::Result};

/// The SQL around a subquery that returns rows with a day and numbers.
const SUMS: &str = "select day, sum(conversations)::bigint as conversations, sum(answered)::bigint as answered,
        sum(unanswered)::bigint as unanswered, sum(low)::bigint as low,
        sum(small_talk)::bigint as small_talk, sum(filtered)::bigint as filtered
 from (";
const BY_DAY: &str = ") happened group by day order by day";

/// The figures of a day that has any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct DayFigures {
    /// The day in UTC.
    pub day: NaiveDate,
    /// Conversations that began on this day.
    pub conversations: i64,
    /// Questions with an answer from the documents.
    pub answered: i64,
    /// Questions without one.
    pub unanswered: i64,
    /// Unanswered questions with low confidence.
    pub low: i64,
    /// Messages that were not questions.
    pub small_talk: i64,
    /// Answers that the output filter changed.
    pub filtered: i64,
}

/// The figures by day from `first` until before `end`, for the tenant's conversations that match the filter. If there
/// are many, a search scans the newest conversations only and says so in the result.
pub async fn by_day(
    connection: &mut PgConnection,
    tenant: TenantId,
    filter: &ConversationFilter,
    days: (DateTime<Utc>, DateTime<Utc>),
) -> Result<(Vec<DayFigures>, TotalIs)> {
    if !search::is_search(filter) {
        return Ok((of_all(connection, tenant, filter, days).await?, TotalIs::Exact));
    }
    if let Some(sessions) = search::by_index(connection, filter).await? {
        let figures = of_sessions(connection, tenant, filter, days, &Search::Found(sessions)).await?;
        return Ok((figures, TotalIs::Exact));
    }
    let edge = edge(connection, tenant, filter, Some(days.0), None, MAX_SCANNED_FOR_FIGURES).await?;
    let search = edge.map_or(Search::All, Search::UpTo);
    let figures = of_sessions(connection, tenant, filter, days, &search).await?;
    Ok((figures, if edge.is_some() { TotalIs::AtLeast } else { TotalIs::Exact }))
}

/// The figures of all sessions that match the filter's chatbot and days.
async fn of_all(
    connection: &mut PgConnection,
    tenant: TenantId,
    filter: &ConversationFilter,
    (first, end): (DateTime<Utc>, DateTime<Utc>),
) -> Result<Vec<DayFigures>> {
    let mut sql: QueryBuilder<Postgres> = QueryBuilder::new(SUMS);
    sql.push(
        "select (s.created_at at time zone 'UTC')::date as day, 1 as conversations, 0 as answered, 0 as unanswered,
                0 as low, 0 as small_talk, 0 as filtered
         from chat_sessions s
         where s.tenant_id = ",
    );
    sql.push_bind(tenant.0).push(" and s.created_at >= ").push_bind(first).push(" and s.created_at < ").push_bind(end);
    push_own(&mut sql, filter);
    sql.push(
        " union all
             select (said.created_at at time zone 'UTC')::date, 0, (said.answered and said.small_talk is null and not said.over_quota)::integer,
                    (not said.answered)::integer, coalesce(said.confidence = 'low', false)::integer,
                    (said.small_talk is not null)::integer, said.filtered::integer
             from chat_messages said
             where said.role = 'assistant' and said.tenant_id = ",
    );
    sql.push_bind(tenant.0);
    sql.push(" and said.created_at >= ").push_bind(first).push(" and said.created_at < ").push_bind(end);
    if let Some(chatbot) = filter.chatbot_id {
        sql.push(" and said.chatbot_id = ").push_bind(chatbot.0);
    }
    if filter.range() != (None, None) {
        sql.push(
            " and exists (select from chat_sessions s where s.tenant_id = said.tenant_id and s.id = said.session_id",
        );
        push_own(&mut sql, filter);
        sql.push(")");
    }
    sql.push(BY_DAY);
    Ok(sql.build_query_as().persistent(false).fetch_all(connection).await?)
}

/// The figures of the sessions that a search scans and finds.
async fn of_sessions(
    connection: &mut PgConnection,
    tenant: TenantId,
    filter: &ConversationFilter,
    (first, end): (DateTime<Utc>, DateTime<Utc>),
    search: &Search,
) -> Result<Vec<DayFigures>> {
    let mut sql = push_matching_sessions(tenant, filter, first, search);
    sql.push(SUMS);
    sql.push(
        "select (created_at at time zone 'UTC')::date as day, 1 as conversations, 0 as answered, 0 as unanswered,
                0 as low, 0 as small_talk, 0 as filtered
         from found
         where created_at >= ",
    );
    sql.push_bind(first).push(" and created_at < ").push_bind(end);
    sql.push(
        " union all
             select (said.created_at at time zone 'UTC')::date, 0, (said.answered and said.small_talk is null and not said.over_quota)::integer,
                    (not said.answered)::integer, coalesce(said.confidence = 'low', false)::integer,
                    (said.small_talk is not null)::integer, said.filtered::integer
             from found f
             cross join lateral (
                 select m.created_at, m.answered, m.confidence, m.small_talk, m.over_quota, m.filtered from chat_messages m
                 where m.tenant_id = f.tenant_id and m.session_id = f.id and m.role = 'assistant'
                 offset 0
             ) said
             where said.created_at >= ",
    );
    sql.push_bind(first).push(" and said.created_at < ").push_bind(end);
    sql.push(BY_DAY);
    Ok(sql.build_query_as().persistent(false).fetch_all(connection).await?)
}

/// Begins a statement with the sessions that a search scans and finds, with a message since `first`.
fn push_matching_sessions(
    tenant: TenantId,
    filter: &ConversationFilter,
    first: DateTime<Utc>,
    search: &Search,
) -> QueryBuilder<Postgres> {
    let mut sql: QueryBuilder<Postgres> = QueryBuilder::new(
        "with found as materialized (
             select s.id, s.tenant_id, s.created_at
             from (select s.* from chat_sessions s where s.tenant_id = ",
    );
    sql.push_bind(tenant.0).push(" and s.last_message_at >= ").push_bind(first);
    push_own(&mut sql, filter);
    search::push(&mut sql, search);
    // The limit prevents the database from searching words before it has the sessions.
    cursor::push_order(&mut sql, TIME, None, MAX_SCANNED_FOR_FIGURES);
    sql.push(") s where true");
    push_belongings(&mut sql, filter, search);
    sql.push(") ");
    sql
}
