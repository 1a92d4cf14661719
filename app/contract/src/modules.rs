//! The module registry and which modules a tenant has.

use serde::{Deserialize, Serialize};

use crate::{
    ModuleId, Page, TenantId,
    audit::actions,
    endpoint::{Audit, endpoints},
    error::FieldError,
    page::PageQuery,
    validate::{Checker, Validate},
};

/// The module that the endpoints of the knowledge hub require.
pub const KNOWLEDGE_HUB: &str = "knowledge_hub";

/// The modules that an endpoint requires. All others only record what a tenant has booked.
pub const ENFORCED: [&str; 1] = [KNOWLEDGE_HUB];

/// A module of the platform's registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Module {
    pub id: ModuleId,
    /// The name shown to people.
    pub name: String,
    pub description: String,
    /// The group it is listed in.
    pub category: String,
    /// Every tenant has it, and nobody can switch it off.
    pub is_always_on: bool,
    /// Tenants cannot see it.
    pub internal_only: bool,
    /// Whether a tenant's administrators switch it; otherwise operators do.
    pub self_service: bool,
    /// Its place in the list, ascending.
    pub position: i32,
}

impl Module {
    /// Whether something is there or not with the module.
    pub fn switches_something(&self) -> bool {
        ENFORCED.contains(&self.id.as_str())
    }
}

/// A module to register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewModule {
    /// `^[a-z0-9][a-z0-9._-]{0,63}$`.
    pub id: ModuleId,
    /// 1 to 200 characters.
    pub name: String,
    /// At most 2000 characters.
    #[serde(default)]
    pub description: String,
    /// 1 to 64 characters.
    pub category: String,
    /// `false` when absent.
    #[serde(default)]
    pub is_always_on: bool,
    /// `false` when absent.
    #[serde(default)]
    pub internal_only: bool,
    /// Whether a tenant's administrators switch it; `true` when absent.
    #[serde(default = "default_true")]
    pub self_service: bool,
    /// Its place in the list, 0 to 10000; 100 when absent.
    #[serde(default = "last_position")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 10000)))]
    pub position: i32,
}

fn default_true() -> bool {
    true
}

fn last_position() -> i32 {
    100
}

impl Validate for NewModule {
    fn validate(&self) -> Vec<FieldError> {
        let patch = ModulePatch {
            name: Some(self.name.clone()),
            description: Some(self.description.clone()),
            category: Some(self.category.clone()),
            position: Some(self.position),
            ..ModulePatch::default()
        };
        patch.validate()
    }
}

/// Changes to a module; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModulePatch {
    /// 1 to 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// At most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// 1 to 64 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whether every tenant has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_always_on: Option<bool>,
    /// Whether it is hidden from tenants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal_only: Option<bool>,
    /// Whether a tenant's administrators switch it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_service: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 10000)))]
    pub position: Option<i32>,
}

impl Validate for ModulePatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        for (field, value, min, max) in [
            ("name", &self.name, 1, 200),
            ("description", &self.description, 0, 2000),
            ("category", &self.category, 1, 64),
        ] {
            if let Some(value) = value {
                check.text(field, value, min, max);
            }
        }
        if let Some(position) = self.position {
            check.require((0..=10_000).contains(&position), "position", "out_of_range", "must be between 0 and 10000");
        }
        check.finish()
    }
}

/// A module as a tenant has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TenantModule {
    #[serde(flatten)]
    pub module: Module,
    /// Whether the tenant has it; always for a module that is always on.
    pub enabled: bool,
}

/// Whether a tenant is to have a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModuleToggle {
    /// On or off.
    pub enabled: bool,
}

impl Validate for ModuleToggle {}

/// Maximum modules of a bulk assignment.
pub const MAX_BULK_MODULES: usize = 200;

/// The whole set of optional modules that a tenant is to have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModuleAssignment {
    /// At most 200 distinct ids; modules that are always on are allowed and change nothing.
    pub module_ids: Vec<ModuleId>,
}

