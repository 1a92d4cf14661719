//! Chatbots of a tenant.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, Page, Patch, TemplateId, TenantId, Timestamp,
    audit::actions,
    endpoint::{Audit, endpoints},
    error::FieldError,
    page::PageQuery,
    templates::{TemplateContent, check_questions},
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
    /// How far the chatbot's vector collection is.
    pub enum Provisioning {
        /// Being made.
        Pending = "pending",
        /// Made, with the template's questions and answers indexed.
        Ready = "ready",
        /// Not made; it can be tried again.
        Failed = "failed",
    }
}

/// A chatbot.
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
    /// Its first words.
    pub welcome_message: String,
    /// Questions offered to the visitor.
    pub suggested_questions: Vec<String>,
    /// What it says when its documents have no answer.
    pub fallback_message: String,
    /// The name of its vector collection.
    pub vector_collection: String,
    /// How far its vector collection is.
    pub provisioning: Provisioning,
    /// The embedding model of its vectors, which finds passages for questions; null before its collection is made.
    #[serde(default)]
    pub embedding_model: Option<String>,
    /// How far it is with the vectors of another model; null when it stays with its own.
    #[serde(default)]
    pub reindexing: Option<Reindexing>,
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    pub deactivated_at: Option<Timestamp>,
}

/// A move to another embedding model. The former vectors answer until all new ones are made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reindexing {
    /// The model that the chatbot moves to.
    pub embedding_model: String,
    /// Passages with a vector of that model.
    pub done: i32,
    /// Passages in all.
    pub total: i32,
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
    /// One of the platform's embedding models. With another one than the chatbot's, its passages get new vectors in the
    /// background (`reindexing`); with the chatbot's own, such a move ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_model: Option<String>,
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
        };
        new.validate()
    }
}

/// The query of the chatbot lists.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotListQuery {
    /// Only chatbots of this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ChatbotStatus>,
    /// Page, order and search.
    #[serde(flatten)]
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
    /// Lists the chatbots of a tenant.
    ListTenantChatbots: Get "/api/v1/tenants/{tenant_id}/chatbots", AnyScope, Audit::Reads, 200,
        (TenantId) ? ChatbotListQuery, () => Page<Chatbot>;
    /// Lists the caller's chatbots.
    ListChatbots: Get "/api/v1/tenants/me/chatbots", Tenant, Audit::Reads, 200,
        (()) ? ChatbotListQuery, () => Page<Chatbot>;
    /// Creates a chatbot with its snapshot and provisions its vector collection.
    CreateChatbot: Post "/api/v1/tenants/me/chatbots", TenantAdmin, Audit::Writes(actions::CHATBOT_CREATED), 201,
        (()) ? (), NewChatbot => Chatbot;
    /// Shows a chatbot.
    GetChatbot: Get "/api/v1/tenants/me/chatbots/{chatbot_id}", Tenant, Audit::Reads, 200,
        (ChatbotId) ? (), () => Chatbot;
    /// Changes a chatbot; its slug and template stay.
    UpdateChatbot: Patch "/api/v1/tenants/me/chatbots/{chatbot_id}", TenantAdmin, Audit::Writes(actions::CHATBOT_UPDATED), 200,
        (ChatbotId) ? (), ChatbotPatch => Chatbot;
    /// Deactivates a chatbot; its widget answers 403 at once.
    DeactivateChatbot: Delete "/api/v1/tenants/me/chatbots/{chatbot_id}", TenantAdmin,
        Audit::Writes(actions::CHATBOT_DEACTIVATED), 204, (ChatbotId) ? (), () => ();
    /// Tries again to provision a chatbot's vector collection.
    ProvisionChatbot: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/provision", TenantAdmin,
        Audit::Exempt("a retry completes a creation that was audited"), 200, (ChatbotId) ? (), () => Chatbot;
}
