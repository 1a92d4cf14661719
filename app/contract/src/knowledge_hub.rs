//! The knowledge hub: a search over the knowledge of all of a tenant's chatbots, with the caller's own bookmarks,
//! history and saved searches. The id of any of its versions identifies a document.

mod documents;
mod records;
mod search;

use crate::{
    Page,
    audit::actions,
    endpoint::{Audit, PathArgs, endpoints},
    id::{BookmarkId, DocumentVersionId, SavedSearchId, SearchId, SourceId},
};

pub use self::{
    documents::{
        DocumentSummary, DocumentVersion, KnowledgeDocument, KnowledgeDocumentQuery, KnowledgePassage, KnowledgeSource,
        KnowledgeSourceQuery, OutlineHeading, PopularSource, PopularSources, Quotation, SourceDocument, SummaryState,
    },
    records::{
        Bookmark, BookmarkPatch, BookmarkState, ClickedDocument, Insights, NewBookmark, NewRecordedSearch,
        NewSavedSearch, NewSearchResults, NotedSearch, RecordListQuery, RecordedSearch, SavedSearch, UnmetSearch,
    },
    search::{
        AlsoIn, ChatbotName, Degradation, DegradationCode, FacetValue, Facets, Highlight, MAX_QUERY, MAX_SEARCH_OFFSET,
        SearchFilters, SearchHit, SearchQuery, SearchResults, SearchSort, SearchTimes, SourceName, Why,
    },
};

impl PathArgs for DocumentVersionId {
    fn args(&self) -> Vec<String> {
        vec![self.to_string()]
    }
}

impl PathArgs for BookmarkId {
    fn args(&self) -> Vec<String> {
        vec![self.to_string()]
    }
}

impl PathArgs for SavedSearchId {
    fn args(&self) -> Vec<String> {
        vec![self.to_string()]
    }
}

impl PathArgs for SourceId {
    fn args(&self) -> Vec<String> {
        vec![self.to_string()]
    }
}

impl PathArgs for SearchId {
    fn args(&self) -> Vec<String> {
        vec![self.to_string()]
    }
}

const OWN_HISTORY: &str = "the caller's own history";

endpoints! {
    /// Searches everything that the chatbots of the caller's tenant know; without words it lists documents, newest first.
    SearchKnowledge: Get "/api/v2/knowledge/search", Tenant, Audit::Reads, 200, (()) ? SearchQuery, () => SearchResults,
        errors [DateFromAfterDateTo];
    /// Shows a document with its newest passages, by the id of any of its versions.
    GetKnowledgeDocument: Get "/api/v2/knowledge/documents/{document_id}", Tenant, Audit::Reads, 200,
        (DocumentVersionId) ? KnowledgeDocumentQuery, () => KnowledgeDocument;
    /// Shows the summary of a document's newest version; made when it is asked for, with status 202 until it is ready.
    GetDocumentSummary: Get "/api/v2/knowledge/documents/{document_id}/summary", Tenant, Audit::Reads, 200,
        (DocumentVersionId) ? (), () => DocumentSummary;
    /// Shows a source with its documents.
    GetKnowledgeSource: Get "/api/v2/knowledge/sources/{source_id}", Tenant, Audit::Reads, 200,
        (SourceId) ? KnowledgeSourceQuery, () => KnowledgeSource;
    /// Lists the tenant's sources, those first that many people open most.
    ListPopularSources: Get "/api/v2/knowledge/popular-sources", Tenant, Audit::Reads, 200, (()) ? (), () => PopularSources;
    /// Lists the caller's bookmarks, newest first.
    ListBookmarks: Get "/api/v2/knowledge/bookmarks", Tenant, Audit::Reads, 200,
        (()) ? RecordListQuery, () => Page<Bookmark>;
    /// Bookmarks a version of a document for the caller.
    CreateBookmark: Post "/api/v2/knowledge/bookmarks", Tenant, Audit::Writes(actions::KNOWLEDGE_BOOKMARK_CREATED), 201,
        (()) ? (), NewBookmark => Bookmark, errors [DocumentNotFound, BookmarkExists, QuotaBookmarks];
    /// Shows a bookmark of the caller.
    GetBookmark: Get "/api/v2/knowledge/bookmarks/{bookmark_id}", Tenant, Audit::Reads, 200, (BookmarkId) ? (), () => Bookmark;
    /// Changes the note of a bookmark of the caller.
    UpdateBookmark: Patch "/api/v2/knowledge/bookmarks/{bookmark_id}", Tenant,
        Audit::Writes(actions::KNOWLEDGE_BOOKMARK_UPDATED), 200, (BookmarkId) ? (), BookmarkPatch => Bookmark;
    /// Removes a bookmark of the caller.
    DeleteBookmark: Delete "/api/v2/knowledge/bookmarks/{bookmark_id}", Tenant,
        Audit::Writes(actions::KNOWLEDGE_BOOKMARK_DELETED), 204, (BookmarkId) ? (), () => ();
    /// Lists the caller's searches, newest first.
    ListSearchHistory: Get "/api/v2/knowledge/history", Tenant, Audit::Reads, 200,
        (()) ? RecordListQuery, () => Page<RecordedSearch>;
    /// Adds a search of the caller that was run with `record=false` to the history.
    RecordSearch: Post "/api/v2/knowledge/history", Tenant, Audit::Exempt(OWN_HISTORY), 200,
        (()) ? (), NewRecordedSearch => NotedSearch, errors [SearchNotFound];
    /// Records that the caller opened a result of a search.
    RecordSearchClick: Post "/api/v2/knowledge/history/{search_id}/clicks", Tenant, Audit::Exempt(OWN_HISTORY), 204,
        (SearchId) ? (), ClickedDocument => (), errors [DocumentNotFound];
    /// Removes all searches of the caller from the history.
    ClearSearchHistory: Delete "/api/v2/knowledge/history", Tenant, Audit::Exempt(OWN_HISTORY), 204, (()) ? (), () => ();
    /// Lists the caller's saved searches, newest first.
    ListSavedSearches: Get "/api/v2/knowledge/saved-searches", Tenant, Audit::Reads, 200,
        (()) ? RecordListQuery, () => Page<SavedSearch>;
    /// Saves a search for the caller.
    CreateSavedSearch: Post "/api/v2/knowledge/saved-searches", Tenant,
        Audit::Writes(actions::KNOWLEDGE_SAVED_SEARCH_CREATED), 201, (()) ? (), NewSavedSearch => SavedSearch,
        errors [DateFromAfterDateTo, QuotaSavedSearches];
    /// Removes a saved search of the caller.
    DeleteSavedSearch: Delete "/api/v2/knowledge/saved-searches/{saved_search_id}", Tenant,
        Audit::Writes(actions::KNOWLEDGE_SAVED_SEARCH_DELETED), 204, (SavedSearchId) ? (), () => ();
    /// Runs a saved search over what is new since the caller ran it last.
    ListNewSearchResults: Get "/api/v2/knowledge/saved-searches/{saved_search_id}/new", Tenant, Audit::Reads, 200,
        (SavedSearchId) ? (), () => NewSearchResults;
    /// Lists searches that at least five of the tenant's people sent without a result or a click, without their names.
    GetKnowledgeInsights: Get "/api/v2/knowledge/insights", TenantAdmin, Audit::Reads, 200,
        (()) ? (), () => Insights;
}
