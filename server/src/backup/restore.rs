//! The way back: into an empty database and an empty storage.

use std::path::Path;

use store::{
    backup::{OwnerConnection, TableSum},
    bootstrap,
};
use tempfile::NamedTempFile;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{
    DUMP, Error, Installation, files,
    manifest::Manifest,
    programs::{Program, Programs, password},
    unless,
};

/// The one role that logs in.
const LOGIN_ROLE: &str = "svc_app";

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Tables of the database, compared with the backup.
    pub tables: usize,
    /// Their rows.
    pub rows: i64,
    /// Uploaded files, compared with the backup.
    pub files: u64,
    /// Whether the login role is new on this server and has no password, because the settings have none.
    pub needs_password: bool,
    /// Migrations that this program needs and the backup lacks.
    pub pending: usize,
}

/// Restores a backup, and compares the result with it.
///
/// # Errors
/// When the backup is damaged or of another major version, or the target is not empty: nothing has changed then. When
/// something fails later, or `stop` comes before the database is loaded, what was restored is removed again.
pub async fn restore(
    installation: &Installation<'_>,
    folder: &Path,
    stop: &CancellationToken,
) -> Result<Restored, Error> {
    let manifest = Manifest::read(folder)?;
    let dump = folder.join(DUMP);
    if unless(stop, files::hash(&dump)).await?.1 != manifest.database.sha256 {
        return Err(Error::Refused(format!("the backup is damaged: {DUMP} is not the one that the manifest names.")));
    }
    unless(stop, files::verify(folder, &manifest.originals)).await?;
    let mut database = OwnerConnection::open(installation.owner_url.expose()).await?;
    let restored = fill(installation, folder, &manifest, &mut database, stop).await;
    database.close().await;
    restored
}

async fn fill(
    installation: &Installation<'_>,
    folder: &Path,
    manifest: &Manifest,
    database: &mut OwnerConnection,
    stop: &CancellationToken,
) -> Result<Restored, Error> {
    let version = accept(installation, manifest, database).await?;
    let is_new = database.make_roles().await?;
    let loaded = async {
        files::restore(folder, installation.storage, manifest.storage_id, stop).await?;
        unless(stop, load(installation, folder, manifest, version)).await
    };
    let loaded = loaded.await;
    if loaded.is_err() {
        files::remove(folder, installation.storage).await;
    }
    loaded?;
    database.make_owner_policies(&manifest.owner_policies).await?;
    database.restrict_database().await?;
    let has_password = is_new && set_password(installation).await?;
    let table_sums = database.table_sums().await?;
    compare(manifest, &table_sums)?;
    let state = database.state().await?;
    Ok(Restored {
        tables: table_sums.len(),
        rows: table_sums.iter().map(|table| table.rows).sum(),
        files: manifest.originals.files,
        needs_password: is_new && !has_password,
        pending: store::pending_migrations(&state.applied).len(),
    })
}

/// Refuses a target that is not empty or not able. Returns the version of its PostgreSQL.
async fn accept(
    installation: &Installation<'_>,
    manifest: &Manifest,
    database: &mut OwnerConnection,
) -> Result<i32, Error> {
    let state = database.state().await?;
    if !state.is_empty {
        return Err(Error::Refused(format!(
            "the database {} is not empty: name an empty one in database.admin_url.",
            state.database
        )));
    }
    store::refuse_newer(&[manifest.newest_migration])?;
    let (ours, theirs) = (state.server.version_number / 10_000, manifest.postgres / 10_000);
    if ours < theirs {
        return Err(Error::Refused(format!(
            "the backup is of PostgreSQL {theirs}, and this is PostgreSQL {ours}: restore it into {theirs} or newer."
        )));
    }
    state.server.refuse()?;
    if !installation.storage.is_empty().await? {
        return Err(Error::Refused(format!(
            "{} is not empty: name an empty folder or an empty part of the bucket in uploads.*.",
            installation.storage
        )));
    }
    Ok(state.server.version_number)
}

/// Loads the dump in one transaction.
async fn load(installation: &Installation<'_>, folder: &Path, manifest: &Manifest, version: i32) -> Result<(), Error> {
    let dump = folder.join(DUMP).display().to_string();
    let programs = Programs::of(installation.bin_dir, version);
    let list = programs.output(Program::Restore, &["--list", &dump]).await?;
    let policies: Vec<String> = manifest
        .owner_policies
        .iter()
        .map(|policy| format!(" POLICY public {} {} ", policy.table, policy.name))
        .collect();
    // Only a superuser, who owns the extension, may describe it. The owner of the tables has another name, perhaps.
    let is_loaded =
        |line: &&str| !line.contains(" COMMENT - EXTENSION ") && !policies.iter().any(|policy| line.contains(policy));
    let list: String = list.lines().filter(is_loaded).flat_map(|line| [line, "\n"]).collect();
    let temporary = std::env::temp_dir();
    let file = NamedTempFile::new_in(&temporary).map_err(Error::file(&temporary))?;
    std::fs::write(file.path(), list).map_err(Error::file(file.path()))?;
    let list = format!("--use-list={}", file.path().display());
    let arguments = ["--no-password", "--no-owner", "--single-transaction", &list, &dump];
    programs.run(Program::Restore, installation.owner_url, &arguments).await
}

/// Gives the login role the password of the settings. Returns whether they have one.
async fn set_password(installation: &Installation<'_>) -> Result<bool, Error> {
    let login = installation.login_url.and_then(|url| Url::parse(url.expose()).ok());
    let Some(login) = login.filter(|login| login.username() == LOGIN_ROLE) else { return Ok(false) };
    let Some(password) = password(&login) else { return Ok(false) };
    bootstrap::set_login_password(installation.owner_url.expose(), LOGIN_ROLE, &password).await?;
    Ok(true)
}

fn compare(manifest: &Manifest, restored: &[TableSum]) -> Result<(), Error> {
    let different = |table: &&TableSum| {
        manifest.tables.get(&table.name).is_none_or(|expected| expected.rows != table.rows || expected.sum != table.sum)
    };
    if let Some(table) = restored.iter().find(different) {
        return Err(Error::Refused(format!(
            "the table {} differs from the backup after the restore: do not use this database.",
            table.name
        )));
    }
    if restored.len() == manifest.tables.len() {
        return Ok(());
    }
    Err(Error::Refused("the database lacks tables of the backup after the restore: do not use it.".to_owned()))
}
