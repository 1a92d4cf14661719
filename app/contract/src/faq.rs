//! A tenant's own questions and answers of a chatbot, indexed in addition to its documents.

pub mod import;
pub mod similar;

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, FaqId, Page, Timestamp,
    audit::actions,
    chatbots::Provisioning,
    csv::Csv,
    endpoint::{Audit, endpoints},
    error::FieldError,
    faq::{
        import::{FaqImport, FaqImportQuery},
        similar::{SimilarFaq, SimilarFaqQuery},
    },
    file::File,
    page::PageQuery,
    validate::{Checker, Validate},
};

/// Maximum questions and answers of a chatbot.
pub const MAX_FAQ_ENTRIES: i64 = 500;
/// Maximum characters of a question.
pub const MAX_FAQ_QUESTION: usize = 500;
/// Maximum other phrasings of a question.
pub const MAX_FAQ_VARIANTS: usize = 10;
/// Maximum characters of an answer.
pub const MAX_FAQ_ANSWER: usize = 4000;

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotFaqEntry {
    pub id: FaqId,
    pub chatbot_id: ChatbotId,
    pub question: String,
    /// Other phrasings of the question. The chatbot finds the answer by each of them.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The answer, in a small subset of Markdown.
    pub answer: String,
    /// Whether the chatbot answers from it: `ready` once it is indexed; what is not is tried again by itself.
    pub state: Provisioning,
    /// Whether it came from the chatbot's template; the tenant may change and remove it like any other.
    #[serde(default)]
    pub from_template: bool,
    /// Who wrote it; `template` for one of the chatbot's template.
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
    /// Other phrasings of the question: at most 10, each of 1 to 500 characters, which no other entry has. Repetitions are dropped.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = 10), inner(length(min = 1, max = 500))))]
    pub variants: Vec<String>,
    /// 1 to 4000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub answer: String,
}

impl NewFaqEntry {
    /// The entry without spaces around its texts. Variants that repeat another phrasing, whatever the case, are dropped.
    #[must_use]
    pub fn normalized(self) -> Self {
        let key = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        let question = self.question.trim().to_owned();
        let mut keys = vec![key(&question)];
        let mut variants = Vec::new();
        for variant in self.variants {
            let key = key(&variant);
            if !keys.contains(&key) {
                keys.push(key);
                variants.push(variant.trim().to_owned());
            }
        }
        Self { question, variants, answer: self.answer.trim().to_owned() }
    }

    /// The question and its variants.
    pub fn phrasings(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.question.as_str()).chain(self.variants.iter().map(String::as_str))
    }
}

impl Validate for NewFaqEntry {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.text("question", &self.question, 1, MAX_FAQ_QUESTION);
        check_variants(&mut check, &self.variants);
        check.text("answer", &self.answer, 1, MAX_FAQ_ANSWER);
        check.finish()
    }
}

fn check_variants(check: &mut Checker, variants: &[String]) {
    let msg = format!("must have at most {MAX_FAQ_VARIANTS} entries");
    check.require(variants.len() <= MAX_FAQ_VARIANTS, "variants", "too_long", &msg);
    for (index, variant) in variants.iter().enumerate() {
        check.text_entry("variants", index, variant, 1, MAX_FAQ_QUESTION);
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
    /// Other phrasings instead of the present ones: at most 10, each of 1 to 500 characters, which no other entry has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 10), inner(length(min = 1, max = 500))))]
    pub variants: Option<Vec<String>>,
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
        if let Some(variants) = &self.variants {
            check_variants(&mut check, variants);
        }
        if let Some(answer) = &self.answer {
            check.text("answer", answer, 1, MAX_FAQ_ANSWER);
        }
        check.finish()
    }
}

/// The fields that the list of a chatbot's own questions sorts by.
pub const FAQ_SORT_FIELDS: &[&str] = &["question", "created_at"];

/// Page, order and search of a chatbot's own questions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(FAQ_SORT_FIELDS)))]
pub struct FaqListQuery {
    /// Search, order and page; newest first when `sort` is absent.
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

impl Validate for FaqListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(FAQ_SORT_FIELDS)
    }
}

endpoints! {
    /// Lists a chatbot's own questions and answers, newest first when `sort` is absent.
    ListFaq: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/faq", Tenant or KnowledgeRead, Audit::Reads, 200,
        (ChatbotId) ? FaqListQuery, () => Page<ChatbotFaqEntry>;
    /// Adds a question with its answer to what a chatbot answers from; it is indexed at once.
    CreateFaq: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/faq", TenantAdmin or KnowledgeWrite, Audit::Writes(actions::CHATBOT_FAQ_CREATED),
        201, (ChatbotId) ? (), NewFaqEntry => ChatbotFaqEntry, errors [ChatbotNotFound, ChatbotNotActive, FaqQuestionTaken];
    /// Streams a chatbot's own questions and answers as CSV, newest first. An import takes the file again.
    ExportFaq: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/export.csv", Tenant or KnowledgeRead, Audit::Reads, 200,
        (ChatbotId) ? (), () => Csv, errors [ChatbotNotFound];
    /// Adds and changes questions and answers by a CSV file, all rows or none; what is new is indexed at once.
    ImportFaq: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/import", TenantAdmin or KnowledgeWrite,
        Audit::Writes(actions::CHATBOT_FAQ_IMPORTED), 200, (ChatbotId) ? FaqImportQuery, File => FaqImport,
        errors [ChatbotNotFound, ChatbotNotActive];
    /// Names up to three entries that ask nearly the same as a question, nearest first, found by meaning.
    FindSimilarFaq: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/similar", Tenant or KnowledgeRead, Audit::Reads, 200,
        (ChatbotId) ? SimilarFaqQuery, () => SimilarFaq, errors [GeneratorUnavailable];
    /// Shows a question with its answer.
    GetFaq: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/{faq_id}", Tenant or KnowledgeRead, Audit::Reads, 200,
        ((ChatbotId, FaqId)) ? (), () => ChatbotFaqEntry;
    /// Changes a question or its answer; it is indexed again at once.
    UpdateFaq: Patch "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/{faq_id}", TenantAdmin or KnowledgeWrite,
        Audit::Writes(actions::CHATBOT_FAQ_UPDATED), 200, ((ChatbotId, FaqId)) ? (), FaqPatch => ChatbotFaqEntry,
        errors [ChatbotNotActive, FaqQuestionTaken];
    /// Removes a question with its answer.
    DeleteFaq: Delete "/api/v1/tenants/me/chatbots/{chatbot_id}/faq/{faq_id}", TenantAdmin or KnowledgeWrite,
        Audit::Writes(actions::CHATBOT_FAQ_DELETED), 204, ((ChatbotId, FaqId)) ? (), () => ();
}
