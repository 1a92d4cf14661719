//! `/static/branding/*`: pictures of brandings, for pages on every origin. Their names contain a hash of their bytes,
//! so that browsers can cache them forever.

use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::get,
};
use contract::ErrorCode;
use http::{HeaderName, HeaderValue, StatusCode, header};

use crate::{
    error::{ApiError, ApiResult},
    http::{
        etag,
        static_files::{FileName, IMMUTABLE},
    },
    service::branding::pictures,
    state::App,
};

/// A picture that is opened directly cannot run scripts.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

pub(super) fn routes() -> Router<App> {
    Router::new().route("/static/branding/{name}", get(serve))
}

async fn serve(State(app): State<App>, FileName(name): FileName, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let outcome: ApiResult<_> = async {
        app.limiter.public(&app.limiter.client(&parts)).await?;
        let tag = format!("\"{name}\"");
        let media_type = match name.rsplit_once('.') {
            Some((_, "jpg")) => "image/jpeg",
            _ => "image/png",
        };
        let bytes = pictures::find(&app, &name).await?.ok_or(ErrorCode::NotFound)?;
        let mut response = if etag::is_known(&parts.headers, &tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            ([(header::CONTENT_TYPE, media_type)], bytes).into_response()
        };
        let tag = HeaderValue::from_str(&tag).map_err(|_| ErrorCode::NotFound)?;
        response.headers_mut().insert(header::ETAG, tag);
        Ok(response)
    }
    .await;
    let (mut response, cache) = match outcome {
        Ok(response) => (response, IMMUTABLE),
        Err(error) => (ApiError::into_response(error), "no-store"),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CACHE_CONTROL, cache),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
