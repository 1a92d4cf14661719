//! The data of one user: bookmarks, searches and saved searches.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::search::{MAX_QUERY, SearchFilters, SearchHit};
use crate::{
    Patch, Timestamp,
    error::FieldError,
    id::{BookmarkId, DocumentVersionId, SavedSearchId, SearchId},
    page::LimitOffset,
    text_enum::text_enum,
    validate::{Checker, Validate},
};

/// Maximum characters of a bookmark's note.
const MAX_NOTE: usize = 2000;
/// Maximum characters of a saved search's name.
const MAX_NAME: usize = 255;

/// The query of the caller's own lists.
pub type RecordListQuery = LimitOffset;

text_enum! {
    /// The state of a bookmarked document.
    pub enum BookmarkState {
        /// The bookmarked version is the newest one.
        Current = "current",
        /// There is a newer version.
        Changed = "changed",
        /// The document was removed, or its chatbot was deactivated; the title is its last one.
        Gone = "gone",
    }
}

/// A bookmark of the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bookmark {
    pub id: BookmarkId,
    /// The bookmarked version.
    pub document_id: DocumentVersionId,
    pub title: String,
    pub note: Option<String>,
    pub state: BookmarkState,
    /// The newest version; `null` when the document is gone.
    pub newest_document_id: Option<DocumentVersionId>,
    pub created_at: Timestamp,
}

/// A version of a document to bookmark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewBookmark {
    pub document_id: DocumentVersionId,
    /// At most 2,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 2000)))]
    pub note: Option<String>,
}

impl Validate for NewBookmark {
    fn validate(&self) -> Vec<FieldError> {
        note(self.note.as_deref())
    }
}

/// What changes of a bookmark; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookmarkPatch {
    /// At most 2,000 characters; `null` removes it.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub note: Patch<String>,
}

impl Validate for BookmarkPatch {
    fn validate(&self) -> Vec<FieldError> {
        note(self.note.value().map(String::as_str))
    }
}

fn note(note: Option<&str>) -> Vec<FieldError> {
    let mut check = Checker::body();
    check.text("note", note.unwrap_or_default(), 0, MAX_NOTE);
    check.finish()
}

/// A search of the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedSearch {
    pub id: SearchId,
    pub query: String,
    /// How many results it had.
    pub result_count: i32,
    pub searched_at: Timestamp,
    /// The documents that the caller opened from it.
    pub clicked_doc_ids: Vec<DocumentVersionId>,
}

/// A search of the caller to add to the history. It has the words of the search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewRecordedSearch {
    /// The `search_id` of the search's results.
    pub search_id: SearchId,
    /// 1 to 1,000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 1000)))]
    pub q: String,
}

impl Validate for NewRecordedSearch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.text("q", &self.q, 1, MAX_QUERY);
        check.finish()
    }
}

/// A search that was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotedSearch {
    /// The search in the caller's history.
    pub search_id: SearchId,
}

/// A document that was opened from the results of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClickedDocument {
    pub document_id: DocumentVersionId,
}

impl Validate for ClickedDocument {}

/// A saved search of the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SavedSearch {
    pub id: SavedSearchId,
    pub name: String,
    pub query: String,
    pub filters: SearchFilters,
    pub created_at: Timestamp,
}

/// Words and filters that the caller saves under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewSavedSearch {
    /// 1 to 255 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 255)))]
    pub name: String,
    /// At most 1,000 characters.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = 1000)))]
    pub query: String,
    #[serde(default)]
    pub filters: SearchFilters,
}

impl Validate for NewSavedSearch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.text("name", &self.name, 1, MAX_NAME);
        check.text("query", &self.query, 0, MAX_QUERY);
        let mut filters = Checker::within(&["body", "filters"]);
        self.filters.check(&mut filters);
        check.finish().into_iter().chain(filters.finish()).collect()
    }
}

/// What is new for a saved search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewSearchResults {
    /// When the caller last ran the search with `saved_search`, or saved it.
    pub since: Timestamp,
    /// The first 20 results in documents that changed since.
    pub results: Vec<SearchHit>,
    /// How many results there are.
    pub total: i64,
}

/// Searches of the tenant's people without a result or a click.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Insights {
    /// The first day of the four complete weeks that are counted, in UTC.
    pub from: NaiveDate,
    /// The last day, a Sunday.
    pub to: NaiveDate,
    /// At most 100 queries, those without a result first.
    pub items: Vec<UnmetSearch>,
}

/// A query that found nothing, or nothing that was opened, sent by at least five people who
/// searched on other days, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnmetSearch {
    /// The query in lower case.
    pub query: String,
    /// Searches without a result or a click.
    pub searches: i64,
    /// Of these searches, those without a result.
    pub without_result: i64,
    /// Searches with results of which none was opened.
    pub without_click: i64,
    pub last_searched_on: NaiveDate,
}
