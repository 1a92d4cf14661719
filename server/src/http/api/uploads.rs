//! Documents of a source. Files are stored while they arrive and streamed from disk, never whole in memory.

use axum::{Router, response::Response};
use bytes::Bytes;
use contract::{
    ErrorCode, Page,
    documents::IndexedDocument,
    uploads::{
        DeleteDocument, DeleteDocuments, DeletedDocuments, DocumentPassage, DownloadOriginal, ExternalId, GetDocument,
        ListDocumentPassages, ListSourceDocuments, MAX_FILES, PutDocument, UploadDocuments, UploadedDocument,
        UploadedDocuments,
    },
};
use futures::Stream;
use http::{HeaderMap, header};

use crate::{
    error::{ApiError, ApiResult},
    http::{
        endpoint::{Call, Register, Upload},
        file_response::{self, Disposition, Kind, SANDBOX},
        form::{self, Form, MAX_OTHER},
        input,
    },
    service::knowledge::uploads::{self, Batch},
    state::App,
};

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
    let headers = &call.parts.headers;
    let mut batch = Batch::begin(&app, &call.caller, (chatbot, source)).await?;
    refuse_longer(headers, batch.max_bytes(&id, content_type(headers)))?;
    let received = batch.receive(id, content_type(headers), length(headers), input::pieces(call.body)).await;
    let uploaded = finish(batch, received).await?;
    uploaded.into_iter().next().ok_or_else(|| ErrorCode::InternalError.into())
}

async fn upload(app: App, call: Upload<UploadDocuments>) -> ApiResult<UploadedDocuments> {
    let Some(boundary) = content_type(&call.parts.headers).and_then(form::boundary) else {
        return Err(ApiError::field(&["body"], "must have content type multipart/form-data", "content_type"));
    };
    let mut batch = Batch::begin(&app, &call.caller, call.path).await?;
    let max_bytes = (app.settings.uploads.max_bytes_of_any() + MAX_OTHER as u64) * MAX_FILES as u64;
    refuse_longer(&call.parts.headers, max_bytes)?;
    let received = receive_all(&mut batch, Form::new(input::pieces(call.body), &boundary, max_bytes)).await;
    Ok(UploadedDocuments { documents: finish(batch, received).await? })
}

/// Stores what was received, or removes it.
async fn finish(mut batch: Batch<'_>, received: ApiResult<()>) -> ApiResult<Vec<UploadedDocument>> {
    match received {
        Ok(()) => batch.commit().await,
        Err(error) => {
            batch.discard().await;
            Err(error)
        }
    }
}

/// Receives the files of a form, one after another.
async fn receive_all(
    batch: &mut Batch<'_>,
    mut form: Form<impl Stream<Item = ApiResult<Bytes>> + Unpin + Send>,
) -> ApiResult<()> {
    let mut count = 0;
    while let Some(part) = form.next_part().await? {
        count += 1;
        if count > MAX_FILES {
            return Err(ApiError::field(&["body"], format!("must contain 1 to {MAX_FILES} files"), "too_many"));
        }
        let id = part.file_name.unwrap_or_default().parse::<ExternalId>();
        let id = id.map_err(|reason| ApiError::field(&["body", "filename"], reason.to_string(), "external_id"))?;
        batch.receive(id, part.content_type.as_deref(), None, Box::pin(form.content())).await?;
    }
    if count == 0 {
        return Err(ApiError::field(&["body"], format!("must contain 1 to {MAX_FILES} files"), "too_few"));
    }
    Ok(())
}

async fn original(app: App, call: Call<DownloadOriginal>) -> ApiResult<Response> {
    let name = call.path.2.as_str().rsplit('/').next().unwrap_or_default();
    let original = uploads::original(&app, &call.caller, &call.path).await?;
    let kind = Kind { media_type: "application/octet-stream", disposition: Disposition::Attachment, policy: SANDBOX };
    let permit = || app.download_limiter().person(original.tenant);
    file_response::response(&app, &call.parts, &original, (name, kind), permit).await
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
