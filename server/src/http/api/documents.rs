//! Sources and documents of a chatbot.

use axum::{Router, response::Response};
use contract::{
    Page,
    documents::{
        ChatbotSource, GetSourceSection, IndexedDocument, ListDocuments, ListSources, SourceSection, WatchSources,
    },
};

use crate::{
    error::ApiResult,
    http::{
        endpoint::{Call, Register},
        etag, event_stream,
    },
    service::knowledge::{
        documents, sections,
        source_progress::{self, Watch},
    },
    shutdown::Stop,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(sources).negotiated_endpoint(watch).endpoint(documents).endpoint(section)
}

async fn sources(app: App, call: Call<ListSources>) -> ApiResult<Page<ChatbotSource>> {
    documents::sources(&app, &call.caller, call.path, &call.query).await
}

/// The progress in two forms: a stream for a client that accepts one, otherwise a snapshot.
async fn watch(app: App, call: Call<WatchSources>) -> ApiResult<Response> {
    let Call { caller, path: chatbot, parts, .. } = call;
    if !event_stream::is_wanted(&parts.headers) {
        let progress = source_progress::now(&app, &caller, chatbot).await?;
        return Ok(etag::json(&parts.headers, &progress, "private, no-cache"));
    }
    let watch = Watch::start(&app, &caller, chatbot, Stop::of_request(&parts.extensions)).await?;
    Ok(event_stream::progress(watch, &parts.extensions, app.settings.stream_silence))
}

async fn documents(app: App, call: Call<ListDocuments>) -> ApiResult<Page<IndexedDocument>> {
    documents::documents(&app, &call.caller, call.path, &call.query).await
}

async fn section(app: App, call: Call<GetSourceSection>) -> ApiResult<SourceSection> {
    sections::of_tenant(&app, &call.caller, call.path).await
}
