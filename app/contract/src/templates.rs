//! Chatbot templates.

mod clone_id;

use serde::{Deserialize, Serialize};

pub use clone_id::clone_id;

use crate::{
    Page, TemplateId, Timestamp,
    audit::actions,
    branding::BrandingFields,
    endpoint::{Audit, endpoints},
    error::FieldError,
    page::PageQuery,
    text_enum::text_enum,
    validate::{Checker, Validate},
};

text_enum! {
    /// Whether a template may be chosen for new chatbots.
    pub enum TemplateStatus {
        /// Offered to tenants.
        Active = "active",
        /// Hidden from tenants; chatbots made from it go on.
        Deactivated = "deactivated",
    }
}

/// A question with its answer, indexed into each chatbot made from the template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaqEntry {
    /// 1 to 500 characters.
    pub question: String,
    /// 1 to 4000 characters.
    pub answer: String,
}

impl FaqEntry {
    /// The entry without spaces around its texts, which do not count for their bounds.
    #[must_use]
    pub fn trimmed(self) -> Self {
        Self { question: self.question.trim().to_owned(), answer: self.answer.trim().to_owned() }
    }
}

/// The eight content fields of a template; also a chatbot's snapshot of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TemplateContent {
    /// 1 to 200 characters.
    pub name: String,
    /// At most 2000 characters.
    #[serde(default)]
    pub description: String,
    /// The system prompt a new chatbot starts with; at most 8000 characters.
    #[serde(default)]
    pub suggested_system_prompt: String,
    /// The chatbot's first words; at most 1000 characters.
    #[serde(default)]
    pub welcome_message: String,
    /// Questions offered to the visitor; at most 8 of at most 200 characters.
    #[serde(default)]
    pub suggested_questions: Vec<String>,
    /// What the chatbot says when its documents have no answer; at most 1000 characters.
    #[serde(default)]
    pub fallback_message: String,
    /// Questions and answers indexed into each new chatbot; at most 200.
    #[serde(default)]
    pub faq_seed: Vec<FaqEntry>,
    /// Branding a new chatbot starts with.
    #[serde(default)]
    pub branding_defaults: BrandingFields,
}

impl TemplateContent {
    /// Checks every field's bounds.
    pub fn check(&self, check: &mut Checker) {
        check.text("name", &self.name, 1, 200);
        check.text("description", &self.description, 0, 2000);
        check.text("suggested_system_prompt", &self.suggested_system_prompt, 0, 8000);
        check.text("welcome_message", &self.welcome_message, 0, 1000);
        check.text("fallback_message", &self.fallback_message, 0, 1000);
        check_questions(check, &self.suggested_questions);
        check.require(self.faq_seed.len() <= 200, "faq_seed", "too_long", "must have at most 200 entries");
        for (index, entry) in self.faq_seed.iter().enumerate() {
            let question = (1..=500).contains(&entry.question.trim().chars().count());
            let answer = (1..=4000).contains(&entry.answer.trim().chars().count());
            if !question || !answer {
                let msg = "must have a question of 1 to 500 and an answer of 1 to 4000 characters";
                check.entry("faq_seed", index, "faq_entry", msg);
            }
            check.without_control("faq_seed", index, &[&entry.question, &entry.answer]);
        }
        check.nested("branding_defaults", |check| self.branding_defaults.check(check));
    }
}

/// Suggested questions without spaces around them, which do not count for their bound.
#[must_use]
pub fn trimmed_questions(questions: Vec<String>) -> Vec<String> {
    questions.into_iter().map(|question| question.trim().to_owned()).collect()
}

/// Checks suggested questions: at most 8, each of 1 to 200 characters and without control characters.
pub(crate) fn check_questions(check: &mut Checker, questions: &[String]) {
    check.require(questions.len() <= 8, "suggested_questions", "too_long", "must have at most 8 entries");
    for (index, question) in questions.iter().enumerate() {
        check.text_entry("suggested_questions", index, question.trim(), 1, 200);
    }
}

/// A template that chatbots are made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Template {
    pub id: TemplateId,
    /// The language of its content.
    pub language: String,
    /// Whether tenants may choose it.
    pub status: TemplateStatus,
    /// Grows by one with each change of content.
    pub version: i32,
    #[serde(flatten)]
    pub content: TemplateContent,
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A template to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewTemplate {
    /// `^[a-z0-9][a-z0-9._-]{0,63}$`.
    pub id: TemplateId,
    /// The language of its content.
    pub language: String,
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub content: TemplateContent,
}

impl Validate for NewTemplate {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.language("language", &self.language);
        self.content.check(&mut check);
        check.finish()
    }
}

