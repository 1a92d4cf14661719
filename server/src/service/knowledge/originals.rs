//! The uploaded files themselves: `<tenant>/<id>` in the storage. A database row announces a file before its first
//! byte, and is removed after its last, so that a crash in between never leaves a file that nobody erases.

mod handed_out;
mod room;

use std::io;

use bytes::Bytes;
use contract::{ErrorCode, OriginalId, TenantId};
use futures::{Stream, StreamExt};
use store::{Exemption, Scope, uploads as rows};
use uuid::Uuid;

pub use self::handed_out::Original;
use self::room::Room;
pub(super) use self::room::{Expected, Pending};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    state::App,
    storage::{Error, LocalFile, Writer},
};

/// Files that are erased in one round.
const ERASE_BATCH: i64 = 500;

/// A file that has arrived.
#[derive(Debug, Clone)]
pub(super) struct Arrived {
    pub id: OriginalId,
    /// SHA-256 of its bytes, in lower-case hex.
    pub content_hash: String,
    pub bytes: u64,
}

fn key(tenant: TenantId, id: OriginalId) -> String {
    format!("{tenant}/{id}")
}

/// Writes a file while it arrives. One that ends early or exceeds a limit is left to `pending`.
///
/// # Errors
/// `payload_too_large`, `quota_bytes`, `storage_full`, `service_unavailable` when the storage is not writable, and errors
/// of the stream.
pub(super) async fn receive(
    app: &App,
    caller: &Caller,
    pending: &mut Pending,
    expected: Expected,
    content: impl Stream<Item = ApiResult<Bytes>> + Unpin,
) -> ApiResult<Arrived> {
    let (tenant, id) = (caller.tenant()?, OriginalId(Uuid::now_v7()));
    pending.announce(caller, id).await?;
    let mut room = Room::new(app, caller, (tenant, id), expected);
    let mut writer = app.storage().create(&key(tenant, id)).await.map_err(not_writable)?;
    let written = write_all(&mut writer, &mut room, expected.max_bytes, content).await;
    if let Err(error) = written {
        writer.abort().await;
        return Err(error);
    }
    let bytes = writer.bytes();
    // Durable before the database refers to it.
    let content_hash = writer.finish().await.map_err(not_writable)?;
    room.settle(bytes).await?;
    Ok(Arrived { id, content_hash, bytes })
}

async fn write_all(
    writer: &mut Writer,
    room: &mut Room<'_>,
    max_bytes: u64,
    mut content: impl Stream<Item = ApiResult<Bytes>> + Unpin,
) -> ApiResult<()> {
    while let Some(piece) = content.next().await {
        let piece = piece?;
        let length = writer.bytes() + piece.len() as u64;
        if length > max_bytes {
            return Err(ApiError::too_large(max_bytes));
        }
        room.make(length).await?;
        writer.write(piece).await.map_err(not_writable)?;
    }
    Ok(())
}

/// Removes a file that is not needed, with its row. Failures are left to [`erase_due`].
pub(super) async fn discard(app: &App, tenant: TenantId, id: OriginalId) {
    let discarded = async {
        let mut tx = app.db.write(&Scope::tenant(tenant)).await.map_err(|error| error.to_string())?;
        // A commit whose reply was lost may have made an upload refer to the file.
        if !rows::withdraw_original(&mut tx, tenant, id).await.map_err(|error| error.to_string())? {
            return tx.discard().await.map_err(|error| error.to_string());
        }
        app.storage().remove(&key(tenant, id)).await.map_err(|error| error.to_string())?;
        tx.commit_exempt(Exemption::Upload).await.map_err(|error| error.to_string())
    };
    if let Err(error) = discarded.await {
        tracing::warn!(original_id = %id, %error, "originals.not_discarded");
    }
}

/// Creates a second id for a file, which survives the removal of the first one. A missing file gets none; the job that
/// reads it reports that.
///
/// # Errors
/// `service_unavailable` when it cannot be written.
pub(super) async fn link(app: &App, tenant: TenantId, of: OriginalId, new: OriginalId) -> Result<(), ErrorCode> {
    match app.storage().copy(&key(tenant, of), &key(tenant, new)).await {
        Ok(()) | Err(Error::NotFound) => Ok(()),
        Err(error) => Err(not_writable(error)),
    }
}

pub(super) fn not_writable(error: Error) -> ErrorCode {
    tracing::error!(%error, "originals.not_written");
    match error {
        Error::Io(error) if error.kind() == io::ErrorKind::StorageFull => ErrorCode::StorageFull,
        _ => ErrorCode::ServiceUnavailable,
    }
}

/// A file of the storage, and whether its bytes are those that were uploaded.
///
/// # Errors
/// It is not there, or cannot be read.
pub(super) async fn fetch(
    app: &App,
    tenant: TenantId,
    id: OriginalId,
    content_hash: &str,
) -> Result<(LocalFile, bool), Error> {
    let file = app.storage().fetch(&key(tenant, id)).await?;
    let is_intact = file.has_hash(content_hash).await?;
    Ok((file, is_intact))
}

/// Reads the id of the storage, and warns when uploaded files are in others: this process cannot read them.
///
/// # Errors
/// When the storage or the database cannot be read.
pub async fn identify_storage(app: &App) -> Result<(), IdentifyError> {
    let storage = app.storage().id().await?;
    let mut tx = app.db.read(&Scope::system()).await?;
    for (other, files) in rows::other_storages(&mut tx, storage).await? {
        tracing::warn!(storage_id = %storage, other_storage_id = %other, files, "storage.others_have_files");
    }
    Ok(())
}

/// Why the storage could not be identified.
#[derive(Debug, thiserror::Error)]
pub enum IdentifyError {
    /// It cannot be read or written.
    #[error("the storage of uploaded files: {0}")]
    Storage(#[from] Error),
    /// The database fails.
    #[error(transparent)]
    Database(#[from] store::Error),
}

/// Erases the files that nothing refers to any more.
///
/// # Errors
/// When the database fails. A file that cannot be removed is logged and tried again.
pub async fn erase_due(app: &App) -> store::Result<()> {
    let storage = match app.storage().id().await {
        Ok(storage) => storage,
        Err(error) => {
            tracing::warn!(%error, "originals.not_erased");
            return Ok(());
        }
    };
    let mut tx = app.db.read(&Scope::system()).await?;
    let due = rows::due_originals(&mut tx, storage, ERASE_BATCH).await?;
    drop(tx);
    for original in due {
        let mut tx = app.db.write(&Scope::system()).await?;
        if !rows::delete_original(&mut tx, original).await? {
            tx.discard().await?;
            continue;
        }
        if let Err(error) = app.storage().remove(&key(original.tenant, original.id)).await {
            tracing::warn!(original_id = %original.id, %error, "originals.not_erased");
            tx.discard().await?;
            continue;
        }
        tx.commit_exempt(Exemption::Job).await?;
    }
    Ok(())
}
