//! Conversations as their tenant reads them: listed, opened, counted.

mod figures;
mod opened;
mod search;

use contract::{
    ChatbotId, SessionId, TenantId, Timestamp,
    conversations::{Conversation, ConversationFilter, ConversationListQuery, Outcome},
    feedback::Rating,
};
use sqlx::{AssertSqlSafe, FromRow, Postgres, QueryBuilder};
use uuid::Uuid;

use self::search::Search;
pub use self::{
    figures::{DayFigures, by_day},
    opened::{feedback, messages},
};
use crate::{
    connection::PgConnection,
    cursor::{self, Cursor},
    error::Result,
};

/// The column that the list is ordered by.
const TIME: &str = "last_message_at";
/// Sessions that a search looks through, those next to the cursor first, before it asks the index: what is said often is found
/// there, while the index would gather every hit to sort them.
const NEWEST: i64 = 1000;

#[derive(FromRow)]
struct ConversationRow {
    id: Uuid,
    chatbot_id: Uuid,
    chatbot_name: String,
    created_at: Timestamp,
    last_message_at: Timestamp,
    first_question: Option<String>,
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
            answers: row.answers,
            unanswered: row.unanswered,
            up: row.up,
            down: row.down,
        }
    }
}

/// The feedback on a session `s`: what names it, and what names one of its messages alone.
const FEEDBACK: &str = "(select f.* from chatbot_feedback f
     where f.tenant_id = s.tenant_id and f.chatbot_id = s.chatbot_id and f.session_id = s.id
     union all
     select f.* from chat_messages m
     join chatbot_feedback f on f.tenant_id = m.tenant_id and f.chatbot_id = m.chatbot_id and f.message_id = m.id
     where m.tenant_id = s.tenant_id and m.session_id = s.id and f.session_id is null) f";

/// What a list shows of the sessions that stand between this and [`shown_of`].
const SHOWN: &str =
    "select s.id, s.chatbot_id, c.name as chatbot_name, s.created_at, s.last_message_at, q.first_question,
            a.answers, a.unanswered, r.up, r.down
     from (";

fn shown_of() -> String {
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

/// At most `limit` conversations of the tenant that the filters let through on the cursor's side, those next to it first;
/// without a cursor the ones with the newest messages.
///
/// # Errors
/// When the database fails.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    query: &ConversationListQuery,
    cursor: Option<Cursor>,
    limit: i64,
) -> Result<Vec<Conversation>> {
    if query.filter.words().is_some() {
        let rows = newest(connection, tenant, &query.filter, cursor, limit).await?;
        if i64::try_from(rows.len()).is_ok_and(|found| found == limit) {
            return Ok(rows);
        }
    }
    let mut sql: QueryBuilder<Postgres> = QueryBuilder::new("");
    let search = search::push_found(&mut sql, &query.filter);
    sql.push(SHOWN).push("select s.* from chat_sessions s where s.tenant_id = ").push_bind(tenant.0);
    push_filters(&mut sql, &query.filter, search);
    cursor::push_condition(&mut sql, TIME, cursor);
    cursor::push_order(&mut sql, TIME, cursor, limit);
    shown(connection, sql, cursor, limit).await
}

/// The hits of a search among the [`NEWEST`] sessions on the cursor's side that the other filters let through.
async fn newest(
    connection: &mut PgConnection,
    tenant: TenantId,
    filter: &ConversationFilter,
    cursor: Option<Cursor>,
    limit: i64,
) -> Result<Vec<Conversation>> {
    let others = ConversationFilter { q: None, ..filter.clone() };
    let mut sql: QueryBuilder<Postgres> = QueryBuilder::new(SHOWN);
    sql.push("select s.* from (select s.* from chat_sessions s where s.tenant_id = ").push_bind(tenant.0);
    push_filters(&mut sql, &others, Search::Messages);
    cursor::push_condition(&mut sql, TIME, cursor);
    cursor::push_order(&mut sql, TIME, cursor, NEWEST);
    // The limit keeps the database from looking for words before it has the sessions.
    sql.push(") s where true");
    search::push_words(&mut sql, filter, Search::Messages);
    cursor::push_order(&mut sql, TIME, cursor, limit);
    shown(connection, sql, cursor, limit).await
}

/// What a list shows of the sessions that the statement, begun with [`SHOWN`], selects.
async fn shown(
    connection: &mut PgConnection,
    mut sql: QueryBuilder<Postgres>,
    cursor: Option<Cursor>,
    limit: i64,
) -> Result<Vec<Conversation>> {
    sql.push(shown_of());
    cursor::push_order(&mut sql, TIME, cursor, limit);
    // Planned for its own values: a search that finds often and one that finds nothing want different plans.
    let rows: Vec<ConversationRow> = sql.build_query_as().persistent(false).fetch_all(connection).await?;
    Ok(rows.into_iter().map(Conversation::from).collect())
}

/// Narrows the sessions `s` to those that the filter lets through.
fn push_filters(sql: &mut QueryBuilder<Postgres>, query: &ConversationFilter, search: Search) {
    let message = "exists (select from chat_messages m where m.tenant_id = s.tenant_id and m.session_id = s.id";
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
    if let Some(outcome) = query.outcome {
        let unanswered = format!("{message} and m.role = 'assistant' and not m.answered)");
        sql.push(match outcome {
            Outcome::Unanswered => format!(" and {unanswered}"),
            Outcome::Answered => format!(" and {message} and m.role = 'assistant') and not {unanswered}"),
        });
    }
    if let Some(rating) = query.rating {
        sql.push(format!(" and exists (select from {FEEDBACK} where f.rating = '{}')", Rating::as_str(rating)));
    }
    search::push_words(sql, query, search);
}

/// A conversation of the tenant.
///
/// # Errors
/// When the database fails.
pub async fn find(connection: &mut PgConnection, tenant: TenantId, session: SessionId) -> Result<Option<Conversation>> {
    let sql = format!("{SHOWN}select * from chat_sessions where tenant_id = $1 and id = $2{}", shown_of());
    let row: Option<ConversationRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(session.0).fetch_optional(connection).await?;
    Ok(row.map(Conversation::from))
}
