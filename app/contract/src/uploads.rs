//! Documents of a source: uploaded, read, downloaded and removed by the tenant's name for them.

use core::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, Page,
    audit::actions,
    documents::{DocumentState, IndexedDocument},
    endpoint::{Audit, PathArgs, endpoints},
    error::FieldError,
    file::{File, Multipart},
    id::{PassageId, SourceId},
    page::{LimitOffset, PageQuery},
    percent,
    text_enum::text_enum,
    validate::{Checker, Validate},
};

/// Maximum characters of an external id.
pub const MAX_EXTERNAL_ID: usize = 500;
/// Maximum files of one upload.
pub const MAX_FILES: usize = 100;
/// Maximum documents that one call removes.
pub const MAX_DELETED: usize = 500;
/// Files above this size, and archives, are read after the smaller ones of the tenant.
pub const LARGE_BYTES: u64 = 1024 * 1024;

/// The name of a document within its source, which the tenant chooses: a file name, a path, or an id of another system. It has 1 to
/// 500 characters without control characters, and no `.` or `..` between slashes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ExternalId(String);

impl ExternalId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text cannot be an external id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidExternalId;

impl fmt::Display for InvalidExternalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must have 1 to 500 characters without control characters, and no '.' or '..' between slashes")
    }
}

impl core::error::Error for InvalidExternalId {}

impl TryFrom<String> for ExternalId {
    type Error = InvalidExternalId;
    fn try_from(text: String) -> Result<Self, InvalidExternalId> {
        let is_short = (1..=MAX_EXTERNAL_ID).contains(&text.chars().count());
        let is_plain = !text.chars().any(char::is_control) && text.trim() == text;
        // The address of a web page has empty parts.
        let is_address = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
        let leads_on = !text.split('/').any(|part| matches!(part, "." | "..") || (part.is_empty() && !is_address));
        if is_short && is_plain && leads_on { Ok(Self(text)) } else { Err(InvalidExternalId) }
    }
}

impl FromStr for ExternalId {
    type Err = InvalidExternalId;
    fn from_str(text: &str) -> Result<Self, InvalidExternalId> {
        Self::try_from(text.to_owned())
    }
}

impl From<ExternalId> for String {
    fn from(id: ExternalId) -> String {
        id.0
    }
}

impl fmt::Display for ExternalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PathArgs for (ChatbotId, SourceId, ExternalId) {
    fn args(&self) -> Vec<String> {
        vec![self.0.to_string(), self.1.to_string(), percent::encoded(self.2.as_str())]
    }
}

text_enum! {
    /// What an upload did.
    pub enum UploadOutcome {
        /// The source had no document of this name.
        Created = "created",
        /// The document has new content.
        Replaced = "replaced",
        /// The document has this content already, or is about to: nothing was changed.
        Unchanged = "unchanged",
    }
}

/// A file that was uploaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UploadedDocument {
    pub outcome: UploadOutcome,
    pub document: IndexedDocument,
}

/// The files that were uploaded, in the order of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UploadedDocuments {
    pub documents: Vec<UploadedDocument>,
}

/// State, page, order and search of a source's documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(crate::documents::DOCUMENT_SORT_FIELDS)))]
pub struct SourceDocumentListQuery {
    /// Only documents in this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<DocumentState>,
    /// Search in title and path, order, page.
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

impl Validate for SourceDocumentListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(crate::documents::DOCUMENT_SORT_FIELDS)
    }
}

/// A passage as the chatbot sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentPassage {
    /// The same as `passage_id` of an answer's sources.
    pub id: PassageId,
    /// The file that it is from: the document, or a file in the archive.
    pub path: String,
    /// The title of that file.
    pub title: String,
    /// The place within the file, from 0.
    pub ordinal: i32,
    /// The headings above it.
    pub heading: String,
    /// The fragment that leads to it; of a PDF `page=` and the number.
    pub anchor: Option<String>,
    /// Its text, in a small subset of Markdown.
    pub content: String,
    /// Whether the text was recognised in a picture (OCR).
    #[serde(default)]
    pub is_ocr: bool,
}

/// Page of a document's passages.
pub type PassageListQuery = LimitOffset;

/// The documents to remove.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentsToDelete {
    /// Their external ids, 1 to 500; those that the source does not have are ignored.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 500)))]
    pub external_ids: Vec<String>,
}

