//! Conditional requests: whether the client has the current version already.

use http::{HeaderMap, header};

/// Whether `If-None-Match` lists this tag, strong or weak (RFC 9110, 13.1.2: the comparison is weak).
pub(super) fn is_known(request: &HeaderMap, tag: &str) -> bool {
    let listed = request.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    listed.is_some_and(|list| list.split(',').any(|one| one.trim().trim_start_matches("W/") == tag))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_listed_tag_is_known_strong_or_weak() {
        let mut headers = HeaderMap::new();
        assert!(!is_known(&headers, "\"b\""));
        headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static("\"a\", W/\"b\""));
        assert!(is_known(&headers, "\"a\"") && is_known(&headers, "\"b\""));
        assert!(!is_known(&headers, "\"c\""));
    }
}
