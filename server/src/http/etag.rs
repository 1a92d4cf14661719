//! Conditional requests: whether the client has the current version already, or changes the version that it has read.

use axum::response::{IntoResponse, Response};
use contract::ErrorCode;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::http::error::{ApiError, ApiResult};

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

/// The headers that [`json`] reads, for a call that gives the others away.
pub(super) fn conditions(request: &HeaderMap) -> HeaderMap {
    let listed = request.get_all(header::IF_NONE_MATCH).iter();
    listed.map(|value| (header::IF_NONE_MATCH, value.clone())).collect()
}

/// What a change asks of the version that it changes (`If-Match`, RFC 9110, 13.1.1).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IfMatch(Option<String>);

impl IfMatch {
    /// What the request's headers ask for.
    pub fn of(headers: &HeaderMap) -> Self {
        let lists = headers.get_all(header::IF_MATCH).iter().map(|value| value.to_str().unwrap_or_default());
        Self(lists.map(str::to_owned).reduce(|all, list| format!("{all},{list}")))
    }

    /// Whether a resource that a GET shows as `current` may be changed: nothing is asked, or this version's `ETag` is named.
    ///
    /// # Errors
    /// `precondition_failed`.
    pub fn check(&self, current: &impl Serialize) -> ApiResult<()> {
        let Some(listed) = &self.0 else { return Ok(()) };
        let Ok(bytes) = serde_json::to_vec(current) else { return Err(ErrorCode::InternalError.into()) };
        let tag = tag(&bytes);
        let holds = listed.split(',').map(str::trim).any(|one| one == "*" || one == tag);
        if holds { Ok(()) } else { Err(ErrorCode::PreconditionFailed.into()) }
    }
}

/// The tag of a body: a part of its hash.
pub(super) fn tag(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let tag: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{tag}\"")
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

    #[test]
    fn a_change_is_let_through_by_the_current_version_only() {
        let asked = |values: &[&'static str]| {
            let header = |value: &&'static str| (header::IF_MATCH, HeaderValue::from_static(value));
            IfMatch::of(&values.iter().map(header).collect()).check(&1).is_ok()
        };
        let current: &'static str = tag(b"1").leak();
        assert!(asked(&[]) && asked(&["*"]) && asked(&[current]) && asked(&["\"a\", \"b\"", current]));
        assert!(!asked(&["\"a\""]) && !asked(&[""]) && !asked(&[format!("W/{current}").leak()]));
    }

    #[test]
    fn equal_bodies_have_equal_tags() {
        assert_eq!(tag(b"{}"), tag(b"{}"));
        assert_ne!(tag(b"{}"), tag(b"[]"));
    }
}
