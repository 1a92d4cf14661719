//! Branding of a tenant and its chatbots (specification, Tenant branding).

mod contrast;
mod fields;
mod pictures;
mod styles;
mod tenant;
mod warnings;

use serde::{Deserialize, Serialize};

pub use contrast::{contrast_ratio, readable_on};
pub use fields::{BrandingFields, BrandingFieldsPatch, LauncherPosition, has_paired_quotes};
pub use pictures::{BrandingPicture, MAX_PICTURE_BYTES, PICTURE_PATH, PICTURE_PIXELS};
pub use tenant::{MAX_ALLOWED_ORIGINS, MAX_CUSTOM_CSS, OperatorBrandingPatch, TenantBranding, TenantBrandingPatch};
pub use warnings::{BrandingWarning, MIN_CONTRAST};

pub use crate::preferences::Theme;
use crate::{
    ChatbotId, TenantId, Timestamp,
    audit::actions,
    endpoint::{Audit, endpoints},
    error::FieldError,
    file::File,
    validate::{Checker, Validate},
};

/// The branding of a chatbot: what it sets itself, and what a visitor sees.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotBranding {
    /// The chatbot's own fields; a field that is not set comes from the tenant.
    #[serde(flatten)]
    pub fields: BrandingFields,
    /// The fields as a visitor sees them: chatbot over tenant, field by field.
    pub resolved: BrandingFields,
    /// Colours of the resolved fields that are hard to read.
    #[serde(default)]
    pub warnings: Vec<BrandingWarning>,
    /// When it last changed; `null` before the first edit.
    pub updated_at: Option<Timestamp>,
}

impl ChatbotBranding {
    /// The branding with the warnings that its resolved fields deserve.
    #[must_use]
    pub fn with_warnings(self) -> Self {
        Self { warnings: self.resolved.warnings(), ..self }
    }
}

/// Changes to a chatbot's branding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotBrandingPatch {
    /// Colours, texts and shapes.
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub fields: BrandingFieldsPatch,
}

impl Validate for ChatbotBrandingPatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        self.fields.values().check(&mut check);
        check.finish()
    }
}

endpoints! {
    /// Shows the branding of the caller's tenant.
    GetTenantBranding: Get "/api/v1/tenants/me/branding", Tenant, Audit::Reads, 200,
        (()) ? (), () => TenantBranding;
    /// Changes the branding of the caller's tenant.
    UpdateTenantBranding: Patch "/api/v1/tenants/me/branding", TenantAdmin,
        Audit::Writes(actions::TENANT_BRANDING_UPDATED), 200, (()) ? (), TenantBrandingPatch => TenantBranding;
    /// Uploads a picture of the branding of the caller's tenant: PNG, JPEG or WebP. It is encoded again, at most 320 pixels wide and high.
    UploadTenantPicture: Put "/api/v1/tenants/me/branding/pictures/{picture}", TenantAdmin,
        Audit::Writes(actions::TENANT_BRANDING_UPDATED), 200, (BrandingPicture) ? (), File => TenantBranding;
    /// Shows the branding of a tenant.
    GetOperatorBranding: Get "/api/v1/operator/tenants/{tenant_id}/branding", Operator, Audit::Reads, 200,
        (TenantId) ? (), () => TenantBranding;
    /// Changes the branding of a tenant, its custom styles included.
    UpdateOperatorBranding: Patch "/api/v1/operator/tenants/{tenant_id}/branding", Operator,
        Audit::Writes(actions::TENANT_BRANDING_UPDATED), 200, (TenantId) ? (), OperatorBrandingPatch => TenantBranding;
    /// Shows the branding of a chatbot, with the result a visitor sees.
    GetChatbotBranding: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/branding", Tenant or SettingsRead, Audit::Reads, 200,
        (ChatbotId) ? (), () => ChatbotBranding;
    /// Changes the branding of a chatbot.
    UpdateChatbotBranding: Patch "/api/v1/tenants/me/chatbots/{chatbot_id}/branding", TenantAdmin,
        Audit::Writes(actions::CHATBOT_BRANDING_UPDATED), 200, (ChatbotId) ? (), ChatbotBrandingPatch => ChatbotBranding,
        errors [ChatbotNotActive];
    /// Uploads a picture of the branding of a chatbot, as that of a tenant.
    UploadChatbotPicture: Put "/api/v1/tenants/me/chatbots/{chatbot_id}/branding/pictures/{picture}", TenantAdmin,
        Audit::Writes(actions::CHATBOT_BRANDING_UPDATED), 200, ((ChatbotId, BrandingPicture)) ? (), File => ChatbotBranding,
        errors [ChatbotNotActive];
}
