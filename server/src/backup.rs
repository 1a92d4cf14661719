//! Backup and restore: the database by PostgreSQL's own `pg_dump` and `pg_restore`, the uploaded files, and a manifest with the
//! numbers and hashes of both. Nothing is kept in memory that grows with the data.

mod files;
mod manifest;
mod programs;
mod restore;

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use chrono::Utc;
use store::backup::OwnerConnection;
use tokio_util::sync::CancellationToken;

use self::{
    manifest::{DatabasePart, FORMAT, Manifest, TableRows},
    programs::{Program, Programs},
};
pub use self::{
    programs::password,
    restore::{Restored, restore},
};
use crate::{config::Secret, storage::Storage};

/// The database in the custom format of `pg_dump`.
const DUMP: &str = "database.dump";

/// Why a backup or a restore ended. Nothing is left of it then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database refused something.
    #[error("{}{}", .0, .0.advice().map(|advice| format!("; {advice}")).unwrap_or_default())]
    Store(#[from] store::Error),
    /// A file or folder of the backup cannot be used.
    #[error("{} cannot be used: {source}", .path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The storage of uploaded files cannot be used.
    #[error("the storage of uploaded files cannot be used: {0}")]
    Storage(#[from] crate::storage::Error),
    /// A program of PostgreSQL failed.
    #[error("{program} failed: {reason}")]
    Program {
        /// Its name.
        program: &'static str,
        /// Its last words.
        reason: String,
    },
    /// The process was told to stop.
    #[error("it was interrupted, and nothing of it is left.")]
    Interrupted,
    /// The backup, the database or the storage is not what it must be.
    #[error("{0}")]
    Refused(String),
}

impl Error {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }
}

/// The two halves of an installation's data, and the programs that read one of them.
#[derive(Debug)]
pub struct Installation<'a> {
    /// The address of the role that owns the tables.
    pub owner_url: &'a Secret,
    /// The address of the restricted login role, whose password a restore sets.
    pub login_url: Option<&'a Secret>,
    /// A folder that may have PostgreSQL's programs.
    pub bin_dir: &'a Path,
    /// Where uploaded files are.
    pub storage: &'a Storage,
}

/// What a backup has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Tables of the database.
    pub tables: usize,
    /// Their rows.
    pub rows: i64,
    /// Uploaded files.
    pub files: u64,
    /// Bytes of the dump and of the files.
    pub bytes: u64,
    /// Files that were deleted while the backup was made.
    pub missing: u64,
    /// Files in storages other than the configured one, which the backup does not have.
    pub elsewhere: i64,
}

/// Writes a backup into a new folder. The platform may run meanwhile: database and manifest show one moment of it.
///
/// # Errors
/// When something cannot be read or written, or `stop` comes first; the folder does not exist then.
pub async fn create(
    installation: &Installation<'_>,
    target: &Path,
    stop: &CancellationToken,
) -> Result<Summary, Error> {
    if target.exists() {
        return Err(Error::Refused(format!("{} exists already; name a folder that does not.", target.display())));
    }
    let folder = PartialFolder::create(target)?;
    let mut database = OwnerConnection::open(installation.owner_url.expose()).await?;
    let (manifest, elsewhere) = unless(stop, write(installation, &mut database, &folder.path)).await?;
    database.close().await;
    manifest.write(&folder.path)?;
    folder.finish(target)?;
    Ok(Summary {
        tables: manifest.tables.len(),
        rows: manifest.tables.values().map(|table| table.rows).sum(),
        files: manifest.originals.files,
        bytes: manifest.database.bytes + manifest.originals.bytes,
        missing: manifest.originals.missing,
        elsewhere,
    })
}

async fn write(
    installation: &Installation<'_>,
    database: &mut OwnerConnection,
    folder: &Path,
) -> Result<(Manifest, i64), Error> {
    let snapshot = database.begin_snapshot().await?;
    let state = database.state().await?;
    let Some(newest) = state.applied.last().copied() else {
        return Err(Error::Refused(format!("the database {} has no tables of the platform.", state.database)));
    };
    store::refuse_newer(&state.applied)?;
    let dump = folder.join(DUMP);
    let programs = Programs::of(installation.bin_dir, state.server.version_number);
    let arguments = ["--format=custom", "--no-password", &format!("--snapshot={snapshot}"), &file_argument(&dump)];
    programs.run(Program::Dump, installation.owner_url, &arguments).await?;
    let tables = database.table_sums().await?;
    let owner_policies = database.owner_policies().await?;
    let storage_id = installation.storage.id().await?;
    let originals = files::back_up(installation.storage, storage_id, database, folder).await?;
    let elsewhere = database.count_originals_elsewhere(storage_id).await?;
    let (bytes, sha256) = files::hash(&dump).await?;
    let manifest = Manifest {
        format: FORMAT,
        platform: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: Utc::now(),
        postgres: state.server.version_number,
        newest_migration: newest,
        database: DatabasePart { bytes, sha256 },
        tables: tables.into_iter().map(|table| (table.name, TableRows { rows: table.rows, sum: table.sum })).collect(),
        owner_policies,
        storage_id: storage_id.0,
        originals,
    };
    Ok((manifest, elsewhere))
}

/// The result of the work, which is dropped when the stop comes first.
async fn unless<T>(stop: &CancellationToken, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    tokio::select! {
        done = work => done,
        () = stop.cancelled() => Err(Error::Interrupted),
    }
}

fn file_argument(path: &Path) -> String {
    format!("--file={}", path.display())
}

/// A folder under another name until it is complete; removed unless it gets there.
struct PartialFolder {
    path: PathBuf,
    is_complete: bool,
}

impl PartialFolder {
    fn create(target: &Path) -> Result<Self, Error> {
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".partial-{}", std::process::id()));
        let path = target.with_file_name(name);
        // Everything in it is in clear text.
        DirBuilder::new().mode(0o700).create(&path).map_err(Error::file(&path))?;
        Ok(Self { path, is_complete: false })
    }

    fn finish(mut self, target: &Path) -> Result<(), Error> {
        fs::rename(&self.path, target).map_err(Error::file(target))?;
        self.is_complete = true;
        Ok(())
    }
}

impl Drop for PartialFolder {
    fn drop(&mut self) {
        // A file that is being created may get in between.
        let mut attempts = if self.is_complete { 0..0 } else { 0..3 };
        attempts.any(|_| fs::remove_dir_all(&self.path).is_ok());
    }
}
