//! Problems that need an operator's attention, with the number of affected tenants and the first of them by name.

use contract::TenantId;
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, list::collated};

/// Maximum tenants that are listed.
const MAX_TENANTS: i64 = 8;

/// One thing that needs attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    pub tenant_id: TenantId,
    pub tenant_name: String,
    /// The chatbot's name when a single chatbot is affected.
    pub chatbot_name: Option<String>,
}

#[derive(FromRow)]
struct AlertRow {
    tenant_id: Uuid,
    tenant_name: String,
    chatbot_name: Option<String>,
    total: i64,
}

fn alerts(rows: Vec<AlertRow>) -> (i64, Vec<Alert>) {
    let total = rows.first().map_or(0, |row| row.total);
    let alert = |row: AlertRow| Alert {
        tenant_id: TenantId(row.tenant_id),
        tenant_name: row.tenant_name,
        chatbot_name: row.chatbot_name,
    };
    (total, rows.into_iter().map(alert).collect())
}

/// Active chatbots of live tenants whose collection could not be created (operator, vendor).
pub async fn failed_provisioning(connection: &mut PgConnection) -> Result<(i64, Vec<Alert>)> {
    let sql = format!(
        "select t.id as tenant_id, t.display_name as tenant_name, c.name as chatbot_name, count(*) over () as total
         from chatbots c
         join tenants t on t.id = c.tenant_id
         where c.status = 'active' and c.provisioning = 'failed' and t.deleted_at is null
         order by {tenant}, {chatbot}, c.id
         limit $1",
        tenant = collated("t.display_name"),
        chatbot = collated("c.name"),
    );
    let rows = sqlx::query_as(AssertSqlSafe(sql)).bind(MAX_TENANTS).fetch_all(connection).await?;
    Ok(alerts(rows))
}

/// Live tenants without an allowed origin (operator, vendor).
pub async fn without_origins(connection: &mut PgConnection) -> Result<(i64, Vec<Alert>)> {
    let sql = format!(
        "select t.id as tenant_id, t.display_name as tenant_name, null::text as chatbot_name, count(*) over () as total
         from tenants t
         where t.deleted_at is null
           and not exists (select from tenant_branding b where b.tenant_id = t.id and cardinality(b.allowed_origins) > 0)
         order by {tenant}, t.id
         limit $1",
        tenant = collated("t.display_name"),
    );
    let rows = sqlx::query_as(AssertSqlSafe(sql)).bind(MAX_TENANTS).fetch_all(connection).await?;
    Ok(alerts(rows))
}

/// Live tenants with an allowed origin that is not in `listed`; for a pattern `*.` one listed subdomain is enough
/// (operator, vendor).
pub async fn unlisted_origins(connection: &mut PgConnection, listed: &[String]) -> Result<(i64, Vec<Alert>)> {
    let sql = format!(
        "select t.id as tenant_id, t.display_name as tenant_name, null::text as chatbot_name, count(*) over () as total
         from tenants t
         join tenant_branding b on b.tenant_id = t.id
         where t.deleted_at is null
           and exists (select from unnest(b.allowed_origins) own
                       where not exists (select from unnest($1::text[]) listed
                                         where listed like replace(own, '*', '_%')))
         order by {tenant}, t.id
         limit $2",
        tenant = collated("t.display_name"),
    );
    let rows = sqlx::query_as(AssertSqlSafe(sql)).bind(listed).bind(MAX_TENANTS).fetch_all(connection).await?;
    Ok(alerts(rows))
}
