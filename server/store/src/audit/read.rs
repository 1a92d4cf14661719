//! Reads the audit log for operators and vendors, and its archive.

use contract::{
    AuditId, ChatbotId, TenantId, Timestamp,
    audit::{AuditFilter, AuditRow},
};
use sqlx::{FromRow, Postgres, QueryBuilder};
use uuid::Uuid;

use super::filter;
use crate::{
    connection::PgConnection,
    cursor::{self, Cursor},
    error::Result,
    export::{CopyQuery, ExportTx},
    list,
};

const COLUMNS: &str = "id, occurred_at, actor_role, actor_user, actor_idp_id, tenant_id, chatbot_id, action, \
                       entity_type, entity_id, ip_address, session_id, details";

/// The SQL before and after the rows' statement that adds names. Only live tenants have names, but for the row of a
/// deletion, a chatbot only when it belongs to the row's tenant. Reads nothing that a tenant wrote into a chatbot.
const NAMED: &str = "select logged.*, t.display_name as tenant_name, c.name as chatbot_name, case \
        when action = 'tenant.soft_deleted' then (select d.display_name from tenants d where d.id = logged.tenant_id) \
        when entity_type in ('tenant', 'tenant_branding') and entity_id = t.id::text then t.display_name \
        when entity_type in ('chatbot', 'chatbot_branding') and entity_id = c.id::text then c.name \
        when entity_type = 'template' then (select m.name from chatbot_templates m where m.id = entity_id) \
        when entity_type in ('module', 'tenant_module') then (select m.name from modules m where m.id = entity_id) \
    end as entity_name from (";
const NAMES: &str = ") logged left join tenants t on t.id = logged.tenant_id and t.deleted_at is null \
    left join chatbots c on c.id = logged.chatbot_id and c.tenant_id = t.id";

#[derive(FromRow)]
struct LogRow {
    id: Uuid,
    occurred_at: Timestamp,
    actor_role: String,
    actor_user: String,
    actor_idp_id: Option<String>,
    tenant_id: Option<Uuid>,
    tenant_name: Option<String>,
    chatbot_id: Option<Uuid>,
    chatbot_name: Option<String>,
    action: String,
    entity_type: String,
    entity_id: String,
    entity_name: Option<String>,
    ip_address: Option<String>,
    session_id: Option<String>,
    details: serde_json::Value,
}

impl From<LogRow> for AuditRow {
    fn from(row: LogRow) -> Self {
        Self {
            id: AuditId(row.id),
            occurred_at: row.occurred_at,
            actor_role: row.actor_role,
            actor_user: row.actor_user,
            actor_idp_id: row.actor_idp_id,
            tenant_id: row.tenant_id.map(TenantId),
            tenant_name: row.tenant_name,
            chatbot_id: row.chatbot_id.map(ChatbotId),
            chatbot_name: row.chatbot_name,
            action: row.action,
            entity_type: row.entity_type,
            entity_id: row.entity_id,
            entity_name: row.entity_name,
            ip_address: row.ip_address,
            session_id: row.session_id,
            details: row.details,
        }
    }
}

const TIME: &str = "occurred_at";

/// Rows next to the cursor that a search scans before it uses the index. Frequent matches are found there, while the
/// index would collect every match of the log to sort them.
const NEWEST_ROWS: i64 = 4000;

/// At most `limit` rows that match the filter on the cursor's side, those next to it first; the newest rows without a
/// cursor.
pub async fn list(
    connection: &mut PgConnection,
    filter: &AuditFilter,
    cursor: Option<Cursor>,
    limit: i64,
) -> Result<Vec<AuditRow>> {
    if let Some(search) = filter::search(filter) {
        let rows = fetch(&mut *connection, newest(filter, search, cursor, limit)).await?;
        if i64::try_from(rows.len()).is_ok_and(|number| number == limit) {
            return Ok(rows);
        }
    }
    let mut query = QueryBuilder::new(NAMED);
    push_page(&mut query, filter, cursor, limit);
    push_names(&mut query, cursor, limit);
    fetch(connection, query).await
}

async fn fetch(connection: &mut PgConnection, mut query: QueryBuilder<Postgres>) -> Result<Vec<AuditRow>> {
    // Not a prepared statement: its plan must fit these values, not values in general.
    let rows: Vec<LogRow> = query.build_query_as().persistent(false).fetch_all(connection).await?;
    Ok(rows.into_iter().map(AuditRow::from).collect())
}

/// The query plan of the first page of [`list`], without the names, which are read by primary key.
pub async fn explain_list(connection: &mut PgConnection, filter: &AuditFilter, limit: i64) -> Result<String> {
    let mut query = QueryBuilder::new("explain ");
    push_page(&mut query, filter, None, limit);
    let lines: Vec<String> = query.build_query_scalar().persistent(false).fetch_all(connection).await?;
    Ok(lines.join("\n"))
}

/// Appends the names of the rows and keeps their order.
fn push_names(query: &mut QueryBuilder<Postgres>, cursor: Option<Cursor>, limit: i64) {
    query.push(NAMES);
    cursor::push_order(query, TIME, cursor, limit);
}

/// The matches of a search among the [`NEWEST_ROWS`] rows that fulfil the other conditions.
fn newest(filter: &AuditFilter, search: &str, cursor: Option<Cursor>, limit: i64) -> QueryBuilder<Postgres> {
    let others = AuditFilter { json_search: None, ..filter.clone() };
    let mut query = QueryBuilder::new(NAMED);
    query.push("select * from (");
    push_page(&mut query, &others, cursor, NEWEST_ROWS);
    query.push(") newest where details::text ilike ").push_bind(list::containing(search));
    cursor::push_order(&mut query, TIME, cursor, limit);
    push_names(&mut query, cursor, limit);
    query
}

fn push_page(query: &mut QueryBuilder<Postgres>, filter: &AuditFilter, cursor: Option<Cursor>, limit: i64) {
    query.push("select ").push(COLUMNS).push(" from platform_audit_log");
    filter::push(query, filter);
    cursor::push_condition(query, TIME, cursor);
    cursor::push_order(query, TIME, cursor, limit);
}

/// The rows that match the filter, newest first, for an export: the columns of the contract's [`AuditRow`] in its order
/// without names, `details` only on request.
pub async fn copy_query(tx: &mut ExportTx, filter: &AuditFilter, with_details: bool) -> Result<CopyQuery> {
    let conditions = filter::in_text(tx, filter).await?;
    let details = if with_details { ", details::text" } else { "" };
    Ok(CopyQuery(format!(
        "select id, occurred_at, actor_role, actor_user, actor_idp_id, tenant_id, chatbot_id, action, entity_type, \
                entity_id, ip_address, session_id{details} \
         from platform_audit_log{conditions} order by occurred_at desc, id desc"
    )))
}

/// A row of the log that is not archived.
pub async fn find(connection: &mut PgConnection, id: AuditId) -> Result<Option<AuditRow>> {
    let mut query: QueryBuilder<Postgres> = QueryBuilder::new(NAMED);
    query.push("select ").push(COLUMNS).push(" from platform_audit_log where id = ").push_bind(id.0).push(NAMES);
    let row: Option<LogRow> = query.build_query_as().fetch_optional(connection).await?;
    Ok(row.map(AuditRow::from))
}
