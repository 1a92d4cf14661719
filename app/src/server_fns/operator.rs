//! Server functions of the operator console, below `/admin/operator/_fn`.

use leptos::{
    prelude::server,
    server_fn::codec::{GetUrl, Json},
};

use super::{ConsoleClient, ConsoleError};
use crate::backend::{OperatorOverview, PlatformHealth, PlatformTrends, TemplateAdoption};

/// The counts of the start page, problems that need attention and the most used templates; operators and vendors only.
///
/// # Errors
/// Like the REST API: 401 without a valid token, 403 in another scope, 503 when the database is down.
#[server(prefix = "/admin/operator/_fn", endpoint = "overview", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_operator_overview() -> Result<OperatorOverview, ConsoleError> {
    super::with_request(async |request| request.backend.operator_overview(request.bearer.as_deref()).await).await
}

/// Trends over the last `days`, 1 to 90 (30), compared with the same number of days before; operators and vendors only.
///
/// # Errors
/// As [`fetch_operator_overview`], and 422 for invalid numbers.
#[server(prefix = "/admin/operator/_fn", endpoint = "trends", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_platform_trends(
    /// The number of days up to today, 1 to 90; 30 if absent.
    days: Option<u16>,
) -> Result<PlatformTrends, ConsoleError> {
    super::with_request(async move |request| request.backend.platform_trends(request.bearer.as_deref(), days).await)
        .await
}

/// The health of the platform's components; operators and vendors only.
///
/// # Errors
/// As [`fetch_operator_overview`].
#[server(prefix = "/admin/operator/_fn", endpoint = "health", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_platform_health() -> Result<PlatformHealth, ConsoleError> {
    super::with_request(async |request| request.backend.platform_health(request.bearer.as_deref()).await).await
}

/// How many chatbots use each template; operators and vendors only.
///
/// # Errors
/// As [`fetch_operator_overview`].
#[server(prefix = "/admin/operator/_fn", endpoint = "template-adoption", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_template_adoption() -> Result<Vec<TemplateAdoption>, ConsoleError> {
    super::with_request(async |request| request.backend.template_adoption(request.bearer.as_deref()).await).await
}
