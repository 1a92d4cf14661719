//! The manifest of a backup.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write,
    path::Path,
};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use store::backup::OwnerPolicy;
use uuid::Uuid;

use super::Error;

/// The number of this form of backups.
pub(super) const FORMAT: u32 = 1;
const NAME: &str = "manifest.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// The version of the platform that made it.
    pub(super) platform: String,
    pub(super) created_at: DateTime<Utc>,
    /// The version of PostgreSQL as a number, such as 180006.
    pub(super) postgres: i32,
    pub(super) newest_migration: i64,
    pub(super) database: DatabasePart,
    pub(super) tables: BTreeMap<String, TableRows>,
    /// Rules of row security that name the owner of the tables.
    pub(super) owner_policies: Vec<OwnerPolicy>,
    /// By which processes know the storage of uploaded files.
    pub(super) storage_id: Uuid,
    pub(super) originals: OriginalsPart,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DatabasePart {
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TableRows {
    pub(super) rows: i64,
    pub(super) sum: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OriginalsPart {
    pub(super) files: u64,
    pub(super) bytes: u64,
    /// Files that were deleted before they were copied.
    pub(super) missing: u64,
    /// The hash of the list of all hashes.
    pub(super) list_sha256: String,
}

impl Manifest {
    pub(super) fn write(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(NAME);
        let text = serde_json::to_string_pretty(self).map_err(|error| Error::Refused(error.to_string()))?;
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.map_err(Error::file(&path))
    }

    /// Reads the manifest, and refuses a backup that this program cannot restore.
    pub(super) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(NAME);
        let text = fs::read_to_string(&path).map_err(Error::file(&path))?;
        let manifest: Self = serde_json::from_str(&text)
            .map_err(|error| Error::Refused(format!("{} is not the manifest of a backup: {error}.", path.display())))?;
        if manifest.format != FORMAT || major(&manifest.platform) != major(env!("CARGO_PKG_VERSION")) {
            return Err(Error::Refused(format!(
                "version {} made this backup, and this is version {}: restore it with a version that begins with {}.",
                manifest.platform,
                env!("CARGO_PKG_VERSION"),
                major(&manifest.platform)
            )));
        }
        Ok(manifest)
    }
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or_default()
}
