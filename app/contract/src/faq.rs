//! A tenant's own questions and answers of a chatbot, indexed beside its documents.

pub mod import;

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, FaqId, Page, Timestamp,
    audit::actions,
    chatbots::Provisioning,
    csv::Csv,
    endpoint::{Audit, endpoints},
    error::FieldError,
    faq::import::{FaqImport, FaqImportQuery},
    file::File,
    page::PageQuery,
    validate::{Checker, Validate},
};

/// Entries that a chatbot has at most.
pub const MAX_FAQ_ENTRIES: i64 = 500;
/// Characters of a question at most.
pub const MAX_FAQ_QUESTION: usize = 500;
/// Characters of an answer at most.
pub const MAX_FAQ_ANSWER: usize = 4000;

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotFaqEntry {
    pub id: FaqId,
    pub chatbot_id: ChatbotId,
    pub question: String,
    /// The answer, in a small subset of Markdown.
    pub answer: String,
    /// Whether the chatbot answers from it: `ready` once it is indexed; what is not is tried again by itself.
    pub state: Provisioning,
    /// Who wrote it.
    pub created_by: String,
    pub created_at: Timestamp,
}

/// A question with its answer, to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewFaqEntry {
    /// 1 to 500 characters; no other entry of the chatbot has it.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 500)))]
    pub question: String,
    /// 1 to 4000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub answer: String,
}

impl Validate for NewFaqEntry {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.text("question", &self.question, 1, MAX_FAQ_QUESTION);
        check.text("answer", &self.answer, 1, MAX_FAQ_ANSWER);
        check.finish()
    }
}

/// What changes of an entry; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaqPatch {
    /// Another question, 1 to 500 characters; no other entry of the chatbot has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 500)))]
    pub question: Option<String>,
    /// Another answer, 1 to 4000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub answer: Option<String>,
}

impl Validate for FaqPatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        if let Some(question) = &self.question {
            check.text("question", question, 1, MAX_FAQ_QUESTION);
        }
        if let Some(answer) = &self.answer {
            check.text("answer", answer, 1, MAX_FAQ_ANSWER);
        }
        check.finish()
    }
}

/// The query of the list of entries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaqListQuery {
    /// Search and page; sorted newest first, whatever `sort` says.
    #[serde(flatten)]
    pub page: PageQuery,
}

impl Validate for FaqListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(&[])
    }
}

endpoints! {
    /// Lists a chatbot's own questions and answers, newest first.
    ListFaq: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/faq", Tenant, Audit::Reads, 200,
        (ChatbotId) ? FaqListQuery, () => Page<ChatbotFaqEntry>;
    /// Adds a question with its answer to what a chatbot answers from; it is indexed at once.
    CreateFaq: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/faq", TenantAdmin, Audit::Writes(actions::CHATBOT_FAQ_CREATED),
        201, (ChatbotId) ? (), NewFaqEntry => ChatbotFaqEntry;
    /// Streams a chatbot's own questions and answers as CSV, newest first. An import takes the file again.
    ExportFaq: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/export.csv", Tenant, Audit::Reads, 200,
        (ChatbotId) ? (), () => Csv;
    /// Adds and changes questions and answers by a CSV file, all rows or none; what is new is indexed at once.
    ImportFaq: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/import", TenantAdmin,
        Audit::Writes(actions::CHATBOT_FAQ_IMPORTED), 200, (ChatbotId) ? FaqImportQuery, File => FaqImport;
    /// Shows a question with its answer.
    GetFaq: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/{faq_id}", Tenant, Audit::Reads, 200,
        ((ChatbotId, FaqId)) ? (), () => ChatbotFaqEntry;
    /// Changes a question or its answer; it is indexed again at once.
    UpdateFaq: Patch "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/{faq_id}", TenantAdmin,
        Audit::Writes(actions::CHATBOT_FAQ_UPDATED), 200, ((ChatbotId, FaqId)) ? (), FaqPatch => ChatbotFaqEntry;
    /// Removes a question with its answer.
    DeleteFaq: Delete "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/{faq_id}", TenantAdmin,
        Audit::Writes(actions::CHATBOT_FAQ_DELETED), 204, ((ChatbotId, FaqId)) ? (), () => ();
}
