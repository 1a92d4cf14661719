//! Tenants.

use serde::{Deserialize, Serialize};

use crate::{
    ModuleId, Page, Patch, TenantId, Timestamp, answer_models,
    audit::actions,
    endpoint::{Audit, endpoints},
    error::FieldError,
    page::PageQuery,
    usage::{Quotas, QuotasPatch},
    validate::{Checker, Validate},
};

/// A tenant of the platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tenant {
    pub id: TenantId,
    /// The slug, unique among live tenants.
    pub slug: String,
    /// The name shown to people.
    pub display_name: String,
    /// The language its chatbots have by default.
    pub default_language: String,
    pub enabled_modules: Vec<ModuleId>,
    /// How much it may have, where that is not the platform's default.
    #[serde(default)]
    pub quotas: Quotas,
    /// The language model of chatbots that choose none: the name of an endpoint, or `quoted`; `null` is `default`.
    #[serde(default)]
    pub answer_model: Option<String>,
    /// Further language models that its chatbots may have.
    #[serde(default)]
    pub answer_models: Vec<String>,
    /// Whether its programs may use API keys.
    #[serde(default = "default_true")]
    pub api_keys_allowed: bool,
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A tenant to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewTenant {
    /// `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = crate::validate::SLUG_PATTERN)))]
    pub slug: String,
    /// 1 to 200 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 200)))]
    pub display_name: String,
    /// A language tag; `en` by default.
    #[serde(default = "default_language")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = crate::validate::LANGUAGE_PATTERN)))]
    pub default_language: String,
}

fn default_true() -> bool {
    true
}

fn default_language() -> String {
    "en".to_owned()
}

impl Validate for NewTenant {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.slug("slug", &self.slug);
        check.text("display_name", &self.display_name, 1, 200);
        check.language("default_language", &self.default_language);
        check.finish()
    }
}

/// Changes to a tenant; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TenantPatch {
    /// A new slug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = crate::validate::SLUG_PATTERN)))]
    pub slug: Option<String>,
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 200)))]
    pub display_name: Option<String>,
    /// A new default language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = crate::validate::LANGUAGE_PATTERN)))]
    pub default_language: Option<String>,
    /// Other quotas.
    #[serde(default, skip_serializing_if = "QuotasPatch::is_empty")]
    pub quotas: QuotasPatch,
    /// Another language model for chatbots that choose none; `null` is `default`.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub answer_model: Patch<String>,
    /// Other further language models, 50 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 50)))]
    pub answer_models: Option<Vec<String>>,
    /// Whether its programs may use API keys. Without, every key of the tenant is refused at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_keys_allowed: Option<bool>,
}

impl Validate for TenantPatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        if let Some(slug) = &self.slug {
            check.slug("slug", slug);
        }
        if let Some(name) = &self.display_name {
            check.text("display_name", name, 1, 200);
        }
        if let Some(language) = &self.default_language {
            check.language("default_language", language);
        }
        check.nested("quotas", |check| self.quotas.check(check));
        if let Some(name) = self.answer_model.value() {
            answer_models::check_name(&mut check, "answer_model", name);
        }
        if let Some(names) = &self.answer_models {
            let fits = names.len() <= answer_models::MAX_ANSWER_MODELS;
            check.require(fits, "answer_models", "too_many", "must have at most 50 entries");
            check.distinct("answer_models", names);
            names.iter().for_each(|name| answer_models::check_name(&mut check, "answer_models", name));
        }
        check.finish()
    }
}

/// Page, order and search of the list of tenants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(TENANT_SORT_FIELDS)))]
pub struct TenantListQuery {
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

/// The fields that the tenant list sorts by.
pub const TENANT_SORT_FIELDS: &[&str] = &["slug", "display_name", "created_at", "updated_at"];

impl Validate for TenantListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(TENANT_SORT_FIELDS)
    }
}

/// Names the tenant that an operator or vendor asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TenantSelfQuery {
    /// The tenant; required for operators and vendors, ignored for tenant users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
}

impl Validate for TenantSelfQuery {}

/// Maximum tenants of a bulk soft-delete.
pub const MAX_BULK_TENANTS: usize = 500;

/// The tenants to soft-delete, all or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BulkSoftDelete {
    /// 1 to 500 distinct ids.
    pub tenant_ids: Vec<TenantId>,
}

impl Validate for BulkSoftDelete {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        let fits = (1..=MAX_BULK_TENANTS).contains(&self.tenant_ids.len());
        check.require(fits, "tenant_ids", "out_of_range", "must have 1 to 500 entries");
        check.distinct("tenant_ids", &self.tenant_ids);
        check.finish()
    }
}

/// How many tenants a bulk soft-delete took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BulkDeleted {
    /// The number of tenants.
    pub deleted: usize,
}

endpoints! {
    /// Shows the caller's own tenant.
    GetOwnTenant: Get "/api/v1/tenants/me", AnyScope, Audit::Reads, 200, (()) ? TenantSelfQuery, () => Tenant;
    /// Lists live tenants.
    ListTenants: Get "/api/v1/platform/tenants", OperatorOrVendor, Audit::Reads, 200,
        (()) ? TenantListQuery, () => Page<Tenant>;
    /// Creates a tenant; its people are invited separately.
    CreateTenant: Post "/api/v1/platform/tenants", Operator, Audit::Writes(actions::TENANT_CREATED), 201,
        (()) ? (), NewTenant => Tenant, errors [TenantSlugTaken];
    /// Shows a tenant.
    GetTenant: Get "/api/v1/platform/tenants/{tenant_id}", OperatorOrVendor, Audit::Reads, 200,
        (TenantId) ? (), () => Tenant;
    /// Changes a tenant.
    UpdateTenant: Patch "/api/v1/platform/tenants/{tenant_id}", Operator, Audit::Writes(actions::TENANT_UPDATED), 200,
        (TenantId) ? (), TenantPatch => Tenant, errors [TenantSlugTaken];
    /// Soft-deletes a tenant; its widgets stop answering at once.
    DeleteTenant: Delete "/api/v1/platform/tenants/{tenant_id}", Operator, Audit::Writes(actions::TENANT_SOFT_DELETED), 204,
        (TenantId) ? (), () => ();
    /// Soft-deletes several tenants, all or none, with one audit row.
    BulkDeleteTenants: Post "/api/v1/platform/tenants/bulk-soft-delete", Operator,
        Audit::Writes(actions::TENANT_BULK_SOFT_DELETED), 200, (()) ? (), BulkSoftDelete => BulkDeleted,
        errors [TenantNotFound];
}
