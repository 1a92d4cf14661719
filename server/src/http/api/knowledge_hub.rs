//! The knowledge hub.

use axum::{
    Json, Router,
    response::{IntoResponse, Response},
};
use contract::{
    Page,
    knowledge_hub::{
        Bookmark, ClearSearchHistory, CreateBookmark, CreateSavedSearch, DeleteBookmark, DeleteSavedSearch,
        GetBookmark, GetDocumentSummary, GetKnowledgeDocument, GetKnowledgeInsights, GetKnowledgeSource, Insights,
        KnowledgeDocument, KnowledgeSource, ListBookmarks, ListNewSearchResults, ListPopularSources, ListSavedSearches,
        ListSearchHistory, NewSearchResults, NotedSearch, PopularSources, RecordSearch, RecordSearchClick,
        RecordedSearch, SavedSearch, SearchKnowledge, SearchResults, SummaryState, UpdateBookmark,
    },
};
use http::{StatusCode, header};

use crate::{
    error::ApiResult,
    http::{
        endpoint::{Call, Register, Reply},
        etag,
    },
    service::knowledge_hub::{bookmarks, documents, history, popular, saved_searches, search, summaries},
    state::App,
};

/// When to request a pending summary again.
const SUMMARY_SECONDS: &str = "2";

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(search_all)
        .endpoint(document)
        .negotiated_endpoint(summary)
        .endpoint(source)
        .endpoint(popular_sources)
        .endpoint(list_bookmarks)
        .endpoint(create_bookmark)
        .endpoint(bookmark)
        .endpoint(update_bookmark)
        .endpoint(delete_bookmark)
        .endpoint(list_history)
        .endpoint(clear_history)
        .endpoint(record_search)
        .endpoint(click)
        .endpoint(list_saved)
        .endpoint(save)
        .endpoint(delete_saved)
        .endpoint(new_results)
        .endpoint(insights)
}

async fn search_all(app: App, call: Call<SearchKnowledge>) -> ApiResult<SearchResults> {
    search::search(&app, &call.caller, &call.query).await
}

async fn document(app: App, call: Call<GetKnowledgeDocument>) -> ApiResult<KnowledgeDocument> {
    documents::get(&app, &call.caller, call.path, &call.query).await
}

async fn summary(app: App, call: Call<GetDocumentSummary>) -> ApiResult<Response> {
    let summary = summaries::get(&app, &call.caller, call.path).await?;
    Ok(match summary.state {
        SummaryState::Ready => etag::json(&etag::conditions(&call.parts.headers), &summary, "private, no-cache"),
        SummaryState::Pending => {
            let later = [(header::RETRY_AFTER, SUMMARY_SECONDS), (header::CACHE_CONTROL, "no-store")];
            (StatusCode::ACCEPTED, later, Json(summary)).into_response()
        }
    })
}

async fn source(app: App, call: Call<GetKnowledgeSource>) -> ApiResult<KnowledgeSource> {
    documents::source(&app, &call.caller, call.path, &call.query).await
}

async fn popular_sources(app: App, call: Call<ListPopularSources>) -> ApiResult<PopularSources> {
    popular::sources(&app, &call.caller).await
}

async fn list_bookmarks(app: App, call: Call<ListBookmarks>) -> ApiResult<Page<Bookmark>> {
    bookmarks::list(&app, &call.caller, &call.query).await
}

async fn create_bookmark(app: App, call: Call<CreateBookmark>) -> ApiResult<Reply<Bookmark>> {
    let bookmark = bookmarks::create(&app, &call.caller, call.body).await?;
    let location = format!("/api/v2/knowledge/bookmarks/{}", bookmark.id);
    Ok(Reply::created(bookmark, location))
}

async fn bookmark(app: App, call: Call<GetBookmark>) -> ApiResult<Bookmark> {
    bookmarks::get(&app, &call.caller, call.path).await
}

async fn update_bookmark(app: App, call: Call<UpdateBookmark>) -> ApiResult<Bookmark> {
    bookmarks::update(&app, &call.caller, call.path, &call.if_match(), call.body).await
}

async fn delete_bookmark(app: App, call: Call<DeleteBookmark>) -> ApiResult<()> {
    bookmarks::delete(&app, &call.caller, call.path).await
}

async fn list_history(app: App, call: Call<ListSearchHistory>) -> ApiResult<Page<RecordedSearch>> {
    history::list(&app, &call.caller, &call.query).await
}

async fn clear_history(app: App, call: Call<ClearSearchHistory>) -> ApiResult<()> {
    history::clear(&app, &call.caller).await
}

async fn record_search(app: App, call: Call<RecordSearch>) -> ApiResult<NotedSearch> {
    history::record_search(&app, &call.caller, &call.body).await
}

async fn click(app: App, call: Call<RecordSearchClick>) -> ApiResult<()> {
    history::click(&app, &call.caller, call.path, call.body.document_id).await
}

async fn list_saved(app: App, call: Call<ListSavedSearches>) -> ApiResult<Page<SavedSearch>> {
    saved_searches::list(&app, &call.caller, &call.query).await
}

async fn save(app: App, call: Call<CreateSavedSearch>) -> ApiResult<Reply<SavedSearch>> {
    let saved = saved_searches::create(&app, &call.caller, &call.body).await?;
    let location = format!("/api/v2/knowledge/saved-searches/{}", saved.id);
    Ok(Reply::created(saved, location))
}

async fn delete_saved(app: App, call: Call<DeleteSavedSearch>) -> ApiResult<()> {
    saved_searches::delete(&app, &call.caller, call.path).await
}

async fn new_results(app: App, call: Call<ListNewSearchResults>) -> ApiResult<NewSearchResults> {
    saved_searches::new_results(&app, &call.caller, call.path).await
}

async fn insights(app: App, call: Call<GetKnowledgeInsights>) -> ApiResult<Insights> {
    history::insights(&app, &call.caller).await
}
