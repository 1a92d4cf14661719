//! Usage of the hub as counts by tenant and day, without any text of a search.

use contract::TenantId;
use sqlx::FromRow;

use crate::{connection::PgConnection, error::Result};

/// A counted event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Used {
    /// A recorded search.
    Search { found: bool },
    /// A result that was opened.
    Opened,
}

/// The use over the last 30 days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, FromRow)]
pub struct HubUsage {
    /// Live tenants that have the module.
    pub tenants: i64,
    /// Tenants whose people searched.
    pub searching: i64,
    pub searches: i64,
    pub without_result: i64,
    /// Results that were opened.
    pub opened: i64,
}

/// Counts an event of a tenant's users for today.
pub async fn add(connection: &mut PgConnection, tenant: TenantId, used: Used) -> Result<()> {
    let (searches, without_result, opened) = match used {
        Used::Search { found } => (1_i64, i64::from(!found), 0_i64),
        Used::Opened => (0, 0, 1),
    };
    sqlx::query(
        "insert into kh_usage as u (tenant_id, day, searches, without_result, opened)
         values ($1, (now() at time zone 'UTC')::date, $2, $3, $4)
         on conflict on constraint kh_usage_pkey do update
             set searches = u.searches + excluded.searches,
                 without_result = u.without_result + excluded.without_result,
                 opened = u.opened + excluded.opened",
    )
    .bind(tenant.0)
    .bind(searches)
    .bind(without_result)
    .bind(opened)
    .execute(connection)
    .await?;
    Ok(())
}

/// The usage by all tenants (operator, vendor).
pub async fn of_platform(connection: &mut PgConnection) -> Result<HubUsage> {
    Ok(sqlx::query_as(
        "with live as (select t.id from tenants t
                       where t.deleted_at is null and exists (
                           select from modules m
                           where m.id = 'knowledge_hub'
                             and (m.is_always_on or exists (select from tenant_modules tm
                                                            where tm.tenant_id = t.id and tm.module_id = m.id)))),
              used as (select u.* from kh_usage u join live on live.id = u.tenant_id
                       where u.day > (now() at time zone 'UTC')::date - 30)
         select (select count(*) from live) as tenants, count(distinct tenant_id) filter (where searches > 0) as searching,
                coalesce(sum(searches), 0)::bigint as searches,
                coalesce(sum(without_result), 0)::bigint as without_result, coalesce(sum(opened), 0)::bigint as opened
         from used",
    )
    .fetch_one(connection)
    .await?)
}
