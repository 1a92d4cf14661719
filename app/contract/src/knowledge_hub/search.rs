//! The search and its results.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, ErrorCode, Timestamp,
    documents::SourceKind,
    error::FieldError,
    id::{DocumentVersionId, PassageId, SavedSearchId, SearchId, SourceId},
    moment,
    page::{self, TotalIs},
    text_enum::text_enum,
    validate::{Checker, Validate, is_language},
};

/// Maximum characters of a query.
pub const MAX_QUERY: usize = 1000;
/// Maximum results to skip.
pub const MAX_SEARCH_OFFSET: i64 = 1000;
/// Maximum values of one filter.
const MAX_VALUES: usize = 200;

text_enum! {
    /// The order of results.
    pub enum SearchSort {
        /// The best result first.
        Relevance = "relevance",
        /// The document that changed last first.
        Newest = "newest",
    }
}

/// Words, filters, order and page of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchQuery {
    /// What to look for, at most 1,000 characters. Empty: all documents that pass the filters, newest first.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = 1000)))]
    pub q: String,
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub filters: SearchFilters,
    /// `relevance` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<SearchSort>,
    /// Whether each result says why it was found.
    #[serde(default, deserialize_with = "page::switch")]
    pub explain: bool,
    /// Whether the search is added to the caller's history, with its first page; `false` for what is searched while somebody types.
    /// At most one search a second is added, ten at once.
    #[serde(default = "default_true", deserialize_with = "page::switch")]
    pub record: bool,
    /// The caller's saved search that is run: its results count as seen when the first page with its own words and filters is shown.
    /// Other ids are ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_search: Option<SavedSearchId>,
    /// Results of the page, 1 to 100.
    #[serde(default = "default_limit", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100)))]
    pub limit: i64,
    /// Results to skip, at most 1,000.
    #[serde(default, deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1000)))]
    pub offset: i64,
}

impl Default for SearchQuery {
    fn default() -> Self {
        Self {
            q: String::new(),
            filters: SearchFilters::default(),
            sort: None,
            explain: false,
            record: true,
            saved_search: None,
            limit: default_limit(),
            offset: 0,
        }
    }
}

fn default_limit() -> i64 {
    20
}

fn default_true() -> bool {
    true
}

impl Validate for SearchQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::query();
        check.text("q", &self.q, 0, MAX_QUERY);
        check.require(
            (1..=100).contains(&self.limit),
            "limit",
            "out_of_range",
            "must be a whole number between 1 and 100",
        );
        check.require(
            (0..=MAX_SEARCH_OFFSET).contains(&self.offset),
            "offset",
            "out_of_range",
            "must be a whole number between 0 and 1000; narrow the search with filters instead",
        );
        self.filters.check(&mut check);
        check.finish()
    }
}

/// What narrows a search. Several values are separated by commas; a value of one filter is enough, and every filter must hold. Ids
/// that are unknown are ignored, and a filter all of whose ids are unknown finds nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchFilters {
    /// Ids of sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<String>,
    /// Ids of chatbots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chatbots: Option<String>,
    /// Kinds of sources, for example `upload,website`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<String>,
    /// Languages of chatbots, for example `en,de`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<String>,
    /// Only documents that changed at this moment or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_from: Option<String>,
    /// Only documents that changed at this moment or earlier; a day counts to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_to: Option<String>,
}

impl SearchFilters {
    pub(super) fn check(&self, check: &mut Checker) {
        let is_id = |part: &str| part.parse::<SourceId>().is_ok();
        let is_kind = |part: &str| part.parse::<SourceKind>().is_ok();
        list(check, "sources", self.sources.as_deref(), is_id, "must be ids separated by commas");
        list(check, "chatbots", self.chatbots.as_deref(), is_id, "must be ids separated by commas");
        list(check, "kinds", self.kinds.as_deref(), is_kind, "must be kinds of sources separated by commas");
        list(check, "languages", self.languages.as_deref(), is_language, "must be languages separated by commas");
        check.moment("date_from", self.date_from.as_deref());
        check.moment("date_to", self.date_to.as_deref());
    }

