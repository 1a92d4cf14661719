//! The uploaded files of a backup: below `originals` as in their storage, with a list of their hashes as `sha256sum -c` reads it.

use std::path::Path;

use futures::{StreamExt, TryStreamExt};
use sha2::{Digest, Sha256};
use store::{backup::OwnerConnection, uploads::StorageId};
use tokio::{
    fs::File,
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, BufWriter},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Error, manifest::OriginalsPart};
use crate::{
    hex,
    storage::{self, Storage},
};

const FOLDER: &str = "originals";
const LIST: &str = "originals.sha256";
const CHUNK_BYTES: usize = 128 * 1024;

/// Copies every file of the storage that the snapshot knows.
pub(super) async fn back_up(
    storage: &Storage,
    id: StorageId,
    database: &mut OwnerConnection,
    folder: &Path,
) -> Result<OriginalsPart, Error> {
    let target = Storage::in_folder(folder.join(FOLDER));
    let path = folder.join(LIST);
    let mut list = BufWriter::new(File::create(&path).await.map_err(Error::file(&path))?);
    let mut part = OriginalsPart { files: 0, bytes: 0, missing: 0, list_sha256: String::new() };
    let mut originals = std::pin::pin!(database.originals(id));
    while let Some((tenant, original)) = originals.try_next().await? {
        let key = format!("{tenant}/{original}");
        match copy(storage, &target, &key).await {
            Ok((bytes, hash)) => {
                let line = format!("{hash}  {FOLDER}/{key}\n");
                list.write_all(line.as_bytes()).await.map_err(Error::file(&path))?;
                part.files += 1;
                part.bytes += bytes;
            }
            // Deleted since the snapshot, or announced and not written yet.
            Err(Error::Storage(storage::Error::NotFound)) => part.missing += 1,
            Err(error) => return Err(error),
        }
    }
    list.flush().await.map_err(Error::file(&path))?;
    list.get_ref().sync_all().await.map_err(Error::file(&path))?;
    part.list_sha256 = hash(&path).await?.1;
    Ok(part)
}

/// Compares all files with their hashes.
pub(super) async fn verify(folder: &Path, part: &OriginalsPart) -> Result<(), Error> {
    if hash(&folder.join(LIST)).await?.1 != part.list_sha256 {
        return Err(Error::Refused(format!("the backup is damaged: {LIST} is not the one that the manifest names.")));
    }
    let source = Storage::in_folder(folder.join(FOLDER));
    let mut list = Listed::open(folder).await?;
    let mut count = 0;
    while let Some((key, expected)) = list.next().await? {
        if hash_of(&source, &key).await? != expected {
            return Err(Error::Refused(format!(
                "the backup is damaged: {FOLDER}/{key} is not the file that was backed up."
            )));
        }
        count += 1;
    }
    if count == part.files {
        Ok(())
    } else {
        Err(Error::Refused(format!("the backup is damaged: {LIST} is incomplete.")))
    }
}

/// Copies all files into an empty storage, until `stop`.
pub(super) async fn restore(folder: &Path, storage: &Storage, id: Uuid, stop: &CancellationToken) -> Result<(), Error> {
    storage.adopt_id(StorageId(id)).await?;
    let source = Storage::in_folder(folder.join(FOLDER));
    let mut list = Listed::open(folder).await?;
    while let Some((key, expected)) = list.next().await? {
        if stop.is_cancelled() {
            return Err(Error::Interrupted);
        }
        let (_, copied) = copy(&source, storage, &key).await?;
        if copied != expected {
            return Err(Error::Refused(format!("the backup changed while it was read: {FOLDER}/{key}.")));
        }
    }
    Ok(())
}

/// Removes from the storage what the backup has.
pub(super) async fn remove(folder: &Path, storage: &Storage) {
    if let Ok(mut list) = Listed::open(folder).await {
        while let Ok(Some((key, _))) = list.next().await {
            let _ = storage.remove(&key).await;
        }
    }
    let _ = storage.abandon().await;
}

async fn copy(from: &Storage, to: &Storage, key: &str) -> Result<(u64, String), Error> {
    let (_, mut content) = from.read(key).await?;
    let mut writer = to.create(key).await?;
    while let Some(piece) = content.next().await {
        let written = match piece {
            Ok(piece) => writer.write(piece).await,
            Err(error) => Err(error),
        };
        if let Err(error) = written {
            writer.abort().await;
            return Err(error.into());
        }
    }
    let bytes = writer.bytes();
    Ok((bytes, writer.finish().await?))
}

async fn hash_of(storage: &Storage, key: &str) -> Result<String, Error> {
    let (_, mut content) = storage.read(key).await.map_err(|error| match error {
        storage::Error::NotFound => Error::Refused(format!("the backup is damaged: {FOLDER}/{key} is missing.")),
        error => error.into(),
    })?;
    let mut hash = Sha256::new();
    while let Some(piece) = content.next().await {
        hash.update(&piece?);
    }
    Ok(hex::encode(&hash.finalize()))
}

/// Length and SHA-256 of a file.
pub(super) async fn hash(path: &Path) -> Result<(u64, String), Error> {
    let mut file = File::open(path).await.map_err(Error::file(path))?;
    let (mut hash, mut buffer, mut bytes) = (Sha256::new(), vec![0; CHUNK_BYTES], 0);
    loop {
        match file.read(&mut buffer).await.map_err(Error::file(path))? {
            0 => return Ok((bytes, hex::encode(&hash.finalize()))),
            count => {
                hash.update(&buffer[..count]);
                bytes += count as u64;
            }
        }
    }
}

/// The lines of the list.
struct Listed(tokio::io::Lines<BufReader<File>>, std::path::PathBuf);

impl Listed {
    async fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(LIST);
        let file = File::open(&path).await.map_err(Error::file(&path))?;
        Ok(Self(BufReader::new(file).lines(), path))
    }

    /// Key and hash of the next file. A key that is not two ids could lead out of the folder.
    async fn next(&mut self) -> Result<Option<(String, String)>, Error> {
        let Some(line) = self.0.next_line().await.map_err(Error::file(&self.1))? else { return Ok(None) };
        let parsed = line.split_once("  ").and_then(|(hash, path)| {
            let (tenant, id) = path.strip_prefix(FOLDER)?.strip_prefix('/')?.split_once('/')?;
            let (tenant, id): (Uuid, Uuid) = (tenant.parse().ok()?, id.parse().ok()?);
            Some((format!("{tenant}/{id}"), hash.to_owned()))
        });
        let damaged = || Error::Refused(format!("the backup is damaged: {LIST} has a line that is none of a file."));
        parsed.map(Some).ok_or_else(damaged)
    }
}
