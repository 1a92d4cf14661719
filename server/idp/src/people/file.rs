//! The file of users that differ from the realm file, readable only by its owner.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use serde::{Deserialize, Serialize};

use crate::{error::Error, realm::User};

/// What the file adds to the people of the realm file, and takes away.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Contents {
    pub(super) people: Vec<User>,
    /// Ids of people of the realm file, and of others that were removed.
    pub(super) removed: BTreeSet<String>,
}

/// Reads the file; empty if it does not exist.
pub(super) fn read(path: &Path) -> Result<Contents, Error> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|source| Error::People { path: path.to_owned(), source }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Contents::default()),
        Err(source) => Err(Error::KeyFolder { path: path.to_owned(), source }),
    }
}

/// Writes the file completely or not at all.
pub(super) fn write(path: &Path, contents: &Contents) -> io::Result<()> {
    let unfinished = path.with_extension("new");
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(&serde_json::to_vec(contents)?)?;
    file.sync_all()?;
    fs::rename(&unfinished, path)?;
    // The rename itself survives a crash once the folder is written.
    path.parent().map_or(Ok(()), |folder| fs::File::open(folder)?.sync_all())
}
