//! Conversations for their tenant: lists, details and counts.

use contract::{
    ChatbotId, SessionId, TenantId, Timestamp,
    conversations::{Conversation, ConversationFilter, MAX_SCANNED, Outcome},
    feedback::Rating,
};
use sqlx::{AssertSqlSafe, FromRow, Postgres, QueryBuilder};
use uuid::Uuid;

pub use super::search::Edge;
use super::{
    FEEDBACK,
    search::{self, Search},
};
use crate::{
    connection::PgConnection,
    cursor::{self, Cursor, Side},
    error::Result,
};

/// The column that the list is ordered by.
pub(super) const TIME: &str = "last_message_at";
/// Sessions next to the cursor that a search scans before it uses the index. Frequent words are found there, while the
/// index would collect every match to sort them. Less than [`MAX_SCANNED`].
const NEWEST_CONVERSATIONS: i64 = 1000;

#[derive(FromRow)]
struct ConversationRow {
    id: Uuid,
    chatbot_id: Uuid,
    chatbot_name: String,
    created_at: Timestamp,
    last_message_at: Timestamp,
    first_question: Option<String>,
    visitor_ref: Option<String>,
    answers: i64,
    unanswered: i64,
    up: i64,
    down: i64,
}

impl From<ConversationRow> for Conversation {
    fn from(row: ConversationRow) -> Self {
        Self {
            session_id: SessionId(row.id),
            chatbot_id: ChatbotId(row.chatbot_id),
            chatbot_name: row.chatbot_name,
            created_at: row.created_at,
            last_message_at: row.last_message_at,
            first_question: row.first_question,
            visitor_ref: row.visitor_ref,
            answers: row.answers,
            unanswered: row.unanswered,
            up: row.up,
            down: row.down,
        }
    }
}

/// The columns of a list; the statement of the sessions goes between this and [`joined_columns`].
const COLUMNS: &str =
    "select s.id, s.chatbot_id, c.name as chatbot_name, s.created_at, s.last_message_at, q.first_question,
            s.visitor_ref, a.answers, a.unanswered, r.up, r.down
     from (";

fn joined_columns() -> String {
    format!(
        ") s
         join chatbots c on c.tenant_id = s.tenant_id and c.id = s.chatbot_id
         left join lateral (
             select left(m.content, 200) as first_question from chat_messages m
             where m.tenant_id = s.tenant_id and m.session_id = s.id and m.role = 'user'
             order by m.position limit 1
         ) q on true
         cross join lateral (
             select count(*) as answers, count(*) filter (where not m.answered) as unanswered from chat_messages m
             where m.tenant_id = s.tenant_id and m.session_id = s.id and m.role = 'assistant'
         ) a
         cross join lateral (
             select count(*) filter (where f.rating = 'up') as up, count(*) filter (where f.rating = 'down') as down
             from {FEEDBACK}
         ) r"
    )
}

/// The result of a list.
#[derive(Debug)]
pub struct ListedConversations {
    /// The conversations, the nearest to the cursor first.
    pub conversations: Vec<Conversation>,
    /// Where the search stopped before it had scanned everything; the next page continues there.
    pub edge: Option<Edge>,
}

/// At most `limit` conversations of the tenant that match the filter on the cursor's side, those next to it first;
/// without a cursor those with the newest messages.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    filter: &ConversationFilter,
    cursor: Option<Cursor>,
    limit: i64,
) -> Result<ListedConversations> {
    if !search::is_search(filter) {
        let conversations = page(connection, tenant, filter, &Search::All, cursor, limit).await?;
        return Ok(ListedConversations { conversations, edge: None });
    }
    let has_index = filter.words().is_some_and(search::has_trigram);
    let window = if has_index { NEWEST_CONVERSATIONS } else { MAX_SCANNED };
    let mut edge = edge(connection, tenant, filter, None, cursor, window).await?;
    let mut conversations = looked_through(connection, tenant, filter, cursor, edge, limit).await?;
    let is_full = i64::try_from(conversations.len()).is_ok_and(|number| number == limit);
    if is_full || edge.is_none() {
        return Ok(ListedConversations { conversations, edge: None });
    }
    if let Some(sessions) = search::by_index(connection, filter).await? {
        conversations = page(connection, tenant, filter, &Search::Found(sessions), cursor, limit).await?;
        edge = None;
    }
    Ok(ListedConversations { conversations, edge })
}

async fn page(
    connection: &mut PgConnection,
    tenant: TenantId,
    filter: &ConversationFilter,
    search: &Search,
    cursor: Option<Cursor>,
    limit: i64,
) -> Result<Vec<Conversation>> {
    let mut sql: QueryBuilder<Postgres> = QueryBuilder::new(COLUMNS);
    sql.push("select s.* from chat_sessions s where s.tenant_id = ").push_bind(tenant.0);
    push_own(&mut sql, filter);
    search::push(&mut sql, search);
    push_belongings(&mut sql, filter, search);
    cursor::push_condition(&mut sql, TIME, cursor);
    cursor::push_order(&mut sql, TIME, cursor, limit);
    fetch_page(connection, sql, cursor, limit).await
}

