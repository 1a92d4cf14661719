//! Key files: `{created, Unix milliseconds}-{thumbprint}.pem`, readable only by their owner.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use super::pair::KeyPair;
use crate::error::Error;

/// Makes the folder and closes it to others.
pub(super) fn make_folder(folder: &Path) -> Result<(), Error> {
    let fail = |source| Error::KeyFolder { path: folder.to_owned(), source };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(fail)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).map_err(fail)
}

/// All keys of a folder, oldest first. Ignores other files.
pub(super) fn read_all(folder: &Path) -> Result<Vec<KeyPair>, Error> {
    let fail = |source| Error::KeyFolder { path: folder.to_owned(), source };
    let mut pairs = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if let Some(created) = created(&path) {
            let pem = fs::read_to_string(&path).map_err(|source| Error::KeyFolder { path: path.clone(), source })?;
            pairs.push(KeyPair::from_pem(&pem, created).map_err(|reason| Error::Key { path, reason })?);
        }
    }
    pairs.sort_by_key(|pair| pair.created_millis);
    Ok(pairs)
}

/// Makes a key and writes its file completely or not at all.
pub(super) fn create(folder: &Path, created_millis: i64) -> Result<KeyPair, Error> {
    let (pair, pem) =
        KeyPair::generate(created_millis).map_err(|reason| Error::Key { path: folder.to_owned(), reason })?;
    let path = path(folder, &pair);
    write(&path, &pem).map_err(|source| Error::KeyFolder { path, source })?;
    Ok(pair)
}

/// Deletes the file of a key.
pub(super) fn delete(folder: &Path, pair: &KeyPair) -> io::Result<()> {
    fs::remove_file(path(folder, pair))
}

fn path(folder: &Path, pair: &KeyPair) -> PathBuf {
    folder.join(format!("{}-{}.pem", pair.created_millis, pair.kid))
}

fn created(path: &Path) -> Option<i64> {
    let name = path.file_name()?.to_str()?.strip_suffix(".pem")?;
    name.split_once('-')?.0.parse().ok()
}

fn write(path: &Path, pem: &str) -> io::Result<()> {
    let unfinished = path.with_extension("new");
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(pem.as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, path)
}
