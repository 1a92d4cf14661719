//! What the server functions of the operator console answer with: numbers and names, never what visitors wrote.

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
    /// Chatbots of live tenants whose vector collection could not be made.
    pub failed_provisioning: AlertSummary,
    /// Live tenants whose widget cannot be embedded yet: no allowed origins.
    pub tenants_without_origins: AlertSummary,
    /// Live tenants one of whose allowed origins may not read the answers it asks for, by the settings for CORS.
    pub cors_gaps: AlertSummary,
    /// Names of language models that failed and are left alone for a while: answers are quoted.
    pub unavailable_models: Vec<String>,
    /// The active templates that most chatbots were made from, at most five.
    pub top_templates: Vec<TemplateAdoption>,
    /// How the knowledge hub is used.
    pub hub: HubUsage,
}

/// The use of the knowledge hub in the last 30 days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HubUsage {
    /// Live tenants that have the module.
    pub tenants: i64,
    /// Those whose people searched.
    pub searching: i64,
    /// Searches that were noted.
    pub searches: i64,
    /// Searches that found nothing.
    pub without_result: i64,
    /// Results that were opened.
    pub opened: i64,
}

/// Something that needs attention: how much of it there is, and with which tenants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertSummary {
    /// How many there are.
    pub count: i64,
    /// The first of them by the tenant's name; at most eight.
    pub first: Vec<AlertedTenant>,
}

/// A tenant that something needs attention with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertedTenant {
    /// The tenant.
    pub tenant_id: TenantId,
    /// Its name.
    pub tenant_name: String,
    /// The name of its chatbot that is concerned, when it is one.
    pub chatbot_name: Option<String>,
}

/// How many chatbots were made from a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateAdoption {
    /// The template.
    pub template_id: TemplateId,
    /// Its name.
    pub name: String,
    /// Active chatbots of live tenants that were made from it.
    pub chatbots: i64,
    /// Those of them with an older version; 0 when the template is deactivated, as nothing is offered to them then.
    pub behind: i64,
}

/// What happened on the platform over some days, beside as many days before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformTrends {
    /// The days, oldest first, today included.
    pub days: Vec<PlatformDay>,
    /// Their sums.
    pub now: PlatformSums,
    /// The sums of as many days before.
    pub before: PlatformSums,
    /// The live tenants whose visitors asked most, at most eight.
    pub most_active: Vec<TenantActivity>,
    /// Live tenants whose visitors asked nothing.
    pub tenants_without_questions: i64,
}

/// What happened on the platform on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformDay {
    /// The day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// Questions that visitors asked, small talk and those over the quota left out.
    pub questions: i64,
    /// Triggers of the output filter.
    pub filter_events: i64,
}

/// The sums of some days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformSums {
    /// Questions that visitors asked, small talk and those over the quota left out.
    pub questions: i64,
    /// Conversations that began.
    pub conversations: i64,
    /// Live tenants that were created.
    pub new_tenants: i64,
    /// Active chatbots of live tenants that were created.
    pub new_chatbots: i64,
}

/// How much a tenant's visitors asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TenantActivity {
    /// The tenant.
    pub tenant_id: TenantId,
    /// Its name.
    pub tenant_name: String,
    /// Their questions.
    pub questions: i64,
    /// Their questions in as many days before.
    pub before: i64,
}

/// The state of the platform's parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformHealth {
    /// What the platform depends on.
    pub checks: ReadinessChecks,
    /// Language models of the settings.
    pub language_models: i64,
    /// Names of those that failed and are left alone for a while.
    pub unavailable_models: Vec<String>,
    /// Background jobs that were given up in the last 24 hours.
    pub failed_jobs: i64,
    /// Background jobs that have been due for more than an hour, and no worker has them.
    pub waiting_jobs: i64,
}
