//! Explains why an origin pattern is refused, and suggests the pattern that was probably meant.

use crate::i18n::Text;
use contract::origin::{InvalidOrigin, Origin, OriginPattern};
use web_sys::Url;

use super::texts;

/// The reason why entry `index` of `patterns` is refused; `None` when it is valid.
pub fn refusal(patterns: &[String], index: usize) -> Option<Text> {
    let text = patterns.get(index)?;
    match text.parse::<OriginPattern>() {
        Err(reason) => Some(sentence(reason)),
        Ok(_) if patterns[..index].contains(text) => Some(texts::ORIGIN_DUPLICATE),
        Ok(_) => None,
    }
}

fn sentence(reason: InvalidOrigin) -> Text {
    match reason {
        InvalidOrigin::Length => texts::ORIGIN_LENGTH,
        InvalidOrigin::Wildcard => texts::ORIGIN_WILDCARD,
        InvalidOrigin::WildcardTooWide => texts::ORIGIN_TOO_WIDE,
        InvalidOrigin::Scheme => texts::ORIGIN_SCHEME,
        InvalidOrigin::InsecureScheme => texts::ORIGIN_INSECURE,
        InvalidOrigin::MoreThanOrigin => texts::ORIGIN_MORE,
        InvalidOrigin::UpperCase => texts::ORIGIN_UPPER,
        InvalidOrigin::Host => texts::ORIGIN_HOST,
        InvalidOrigin::Port => texts::ORIGIN_PORT,
    }
}

/// The pattern that an invalid text probably means, such as `https://www.example.com` for `www.Example.com/shop`;
/// `None` when the text is valid or there is no suggestion. The browser parses the address, so names with umlauts
/// become punycode.
pub fn meant(text: &str) -> Option<String> {
    if text.parse::<OriginPattern>().is_ok() {
        return None;
    }
    // The browser's parser rejects a star in the host.
    let (star, rest) = text.trim().strip_prefix("*.").map_or(("", text), |rest| ("*.", rest));
    let origin = origin_of(rest)?.replacen("://", &format!("://{star}"), 1);
    let secure = origin.strip_prefix("http://").map(|rest| format!("https://{rest}"));
    [Some(origin), secure].into_iter().flatten().find(|pattern| pattern.parse::<OriginPattern>().is_ok())
}

/// The origin of a typed address, with `https` as the default scheme; `None` when it is not an address.
pub fn origin_of(text: &str) -> Option<String> {
    let trimmed = text.trim().trim_end_matches('.');
    if trimmed.is_empty() {
        return None;
    }
    let origin = Url::new(&with_scheme(trimmed)).ok()?.origin();
    origin.parse::<Origin>().is_ok().then_some(origin)
}

/// A typed address with `https` as the default scheme.
pub fn with_scheme(text: &str) -> String {
    if text.contains("://") { text.to_owned() } else { format!("https://{text}") }
}
