//! Responds with an `ETag`, or with 304 when the client has the current version.

use axum::response::{IntoResponse, Response};
use contract::ErrorCode;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::{error::ApiError, precondition::tag};

/// A JSON answer with its `ETag` and this cache rule, or 304 when the client has the same body already.
pub(super) fn json(request: &HeaderMap, value: &impl Serialize, cache: &'static str) -> Response {
    let Ok(bytes) = serde_json::to_vec(value) else {
        tracing::error!("answer.not_serialisable");
        return ApiError::from(ErrorCode::InternalError).into_response();
    };
    let tag = tag(&bytes);
    let mut response = if is_known(request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    if let Ok(value) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, value);
    }
    response
}

/// The headers that [`json`] reads, for a handler that gives the request away.
pub(super) fn conditions(request: &HeaderMap) -> HeaderMap {
    let listed = request.get_all(header::IF_NONE_MATCH).iter();
    listed.map(|value| (header::IF_NONE_MATCH, value.clone())).collect()
}

/// Whether `If-None-Match` lists this tag, strong or weak (RFC 9110, 13.1.2: the comparison is weak), or is `*`.
pub(super) fn is_known(request: &HeaderMap, tag: &str) -> bool {
    let lists = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim).any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_tag_is_known_strong_or_weak() {
        let mut headers = HeaderMap::new();
        assert!(!is_known(&headers, "\"b\""));
        headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static("\"a\", W/\"b\""));
        headers.append(header::IF_NONE_MATCH, HeaderValue::from_static("\"d\""));
        assert!(is_known(&headers, "\"a\"") && is_known(&headers, "\"b\"") && is_known(&headers, "\"d\""));
        assert!(!is_known(&headers, "\"c\""));
    }
}
