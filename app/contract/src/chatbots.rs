//! Chatbots of a tenant.

mod embedding_models;
mod small_talk;

use serde::{Deserialize, Serialize};

pub use self::{
    embedding_models::{EmbeddingModel, EmbeddingModels, ModelLanguages, Reindexing},
    small_talk::{MAX_SMALL_TALK_REPLY, SmallTalkReplies},
};
use crate::{
    ChatbotId, Page, Patch, TemplateId, TenantId, Timestamp, answer_models,
    audit::actions,
    endpoint::{Audit, endpoints},
    error::FieldError,
    page::PageQuery,
    templates::{FaqEntry, TemplateContent, check_questions},
    text_enum::text_enum,
    validate::{Checker, Validate},
};

text_enum! {
    /// Whether a chatbot answers.
    pub enum ChatbotStatus {
        /// Its widget answers.
        Active = "active",
        /// Its widget answers 403.
        Deactivated = "deactivated",
    }
}

text_enum! {
    /// The state of a vector collection.
    pub enum Provisioning {
        /// It is being created.
        Pending = "pending",
        /// It exists, with the template's questions and answers indexed.
        Ready = "ready",
        /// It could not be created; this can be tried again.
        Failed = "failed",
    }
}

/// A chatbot's settings, template and vector collection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Chatbot {
    /// The id, a version 4 UUID.
    pub id: ChatbotId,
    /// The tenant that owns it.
    pub tenant_id: TenantId,
    /// The slug, unique in the tenant; never changes.
    pub slug: String,
    /// The name shown to people.
    pub name: String,
    pub description: String,
    /// The language it answers in.
    pub language: String,
    /// Whether it answers.
    pub status: ChatbotStatus,
    /// The template it was made from; never changes.
    pub template_id: Option<TemplateId>,
    /// The template's version in the snapshot.
    pub template_version: Option<i32>,
    /// The template's content when the chatbot was made or last updated from it.
    pub template_snapshot: Option<TemplateContent>,
    /// The prompt for the generator.
    pub system_prompt: String,
    /// The message that opens a conversation.
    pub welcome_message: String,
    /// Questions offered to the visitor.
    pub suggested_questions: Vec<String>,
    /// What it says when its documents have no answer.
    pub fallback_message: String,
    /// What it says to small talk.
    #[serde(default)]
    pub small_talk: SmallTalkReplies,
    /// The name of its vector collection.
    pub vector_collection: String,
    /// The state of its vector collection.
    pub provisioning: Provisioning,
    /// The embedding model of its vectors, which finds passages for questions; null before its collection is made.
    #[serde(default)]
    pub embedding_model: Option<String>,
    /// The progress of a move to another embedding model; null when there is none.
    #[serde(default)]
    pub reindexing: Option<Reindexing>,
    /// Whether it answers questions in other languages than its documents, too. A chatbot whose own model knows many languages
    /// always does.
    #[serde(default = "default_true")]
    pub cross_language: bool,
    /// The model of the second vectors, by which such questions find passages; null when it has none, or not for all passages
    /// yet.
    #[serde(default)]
    pub second_embedding_model: Option<String>,
    /// The language model that words its answers: the name of one that its tenant may have, or `quoted`; `null` is the tenant's
    /// default.
    #[serde(default)]
    pub answer_model: Option<String>,
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    pub deactivated_at: Option<Timestamp>,
}

impl Chatbot {
    /// The answers that its template had when the chatbot was made or last updated from it.
    pub fn prepared_answers(&self) -> &[FaqEntry] {
        self.template_snapshot.as_ref().map_or(&[], |snapshot| &snapshot.faq_seed)
    }
}

fn default_true() -> bool {
    true
}

/// A chatbot to create: template choice, snapshot with overrides, provisioning.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewChatbot {
    /// `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`, unique in the tenant.
    pub slug: String,
    /// 1 to 200 characters.
    pub name: String,
    /// The template to start from; none for an empty chatbot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_id: Option<TemplateId>,
    /// At most 2000 characters; the template's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The template's or the tenant's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// At most 8000 characters; the template's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// At most 1000 characters; the template's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub welcome_message: Option<String>,
    /// At most 8 of at most 200 characters; the template's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_questions: Option<Vec<String>>,
    /// At most 1000 characters; the template's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback_message: Option<String>,
    /// Whether it answers questions in other languages than its documents, too; true when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cross_language: Option<bool>,
}

