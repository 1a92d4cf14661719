//! The storage of uploaded files: a folder, or a bucket of an S3-compatible service. The caller defines the meaning of
//! keys.

mod bucket;
mod folder;

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use bytes::Bytes;
use futures::stream::BoxStream;
use sha2::{Digest, Sha256};
use store::uploads::StorageId;
use tempfile::TempPath;
use tokio::{io::AsyncWriteExt, sync::OnceCell};

use crate::hex;

pub use bucket::BucketSettings;
pub(crate) use folder::free_bytes;

/// The key of the storage's own id, by which two processes know whether they use the same one.
const ID_KEY: &str = ".storage-id";

/// Why bytes cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing has this key.
    #[error("there is no such file")]
    NotFound,
    /// A folder that cannot be used.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A bucket that cannot be used.
    #[error("{0}")]
    Bucket(String),
    /// The bytes are not those that were uploaded.
    #[error("its bytes are not those that were uploaded")]
    Changed,
    /// The file with the storage's id contains no UUID.
    #[error("{ID_KEY} in the storage has no UUID")]
    UnknownId,
}

/// The bytes of uploaded files.
#[derive(Debug)]
pub struct Storage {
    backend: Backend,
    id: OnceCell<StorageId>,
}

#[derive(Debug)]
enum Backend {
    Folder(PathBuf),
    Bucket(bucket::Bucket),
}

/// Bytes that can be read from a file on this machine; a copy is removed with this value.
#[derive(Debug)]
pub struct LocalFile {
    path: PathBuf,
    _copy: Option<TempPath>,
}

impl Storage {
    /// A folder, which is created on demand.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { backend: Backend::Folder(folder), id: OnceCell::new() }
    }

    /// A bucket, which must exist. Nothing is sent yet.
    ///
    /// # Errors
    /// When the settings do not go together.
    pub fn in_bucket(settings: &BucketSettings) -> Result<Self, Error> {
        Ok(Self { backend: Backend::Bucket(bucket::Bucket::new(settings)?), id: OnceCell::new() })
    }

    /// The folder; `None` for a bucket.
    pub fn folder(&self) -> Option<&Path> {
        match &self.backend {
            Backend::Folder(folder) => Some(folder),
            Backend::Bucket(_) => None,
        }
    }

    /// The storage's id if it was read before.
    pub fn known_id(&self) -> Option<StorageId> {
        self.id.get().copied()
    }

    /// The storage's id, which the first process that uses it writes down.
    ///
    /// # Errors
    /// When the storage cannot be read or written.
    pub async fn id(&self) -> Result<StorageId, Error> {
        let read = async {
            let new = StorageId::random();
            let text = match &self.backend {
                Backend::Folder(folder) => folder::read_or_create(&folder.join(ID_KEY), &new.to_string()).await?,
                Backend::Bucket(bucket) => bucket.read_or_create(ID_KEY, &new.to_string()).await?,
            };
            text.trim().parse().map_err(|_| Error::UnknownId)
        };
        self.id.get_or_try_init(|| read).await.copied()
    }

    /// Takes the id of another storage, whose files this one will have.
    ///
    /// # Errors
    /// When the storage cannot be written.
    pub async fn adopt_id(&self, id: StorageId) -> Result<(), Error> {
        let mut writer = self.create(ID_KEY).await?;
        writer.write(id.to_string().into()).await?;
        writer.finish().await.map(drop)
    }

    /// Whether it has no file.
    ///
    /// # Errors
    /// When the storage cannot be read.
    pub async fn is_empty(&self) -> Result<bool, Error> {
        match &self.backend {
            Backend::Folder(folder) => Ok(folder::is_empty(folder).await?),
            Backend::Bucket(bucket) => bucket.is_empty().await,
        }
    }

    /// Removes the storage's id, and folders without files.
    ///
    /// # Errors
    /// When the storage cannot be written.
    pub async fn abandon(&self) -> Result<(), Error> {
        self.remove(ID_KEY).await?;
        if let Backend::Folder(folder) = &self.backend {
            folder::remove_empty_folders(folder).await?;
        }
        Ok(())
    }

    /// Begins to write a key that nothing has yet.
    ///
    /// # Errors
    /// When the storage cannot be written.
    pub async fn create(&self, key: &str) -> Result<Writer, Error> {
        let place = match &self.backend {
            Backend::Folder(folder) => NewFile::File(folder::create(&folder.join(key)).await?),
            Backend::Bucket(bucket) => NewFile::Object(bucket.create(key)),
        };
        Ok(Writer { place, hash: Sha256::new(), bytes: 0 })
    }

    /// The bytes of a key as a file on this machine: the file itself, or a copy of the object.
    ///
    /// # Errors
    /// [`Error::NotFound`], and when the storage cannot be read.
    pub async fn fetch(&self, key: &str) -> Result<LocalFile, Error> {
        match &self.backend {
            Backend::Folder(folder) => {
                let path = folder.join(key);
                folder::exists(&path).await?;
                Ok(LocalFile { path, _copy: None })
            }
            Backend::Bucket(bucket) => {
                let copy = bucket.download(key).await?;
                Ok(LocalFile { path: copy.to_path_buf(), _copy: Some(copy) })
            }
        }
    }

    /// The bytes of a key while they are read, and their number. Nothing is copied to this machine's disk.
    ///
    /// # Errors
    /// [`Error::NotFound`], and when the storage cannot be read.
    pub async fn read(&self, key: &str) -> Result<(u64, BoxStream<'static, Result<Bytes, Error>>), Error> {
        match &self.backend {
            Backend::Folder(folder) => folder::read(&folder.join(key)).await,
            Backend::Bucket(bucket) => bucket.read(key).await,
        }
    }

    /// The free bytes of the folder's disk; `None` for a bucket, and when they are not known.
    pub async fn free_bytes(&self) -> Option<u64> {
        let folder = self.folder()?.to_owned();
        tokio::task::spawn_blocking(move || folder::free_bytes(&folder)).await.ok().flatten()
    }

    /// Copies the bytes of a key to a second key, which survives the removal of the first one.
    ///
    /// # Errors
    /// [`Error::NotFound`], and when the storage cannot be written.
    pub async fn copy(&self, from: &str, to: &str) -> Result<(), Error> {
        match &self.backend {
            Backend::Folder(folder) => folder::link(&folder.join(from), &folder.join(to)).await,
            Backend::Bucket(bucket) => bucket.copy(from, to).await,
        }
    }

    /// Removes a key; one that is not there is removed already.
    ///
    /// # Errors
    /// When the storage cannot be written.
    pub async fn remove(&self, key: &str) -> Result<(), Error> {
        match &self.backend {
            Backend::Folder(folder) => folder::remove(&folder.join(key)).await,
            Backend::Bucket(bucket) => bucket.remove(key).await,
        }
    }
}

