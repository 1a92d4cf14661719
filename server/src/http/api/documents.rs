//! Sources and documents that a chatbot answers from.

use axum::Router;
use contract::{
    Page,
    documents::{ChatbotSource, GetSourceSection, IndexedDocument, ListDocuments, ListSources, SourceSection},
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::knowledge::{documents, sections},
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(sources).endpoint(documents).endpoint(section)
}

async fn sources(app: App, call: Call<ListSources>) -> ApiResult<Page<ChatbotSource>> {
    documents::sources(&app, &call.caller, call.path, &call.query).await
}

async fn documents(app: App, call: Call<ListDocuments>) -> ApiResult<Page<IndexedDocument>> {
    documents::documents(&app, &call.caller, call.path, &call.query).await
}

async fn section(app: App, call: Call<GetSourceSection>) -> ApiResult<SourceSection> {
    sections::of_tenant(&app, &call.caller, call.path).await
}
