//! The knowledge of a chatbot: its sources and their documents.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, Page, Timestamp,
    endpoint::{Audit, endpoints},
    error::FieldError,
    id::{DocumentId, PassageId, SourceId},
    page::{LimitOffset, PageQuery},
    text_enum::text_enum,
    validate::Validate,
    websites::Website,
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
        /// Files that the tenant uploads in the console.
        Upload = "upload",
        /// Files that a program of the tenant uploads.
        Api = "api",
        /// Pages of a website.
        Website = "website",
    }
}

text_enum! {
    /// The state of a document.
    pub enum DocumentState {
        /// It waits to be read.
        Waiting = "waiting",
        /// It is being read.
        Reading = "reading",
        /// The chatbot answers from it.
        Ready = "ready",
        /// It could not be read; `problem` says why.
        Failed = "failed",
    }
}

text_enum! {
    /// Why a document could not be read.
    pub enum DocumentProblem {
        /// This kind of file is not read.
        UnsupportedType = "unsupported_type",
        /// The content is not what the file's name says.
        OtherType = "other_type",
        /// The file is broken.
        Malformed = "malformed",
        /// The file is protected by a password.
        Encrypted = "encrypted",
        /// The pages are pictures of text.
        Scanned = "scanned",
        /// The fonts of a PDF do not say which characters they show.
        UndecodableText = "undecodable_text",
        /// A table of questions and answers lacks a column or a value.
        BadEntry = "bad_entry",
        /// A file in the archive is too large.
        TooLarge = "too_large",
        /// The bytes are not text in the encoding that was declared or assumed.
        BadEncoding = "bad_encoding",
        /// Nothing is left without markup and navigation.
        NoText = "no_text",
        /// The file could not be read.
        ReadError = "read_error",
        /// Another document of the chatbot has the same content.
        Duplicate = "duplicate",
        /// No file in the archive could be read.
        NothingReadable = "nothing_readable",
        /// The stored bytes are not those that were uploaded.
        OriginalDamaged = "original_damaged",
        /// The chatbot was deactivated before the file was read.
        ChatbotNotActive = "chatbot_not_active",
        /// Several attempts failed.
        GivenUp = "given_up",
        /// Text recognition is not sure of a page.
        LowConfidence = "low_confidence",
        /// The page, or the file of an archive, comes after the last page whose text is recognised.
        PageLimit = "page_limit",
        /// Reading it took too long.
        TimedOut = "timed_out",
        /// Reading it took too much memory.
        OutOfMemory = "out_of_memory",
        /// The program that reads it crashed.
        Crashed = "crashed",
        /// The tenant has as many documents as it may have.
        QuotaDocuments = "quota_documents",
        /// The tenant has as many passages as it may have.
        QuotaPassages = "quota_passages",
    }
}

impl DocumentProblem {
    /// What to do, as a sentence.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::UnsupportedType => {
                "Upload Markdown, HTML, plain text, PDF, DOCX, XLSX, PPTX, ODT, EPUB, CSV or JSONL files, pictures of text, or a zip or tar archive of them."
            }
            Self::OtherType => "Give the file the ending that fits its content, and upload it again.",
            Self::Malformed => "Open the file in its program, save it again, and upload the new file.",
            Self::Encrypted => "Remove the password, and upload the file again.",
            Self::Scanned => "Run text recognition (OCR) on the file, and upload the result.",
            Self::UndecodableText => {
                "Create the PDF again from its original file, or run text recognition (OCR) on it, and upload the result."
            }
            Self::BadEntry => "Give every row a question and an answer, and upload the file again.",
            Self::TooLarge => "Split the file into smaller ones.",
            Self::BadEncoding => "Save the file as UTF-8, and upload it again.",
            Self::NoText => "Upload a file that contains text.",
            Self::ReadError => "Upload the file again.",
            Self::Duplicate => {
                "Nothing to do: the chatbot already knows this content. Delete one of the two documents."
            }
            Self::NothingReadable => "See what is wrong with the files in the archive, and upload it again.",
            Self::OriginalDamaged => "Upload the file again, and tell your administrator.",
            Self::ChatbotNotActive => "Upload the file to an active chatbot.",
            Self::GivenUp => "Upload the file again later. If that does not help, tell your administrator.",
            Self::LowConfidence => "Scan the page again with at least 300 dpi, and upload the new file.",
            Self::PageLimit => "Split the file, or the archive, into smaller ones.",
            Self::TimedOut | Self::OutOfMemory => "Split the file into smaller ones, or save it in a simpler format.",
            Self::Crashed => "Open the file in its program, save it in another format, and upload that.",
            Self::QuotaDocuments | Self::QuotaPassages => {
                "Delete documents that are not needed, or ask the platform's operator for more, and upload the file again."
            }
        }
    }
}