    /// The ids of sources, when they are filtered by.
    pub fn source_ids(&self) -> Option<Vec<SourceId>> {
        parsed(self.sources.as_deref())
    }

    /// The ids of chatbots, when they are filtered by.
    pub fn chatbot_ids(&self) -> Option<Vec<ChatbotId>> {
        parsed(self.chatbots.as_deref())
    }

    /// The kinds of sources, when they are filtered by.
    pub fn source_kinds(&self) -> Option<Vec<SourceKind>> {
        parsed(self.kinds.as_deref())
    }

    /// The languages, when they are filtered by.
    pub fn language_tags(&self) -> Option<Vec<String>> {
        parsed(self.languages.as_deref())
    }

    /// The range of time, each side when it is set.
    pub fn range(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        moment::range(self.date_from.as_deref(), self.date_to.as_deref())
    }

    /// Whether the range begins before it ends.
    ///
    /// # Errors
    /// `date_from_after_date_to`.
    pub fn check_codes(&self) -> Result<(), ErrorCode> {
        moment::check_order(self.range())
    }
}

/// Checks the values of a list.
fn list(check: &mut Checker, field: &str, value: Option<&str>, is_good: impl Fn(&str) -> bool, msg: &str) {
    let parts = parts(value).unwrap_or_default();
    check.require(parts.iter().all(|part| is_good(part)), field, "list", msg);
    check.require(parts.len() <= MAX_VALUES, field, "too_long", "must have at most 200 values");
}

/// The values of a list, when there are any.
fn parts(list: Option<&str>) -> Option<Vec<&str>> {
    let list = list.filter(|list| !list.trim().is_empty())?;
    Some(list.split(',').map(str::trim).collect())
}

fn parsed<T: core::str::FromStr>(list: Option<&str>) -> Option<Vec<T>> {
    parts(list).map(|parts| parts.into_iter().filter_map(|part| part.parse().ok()).collect())
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchResults {
    pub results: Vec<SearchHit>,
    pub facets: Facets,
    /// How many results there are.
    pub total: i64,
    /// `at_least` when a collection has more passages than the search takes from it.
    pub total_is: TotalIs,
    pub limit: i64,
    pub offset: i64,
    pub took_ms: SearchTimes,
    /// What the search had to do without.
    pub degraded: Vec<Degradation>,
    /// The search, by which it can be added to the caller's history when it is not there yet. `null` without words and on further
    /// pages. The newest 20 that are not in the history are kept for a user.
    pub search_id: Option<SearchId>,
    /// The passages that come nearest to the query, at most three, when it found nothing.
    pub nearest: Vec<SearchHit>,
    /// What the query may have meant, when it found nothing.
    pub suggestion: Option<String>,
}

/// A passage that was found, or a document when no words were searched for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchHit {
    /// The newest version of the document.
    pub document_id: DocumentVersionId,
    /// `null` for a document without passages.
    pub passage_id: Option<PassageId>,
    /// The document's title.
    pub title: String,
    /// The headings above the passage as `A > B`; empty when it has none.
    pub heading: String,
    /// A part of the passage as plain text.
    pub snippet: String,
    /// What of the snippet are words of the query.
    pub highlights: Vec<Highlight>,
    /// The place within the document.
    pub anchor: Option<String>,
    /// The address of the page, when it is of a website.
    pub url: Option<String>,
    pub source: SourceName,
    pub chatbot: ChatbotName,
    /// The language of the chatbot.
    pub language: String,
    /// When this version of the document was read.
    pub updated_at: Timestamp,
    /// Other places with the same content.
    pub also_in: Vec<AlsoIn>,
    /// Why it was found, with `explain`.
    pub why: Option<Why>,
}

