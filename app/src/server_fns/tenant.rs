//! Server functions of the tenant console, below `/tenant/_fn`.

use leptos::{
    prelude::server,
    server_fn::codec::{GetUrl, Json},
};

use contract::{ChatbotId, id::DocumentId};

use super::{ConsoleClient, ConsoleError};
use crate::backend::{DocumentPage, OpenWork, TenantOverview, TenantTrends};

/// The counts, checklist and latest chatbots of the first page; tenant users only.
///
/// # Errors
/// Like the REST API: 401 without a valid token, 403 in another scope, 503 when the database is down.
#[server(prefix = "/tenant/_fn", endpoint = "overview", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_tenant_overview() -> Result<TenantOverview, ConsoleError> {
    super::with_request(async |request| request.backend.tenant_overview(request.bearer.as_deref()).await).await
}

/// Trends over the last `days`, 1 to 90 (30), compared with the same number of days before; tenant users only.
///
/// # Errors
/// Like the REST API: 401 without a valid token, 403 in another scope, 422 for invalid numbers, 503 when the database
/// is down.
#[server(prefix = "/tenant/_fn", endpoint = "trends", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_tenant_trends(
    /// The number of days up to today, 1 to 90; 30 if absent.
    days: Option<u16>,
) -> Result<TenantTrends, ConsoleError> {
    super::with_request(async move |request| request.backend.tenant_trends(request.bearer.as_deref(), days).await).await
}

/// Open tasks of one chatbot, or of every chatbot that has any. Tenant users only.
///
/// # Errors
/// Like the REST API: 401 without a valid token, 403 in another scope, 503 when the database is down.
#[server(prefix = "/tenant/_fn", endpoint = "open-work", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_open_work(
    /// Only this chatbot's.
    chatbot_id: Option<ChatbotId>,
) -> Result<Vec<OpenWork>, ConsoleError> {
    super::with_request(async move |request| request.backend.open_work(request.bearer.as_deref(), chatbot_id).await)
        .await
}

/// Whether text in scans and pictures of text is recognised here; tenant users only.
///
/// # Errors
/// Like the REST API: 401 without a valid token, 403 in another scope.
#[server(prefix = "/tenant/_fn", endpoint = "text-recognition", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_text_recognition() -> Result<bool, ConsoleError> {
    super::with_request(async |request| request.backend.text_recognition(request.bearer.as_deref()).await).await
}

/// A document of a chatbot as it sees it, with the answers to visitors in the last 30 days that cited it; `null` when the chatbot has
/// no such document. Tenant users only.
///
/// # Errors
/// Like the REST API: 401 without a valid token, 403 in another scope, 404 for an unknown chatbot, 503 when the
/// database is down.
#[server(prefix = "/tenant/_fn", endpoint = "document", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_document_page(
    /// The chatbot that has the document.
    chatbot_id: Option<ChatbotId>,
    /// The document, by its id in the list of documents.
    document_id: Option<DocumentId>,
    /// Passages per page (25), at most 200.
    limit: Option<i64>,
    /// Passages to skip.
    offset: Option<i64>,
) -> Result<Option<DocumentPage>, ConsoleError> {
    let query = crate::backend::DocumentPageQuery { chatbot_id, document_id, limit, offset };
    super::with_request(async move |request| request.backend.document_page(request.bearer.as_deref(), query).await)
        .await
}
