//! The filter of lists that are worked off: open, done, or both.

use app::list_url::ListUrl;

use crate::texts::faq as texts;

/// The filter's name in the address.
pub(super) const KEY: &str = "handled";

/// What the address asks for, tracked.
pub(super) fn wanted(url: ListUrl) -> Option<bool> {
    match url.value(KEY).as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// The choices with their texts.
pub(super) fn options() -> Vec<(String, String)> {
    [("", texts::STATE_ALL), ("false", texts::STATE_OPEN), ("true", texts::STATE_HANDLED)]
        .map(|(value, text)| (value.to_owned(), text.into()))
        .to_vec()
}
