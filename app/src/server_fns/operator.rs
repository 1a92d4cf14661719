//! Server functions of the operator console, below `/admin/operator/_fn`.

use leptos::{
    prelude::server,
    server_fn::codec::{GetUrl, Json},
};

use super::{ConsoleClient, ConsoleError};
use crate::backend::{OperatorOverview, PlatformDay};

/// The counts and latest tenants of the first page; operators and vendors only.
///
/// # Errors
/// As the REST API: 401 without a good token, 403 in another scope, 503 when the database is down.
#[server(prefix = "/admin/operator/_fn", endpoint = "overview", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_operator_overview() -> Result<OperatorOverview, ConsoleError> {
    super::with_request(async |request| request.backend.operator_overview(request.bearer.as_deref()).await).await
}

/// Questions and triggers of the output filter of the last 30 days, oldest day first; operators and vendors only.
///
/// # Errors
/// As [`fetch_operator_overview`].
#[server(prefix = "/admin/operator/_fn", endpoint = "days", input = GetUrl, output = Json, client = ConsoleClient)]
pub async fn fetch_platform_days() -> Result<Vec<PlatformDay>, ConsoleError> {
    super::with_request(async |request| request.backend.platform_days(request.bearer.as_deref()).await).await
}
