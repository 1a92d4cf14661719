//! The people of deleted tenants, who must be signed out and deactivated.

use std::net::IpAddr;

use contract::{PersonId, TenantId, audit::actions};
use uuid::Uuid;

use crate::{audit::Actor, connection::PgConnection, error::Result};

/// Records that the people of deleted tenants must be deactivated, with the operator who deleted the tenants. A tenant
/// that was restored after an earlier deletion has a row already.
pub async fn want(connection: &mut PgConnection, tenants: &[TenantId], actor: &Actor, realm: &str) -> Result<()> {
    let ids: Vec<Uuid> = tenants.iter().map(|tenant| tenant.0).collect();
    sqlx::query(
        "insert into people_endings (tenant_id, actor_realm, actor_user, ip_address, session_id)
         select id, $2, $3, $4, $5 from unnest($1::uuid[]) id
         on conflict (tenant_id) do update
             set actor_realm = excluded.actor_realm, actor_user = excluded.actor_user, ip_address = excluded.ip_address,
                 session_id = excluded.session_id, wanted_at = excluded.wanted_at, done_at = null",
    )
    .bind(ids)
    .bind(realm)
    .bind(&actor.user)
    .bind(actor.ip_address.map(|ip| ip.to_string()))
    .bind(&actor.session_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// The tenants whose people must still be deactivated, oldest first, without restored ones (system scope).
pub async fn open(connection: &mut PgConnection, limit: i64) -> Result<Vec<TenantId>> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "select e.tenant_id
         from people_endings e join tenants t on t.id = e.tenant_id and t.deleted_at is not null
         where e.done_at is null
         order by e.wanted_at, e.tenant_id
         limit $1",
    )
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().map(TenantId).collect())
}

/// Who deleted the tenant, and in which realm (operator scope); `None` when its people were deactivated, or the tenant
/// was restored.
pub async fn actor(connection: &mut PgConnection, tenant: TenantId) -> Result<Option<(Actor, String)>> {
    let row: Option<(String, String, Option<String>, Option<String>)> = sqlx::query_as(
        "select e.actor_realm, e.actor_user, e.ip_address, e.session_id
         from people_endings e join tenants t on t.id = e.tenant_id and t.deleted_at is not null
         where e.tenant_id = $1 and e.done_at is null",
    )
    .bind(tenant.0)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(realm, user, ip_address, session_id)| {
        let ip_address = ip_address.and_then(|text| text.parse::<IpAddr>().ok());
        (Actor { role: "operator", user, ip_address, session_id }, realm)
    }))
}

/// The people of a deleted tenant whose deactivation failed and is not due again yet (operator scope). The pause between
/// two attempts doubles with each failure, from a minute to a day.
pub async fn postponed(connection: &mut PgConnection, tenant: TenantId) -> Result<Vec<PersonId>> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "select c.person_id
         from people_changes c join people_endings e on e.tenant_id = c.tenant_id and e.wanted_at <= c.begun_at
         where c.tenant_id = $1 and c.action = $2 and c.outcome = 'failed' and c.person_id is not null
         group by c.person_id
         having max(c.begun_at) > now() - least(interval '1 minute' * 2 ^ least(count(*) - 1, 11), interval '1 day')",
    )
    .bind(tenant.0)
    .bind(actions::USER_DEACTIVATED)
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().map(PersonId).collect())
}

/// Records that the people of a tenant were deactivated (operator scope).
pub async fn done(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query("update people_endings set done_at = now() where tenant_id = $1 and done_at is null")
        .bind(tenant.0)
        .execute(connection)
        .await?;
    Ok(())
}
