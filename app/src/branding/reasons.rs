//! Why an origin pattern is refused, in words for people, and what was probably meant.

use crate::i18n::Text;
use contract::origin::{InvalidOrigin, Origin, OriginPattern};
use web_sys::Url;

use super::texts;

/// The reason why entry `index` of `patterns` is refused; `None` when it is good.
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

/// The pattern that a refused text probably means, such as `https://www.example.com` for
/// `www.Example.com/shop`; `None` when the text is good or nothing good is near. The browser's own
/// parser reads the address, so names with umlauts come out in punycode.
pub fn meant(text: &str) -> Option<String> {
    if text.parse::<OriginPattern>().is_ok() {
        return None;
    }
    // The browser's parser takes no star for a name.
    let (star, rest) = text.trim().strip_prefix("*.").map_or(("", text), |rest| ("*.", rest));
    let origin = origin_of(rest)?.replacen("://", &format!("://{star}"), 1);
    let secure = origin.strip_prefix("http://").map(|rest| format!("https://{rest}"));
    [Some(origin), secure].into_iter().flatten().find(|pattern| pattern.parse::<OriginPattern>().is_ok())
}

/// The origin of an address as somebody typed it, `https` where no scheme stands; `None` when it is no address.
pub fn origin_of(text: &str) -> Option<String> {
    let trimmed = text.trim().trim_end_matches('.');
    if trimmed.is_empty() {
        return None;
    }
    let origin = Url::new(&with_scheme(trimmed)).ok()?.origin();
    origin.parse::<Origin>().is_ok().then_some(origin)
}

/// An address as somebody typed it, with `https` where no scheme stands.
pub fn with_scheme(text: &str) -> String {
    if text.contains("://") { text.to_owned() } else { format!("https://{text}") }
}
