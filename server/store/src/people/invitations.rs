//! How many people a tenant's administrators invited lately, counted over all replicas.

use contract::{TenantId, audit::actions};

use crate::{connection::PgConnection, error::Result};

/// The seconds until the tenant's administrators may invite again; `None` when they may now. `limit` invitations may be
/// sent in any hour; failed ones, which made no account and sent no mail, do not count.
pub async fn wait_seconds(connection: &mut PgConnection, tenant: TenantId, limit: i64) -> Result<Option<u64>> {
    let seconds: Option<i64> = sqlx::query_scalar(
        "select ceil(extract(epoch from begun_at + interval '1 hour' - now()))::bigint
         from people_changes
         where tenant_id = $1 and action = $2 and actor_role = 'tenant' and outcome is distinct from 'failed'
             and begun_at > now() - interval '1 hour'
         order by begun_at desc
         offset $3
         limit 1",
    )
    .bind(tenant.0)
    .bind(actions::USER_INVITED)
    .bind(limit - 1)
    .fetch_optional(connection)
    .await?;
    Ok(seconds.map(|seconds| u64::try_from(seconds).unwrap_or_default()))
}
