//! A template's changes since the chatbot last took it, and applying them: a three-way comparison of snapshot, template
//! and chatbot.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId,
    audit::actions,
    chatbots::Chatbot,
    endpoint::{Audit, endpoints},
    error::FieldError,
    validate::{Checker, Validate},
};

/// The content fields of a template by their names, in the order of the comparison.
pub const TEMPLATE_FIELDS: &[&str] = &[
    "name",
    "description",
    "suggested_system_prompt",
    "welcome_message",
    "suggested_questions",
    "fallback_message",
    "faq_seed",
    "branding_defaults",
];

/// One content field that the template changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TemplateChange {
    /// The name of a content field, such as `welcome_message`.
    pub field: String,
    /// Its value when the chatbot took the template.
    pub snapshot: serde_json::Value,
    /// Its value in the template now.
    pub template: serde_json::Value,
    /// Its value in the chatbot now.
    pub current: serde_json::Value,
    /// Whether the chatbot differs from its snapshot, so that taking the change over would lose something.
    pub customised: bool,
}

/// How a chatbot compares with its template.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TemplateUpdate {
    /// Whether the template has moved on; `false` for a chatbot without one, or one that was withdrawn.
    pub update_available: bool,
    /// The version in the snapshot; `null` without a template.
    pub snapshot_version: Option<i32>,
    /// The version of the template now; `null` without a template, or when it was withdrawn.
    pub template_version: Option<i32>,
    /// The fields that the template changed.
    pub changes: Vec<TemplateChange>,
}

/// The fields of the template to take over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApplyTemplateUpdate {
    /// The version that the caller compared with.
    pub template_version: i32,
    /// Names of content fields; every one that is not customised when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<String>>,
}

impl Validate for ApplyTemplateUpdate {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        let fields = self.fields.as_deref().unwrap_or_default();
        for (index, field) in fields.iter().enumerate() {
            if !TEMPLATE_FIELDS.contains(&field.as_str()) {
                check.entry("fields", index, "unknown_field", format!("must be one of {}", TEMPLATE_FIELDS.join(", ")));
            }
        }
        check.distinct("fields", fields);
        check.finish()
    }
}

endpoints! {
    /// Compares a chatbot with its template.
    GetTemplateUpdate: Get "/api/v1/tenant/chatbots/{chatbot_id}/template-update", AnyScope, Audit::Reads, 200,
        (ChatbotId) ? (), () => TemplateUpdate;
    /// Takes the template's changes over into a chatbot.
    ApplyTemplate: Post "/api/v1/tenant/chatbots/{chatbot_id}/template-update", AnyWriter,
        Audit::Writes(actions::CHATBOT_UPDATED), 200, (ChatbotId) ? (), ApplyTemplateUpdate => Chatbot,
        errors [ChatbotNotActive, TemplateNotFound, TemplateVersionChanged];
}
