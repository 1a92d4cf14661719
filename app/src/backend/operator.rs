//! Response types of the operator console's server functions: numbers and names, never texts of visitors.

use contract::{TemplateId, TenantId, health::ReadinessChecks};
use serde::{Deserialize, Serialize};

/// The operator console's first page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OperatorOverview {
    /// Live tenants.
    pub tenants: i64,
    /// Chatbots of live tenants that are active.
    pub chatbots: i64,
    /// Templates that are active.
    pub templates: i64,
    /// Chatbots of live tenants whose vector collection could not be created.
    pub failed_provisioning: AlertSummary,
    /// Live tenants whose widget cannot be embedded yet: no allowed origins.
    pub tenants_without_origins: AlertSummary,
    /// Live tenants with an allowed origin that may not read responses because of the CORS settings.
    pub cors_gaps: AlertSummary,
    /// Names of language models that are paused after failures; answers are quoted instead.
    pub unavailable_models: Vec<String>,
    /// The most used active templates, at most five.
    pub top_templates: Vec<TemplateAdoption>,
    /// The usage of the knowledge hub.
    pub hub: HubUsage,
}

/// The use of the knowledge hub in the last 30 days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HubUsage {
    /// Live tenants that have the module.
    pub tenants: i64,
    /// Of these, the tenants whose users searched.
    pub searching: i64,
    /// Searches that were recorded.
    pub searches: i64,
    /// Searches that found nothing.
    pub without_result: i64,
    /// Results that were opened.
    pub opened: i64,
}

/// Something that needs attention: how much of it there is, and with which tenants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertSummary {
    /// Number of tenants.
    pub count: i64,
    /// The first of them by the tenant's name; at most eight.
    pub first: Vec<AlertedTenant>,
}

/// A tenant that something needs attention with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertedTenant {
    /// The tenant that needs attention.
    pub tenant_id: TenantId,
    /// Its display name.
    pub tenant_name: String,
    /// The name of its chatbot that is concerned, when it is one.
    pub chatbot_name: Option<String>,
}

/// How many chatbots use a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateAdoption {
    /// The template that chatbots use.
    pub template_id: TemplateId,
    /// The name in its content.
    pub name: String,
    /// Active chatbots of live tenants that were created from it.
    pub chatbots: i64,
    /// Of these, the chatbots with an older version; 0 when the template is deactivated and offers no update.
    pub behind: i64,
}

/// The platform's activity over some days, compared with the same number of days before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformTrends {
    /// The days, oldest first, today included.
    pub days: Vec<PlatformDay>,
    /// The same number of days before, oldest first.
    #[serde(default)]
    pub days_before: Vec<PlatformDay>,
    /// The sums of `days`.
    pub now: PlatformSums,
    /// The sums of as many days before.
    pub before: PlatformSums,
    /// The live tenants with the most questions, at most eight.
    pub most_active: Vec<TenantActivity>,
    /// Live tenants without questions.
    pub tenants_without_questions: i64,
}

/// The platform's activity on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformDay {
    /// The day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// Questions of visitors, without small talk and those over the quota.
    pub questions: i64,
    /// Triggers of the output filter.
    pub filter_events: i64,
}

/// The sums of some days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformSums {
    /// Questions of visitors, without small talk and those over the quota.
    pub questions: i64,
    /// Conversations that began.
    pub conversations: i64,
    /// Live tenants that were created.
    pub new_tenants: i64,
    /// Active chatbots of live tenants that were created.
    pub new_chatbots: i64,
}

/// The number of questions of a tenant's visitors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TenantActivity {
    /// The tenant whose visitors asked.
    pub tenant_id: TenantId,
    /// Its display name.
    pub tenant_name: String,
    /// Questions of its visitors.
    pub questions: i64,
    /// Their questions in as many days before.
    pub before: i64,
}

/// The health of the platform's components.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformHealth {
    /// The components that readiness depends on.
    pub checks: ReadinessChecks,
    /// Language models of the settings.
    pub language_models: i64,
    /// Names of those that are paused after failures.
    pub unavailable_models: Vec<String>,
    /// Background jobs that were given up in the last 24 hours.
    pub failed_jobs: i64,
    /// Background jobs that have been due for more than an hour, and no worker has them.
    pub waiting_jobs: i64,
}
