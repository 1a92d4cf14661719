//! The response of an export: a CSV download.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{header, request::Parts};

use crate::{error::ApiResult, shutdown::AbortSignal};

/// A response whose body is a file with this name.
pub(super) async fn attachment<F>(
    parts: &Parts,
    name: &str,
    start: impl FnOnce(AbortSignal) -> F,
) -> ApiResult<Response>
where
    F: Future<Output = ApiResult<Body>>,
{
    let body = start(AbortSignal::of(&parts.extensions)).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, body).into_response())
}