text_enum! {
    /// A kind of content that a document leaves out.
    pub enum OmissionKind {
        /// Text that its author has struck through.
        StruckText = "struck_text",
        /// Text that its author has hidden.
        HiddenText = "hidden_text",
        /// Hidden rows of tables.
        HiddenRows = "hidden_rows",
        /// Hidden columns of tables.
        HiddenColumns = "hidden_columns",
        /// Hidden sheets of a workbook.
        HiddenSheets = "hidden_sheets",
        /// Hidden slides of a presentation.
        HiddenSlides = "hidden_slides",
        /// Cells with a formula whose value the file does not have.
        MissingValues = "missing_values",
        /// Characters whose codes the file's fonts do not explain.
        UnknownCharacters = "unknown_characters",
        /// Parts of another format within the file that are not read.
        EmbeddedObjects = "embedded_objects",
        /// Columns of a sheet and points of a chart beyond the maximum.
        BeyondMaximum = "beyond_maximum",
    }
}

/// What of its file a document leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Omission {
    pub kind: OmissionKind,
    /// In how many places, from 1.
    pub count: i64,
}

/// Why a document could not be read, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentFailure {
    pub code: DocumentProblem,
    /// What to do, as an English sentence.
    pub advice: String,
    /// What exactly was found, in English.
    pub detail: String,
}

/// A file in an archive, or a page, that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkippedFile {
    /// Its path in the archive; of a page `Page` and its number, in an archive after the path of its file and a comma.
    pub path: String,
    pub code: DocumentProblem,
    /// What exactly was found, in English.
    pub detail: String,
}

/// The progress of reading a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentProgress {
    /// Files of the archive that were read.
    pub done: i32,
    /// Files in the archive; `null` when it is not known yet.
    pub total: Option<i32>,
}

/// Where documents of a chatbot come from, and how far they are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotSource {
    pub id: SourceId,
    /// What it is made of.
    pub kind: SourceKind,
    /// Its name; of files the last part of the path that was ingested.
    pub name: String,
    /// Documents of it that the chatbot answers from.
    pub documents: i64,
    /// Documents or pages of it that wait to be read, or are being read.
    pub pending: i64,
    /// Documents or pages of it that could not be read.
    pub failed: i64,
    pub passages: i64,
    /// Characters of these passages.
    pub characters: i64,
    /// Bytes of the uploaded files.
    pub bytes: i64,
    /// Documents of it that an earlier version of the platform read, and that would be read better today.
    #[serde(default)]
    pub outdated: i64,
    /// Whether visitors may open the uploaded files that answers rest on.
    #[serde(default)]
    pub visitors_open_files: bool,
    /// The website and its state, when `kind` is `website`.
    pub website: Option<Website>,
    /// When it was first read.
    pub created_at: Timestamp,
    /// When a document of it changed last.
    pub updated_at: Timestamp,
}

impl ChatbotSource {
    /// Whether something of it waits to be read or is being read, or a job looks at its website.
    pub fn is_working(&self) -> bool {
        let is_looked_at = self.website.as_ref().is_some_and(|website| website.state.is_busy() && !website.paused);
        self.pending > 0 || is_looked_at
    }
}

