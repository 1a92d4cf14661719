//! The languages of tenants, chatbots and templates, by name.

use super::{Localized, Text};

/// The offered languages; the API accepts any language tag.
const NAMES: [(&str, Text); 8] = [
    ("en", Text::new("English", "Englisch")),
    ("de", Text::new("German", "Deutsch")),
    ("fr", Text::new("French", "Französisch")),
    ("es", Text::new("Spanish", "Spanisch")),
    ("it", Text::new("Italian", "Italienisch")),
    ("nl", Text::new("Dutch", "Niederländisch")),
    ("pl", Text::new("Polish", "Polnisch")),
    ("pt", Text::new("Portuguese", "Portugiesisch")),
];

/// The name of a language tag, with its region when it has one; the tag itself when it is unknown.
pub fn name(tag: &str) -> Localized {
    let (language, region) = tag.split_once('-').unwrap_or((tag, ""));
    match NAMES.iter().find(|(code, _)| *code == language) {
        Some((_, name)) if region.is_empty() => (*name).into(),
        Some((_, name)) => {
            let region = region.to_owned();
            Localized::new(move || format!("{} ({region})", name.get()))
        }
        None => tag.into(),
    }
}

/// Options with tags and names, including `current` even when it is not offered.
pub fn options(current: &str) -> Vec<(String, Localized)> {
    let mut options: Vec<_> = NAMES.iter().map(|(code, name)| ((*code).to_owned(), (*name).into())).collect();
    if !current.is_empty() && !NAMES.iter().any(|(code, _)| *code == current) {
        options.push((current.to_owned(), name(current)));
    }
    options
}
