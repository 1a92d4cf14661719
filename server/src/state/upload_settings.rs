//! Settings of uploads: their storage, their maximum size, and the time for reading them.

use std::{sync::Arc, time::Duration};

use rag::document::archive;

use crate::storage::Storage;

/// Files that tenants upload.
#[derive(Debug, Clone)]
pub struct UploadSettings {
    /// Where the bytes are kept.
    pub storage: Arc<Storage>,
    /// Maximum bytes of a file.
    pub max_file_bytes: usize,
    /// Maximum bytes of an archive.
    pub max_archive_bytes: usize,
    /// Bytes of the folder's disk that uploads leave free.
    pub min_free_bytes: u64,
    /// The longest time for reading a document; an archive may take ten times as long.
    pub max_time: Duration,
}

impl UploadSettings {
    /// Bytes that a file with this extension may have.
    pub fn max_bytes(&self, file_type: &str) -> u64 {
        let is_archive = archive::is_archive(file_type);
        (if is_archive { self.max_archive_bytes } else { self.max_file_bytes }) as u64
    }

    /// Whether the folder's disk has the free space that it must keep; `None` for a bucket, and when that is not known.
    pub async fn has_space(&self) -> Option<bool> {
        self.storage.free_bytes().await.map(|free| free >= self.min_free_bytes)
    }

    /// Bytes that no file may exceed, whatever it is.
    pub fn max_bytes_of_any(&self) -> u64 {
        self.max_archive_bytes.max(self.max_file_bytes) as u64
    }
}
