//! The languages of a visitor's browser.

use http::{HeaderMap, header};

/// The languages of `Accept-Language` without their regions: browsers name them in the order of preference.
pub(super) fn languages(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').filter_map(|tag| tag.trim().split(['-', ';']).next())
}
