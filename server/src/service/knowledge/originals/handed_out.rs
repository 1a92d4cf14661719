//! Uploaded files that are handed out. What a client may know already is answered from the database.

use bytes::Bytes;
use contract::{ErrorCode, OriginalId, TenantId};
use futures::{
    Stream, StreamExt,
    stream::{self, BoxStream, Fuse},
};
use sha2::{Digest, Sha256};

use crate::{admission::download_limiter::DownloadPermit, error::ApiResult, hex, state::App, storage::Error};

/// An uploaded file to hand out, as the database knows it.
#[derive(Debug)]
pub struct Original {
    /// Whose it is.
    pub tenant: TenantId,
    /// Its id in the storage.
    pub id: OriginalId,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its bytes, in lower-case hex.
    pub content_hash: String,
}

impl Original {
    /// The content while it is read. Its bytes are compared with what was uploaded on the way: the last of them are not
    /// handed out if they differ. The permit is held until the end.
    ///
    /// # Errors
    /// `original_not_found`; `service_unavailable` when the storage is.
    pub async fn open(
        &self,
        app: &App,
        permit: DownloadPermit,
    ) -> ApiResult<impl Stream<Item = Result<Bytes, Error>> + Send + 'static> {
        let opened = match app.storage().read(&super::key(self.tenant, self.id)).await {
            Ok((length, content)) if length == self.bytes => Ok(content),
            Ok(_) => Err(Error::Changed),
            Err(error) => Err(error),
        };
        let content = opened.map_err(|error| {
            tracing::error!(original_id = %self.id, %error, "originals.not_readable");
            match error {
                Error::NotFound | Error::Io(_) | Error::Changed => ErrorCode::OriginalNotFound,
                Error::Bucket(_) | Error::UnknownId => ErrorCode::ServiceUnavailable,
            }
        })?;
        let verified = Verified {
            id: self.id,
            content: content.fuse(),
            held: None,
            hash: Sha256::new(),
            expected: self.content_hash.clone(),
            _permit: permit,
        };
        Ok(stream::try_unfold(verified, |mut verified| async move {
            match verified.next().await {
                Ok(piece) => Ok(piece.map(|piece| (piece, verified))),
                Err(error) => {
                    tracing::error!(original_id = %verified.id, %error, "originals.not_readable");
                    Err(error)
                }
            }
        }))
    }
}

/// A content whose last piece is held back until its hash is known.
struct Verified {
    id: OriginalId,
    content: Fuse<BoxStream<'static, Result<Bytes, Error>>>,
    held: Option<Bytes>,
    hash: Sha256,
    expected: String,
    _permit: DownloadPermit,
}

impl Verified {
    async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        while let Some(piece) = self.content.next().await.transpose()? {
            self.hash.update(&piece);
            if let Some(earlier) = self.held.replace(piece) {
                return Ok(Some(earlier));
            }
        }
        let Some(last) = self.held.take() else { return Ok(None) };
        if hex::encode(&self.hash.finalize_reset()) != self.expected {
            return Err(Error::Changed);
        }
        Ok(Some(last))
    }
}
