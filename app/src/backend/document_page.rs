//! The page of a document in a chatbot's knowledge.

use contract::{
    ChatbotId, Page,
    documents::IndexedDocument,
    id::{DocumentId, PassageId},
    knowledge_hub::Quotation,
    uploads::DocumentPassage,
};
use serde::{Deserialize, Serialize};

/// Selects a document and a page of its passages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DocumentPageQuery {
    /// The chatbot that the document belongs to.
    pub chatbot_id: Option<ChatbotId>,
    /// The document, by its id in the list of documents.
    pub document_id: Option<DocumentId>,
    /// Passages per page (25), at most 200.
    pub limit: Option<i64>,
    /// Passages to skip.
    pub offset: Option<i64>,
}

/// A document as the chatbot sees it, and the answers to visitors in the last 30 days that it was a source of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentPage {
    /// The document as the list of documents has it.
    pub document: IndexedDocument,
    /// What the list of sources calls its source.
    pub source_name: String,
    /// Its passages, a page of them.
    pub passages: Page<DocumentPassage>,
    /// Answers that one of all its passages was a source of.
    pub answers: i64,
    /// Whether only the newest 5,000 answers of the chatbot were scanned.
    pub is_cut: bool,
    /// The answers that cite passages of the page; passages without any are left out.
    pub citations: Vec<PassageCitations>,
}

/// The answers that a passage was a source of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageCitations {
    /// The passage that answers cited.
    pub passage_id: PassageId,
    /// Number of answers.
    pub answers: i64,
    /// The newest three.
    pub newest: Vec<Quotation>,
}
