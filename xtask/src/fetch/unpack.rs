//! Unpacks atomically: into a folder next to the target, which is marked as complete and then renamed.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::error::{Error, Result};

const MARK: &str = ".complete";

/// Whether the folder has exactly this content, judged by the identity that was recorded when it was unpacked.
pub(crate) fn is_complete(folder: &Path, identity: &str) -> bool {
    fs::read_to_string(folder.join(MARK)).is_ok_and(|mark| mark.trim() == identity)
}

/// Calls `write` with a fresh path to create a folder at, makes its content readable for every user (PostgreSQL runs as
/// another one when root starts it), and replaces `folder` with it.
pub(crate) fn into(folder: &Path, identity: &str, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let fresh = folder.with_file_name(format!("partial-{name}-{}", std::process::id()));
    let parent = folder.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(Error::io("making", parent))?;
    let _ = fs::remove_dir_all(&fresh);
    let result = write(&fresh).and_then(|()| finish(&fresh, folder, identity));
    if result.is_err() {
        let _ = fs::remove_dir_all(&fresh);
    }
    result
}

/// Makes the files of a folder and its subfolders executable for everyone.
pub(crate) fn make_executable(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(Error::io("reading", folder))?.flatten() {
        set_mode(&entry.path(), 0o755)?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_executable(&entry.path())?;
        }
    }
    Ok(())
}

fn finish(fresh: &Path, folder: &Path, identity: &str) -> Result<()> {
    make_readable(fresh)?;
    let mark = fresh.join(MARK);
    fs::write(&mark, identity).map_err(Error::io("writing", &mark))?;
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Error::io("replacing", folder))?;
    }
    fs::rename(fresh, folder).map_err(Error::io("moving to", folder))
}

fn make_readable(path: &Path) -> Result<()> {
    let metadata = fs::symlink_metadata(path).map_err(Error::io("reading", path))?;
    if metadata.is_dir() {
        set_mode(path, 0o755)?;
        for entry in fs::read_dir(path).map_err(Error::io("reading", path))?.flatten() {
            make_readable(&entry.path())?;
        }
    } else if metadata.is_file() {
        set_mode(path, metadata.permissions().mode() | 0o444)?;
    }
    Ok(())
}

fn set_mode(path: &Path, mode: u32) -> Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode & 0o777)).map_err(Error::io("changing the mode of", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_unpacking_keeps_the_old_content() {
        let parent = std::env::temp_dir().join(format!("xtask-unpack-{}", std::process::id()));
        let folder = parent.join("part");
        into(&folder, "one", |path| fs::create_dir_all(path).map_err(Error::io("making", path))).unwrap();
        let failed = into(&folder, "two", |path| {
            fs::create_dir_all(path).map_err(Error::io("making", path))?;
            Err(Error::Other("the disk is full".to_owned()))
        });
        assert!(failed.is_err());
        assert!(is_complete(&folder, "one"));
        assert_eq!(fs::read_dir(&parent).unwrap().count(), 1);
        fs::remove_dir_all(&parent).unwrap();
    }
}