impl Validate for DocumentsToDelete {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        let count = self.external_ids.len();
        check.require((1..=MAX_DELETED).contains(&count), "external_ids", "length", "must contain 1 to 500 ids");
        for (index, id) in self.external_ids.iter().enumerate() {
            if let Err(reason) = id.parse::<ExternalId>() {
                check.entry("external_ids", index, "external_id", reason.to_string());
            }
        }
        check.finish()
    }
}

/// How many documents were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeletedDocuments {
    pub deleted: i64,
}

endpoints! {
    /// Lists the documents of a source, each with its state.
    ListSourceDocuments: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/documents", Tenant or KnowledgeRead,
        Audit::Reads, 200, ((ChatbotId, SourceId)) ? SourceDocumentListQuery, () => Page<IndexedDocument>;
    /// Uploads files, each named by its file name; all of them are stored or none. They are read in the background.
    UploadDocuments: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/documents", TenantAdmin or KnowledgeWrite,
        Audit::OneOf(&[actions::CHATBOT_DOCUMENT_CREATED, actions::CHATBOT_DOCUMENT_REPLACED]), 200, ((ChatbotId, SourceId)) ? (), Multipart => UploadedDocuments,
        errors [ChatbotNotActive, SourceReadOnly, UnsupportedDocumentType, QuotaDocuments, QuotaBytes, QuotaPassages, StorageFull];
    /// Uploads a document, or its new content; the body is the file. It is read in the background.
    PutDocument: Put "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/documents/{external_id}", TenantAdmin or KnowledgeWrite,
        Audit::OneOf(&[actions::CHATBOT_DOCUMENT_CREATED, actions::CHATBOT_DOCUMENT_REPLACED]), 200, ((ChatbotId, SourceId, ExternalId)) ? (), File => UploadedDocument,
        errors [ChatbotNotActive, SourceReadOnly, UnsupportedDocumentType, QuotaDocuments, QuotaBytes, QuotaPassages, StorageFull];
    /// Shows a document and its state.
    GetDocument: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/documents/{external_id}", Tenant or KnowledgeRead,
        Audit::Reads, 200, ((ChatbotId, SourceId, ExternalId)) ? (), () => IndexedDocument;
    /// Lists the passages of a document as the chatbot sees them.
    ListDocumentPassages: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/documents/{external_id}/passages",
        Tenant or KnowledgeRead, Audit::Reads, 200, ((ChatbotId, SourceId, ExternalId)) ? PassageListQuery, () => Page<DocumentPassage>;
    /// Downloads the uploaded file.
    DownloadOriginal: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/documents/{external_id}/original",
        Tenant or KnowledgeRead, Audit::Reads, 200, ((ChatbotId, SourceId, ExternalId)) ? (), () => File,
        errors [OriginalNotFound];
    /// Removes an uploaded document with its passages and the file.
    DeleteDocument: Delete "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/documents/{external_id}",
        TenantAdmin or KnowledgeWrite, Audit::Writes(actions::CHATBOT_DOCUMENT_DELETED), 204,
        ((ChatbotId, SourceId, ExternalId)) ? (), () => (), errors [SourceReadOnly];
    /// Removes several uploaded documents.
    DeleteDocuments: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/bulk-delete", TenantAdmin or KnowledgeWrite,
        Audit::Writes(actions::CHATBOT_DOCUMENT_DELETED), 200, ((ChatbotId, SourceId)) ? (), DocumentsToDelete => DeletedDocuments,
        errors [SourceReadOnly];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_id_is_one_segment_of_the_address() {
        let id: ExternalId = "guides/Übersicht #1.pdf".parse().unwrap();
        let path = (ChatbotId(uuid::Uuid::nil()), SourceId(uuid::Uuid::nil()), id).args().pop().unwrap();
        assert_eq!(path, "guides%2F%C3%9Cbersicht%20%231.pdf");
    }

    #[test]
    fn an_external_id_never_leads_elsewhere() {
        for good in [
            "a",
            "a/b.md",
            "article-42",
            "..a",
            "a..",
            "https://a.example/",
            "http://a.example/b?c=d/",
            &"ä".repeat(500),
        ] {
            assert!(good.parse::<ExternalId>().is_ok(), "{good}");
        }
        for bad in ["", ".", "..", "a/../b", "/a", "a/", "a//b", "https://a/../b", " a", "a\n", "a\0", &"a".repeat(501)]
        {
            assert!(bad.parse::<ExternalId>().is_err(), "{bad}");
        }
    }
}