/// A document of a source. An uploaded archive is one document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexedDocument {
    pub id: DocumentId,
    /// The source that it came from.
    pub source_id: SourceId,
    /// What this source is made of.
    pub source_kind: SourceKind,
    pub title: String,
    /// Its path within the source; of an uploaded document its external id.
    pub path: String,
    pub state: DocumentState,
    /// Why it could not be read, when `state` is `failed`. A former version of it that was read stays in use.
    pub problem: Option<DocumentFailure>,
    /// How much of an archive has been read, when `state` is `reading`.
    pub progress: Option<DocumentProgress>,
    /// Files that the chatbot answers from: of an archive those in it that were read.
    pub files: i64,
    /// The first 100 files of an archive that could not be read, and pages that were left out.
    pub skipped: Vec<SkippedFile>,
    /// Pages whose text was recognised in a picture (OCR).
    #[serde(default)]
    pub ocr_pages: i64,
    /// What of the file is left out although it could be read, such as hidden rows and struck text.
    #[serde(default)]
    pub omissions: Vec<Omission>,
    /// Bytes of the uploaded file; `null` when it was not uploaded.
    pub bytes: Option<i64>,
    /// SHA-256 of the document's bytes, in lower-case hex.
    pub content_hash: String,
    /// How often it was indexed with another content, from 1; 0 when it never was.
    pub version: i32,
    pub passages: i64,
    /// Characters of these passages.
    pub characters: i64,
    /// When it was first indexed or uploaded.
    pub created_at: Timestamp,
    /// When its content or its state changed last.
    pub updated_at: Timestamp,
}

/// The progress of reading a chatbot's documents. As an event its name is `progress`, and `idle` for the last one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceProgress {
    /// The first 200 sources, as they are listed.
    pub sources: Page<ChatbotSource>,
    /// Uploaded documents that are being read, at most 200.
    pub reading: Vec<ReadingDocument>,
    /// Uploaded documents whose reading has started or ended since the previous event, at most 100; empty in the first event.
    pub changed: Vec<IndexedDocument>,
}

impl SourceProgress {
    /// The name of an event while something is being read.
    pub const EVENT: &'static str = "progress";
    /// The name of the last event: nothing is being read any more.
    pub const IDLE: &'static str = "idle";

    /// Whether something waits to be read or is being read.
    pub fn is_working(&self) -> bool {
        self.sources.items.iter().any(ChatbotSource::is_working)
    }
}

/// A document that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadingDocument {
    pub id: DocumentId,
    /// How much of it has been read.
    pub progress: DocumentProgress,
}

/// A section of a document, which an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceSection {
    pub title: String,
    /// The headings above it as `A > B`; empty when it has none.
    pub heading: String,
    /// Its text, in a small subset of Markdown; the first 12,000 characters. For visitors the link to the file follows.
    pub content: String,
    /// Whether more follows, or `content` was cut at 12,000 characters.
    pub is_cut: bool,
    /// The uploaded file, where the tenant lets visitors open it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<SourceFile>,
}

/// An uploaded file that a visitor may open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceFile {
    pub name: String,
    /// A link to it that holds for five minutes; of a PDF to the page of the passage.
    pub url: String,
}

/// Page of a chatbot's sources.
pub type SourceListQuery = LimitOffset;

/// The fields that documents are sorted by.
pub const DOCUMENT_SORT_FIELDS: &[&str] = &["title", "path", "state", "passages", "characters", "updated_at"];

/// Filters, page, order and search of a chatbot's documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(DOCUMENT_SORT_FIELDS)))]
pub struct DocumentListQuery {
    /// Only documents of this source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<SourceId>,
    /// Only documents in this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<DocumentState>,
    /// Search in title and path, order, page.
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

impl Validate for DocumentListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(DOCUMENT_SORT_FIELDS)
    }
}

endpoints! {
    /// Lists the sources of a chatbot with what is indexed of them.
    ListSources: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/sources", Tenant or KnowledgeRead, Audit::Reads, 200,
        (ChatbotId) ? SourceListQuery, () => Page<ChatbotSource>;
    /// Shows the progress of reading a chatbot's documents, as JSON or as a stream of events that ends with the reading.
    WatchSources: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/events", Tenant, Audit::Reads, 200,
        (ChatbotId) ? (), () => SourceProgress;
    /// Lists the documents of a chatbot, each with its state.
    ListDocuments: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/documents", Tenant or KnowledgeRead, Audit::Reads, 200,
        (ChatbotId) ? DocumentListQuery, () => Page<IndexedDocument>;
    /// Shows the section of a document that a source of an answer names.
    GetSourceSection: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/passages/{passage_id}/section", Tenant or KnowledgeRead, Audit::Reads, 200,
        ((ChatbotId, PassageId)) ? (), () => SourceSection;
}