impl Validate for NewChatbot {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.slug("slug", &self.slug);
        check.text("name", &self.name, 1, 200);
        if let Some(language) = &self.language {
            check.language("language", language);
        }
        for (field, value, max) in [
            ("description", &self.description, 2000),
            ("system_prompt", &self.system_prompt, 8000),
            ("welcome_message", &self.welcome_message, 1000),
            ("fallback_message", &self.fallback_message, 1000),
        ] {
            if let Some(value) = value {
                check.text(field, value, 0, max);
            }
        }
        if let Some(questions) = &self.suggested_questions {
            check_questions(&mut check, questions);
        }
        check.finish()
    }
}

/// Changes to a chatbot; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotPatch {
    /// Never changes: another slug than the chatbot's is `slug_immutable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// Never changes: another template than the chatbot's is `template_id_immutable`.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub template_id: Patch<String>,
    /// 1 to 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// At most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A language tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// At most 8000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// At most 1000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub welcome_message: Option<String>,
    /// At most 8 of at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_questions: Option<Vec<String>>,
    /// At most 1000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback_message: Option<String>,
    /// All replies to small talk: one that is absent or `null` becomes the platform's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub small_talk: Option<SmallTalkReplies>,
    /// One of the platform's embedding models. With another one than the chatbot's, its passages get new vectors in the
    /// background (`reindexing`); with the chatbot's own, such a move ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_model: Option<String>,
    /// Whether it answers questions in other languages than its documents, too. Its passages get second vectors in the
    /// background, or lose them: 776 bytes for each passage and about 1.1 kB in their index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cross_language: Option<bool>,
    /// The name of a language model that the tenant may have, or `quoted`; `null` is the tenant's default.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub answer_model: Patch<String>,
}

impl Validate for ChatbotPatch {
    fn validate(&self) -> Vec<FieldError> {
        // The rules of a new chatbot, with a slug and name that hold where none was sent.
        let new = NewChatbot {
            slug: "x".to_owned(),
            name: self.name.clone().unwrap_or_else(|| "x".to_owned()),
            template_id: None,
            description: self.description.clone(),
            language: self.language.clone(),
            system_prompt: self.system_prompt.clone(),
            welcome_message: self.welcome_message.clone(),
            suggested_questions: self.suggested_questions.clone(),
            fallback_message: self.fallback_message.clone(),
            cross_language: None,
        };
        let mut errors = new.validate();
        if let Some(name) = self.answer_model.value() {
            let mut check = Checker::body();
            answer_models::check_name(&mut check, "answer_model", name);
            errors.extend(check.finish());
        }
        if let Some(replies) = &self.small_talk {
            let mut check = Checker::body();
            check.nested("small_talk", |check| replies.check(check));
            errors.extend(check.finish());
        }
        errors
    }
}

/// The copy of a chatbot that is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotCopy {
    /// `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`, unique in the tenant.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = crate::validate::SLUG_PATTERN)))]
    pub slug: String,
    /// 1 to 200 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 200)))]
    pub name: String,
}

impl Validate for ChatbotCopy {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.slug("slug", &self.slug);
        check.text("name", &self.name, 1, 200);
        check.finish()
    }
}

/// The chatbot that is to be erased, named once more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotErasure {
    /// Must be the chatbot's slug, as a confirmation.
    pub slug: String,
}

impl Validate for ChatbotErasure {}

/// Status, page, order and search of the lists of chatbots.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(CHATBOT_SORT_FIELDS)))]
pub struct ChatbotListQuery {
    /// Only chatbots of this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ChatbotStatus>,
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

/// The fields that the chatbot lists sort by.
pub const CHATBOT_SORT_FIELDS: &[&str] = &["slug", "name", "created_at", "updated_at"];

impl Validate for ChatbotListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(CHATBOT_SORT_FIELDS)
    }
}

