//! The account of the PostgreSQL process: our own, or, because PostgreSQL refuses root, `postgres` or `nobody` when we
//! are root.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

use nix::unistd::{Uid, User};

use super::Error;

/// An account other than our own that owns the data and runs the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// The account to switch to; `None` when we are not root.
pub(crate) fn owner() -> Result<Option<Owner>, Error> {
    if !Uid::effective().is_root() {
        return Ok(None);
    }
    let account = ["postgres", "nobody"].into_iter().find_map(|name| User::from_name(name).ok().flatten());
    let account = account.ok_or(Error::NoAccount)?;
    Ok(Some(Owner { uid: account.uid.as_raw(), gid: account.gid.as_raw() }))
}

impl Owner {
    /// Whether this account may pass through every folder on the way to `path` and enter it.
    pub(crate) fn reaches(self, path: &Path) -> bool {
        path.ancestors().all(|folder| fs::metadata(folder).is_ok_and(|data| self.enters(&data)))
    }

    fn enters(self, folder: &fs::Metadata) -> bool {
        let bit = match () {
            () if folder.uid() == self.uid => 0o100,
            () if folder.gid() == self.gid => 0o010,
            () => 0o001,
        };
        folder.mode() & bit != 0
    }

    /// Makes this account the owner of a file or folder (not of its contents).
    pub(crate) fn take(self, path: &Path) -> Result<(), Error> {
        chown(path, Some(self.uid), Some(self.gid)).map_err(Error::folder(path))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn other_accounts_cannot_reach_a_closed_folder() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let stranger = Owner { uid: 64_001, gid: 64_001 };
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711)).unwrap();
        assert!(stranger.reaches(&inner));
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        assert!(!stranger.reaches(&inner));
    }
}