/// A part of a text, in characters (Unicode scalar values).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Highlight {
    pub start: u32,
    /// The first character behind it.
    pub end: u32,
}

/// A source by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceName {
    pub id: SourceId,
    pub name: String,
    pub kind: SourceKind,
}

/// A chatbot by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotName {
    pub id: ChatbotId,
    pub name: String,
}

/// Another place with the same content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlsoIn {
    pub document_id: DocumentVersionId,
    pub title: String,
    pub source: SourceName,
    pub chatbot: ChatbotName,
}

/// Why a passage was found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Why {
    /// The cosine of query and passage; only those of one embedding model can be compared.
    pub cosine: f64,
    /// The part of the query's words that the passage has, rare words counting more, 0 to 1.
    pub words: f64,
    /// Whether a word of the query is in its headings or in the document's title.
    pub heading: bool,
    /// The reranker's score; `null` when none has ordered the results.
    pub rerank: Option<f64>,
}

/// How many documents there are under each value of the filters. A filter does not narrow its own values. Values that are filtered by
/// are listed without documents, too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Facets {
    pub sources: Vec<FacetValue>,
    pub chatbots: Vec<FacetValue>,
    pub kinds: Vec<FacetValue>,
    pub languages: Vec<FacetValue>,
    /// Months as `2026-01`, newest first.
    pub months: Vec<FacetValue>,
}

/// A value of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FacetValue {
    /// The value to send in the filter.
    pub value: String,
    /// The name to show.
    pub label: String,
    /// Documents, by their newest versions.
    pub count: i64,
}

/// How long the steps of a search took, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchTimes {
    /// Counting the facets.
    pub facets: u32,
    /// Embedding the query.
    pub embed: u32,
    /// Looking up the query's words, while it is embedded.
    pub words: u32,
    /// Searching passages by vector and then by words.
    pub search: u32,
    /// Ordering the best results by a reranker.
    pub rerank: u32,
    /// Reading the results of the page.
    pub read: u32,
    pub total: u32,
}

text_enum! {
    /// What a search had to do without.
    pub enum DegradationCode {
        /// The embedding model of these chatbots is not available: they were not searched.
        ModelUnavailable = "model_unavailable",
        /// The collections could not be searched by vector: these chatbots were searched by words alone.
        VectorsUnavailable = "vectors_unavailable",
        /// The reranker failed or took too long: the order is the one without it.
        RerankerUnavailable = "reranker_unavailable",
    }
}

/// What a search had to do without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Degradation {
    pub code: DegradationCode,
    /// The chatbots that it is about; empty when it is about all.
    pub chatbots: Vec<ChatbotId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(query: &SearchQuery) -> Vec<String> {
        query.validate().iter().map(|error| error.field().to_owned()).collect()
    }

    #[test]
    fn malformed_filters_name_their_field() {
        let filters = SearchFilters {
            sources: Some("x".into()),
            chatbots: Some(format!("{},", uuid::Uuid::nil())),
            kinds: Some("upload,book".into()),
            languages: Some("english".into()),
            date_from: Some("yesterday".into()),
            date_to: None,
        };
        let query = SearchQuery { filters, limit: 0, offset: 1001, q: "x".repeat(1001), ..SearchQuery::default() };
        let fields = ["q", "limit", "offset", "sources", "chatbots", "kinds", "languages", "date_from"];
        assert_eq!(broken(&query), fields);
    }

    #[test]
    fn an_empty_list_is_no_filter() {
        let filters = SearchFilters { kinds: Some(" ".into()), languages: Some("en, de".into()), ..Default::default() };
        assert_eq!((filters.source_kinds(), filters.source_ids()), (None, None));
        assert_eq!(filters.language_tags(), Some(vec!["en".to_owned(), "de".to_owned()]));
        assert!(broken(&SearchQuery { filters, ..SearchQuery::default() }).is_empty());
    }
}
