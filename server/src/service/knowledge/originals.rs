//! The uploaded files themselves: `<tenant>/<id>` in the storage. A database row announces a file before its first
//! byte, and is removed after its last, so that a crash in between never leaves a file that nobody erases.

use bytes::Bytes;
use contract::{ErrorCode, OriginalId, TenantId};
use futures::{Stream, StreamExt};
use store::{Exemption, Scope, uploads as rows};
use uuid::Uuid;

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    service::tenant_write,
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

/// Writes a file while it arrives. Removes one that ends early or exceeds the limit.
///
/// # Errors
/// `payload_too_large`, `service_unavailable` when the storage is not writable, and errors of the stream.
pub(super) async fn receive(
    app: &App,
    caller: &Caller,
    max_bytes: u64,
    content: impl Stream<Item = ApiResult<Bytes>> + Unpin,
) -> ApiResult<Arrived> {
    let (tenant, id) = (caller.tenant()?, OriginalId(Uuid::now_v7()));
    let storage = app.storage().id().await.map_err(not_writable)?;
    let mut tx = tenant_write::begin(app, caller).await?;
    rows::insert_original(&mut tx, tenant, id, storage).await?;
    let exempt = tx.exempt(Exemption::Upload);
    tx.commit(exempt).await?;
    let written = write(app, &key(tenant, id), max_bytes, content).await;
    if written.is_err() {
        discard(app, tenant, id).await;
    }
    let (content_hash, bytes) = written?;
    Ok(Arrived { id, content_hash, bytes })
}

/// Writes the file; returns its SHA-256 and its length.
async fn write(
    app: &App,
    key: &str,
    max_bytes: u64,
    content: impl Stream<Item = ApiResult<Bytes>> + Unpin,
) -> ApiResult<(String, u64)> {
    let mut writer = app.storage().create(key).await.map_err(not_writable)?;
    if let Err(error) = write_all(&mut writer, max_bytes, content).await {
        writer.abort().await;
        return Err(error);
    }
    let bytes = writer.bytes();
    // Durable before the database refers to it.
    let content_hash = writer.finish().await.map_err(not_writable)?;
    Ok((content_hash, bytes))
}

async fn write_all(
    writer: &mut Writer,
    max_bytes: u64,
    mut content: impl Stream<Item = ApiResult<Bytes>> + Unpin,
) -> ApiResult<()> {
    while let Some(piece) = content.next().await {
        writer.write(piece?).await.map_err(not_writable)?;
        if writer.bytes() > max_bytes {
            return Err(ApiError::too_large(max_bytes));
        }
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
        let exempt = tx.exempt(Exemption::Upload);
        tx.commit(exempt).await.map_err(|error| error.to_string())
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
    ErrorCode::ServiceUnavailable
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

/// An uploaded file to hand out.
#[derive(Debug)]
pub struct Original {
    /// The open file.
    pub file: tokio::fs::File,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its bytes, in lower-case hex.
    pub content_hash: String,
}

/// Opens a file and verifies its bytes.
///
/// # Errors
/// `original_not_found`; `service_unavailable` when the storage is.
pub(super) async fn open(app: &App, tenant: TenantId, id: OriginalId, content_hash: String) -> ApiResult<Original> {
    let opened = async {
        let (file, is_intact) = fetch(app, tenant, id, &content_hash).await?;
        if !is_intact {
            return Err(std::io::Error::other("its SHA-256 differs").into());
        }
        // An open file stays readable after its name was removed.
        let file = tokio::fs::File::open(file.path()).await?;
        let bytes = file.metadata().await?.len();
        Ok::<_, Error>((file, bytes))
    };
    match opened.await {
        Ok((file, bytes)) => Ok(Original { file, bytes, content_hash }),
        Err(error) => {
            tracing::error!(original_id = %id, %error, "originals.not_readable");
            let is_lost = matches!(error, Error::NotFound | Error::Io(_));
            Err(if is_lost { ErrorCode::OriginalNotFound } else { ErrorCode::ServiceUnavailable }.into())
        }
    }
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
        let exempt = tx.exempt(Exemption::Job);
        tx.commit(exempt).await?;
    }
    Ok(())
}
