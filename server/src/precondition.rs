//! Preconditions of changes (`If-Match`, RFC 9110, 13.1.1), and the tags of versions.

use contract::ErrorCode;
use http::{HeaderMap, header};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{error::ApiResult, hex};

/// The precondition of a change (`If-Match`, RFC 9110, 13.1.1).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IfMatch(Option<String>);

impl IfMatch {
    /// The precondition in the request's headers.
    pub fn of(headers: &HeaderMap) -> Self {
        let lists = headers.get_all(header::IF_MATCH).iter().map(|value| value.to_str().unwrap_or_default());
        Self(lists.map(str::to_owned).reduce(|all, list| format!("{all},{list}")))
    }

    /// Whether a resource that a GET shows as `current` may be changed: there is no precondition, or it lists this
    /// version's `ETag`.
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
pub(crate) fn tag(bytes: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&Sha256::digest(bytes)[..12]))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_change_is_let_through_by_the_current_version_only() {
        let accepts = |values: &[&'static str]| {
            let header = |value: &&'static str| (header::IF_MATCH, HeaderValue::from_static(value));
            IfMatch::of(&values.iter().map(header).collect()).check(&1).is_ok()
        };
        let current: &'static str = tag(b"1").leak();
        assert!(accepts(&[]) && accepts(&["*"]) && accepts(&[current]) && accepts(&["\"a\", \"b\"", current]));
        assert!(!accepts(&["\"a\""]) && !accepts(&[""]) && !accepts(&[format!("W/{current}").leak()]));
    }

    #[test]
    fn equal_bodies_have_equal_tags() {
        assert_eq!(tag(b"{}"), tag(b"{}"));
        assert_ne!(tag(b"{}"), tag(b"[]"));
    }
}
