//! Where a job continues after it let others go first, or lost its worker.

use super::Job;
use crate::{connection::PgConnection, error::Result};

/// The checkpoint that an earlier slice of the job stored.
pub async fn checkpoint(connection: &mut PgConnection, job: &Job) -> Result<Option<String>> {
    let checkpoint = sqlx::query_scalar("select checkpoint from jobs where tenant_id = $1 and id = $2")
        .bind(job.tenant.0)
        .bind(job.id.0)
        .fetch_optional(connection)
        .await?;
    Ok(checkpoint.flatten())
}

/// Stores where the job continues.
pub async fn set_checkpoint(connection: &mut PgConnection, job: &Job, checkpoint: &str) -> Result<()> {
    sqlx::query("update jobs set checkpoint = $3 where tenant_id = $1 and id = $2")
        .bind(job.tenant.0)
        .bind(job.id.0)
        .bind(checkpoint)
        .execute(connection)
        .await?;
    Ok(())
}

/// Makes a job a large one, which leaves one worker of each process to small ones.
pub async fn set_large(connection: &mut PgConnection, job: &Job) -> Result<()> {
    sqlx::query("update jobs set is_large = true where tenant_id = $1 and id = $2")
        .bind(job.tenant.0)
        .bind(job.id.0)
        .execute(connection)
        .await?;
    Ok(())
}
