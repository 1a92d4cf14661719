//! Documents of a source. Files are stored while they arrive and streamed from disk, never whole in memory.

use axum::{Router, response::Response};
use contract::{
    ErrorCode, Page,
    documents::IndexedDocument,
    uploads::{
        DeleteDocument, DeleteDocuments, DeletedDocuments, DocumentPassage, DownloadOriginal, ExternalId, GetDocument,
        ListDocumentPassages, ListSourceDocuments, MAX_FILES, PutDocument, UploadDocuments, UploadedDocument,
        UploadedDocuments,
    },
};
use futures::StreamExt;
use http::{HeaderMap, header};

use crate::{
    error::{ApiError, ApiResult},
    http::{
        endpoint::{Call, Register, Upload},
        file_response::{self, Disposition, Kind, SANDBOX},
        input,
    },
    service::knowledge::uploads::{self, Batch},
    state::App,
};

/// Maximum bytes of a form part around its file.
const MAX_HEAD: u64 = 16 * 1024;

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(list)
        .upload_endpoint(upload)
        .upload_endpoint(put)
        .endpoint(get)
        .endpoint(passages)
        .negotiated_endpoint(original)
        .endpoint(delete)
        .endpoint(delete_many)
}

async fn list(app: App, call: Call<ListSourceDocuments>) -> ApiResult<Page<IndexedDocument>> {
    uploads::list(&app, &call.caller, call.path, call.query).await
}

async fn get(app: App, call: Call<GetDocument>) -> ApiResult<IndexedDocument> {
    uploads::get(&app, &call.caller, &call.path).await
}

async fn passages(app: App, call: Call<ListDocumentPassages>) -> ApiResult<Page<DocumentPassage>> {
    uploads::passages(&app, &call.caller, &call.path, &call.query).await
}

async fn delete(app: App, call: Call<DeleteDocument>) -> ApiResult<()> {
    uploads::delete(&app, &call.caller, call.path).await
}

async fn delete_many(app: App, call: Call<DeleteDocuments>) -> ApiResult<DeletedDocuments> {
    uploads::delete_many(&app, &call.caller, call.path, &call.body).await
}

async fn put(app: App, call: Upload<PutDocument>) -> ApiResult<UploadedDocument> {
    let (chatbot, source, id) = call.path;
    let mut batch = Batch::begin(&app, &call.caller, (chatbot, source)).await?;
    refuse_longer(&call.parts.headers, batch.max_bytes(&id, content_type(&call.parts.headers)))?;
    batch.receive(id, content_type(&call.parts.headers), input::pieces(call.body)).await?;
    let uploaded = batch.commit().await?;
    uploaded.into_iter().next().ok_or_else(|| ErrorCode::InternalError.into())
}

async fn upload(app: App, call: Upload<UploadDocuments>) -> ApiResult<UploadedDocuments> {
    let boundary = content_type(&call.parts.headers).and_then(|value| multer::parse_boundary(value).ok());
    let Some(boundary) = boundary else {
        return Err(ApiError::field(&["body"], "must have content type multipart/form-data", "content_type"));
    };
    let mut batch = Batch::begin(&app, &call.caller, call.path).await?;
    refuse_longer(&call.parts.headers, (app.settings.uploads.max_bytes_of_any() + MAX_HEAD) * MAX_FILES as u64)?;
    let form = multer::Multipart::new(call.body.into_data_stream(), boundary);
    if let Err(error) = receive_all(&mut batch, form).await {
        batch.discard().await;
        return Err(error);
    }
    Ok(UploadedDocuments { documents: batch.commit().await? })
}

/// Receives the files of a form, one after another.
async fn receive_all(batch: &mut Batch<'_>, mut form: multer::Multipart<'static>) -> ApiResult<()> {
    let mut count = 0;
    while let Some(field) = form.next_field().await.map_err(|error| malformed(&error))? {
        count += 1;
        if count > MAX_FILES {
            return Err(ApiError::field(&["body"], format!("must contain 1 to {MAX_FILES} files"), "too_many"));
        }
        let name = field.file_name().unwrap_or_default().to_owned();
        let id = name.parse::<ExternalId>();
        let id = id.map_err(|reason| ApiError::field(&["body", "filename"], reason.to_string(), "external_id"))?;
        let media_type = field.content_type().map(ToString::to_string);
        let pieces = Box::pin(field.map(|piece| piece.map_err(|error| malformed(&error))));
        batch.receive(id, media_type.as_deref(), pieces).await?;
    }
    if count == 0 {
        return Err(ApiError::field(&["body"], format!("must contain 1 to {MAX_FILES} files"), "too_few"));
    }
    Ok(())
}

/// A form that ends early or breaks the rules of its format.
fn malformed(error: &multer::Error) -> ApiError {
    match error {
        multer::Error::StreamReadFailed(source) => input::broken(source.as_ref()),
        _ => ApiError::field(&["body"], "is not a valid form with files", "multipart"),
    }
}

async fn original(app: App, call: Call<DownloadOriginal>) -> ApiResult<Response> {
    let name = call.path.2.as_str().rsplit('/').next().unwrap_or_default();
    let original = uploads::original(&app, &call.caller, &call.path).await?;
    let kind = Kind { media_type: "application/octet-stream", disposition: Disposition::Attachment, policy: SANDBOX };
    Ok(file_response::response(&call.parts, original, name, kind))
}

fn content_type(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::CONTENT_TYPE)?.to_str().ok()
}

/// Refuses a body with a `Content-Length` above `limit`, before it is sent if the client waits for that.
fn refuse_longer(headers: &HeaderMap, limit: u64) -> ApiResult<()> {
    match length(headers) {
        Some(bytes) if bytes > limit => Err(ApiError::too_large(limit)),
        _ => Ok(()),
    }
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
