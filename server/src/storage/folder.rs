//! Storage in a folder.

use std::{
    io::{self, Write},
    path::Path,
};

use bytes::{Bytes, BytesMut};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use nix::sys::statvfs::statvfs;
use tokio::{
    fs::{self, File, OpenOptions},
    io::AsyncReadExt,
};

use super::Error;

/// Bytes that are read at a time.
const CHUNK_BYTES: usize = 64 * 1024;

impl Error {
    fn of_file(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound { Self::NotFound } else { Self::Io(error) }
    }
}

/// Creates a file that is not there, and its folder.
pub(super) async fn create(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).await?;
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).await
}

pub(super) async fn exists(path: &Path) -> Result<(), Error> {
    fs::metadata(path).await.map(drop).map_err(Error::of_file)
}

/// The content of a file, and its length. An open file stays readable after its name was removed.
pub(super) async fn read(path: &Path) -> Result<(u64, BoxStream<'static, Result<Bytes, Error>>), Error> {
    let file = File::open(path).await.map_err(Error::of_file)?;
    let length = file.metadata().await?.len();
    let pieces = stream::try_unfold(file, |mut file| async move {
        let mut piece = BytesMut::with_capacity(CHUNK_BYTES);
        let count = file.read_buf(&mut piece).await?;
        Ok((count > 0).then(|| (piece.freeze(), file)))
    });
    Ok((length, pieces.boxed()))
}

/// The free bytes of a folder's disk. A missing folder is created on the disk of its nearest ancestor.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let folder = std::path::absolute(folder).ok()?;
    let disk = statvfs(folder.ancestors().find(|path| path.exists())?).ok()?;
    Some(disk.blocks_available().saturating_mul(disk.fragment_size()))
}

/// Creates a hard link; copies the file where the file system does not support links.
pub(super) async fn link(from: &Path, to: &Path) -> Result<(), Error> {
    match fs::hard_link(from, to).await {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Error::NotFound),
        Err(_) => {
            let (mut from, mut to) = (File::open(from).await.map_err(Error::of_file)?, create(to).await?);
            tokio::io::copy(&mut from, &mut to).await?;
            Ok(to.sync_all().await?)
        }
    }
}

pub(super) async fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path).await {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Whether a folder has nothing, or is not there. The root of a file system may have the folder of its repairs.
pub(super) async fn is_empty(folder: &Path) -> io::Result<bool> {
    let mut entries = match fs::read_dir(folder).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        entries => entries?,
    };
    while let Some(entry) = entries.next_entry().await? {
        if entry.file_name() != "lost+found" {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes the folders in a folder that have no files.
pub(super) async fn remove_empty_folders(folder: &Path) -> io::Result<()> {
    let mut entries = fs::read_dir(folder).await?;
    while let Some(entry) = entries.next_entry().await? {
        // Fails for a folder that is not empty.
        let _ = fs::remove_dir(entry.path()).await;
    }
    Ok(())
}

/// The text of a file, which is created with `new` if it is missing. If several processes create it concurrently, one
/// wins.
pub(super) async fn read_or_create(path: &Path, new: &str) -> Result<String, Error> {
    match fs::read_to_string(path).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return Ok(read?),
    }
    let (target, text) = (path.to_owned(), new.to_owned());
    let created = tokio::task::spawn_blocking(move || {
        let folder = target.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        match file.persist_noclobber(target) {
            Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
            _ => Ok(()),
        }
    });
    created.await.map_err(io::Error::other)??;
    Ok(fs::read_to_string(path).await?)
}
