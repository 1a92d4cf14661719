//! What a chatbot answers from: its sources, and the documents that were indexed.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, Page, Timestamp,
    endpoint::{Audit, endpoints},
    error::FieldError,
    id::{DocumentId, SourceId},
    page::{self, PageQuery},
    text_enum::text_enum,
    validate::Validate,
};

text_enum! {
    /// What a source is made of.
    pub enum SourceKind {
        /// The template's questions and answers.
        FaqSeed = "faq_seed",
        /// Files fed by an administrator.
        Files = "files",
        /// The tenant's own questions and answers.
        Faq = "faq",
    }
}

/// A source of a chatbot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotSource {
    pub id: SourceId,
    /// What it is made of.
    pub kind: SourceKind,
    /// Its name; of files the last part of the path that was ingested.
    pub name: String,
    /// Documents of it that are indexed.
    pub documents: i64,
    pub passages: i64,
    /// Characters of these passages.
    pub characters: i64,
    /// When it was first read.
    pub created_at: Timestamp,
    /// When a document of it changed last.
    pub updated_at: Timestamp,
}

/// A document that is indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexedDocument {
    pub id: DocumentId,
    /// The source that it came from.
    pub source_id: SourceId,
    pub title: String,
    /// Its path within the source.
    pub path: String,
    /// How often it was indexed with another content, from 1.
    pub version: i32,
    pub passages: i64,
    /// Characters of these passages.
    pub characters: i64,
    /// When it was first indexed.
    pub created_at: Timestamp,
    /// When its content changed last.
    pub updated_at: Timestamp,
}

/// The query of the list of sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceListQuery {
    /// Sources of the page, 1 to 200.
    #[serde(default = "page::default_limit", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// Sources to skip.
    #[serde(default, deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub offset: i64,
}

impl Default for SourceListQuery {
    fn default() -> Self {
        Self { limit: page::DEFAULT_LIMIT, offset: 0 }
    }
}

impl Validate for SourceListQuery {
    fn validate(&self) -> Vec<FieldError> {
        PageQuery { limit: self.limit, offset: self.offset, ..PageQuery::default() }.check(&[])
    }
}

/// The fields that documents are sorted by.
pub const DOCUMENT_SORT_FIELDS: &[&str] = &["title", "path", "passages", "characters", "updated_at"];

/// The query of the list of documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentListQuery {
    /// Only this source's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<SourceId>,
    /// Search in title and path, order, page.
    #[serde(flatten)]
    pub page: PageQuery,
}

impl Validate for DocumentListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(DOCUMENT_SORT_FIELDS)
    }
}

endpoints! {
    /// Lists the sources of a chatbot with what is indexed of them.
    ListSources: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/sources", Tenant, Audit::Reads, 200,
        (ChatbotId) ? SourceListQuery, () => Page<ChatbotSource>;
    /// Lists the documents of a chatbot that are indexed.
    ListDocuments: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/documents", Tenant, Audit::Reads, 200,
        (ChatbotId) ? DocumentListQuery, () => Page<IndexedDocument>;
}