endpoints! {
    /// Lists the chatbots of any tenant; tenants reach only their own.
    ListTenantChatbots: Get "/api/v1/tenants/{tenant_id}/chatbots", AnyScope, Audit::Reads, 200,
        (TenantId) ? ChatbotListQuery, () => Page<Chatbot>;
    /// Lists the caller's chatbots.
    ListChatbots: Get "/api/v1/tenants/me/chatbots", Tenant or SettingsRead, Audit::Reads, 200,
        (()) ? ChatbotListQuery, () => Page<Chatbot>;
    /// Creates a chatbot with its snapshot and provisions its vector collection.
    CreateChatbot: Post "/api/v1/tenants/me/chatbots", TenantAdmin, Audit::Writes(actions::CHATBOT_CREATED), 201,
        (()) ? (), NewChatbot => Chatbot, errors [ChatbotSlugTaken, TemplateNotFound, QuotaChatbots];
    /// Shows a chatbot.
    GetChatbot: Get "/api/v1/tenants/me/chatbots/{chatbot_id}", Tenant or SettingsRead, Audit::Reads, 200,
        (ChatbotId) ? (), () => Chatbot;
    /// Changes a chatbot; its slug and template stay.
    UpdateChatbot: Patch "/api/v1/tenants/me/chatbots/{chatbot_id}", TenantAdmin, Audit::Writes(actions::CHATBOT_UPDATED), 200,
        (ChatbotId) ? (), ChatbotPatch => Chatbot, errors [ChatbotNotActive, SlugImmutable, TemplateIdImmutable];
    /// Deactivates a chatbot; its widget answers 403 at once.
    DeactivateChatbot: Delete "/api/v1/tenants/me/chatbots/{chatbot_id}", TenantAdmin,
        Audit::Writes(actions::CHATBOT_DEACTIVATED), 204, (ChatbotId) ? (), () => (), errors [ChatbotActive];
    /// Activates a deactivated chatbot again, within the tenant's quota; its widget answers at once, from the documents that it
    /// had.
    ReactivateChatbot: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/reactivate", TenantAdmin,
        Audit::Writes(actions::CHATBOT_REACTIVATED), 200, (ChatbotId) ? (), () => Chatbot, errors [QuotaChatbots];
    /// Makes a copy of a chatbot under another slug, within the tenant's quota: its settings, template, branding, own answers, uploaded
    /// files and websites. Files and websites are read again in the background. Conversations, feedback and files that an
    /// administrator fed are not copied.
    DuplicateChatbot: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/duplicate", TenantAdmin,
        Audit::Writes(actions::CHATBOT_DUPLICATED), 201, (ChatbotId) ? (), ChatbotCopy => Chatbot,
        errors [ChatbotNotFound, ChatbotSlugTaken, QuotaChatbots, QuotaDocuments, QuotaBytes, QuotaSources, QuotaWebsites];
    /// Erases a deactivated chatbot for good, with everything that belongs to it: documents, own answers, conversations, feedback and
    /// settings. It is gone for everybody at once; its rows and files follow in the background. The audit log stays, and so do its rows
    /// of the output-filter audit, without their texts. Nothing brings it back.
    EraseChatbot: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/erase", TenantAdmin,
        Audit::Writes(actions::CHATBOT_DELETED), 204, (ChatbotId) ? (), ChatbotErasure => (), errors [ChatbotActive];
    /// Lists the embedding models that a chatbot can have.
    ListEmbeddingModels: Get "/api/v1/tenants/me/embedding-models", Tenant, Audit::Reads, 200,
        (()) ? (), () => EmbeddingModels;
    /// Tries again to provision a chatbot's vector collection. One that is ready or pending stays, and leaves no audit row.
    ProvisionChatbot: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/provision", TenantAdmin,
        Audit::Writes(actions::CHATBOT_UPDATED), 200, (ChatbotId) ? (), () => Chatbot, errors [ChatbotNotActive];
}