impl Validate for ModuleAssignment {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        let ids = &self.module_ids;
        check.require(ids.len() <= MAX_BULK_MODULES, "module_ids", "too_long", "must have at most 200 entries");
        check.distinct("module_ids", ids);
        check.finish()
    }
}

/// Page, order and search of the lists of modules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(MODULE_SORT_FIELDS)))]
pub struct ModuleListQuery {
    /// Page, order and search.
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

/// The fields that the module lists sort by; `position` by default.
pub const MODULE_SORT_FIELDS: &[&str] = &["position", "id", "name", "category"];

impl Validate for ModuleListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(MODULE_SORT_FIELDS)
    }
}

endpoints! {
    /// Lists the module registry.
    ListModules: Get "/api/v1/platform/modules", OperatorOrVendor, Audit::Reads, 200,
        (()) ? ModuleListQuery, () => Page<Module>;
    /// Registers a module.
    CreateModule: Post "/api/v1/platform/modules", Operator, Audit::Writes(actions::MODULE_CREATED), 201,
        (()) ? (), NewModule => Module, errors [ModuleExists];
    /// Shows a module of the registry.
    GetModule: Get "/api/v1/platform/modules/{module_id}", OperatorOrVendor, Audit::Reads, 200,
        (ModuleId) ? (), () => Module;
    /// Changes a module of the registry.
    UpdateModule: Patch "/api/v1/platform/modules/{module_id}", Operator, Audit::Writes(actions::MODULE_UPDATED), 200,
        (ModuleId) ? (), ModulePatch => Module;
    /// Lists the modules of a tenant; a tenant user sees the own tenant's, without internal ones.
    ListTenantModules: Get "/api/v1/tenants/{tenant_id}/modules", AnyScope, Audit::Reads, 200,
        (TenantId) ? ModuleListQuery, () => Page<TenantModule>;
    /// Switches a module of a tenant on or off.
    SetTenantModule: Put "/api/v1/tenants/{tenant_id}/modules/{module_id}", OperatorOrVendor,
        Audit::OneOf(&[actions::TENANT_MODULE_ACTIVATED, actions::TENANT_MODULE_DEACTIVATED]), 200,
        ((TenantId, ModuleId)) ? (), ModuleToggle => TenantModule, errors [ModuleAlwaysOn];
    /// Replaces the optional modules of a tenant.
    AssignTenantModules: Post "/api/v1/tenants/{tenant_id}/modules/bulk", OperatorOrVendor,
        Audit::Writes(actions::TENANT_MODULE_BULK_ASSIGNED), 200, (TenantId) ? (), ModuleAssignment => ModuleAssignment,
        errors [ModuleNotFound];
    /// Replaces the optional modules of a tenant; the same as the path without `platform`.
    AssignPlatformTenantModules: Post "/api/v1/platform/tenants/{tenant_id}/modules/bulk", OperatorOrVendor,
        Audit::Writes(actions::TENANT_MODULE_BULK_ASSIGNED), 200, (TenantId) ? (), ModuleAssignment => ModuleAssignment,
        errors [ModuleNotFound];
    /// Switches a module of the caller's tenant on.
    ActivateModule: Post "/api/v1/tenants/me/modules/{module_id}/activate", TenantAdmin,
        Audit::Writes(actions::TENANT_MODULE_ACTIVATED), 200, (ModuleId) ? (), () => TenantModule,
        errors [ModuleAlwaysOn, ModuleNotSelfService];
    /// Switches a module of the caller's tenant off.
    DeactivateModule: Post "/api/v1/tenants/me/modules/{module_id}/deactivate", TenantAdmin,
        Audit::Writes(actions::TENANT_MODULE_DEACTIVATED), 200, (ModuleId) ? (), () => TenantModule,
        errors [ModuleAlwaysOn, ModuleNotSelfService];
}
