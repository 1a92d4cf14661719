//! What an upgrade of the database would do.

use crate::{backup::OwnerConnection, error::Result, migrations, reader::READER_VERSION};

/// What this program would change.
#[derive(Debug, Clone)]
pub struct UpgradeState {
    /// The newest applied migration; `None` for an empty database.
    pub newest_applied: Option<i64>,
    /// Numbers and names of those that are missing.
    pub pending: Vec<(i64, String)>,
    /// Uploaded files whose documents an older reader made.
    pub outdated_files: i64,
}

/// Compares the database with this program.
///
/// # Errors
/// [`crate::Error::Newer`] when a newer program has migrated it, [`crate::Error::Unfit`] when the server cannot have this version,
/// or another program made the tables.
pub async fn state(owner_url: &str) -> Result<UpgradeState> {
    let mut database = OwnerConnection::open(owner_url).await?;
    let state = database.state().await?;
    state.server.refuse()?;
    migrations::refuse_newer(&state.applied)?;
    if !state.applied.is_empty() {
        migrations::refuse_other(database.connection()).await?;
    }
    let pending = migrations::pending(&state.applied);
    let names = migrations::names();
    let outdated_files = database.outdated_files().await?;
    database.close().await;
    Ok(UpgradeState {
        newest_applied: state.applied.last().copied(),
        pending: names.filter(|(number, _)| pending.contains(number)).collect(),
        outdated_files,
    })
}

impl OwnerConnection {
    async fn outdated_files(&mut self) -> Result<i64> {
        // Older versions had no such column, and kept no files.
        let has_versions = "select exists (select from pg_attribute where attrelid = to_regclass('public.documents')
                                           and attname = 'reader_version')
                               and exists (select from pg_attribute where attrelid = to_regclass('public.documents')
                                           and attname = 'upload_id')";
        if !sqlx::query_scalar::<_, bool>(has_versions).fetch_one(self.connection()).await? {
            return Ok(0);
        }
        let count = "select count(distinct upload_id) from public.documents where upload_id is not null and reader_version < $1";
        Ok(sqlx::query_scalar(count).bind(READER_VERSION).fetch_one(self.connection()).await?)
    }
}
