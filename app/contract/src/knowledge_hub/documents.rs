//! Documents and sources in the hub.

use serde::{Deserialize, Serialize};

use super::search::{ChatbotName, SourceName};
use crate::{
    MessageId, SessionId, Timestamp,
    error::FieldError,
    id::{BookmarkId, DocumentVersionId, PassageId},
    page::{self, LimitOffset, PageQuery},
    text_enum::text_enum,
    validate::Validate,
};

/// The query of a document: which of its passages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnowledgeDocumentQuery {
    /// Passages of the page, 1 to 200.
    #[serde(default = "page::default_limit", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// Passages to skip.
    #[serde(default, deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub offset: i64,
    /// A passage that the page shall contain, in the middle when there are enough on both sides. It replaces `offset`, unless the
    /// newest version has no such passage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<PassageId>,
}

impl Default for KnowledgeDocumentQuery {
    fn default() -> Self {
        Self { limit: page::DEFAULT_LIMIT, offset: 0, around: None }
    }
}

impl Validate for KnowledgeDocumentQuery {
    fn validate(&self) -> Vec<FieldError> {
        PageQuery { limit: self.limit, offset: self.offset, ..PageQuery::default() }.check(&[])
    }
}

/// A document. An older version has its own title and date, and the passages of the newest one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnowledgeDocument {
    /// The version that was asked for.
    pub document_id: DocumentVersionId,
    pub title: String,
    /// The path within the source.
    pub path: String,
    /// The version's number, from 1.
    pub version: i32,
    /// When this version was read.
    pub created_at: Timestamp,
    /// The newest version, when this one is older.
    pub superseded_by: Option<DocumentVersionId>,
    /// The address of the page, when it is of a website.
    pub url: Option<String>,
    /// The name of the uploaded file, when it can be downloaded.
    pub external_id: Option<String>,
    pub source: SourceName,
    pub chatbot: ChatbotName,
    /// The language of the chatbot.
    pub language: String,
    /// The last 20 versions, newest first.
    pub versions: Vec<DocumentVersion>,
    /// Passages of the newest version, in their order.
    pub passages: Vec<KnowledgePassage>,
    /// How many passages the newest version has.
    pub passage_total: i64,
    pub limit: i64,
    pub offset: i64,
    /// The headings of the newest version, the first 500.
    #[serde(default)]
    pub outline: Vec<OutlineHeading>,
    /// The caller's bookmark on this version.
    pub bookmark_id: Option<BookmarkId>,
    /// The last five answers to visitors that passages of the newest version were a source of.
    pub quoted_in: Vec<Quotation>,
}

/// A heading of a document, and the first passage below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutlineHeading {
    /// The heading with those above it as `A > B`.
    pub heading: String,
    pub passage_id: PassageId,
    /// How many passages come before it.
    pub offset: i64,
}

/// An answer to a visitor that a document was a source of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quotation {
    pub session_id: SessionId,
    pub message_id: MessageId,
    /// What the visitor asked.
    pub question: String,
    pub asked_at: Timestamp,
}

/// An entry in the list of a document's versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentVersion {
    pub document_id: DocumentVersionId,
    pub version: i32,
    pub title: String,
    pub created_at: Timestamp,
}

/// A passage as the page of its document shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnowledgePassage {
    pub id: PassageId,
    /// The place within the document, from 0.
    pub ordinal: i32,
    /// The headings above it as `A > B`; empty when it has none.
    pub heading: String,
    /// The place within the document's file or page.
    pub anchor: Option<String>,
    /// Its text, in a small subset of Markdown.
    pub content: String,
}

text_enum! {
    /// The state of a summary.
    pub enum SummaryState {
        /// It is being created (status 202).
        Pending = "pending",
        /// It can be read.
        Ready = "ready",
    }
}

/// A document's summary, or that it is being made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentSummary {
    /// The version that it summarises.
    pub document_id: DocumentVersionId,
    pub state: SummaryState,
    /// `null` while it is being made, as are the date and the model.
    pub summary: Option<String>,
    /// The language of the document as its words tell it, and of the chatbot when they do not or while the summary is being made.
    pub language: String,
    pub generated_at: Option<Timestamp>,
    /// How it was made: `generated-2:` and the language model, or `extractive-1:` and the embedding model when its sentences are quoted.
    pub model_version: Option<String>,
}

/// The sources that the tenant's people open most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PopularSources {
    /// At most 20 sources of active chatbots, the one that was opened most first, and those with most documents among equals.
    pub items: Vec<PopularSource>,
}

/// A source with how often it was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PopularSource {
    pub source: SourceName,
    pub chatbot: ChatbotName,
    /// How many documents it has.
    pub documents: i64,
    /// How often its documents were opened from searches of the last four complete weeks; 0 when fewer than five people did who
    /// searched on other days, too.
    pub opened: i64,
}

/// Page of a source's documents.
pub type KnowledgeSourceQuery = LimitOffset;

/// A source with one page of its documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnowledgeSource {
    pub source: SourceName,
    pub chatbot: ChatbotName,
    /// The language of the chatbot.
    pub language: String,
    /// The address of a website.
    pub url: Option<String>,
    pub created_at: Timestamp,
    /// Documents of the page, the one that changed last first.
    pub documents: Vec<SourceDocument>,
    /// How many documents there are.
    pub total: i64,
    pub limit: i64,
    pub offset: i64,
}

/// A document in the list of its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceDocument {
    /// Its newest version.
    pub document_id: DocumentVersionId,
    pub title: String,
    /// The path within the source.
    pub path: String,
    /// The newest version's number, from 1.
    pub version: i32,
    pub passages: i64,
    /// When this version was read.
    pub updated_at: Timestamp,
}
