//! The output-filter audit without its texts: a page of it, and the number of rows per category.

use contract::{
    ChatbotId, OutputFilterEventId, SessionId, TenantId, Timestamp,
    output_filter::events::{OutputFilterCategory, OutputFilterEvent, OutputFilterSelection},
};
use sqlx::{FromRow, Postgres, QueryBuilder};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    cursor::{self, Cursor},
    error::Result,
};

/// Maximum rows that are counted, the newest ones.
pub const COUNTED_ROWS: i64 = 1_000_000;

#[derive(FromRow)]
struct EventRow {
    id: Uuid,
    created_at: Timestamp,
    tenant_id: Uuid,
    tenant_name: String,
    chatbot_id: Uuid,
    chatbot_name: Option<String>,
    session_id: Option<Uuid>,
    matched_pattern: String,
    category: String,
    filter_layer: String,
    language: Option<String>,
}

impl From<EventRow> for OutputFilterEvent {
    fn from(row: EventRow) -> Self {
        Self {
            id: OutputFilterEventId(row.id),
            created_at: row.created_at,
            tenant_id: TenantId(row.tenant_id),
            tenant_name: row.tenant_name,
            chatbot_id: ChatbotId(row.chatbot_id),
            chatbot_name: row.chatbot_name,
            session_id: row.session_id.map(SessionId),
            matched_pattern: row.matched_pattern,
            category: row.category,
            filter_layer: row.filter_layer,
            language: row.language,
        }
    }
}

/// At most `limit` events on the cursor's side, those next to it first; the newest ones without a cursor (operator,
/// vendor).
pub async fn list(
    connection: &mut PgConnection,
    selection: &OutputFilterSelection,
    category: Option<&str>,
    cursor: Option<Cursor>,
    limit: i64,
) -> Result<Vec<OutputFilterEvent>> {
    // Names are looked up for the page's rows only.
    let mut query = QueryBuilder::new(
        "select e.*, t.display_name as tenant_name, c.name as chatbot_name
         from (select id, created_at, tenant_id, chatbot_id, session_id, matched_pattern, category, filter_layer, language
               from output_filter_audit",
    );
    push_selection(&mut query, selection);
    if let Some(category) = category {
        query.push(" and category = ").push_bind(category.to_owned());
    }
    cursor::push_condition(&mut query, "created_at", cursor);
    cursor::push_order(&mut query, "created_at", cursor, limit);
    query.push(
        ") e
         join tenants t on t.id = e.tenant_id
         left join chatbots c on c.tenant_id = e.tenant_id and c.id = e.chatbot_id",
    );
    cursor::push_order(&mut query, "created_at", cursor, limit);
    // Not a prepared statement: its plan must fit these values, not values in general.
    let rows: Vec<EventRow> = query.build_query_as().persistent(false).fetch_all(connection).await?;
    Ok(rows.into_iter().map(OutputFilterEvent::from).collect())
}

/// How many of the newest [`COUNTED_ROWS`] events each category has, by name (operator, vendor).
pub async fn count(
    connection: &mut PgConnection,
    selection: &OutputFilterSelection,
) -> Result<Vec<OutputFilterCategory>> {
    let mut query = QueryBuilder::new("select category, count(*) from (select category from output_filter_audit");
    push_selection(&mut query, selection);
    query.push(" order by created_at desc limit ").push_bind(COUNTED_ROWS);
    query.push(") counted group by category order by category");
    let rows: Vec<(String, i64)> = query.build_query_as().persistent(false).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|(category, count)| OutputFilterCategory { category, count }).collect())
}

/// How often watch-only rules matched, per category by name (operator, vendor). Counts whole days in UTC.
pub async fn count_watched(
    connection: &mut PgConnection,
    selection: &OutputFilterSelection,
) -> Result<Vec<OutputFilterCategory>> {
    let (from, to) = selection.range();
    let rows: Vec<(String, i64)> = sqlx::query_as(
        "select w.category, sum(w.matches)::bigint
         from output_filter_watched w
         where w.tenant_id in (select id from tenants where deleted_at is null and ($1::uuid is null or id = $1))
           and ($2::timestamptz is null or w.day >= ($2 at time zone 'UTC')::date)
           and ($3::timestamptz is null or w.day <= ($3 at time zone 'UTC')::date)
         group by w.category
         order by w.category",
    )
    .bind(selection.tenant.map(|tenant| tenant.0))
    .bind(from)
    .bind(to)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(category, count)| OutputFilterCategory { category, count }).collect())
}

fn push_selection(query: &mut QueryBuilder<Postgres>, selection: &OutputFilterSelection) {
    match selection.tenant {
        Some(tenant) => query.push(" where tenant_id = ").push_bind(tenant.0),
        None => query.push(" where tenant_id not in (select id from tenants where deleted_at is not null)"),
    };
    let (from, to) = selection.range();
    if let Some(from) = from {
        query.push(" and created_at >= ").push_bind(from);
    }
    if let Some(to) = to {
        query.push(" and created_at <= ").push_bind(to);
    }
}