/// The session at which a search stops after it scanned the given number of sessions on the cursor's side with a
/// message after `since`; `None` when there are no more.
pub(super) async fn edge(
    connection: &mut PgConnection,
    tenant: TenantId,
    filter: &ConversationFilter,
    since: Option<Timestamp>,
    cursor: Option<Cursor>,
    window: i64,
) -> Result<Option<Edge>> {
    let mut sql: QueryBuilder<Postgres> =
        QueryBuilder::new("select last_message_at, id from chat_sessions s where s.tenant_id = ");
    sql.push_bind(tenant.0);
    push_own(&mut sql, filter);
    if let Some(since) = since {
        sql.push(" and s.last_message_at >= ").push_bind(since);
    }
    cursor::push_condition(&mut sql, TIME, cursor);
    cursor::push_order(&mut sql, TIME, cursor, 2);
    sql.push(" offset ").push_bind(window - 1);
    let last: Vec<(Timestamp, Uuid)> = sql.build_query_as().persistent(false).fetch_all(connection).await?;
    let side = cursor.map_or(Side::Older, |cursor| cursor.side);
    Ok(last.first().filter(|_| last.len() > 1).map(|&(at, id)| Edge { at, id, side }))
}

/// The matches of a search among the sessions on the cursor's side, up to the edge if there is one.
async fn looked_through(
    connection: &mut PgConnection,
    tenant: TenantId,
    filter: &ConversationFilter,
    cursor: Option<Cursor>,
    edge: Option<Edge>,
    limit: i64,
) -> Result<Vec<Conversation>> {
    let search = edge.map_or(Search::All, Search::UpTo);
    let mut sql: QueryBuilder<Postgres> = QueryBuilder::new(COLUMNS);
    sql.push("select s.* from (select s.* from chat_sessions s where s.tenant_id = ").push_bind(tenant.0);
    push_own(&mut sql, filter);
    search::push(&mut sql, &search);
    cursor::push_condition(&mut sql, TIME, cursor);
    // The limit prevents the database from searching words before it has the sessions.
    cursor::push_order(&mut sql, TIME, cursor, MAX_SCANNED);
    sql.push(") s where true");
    push_belongings(&mut sql, filter, &search);
    cursor::push_order(&mut sql, TIME, cursor, limit);
    fetch_page(connection, sql, cursor, limit).await
}

/// The columns of a list for the sessions that the statement, which begins with [`COLUMNS`], selects.
async fn fetch_page(
    connection: &mut PgConnection,
    mut sql: QueryBuilder<Postgres>,
    cursor: Option<Cursor>,
    limit: i64,
) -> Result<Vec<Conversation>> {
    sql.push(joined_columns());
    cursor::push_order(&mut sql, TIME, cursor, limit);
    // Planned for its own values: searches with many and with no matches need different plans.
    let rows: Vec<ConversationRow> = sql.build_query_as().persistent(false).fetch_all(connection).await?;
    Ok(rows.into_iter().map(Conversation::from).collect())
}

/// Restricts the sessions `s` by columns of their own row.
pub(super) fn push_own(sql: &mut QueryBuilder<Postgres>, query: &ConversationFilter) {
    if let Some(chatbot) = query.chatbot_id {
        sql.push(" and s.chatbot_id = ").push_bind(chatbot.0);
    }
    let (from, to) = query.range();
    if let Some(from) = from {
        sql.push(" and s.last_message_at >= ").push_bind(from);
    }
    if let Some(to) = to {
        sql.push(" and s.last_message_at <= ").push_bind(to);
    }
}

/// Restricts the sessions `s` by their messages and feedback, which are read for each session.
pub(super) fn push_belongings(sql: &mut QueryBuilder<Postgres>, query: &ConversationFilter, search: &Search) {
    let message = "exists (select from chat_messages m where m.tenant_id = s.tenant_id and m.session_id = s.id";
    if let Some(outcome) = query.outcome {
        let unanswered = format!("{message} and m.role = 'assistant' and not m.answered)");
        sql.push(match outcome {
            Outcome::Unanswered => format!(" and {unanswered}"),
            Outcome::Answered => {
                let other = format!("{message} and m.role = 'assistant' and (not m.answered or m.over_quota))");
                format!(" and {message} and m.role = 'assistant') and not {other}")
            }
        });
    }
    if let Some(rating) = query.rating {
        sql.push(format!(" and exists (select from {FEEDBACK} where f.rating = '{}')", Rating::as_str(rating)));
    }
    search::push_words(sql, query, search);
}

/// A conversation of the tenant.
pub async fn find(connection: &mut PgConnection, tenant: TenantId, session: SessionId) -> Result<Option<Conversation>> {
    let sql = format!("{COLUMNS}select * from chat_sessions where tenant_id = $1 and id = $2{}", joined_columns());
    let row: Option<ConversationRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(session.0).fetch_optional(connection).await?;
    Ok(row.map(Conversation::from))
}
