//! Sources that a tenant creates and fills.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId,
    audit::actions,
    documents::{ChatbotSource, SourceKind},
    endpoint::{Audit, endpoints},
    error::FieldError,
    id::SourceId,
    validate::{Checker, Validate},
    websites::{NewWebsite, WebsitePatch, WebsiteReading},
};

/// Maximum characters of a source's name.
pub const MAX_SOURCE_NAME: usize = 200;

/// A source to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewSource {
    /// `upload`, `api` or `website`.
    pub kind: SourceKind,
    /// Its name, 1 to 200 characters; no other source of this kind of the chatbot has it.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 200)))]
    pub name: String,
    /// The website, when `kind` is `website`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub website: Option<NewWebsite>,
}

impl Validate for NewSource {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        let is_filled_by_tenants = matches!(self.kind, SourceKind::Upload | SourceKind::Api | SourceKind::Website);
        check.require(is_filled_by_tenants, "kind", "source_kind", "must be upload, api or website");
        check.text("name", &self.name, 1, MAX_SOURCE_NAME);
        let is_website = self.kind == SourceKind::Website;
        check.require(
            is_website == self.website.is_some(),
            "website",
            "website",
            if is_website { "is required" } else { "is for sources of the kind website" },
        );
        let broken = self.website.as_ref().map(|website| website.broken_rules());
        check.finish().into_iter().chain(broken.unwrap_or_default()).collect()
    }
}

/// What changes of a source; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourcePatch {
    /// Another name, 1 to 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 200)))]
    pub name: Option<String>,
    /// Whether visitors may open the uploaded files that answers rest on; for sources of the kinds `upload` and `api`. Links that
    /// were made before end when it is switched off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visitors_open_files: Option<bool>,
    /// What changes of a website.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub website: Option<WebsitePatch>,
}

impl Validate for SourcePatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        if let Some(name) = &self.name {
            check.text("name", name, 1, MAX_SOURCE_NAME);
        }
        let broken = self.website.as_ref().map(|website| website.broken_rules());
        check.finish().into_iter().chain(broken.unwrap_or_default()).collect()
    }
}

endpoints! {
    /// Creates a source: one that documents can be uploaded to, or a website, whose proof and pages are checked soon.
    CreateSource: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/sources", TenantAdmin or KnowledgeWrite,
        Audit::Writes(actions::CHATBOT_SOURCE_CREATED), 201, (ChatbotId) ? (), NewSource => ChatbotSource,
        errors [ChatbotNotFound, ChatbotNotActive, SourceNameTaken, QuotaSources, QuotaWebsites];
    /// Shows a source.
    GetSource: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}", Tenant or KnowledgeRead, Audit::Reads, 200,
        ((ChatbotId, SourceId)) ? (), () => ChatbotSource;
    /// Renames a source, lets visitors open its files, or changes which pages of a website are read.
    UpdateSource: Patch "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}", TenantAdmin or KnowledgeWrite,
        Audit::Writes(actions::CHATBOT_SOURCE_UPDATED), 200, ((ChatbotId, SourceId)) ? (), SourcePatch => ChatbotSource,
        errors [SourceReadOnly, SourceNameTaken];
    /// Removes a source with its documents, their passages and the uploaded files.
    DeleteSource: Delete "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}", TenantAdmin or KnowledgeWrite,
        Audit::Writes(actions::CHATBOT_SOURCE_DELETED), 204, ((ChatbotId, SourceId)) ? (), () => (), errors [SourceReadOnly];
    /// Looks at a website now: at its proof, and then at its pages. Of a source of uploaded files, those are read again that could not
    /// be read, or not completely, 1,000 at most.
    ReadWebsite: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/read", TenantAdmin or KnowledgeWrite,
        Audit::Writes(actions::CHATBOT_SOURCE_READ_REQUESTED), 200, ((ChatbotId, SourceId)) ? (), WebsiteReading => ChatbotSource,
        errors [ChatbotNotActive, SourceReadOnly, WebsiteBusy, WebsitePaused, QuotaDocuments, QuotaPages, QuotaPassages];
}