impl std::fmt::Display for Storage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.backend {
            Backend::Folder(folder) => folder.display().fmt(f),
            Backend::Bucket(bucket) => bucket.fmt(f),
        }
    }
}

/// Bytes on their way into the storage, a piece at a time.
#[derive(Debug)]
pub struct Writer {
    place: NewFile,
    hash: Sha256,
    bytes: u64,
}

#[derive(Debug)]
enum NewFile {
    File(tokio::fs::File),
    Object(bucket::NewObject),
}

impl Writer {
    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes the next piece.
    ///
    /// # Errors
    /// When the storage cannot be written.
    pub async fn write(&mut self, piece: Bytes) -> Result<(), Error> {
        self.hash.update(&piece);
        self.bytes += piece.len() as u64;
        match &mut self.place {
            NewFile::File(file) => Ok(file.write_all(&piece).await?),
            NewFile::Object(object) => object.write(piece).await,
        }
    }

    /// Makes the bytes durable; returns their SHA-256 in lower-case hex.
    ///
    /// # Errors
    /// When the storage cannot be written.
    pub async fn finish(self) -> Result<String, Error> {
        match self.place {
            NewFile::File(mut file) => {
                // Reports the error of the last write, which `sync_all` alone does not.
                file.flush().await?;
                file.sync_all().await?;
            }
            NewFile::Object(object) => object.finish().await?,
        }
        Ok(hex::encode(&self.hash.finalize()))
    }

    /// Ends without a file under the key. In a folder, written bytes are left to [`Storage::remove`].
    pub async fn abort(self) {
        if let NewFile::Object(object) = self.place {
            object.abort().await;
        }
    }
}

impl LocalFile {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether its bytes have this SHA-256 (lower-case hex).
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn has_hash(&self, expected: &str) -> io::Result<bool> {
        let path = self.path.clone();
        let hash = tokio::task::spawn_blocking(move || sha256(&path)).await.map_err(io::Error::other)??;
        Ok(hash == expected)
    }
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 128 * 1024]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex::encode(&hash.finalize())),
            count => hash.update(&buffer[..count]),
        }
    }
}

#[cfg(test)]
mod tests;
