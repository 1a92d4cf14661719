//! The uploaded files themselves: `<folder>/<tenant>/<id>`. A row in the database announces a file before its first byte, and is
//! removed after its last: whatever crashes in between, no file is left that nobody erases.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

use bytes::Bytes;
use contract::{ErrorCode, OriginalId, TenantId};
use futures::{Stream, StreamExt};
use sha2::{Digest, Sha256};
use store::{Exemption, Scope, uploads as rows};
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

use crate::{caller::Caller, error::ApiResult, service::tenant_write, state::App};

/// Files that are erased in one round.
const ERASED_AT_ONCE: i64 = 500;

/// A file that has arrived.
#[derive(Debug, Clone)]
pub(super) struct Arrived {
    pub id: OriginalId,
    /// SHA-256 of its bytes, in lower-case hex.
    pub content_hash: String,
    pub bytes: u64,
}

/// Where a file is.
pub(super) fn path(app: &App, tenant: TenantId, id: OriginalId) -> PathBuf {
    app.settings.uploads.folder.join(tenant.to_string()).join(id.to_string())
}

/// Writes a file as it comes, a piece at a time. One that ends early, or has more bytes than allowed, is removed.
///
/// # Errors
/// `payload_too_large`, and what the stream says.
pub(super) async fn receive(
    app: &App,
    caller: &Caller,
    content: impl Stream<Item = ApiResult<Bytes>> + Unpin,
) -> ApiResult<Arrived> {
    let (tenant, id) = (caller.tenant()?, OriginalId(Uuid::now_v7()));
    let mut tx = tenant_write::begin(app, caller).await?;
    rows::insert_original(&mut tx, tenant, id).await?;
    let exempt = tx.exempt(Exemption::Upload);
    tx.commit(exempt).await?;
    let written = write(app, &path(app, tenant, id), content).await;
    if written.is_err() {
        discard(app, tenant, id).await;
    }
    let (content_hash, bytes) = written?;
    Ok(Arrived { id, content_hash, bytes })
}

/// Writes the file; gives its SHA-256 and its length.
async fn write(
    app: &App,
    path: &Path,
    mut content: impl Stream<Item = ApiResult<Bytes>> + Unpin,
) -> ApiResult<(String, u64)> {
    let mut file = create(path).await.map_err(not_writable)?;
    let (mut hash, mut bytes) = (Sha256::new(), 0u64);
    while let Some(piece) = content.next().await {
        let piece = piece?;
        bytes += piece.len() as u64;
        if bytes > app.settings.uploads.max_file_bytes as u64 {
            return Err(ErrorCode::PayloadTooLarge.into());
        }
        hash.update(&piece);
        file.write_all(&piece).await.map_err(not_writable)?;
    }
    // Durable before the database says that it is there.
    file.sync_all().await.map_err(not_writable)?;
    Ok((hex(&hash.finalize()), bytes))
}

/// Removes a file that is not wanted after all, with its row. What fails is left to [`erase_due`].
pub(in crate::service::knowledge) async fn discard(app: &App, tenant: TenantId, id: OriginalId) {
    let discarded = async {
        remove(&path(app, tenant, id)).await.map_err(|error| error.to_string())?;
        let mut tx = app.db.write(&Scope::tenant(tenant)).await.map_err(|error| error.to_string())?;
        rows::withdraw_original(&mut tx, tenant, id).await.map_err(|error| error.to_string())?;
        let exempt = tx.exempt(Exemption::Upload);
        tx.commit(exempt).await.map_err(|error| error.to_string())
    };
    if let Err(error) = discarded.await {
        tracing::warn!(original_id = %id, %error, "originals.not_discarded");
    }
}

/// Gives a file a second name, under which it stays when the first one is removed; copies it where the file system has no such names.
/// One that is not there has none: the job that reads it says so.
///
/// # Errors
/// `service_unavailable` when it cannot be written.
pub(in crate::service::knowledge) async fn link(
    app: &App,
    tenant: TenantId,
    of: OriginalId,
    new: OriginalId,
) -> Result<(), ErrorCode> {
    let (of, new) = (path(app, tenant, of), path(app, tenant, new));
    match tokio::fs::hard_link(&of, &new).await {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => copy(&of, &new).await.map_err(not_writable),
    }
}

async fn copy(of: &Path, new: &Path) -> io::Result<()> {
    let (mut from, mut to) = (tokio::fs::File::open(of).await?, create(new).await?);
    tokio::io::copy(&mut from, &mut to).await?;
    to.sync_all().await
}

async fn create(path: &Path) -> io::Result<tokio::fs::File> {
    if let Some(folder) = path.parent() {
        tokio::fs::create_dir_all(folder).await?;
    }
    tokio::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).await
}

fn not_writable(error: io::Error) -> ErrorCode {
    tracing::error!(%error, "originals.not_written");
    ErrorCode::ServiceUnavailable
}

/// Whether a file is there with the bytes that were uploaded.
///
/// # Errors
/// It is not there, or cannot be read.
pub(super) async fn is_intact(path: PathBuf, content_hash: String) -> io::Result<bool> {
    let hashed = tokio::task::spawn_blocking(move || {
        let mut file = std::fs::File::open(path)?;
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 128 * 1024]);
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(hex(&hash.finalize()) == content_hash),
                count => hash.update(&buffer[..count]),
            }
        }
    });
    hashed.await.map_err(io::Error::other)?
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Erases the files that nothing refers to any more.
///
/// # Errors
/// When the database fails. A file that cannot be removed is logged and tried again.
pub async fn erase_due(app: &App) -> store::Result<()> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let due = rows::due_originals(&mut tx, ERASED_AT_ONCE).await?;
    drop(tx);
    for original in due {
        let mut tx = app.db.write(&Scope::system()).await?;
        if !rows::delete_original(&mut tx, original).await? {
            tx.discard().await?;
            continue;
        }
        if let Err(error) = remove(&path(app, original.tenant, original.id)).await {
            tracing::warn!(original_id = %original.id, %error, "originals.not_erased");
            tx.discard().await?;
            continue;
        }
        let exempt = tx.exempt(Exemption::Job);
        tx.commit(exempt).await?;
    }
    Ok(())
}

/// Removes a file; one that is not there is removed already.
async fn remove(path: &Path) -> io::Result<()> {
    match tokio::fs::remove_file(path).await {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
