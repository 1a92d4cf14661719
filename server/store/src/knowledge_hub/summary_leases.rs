//! Leases that ensure that only one process generates the summary of a version.

use std::time::Duration;

use contract::TenantId;
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

/// Takes or extends the lease of a version; `false` while another process has it, and when the version was deleted.
pub async fn hold(
    connection: &mut PgConnection,
    tenant: TenantId,
    version: Uuid,
    holder: Uuid,
    time: Duration,
) -> Result<bool> {
    let done = sqlx::query(
        "insert into kh_summary_leases as l (tenant_id, document_id, holder, held_until)
         values ($1, $2, $3, now() + make_interval(secs => $4))
         on conflict on constraint kh_summary_leases_pkey do update
         set holder = excluded.holder, held_until = excluded.held_until
         where l.holder = excluded.holder or l.held_until < now()",
    )
    .bind(tenant.0)
    .bind(version)
    .bind(holder)
    .bind(time.as_secs_f64())
    .execute(connection)
    .await
    .map_err(Error::from);
    match done {
        Ok(done) => Ok(done.rows_affected() > 0),
        Err(error) if error.constraint() == Some("kh_summary_leases_version_fkey") => Ok(false),
        Err(error) => Err(error),
    }
}

/// Releases the lease if `holder` still holds it.
pub async fn release(connection: &mut PgConnection, tenant: TenantId, version: Uuid, holder: Uuid) -> Result<()> {
    sqlx::query("delete from kh_summary_leases where tenant_id = $1 and document_id = $2 and holder = $3")
        .bind(tenant.0)
        .bind(version)
        .bind(holder)
        .execute(connection)
        .await?;
    Ok(())
}