/// Changes to a template's content; absent fields stay as they are. Its id and language never change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TemplatePatch {
    /// 1 to 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// At most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// At most 8000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_system_prompt: Option<String>,
    /// At most 1000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub welcome_message: Option<String>,
    /// At most 8 of at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_questions: Option<Vec<String>>,
    /// At most 1000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback_message: Option<String>,
    /// The whole new list, at most 200 entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faq_seed: Option<Vec<FaqEntry>>,
    /// The whole new branding defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branding_defaults: Option<BrandingFields>,
}

impl TemplatePatch {
    /// The content with the changes.
    #[must_use]
    pub fn apply(self, content: TemplateContent) -> TemplateContent {
        TemplateContent {
            name: self.name.unwrap_or(content.name),
            description: self.description.unwrap_or(content.description),
            suggested_system_prompt: self.suggested_system_prompt.unwrap_or(content.suggested_system_prompt),
            welcome_message: self.welcome_message.unwrap_or(content.welcome_message),
            suggested_questions: self.suggested_questions.map_or(content.suggested_questions, trimmed_questions),
            fallback_message: self.fallback_message.unwrap_or(content.fallback_message),
            faq_seed: self
                .faq_seed
                .map_or(content.faq_seed, |entries| entries.into_iter().map(FaqEntry::trimmed).collect()),
            branding_defaults: self.branding_defaults.unwrap_or(content.branding_defaults),
        }
    }
}

impl Validate for TemplatePatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        // The rules of the whole content, with a name that holds where none was sent.
        let rest = TemplateContent { name: "-".to_owned(), ..TemplateContent::default() };
        self.clone().apply(rest).check(&mut check);
        check.finish()
    }
}

/// The language to clone a template into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CloneTemplate {
    /// A language tag.
    pub target_language: String,
}

impl Validate for CloneTemplate {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.language("target_language", &self.target_language);
        check.finish()
    }
}

/// Filters, page, order and search of the lists of templates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(TEMPLATE_SORT_FIELDS)))]
pub struct TemplateListQuery {
    /// Only templates of this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TemplateStatus>,
    /// Only templates in this language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

/// The fields that the template lists sort by.
pub const TEMPLATE_SORT_FIELDS: &[&str] = &["id", "name", "language", "created_at", "updated_at"];

impl Validate for TemplateListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(TEMPLATE_SORT_FIELDS)
    }
}

endpoints! {
    /// Lists all templates, also those that tenants are not offered.
    ListTemplates: Get "/api/v1/operator/templates", OperatorOrVendor, Audit::Reads, 200,
        (()) ? TemplateListQuery, () => Page<Template>;
    /// Creates a template and offers it to tenants.
    CreateTemplate: Post "/api/v1/operator/templates", OperatorOrVendor, Audit::Writes(actions::TEMPLATE_CREATED), 201,
        (()) ? (), NewTemplate => Template, errors [TemplateExists];
    /// Shows a template.
    GetTemplate: Get "/api/v1/operator/templates/{template_id}", OperatorOrVendor, Audit::Reads, 200,
        (TemplateId) ? (), () => Template;
    /// Lists the templates that a chatbot may be made from.
    ListTenantTemplates: Get "/api/v1/tenant/templates", AnyScope, Audit::Reads, 200,
        (()) ? TemplateListQuery, () => Page<Template>;
    /// Changes a template's content; its version grows by one.
    UpdateTemplate: Patch "/api/v1/operator/templates/{template_id}", OperatorOrVendor,
        Audit::Writes(actions::TEMPLATE_UPDATED), 200, (TemplateId) ? (), TemplatePatch => Template;
    /// Deactivates a template; the same as the deactivate action.
    DeleteTemplate: Delete "/api/v1/operator/templates/{template_id}", Operator,
        Audit::Writes(actions::TEMPLATE_DEACTIVATED), 204, (TemplateId) ? (), () => ();
    /// Withdraws a template from tenants; chatbots made from it go on.
    DeactivateTemplate: Post "/api/v1/operator/templates/{template_id}/deactivate", Operator,
        Audit::Writes(actions::TEMPLATE_DEACTIVATED), 200, (TemplateId) ? (), () => Template;
    /// Offers a deactivated template again.
    ReactivateTemplate: Post "/api/v1/operator/templates/{template_id}/reactivate", Operator,
        Audit::Writes(actions::TEMPLATE_REACTIVATED), 200, (TemplateId) ? (), () => Template;
    /// Clones a template into another language, with the language as the suffix of the new id.
    CloneTemplateInto: Post "/api/v1/operator/templates/{template_id}/clone", Operator,
        Audit::Writes(actions::TEMPLATE_CLONED), 201, (TemplateId) ? (), CloneTemplate => Template,
        errors [TemplateNotFound, TemplateExists];
}
