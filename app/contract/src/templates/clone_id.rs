//! The id of a template's clone in another language.

use crate::{TemplateId, id::InvalidTextId};

/// The id of the clone of template `id`, which is in `language`, in the language `target`: the language at the
/// end of the id is replaced, or the target is appended where there is none. Regions are written in lower case:
/// `support-en` in `de-AT` is `support-de-at`.
///
/// # Errors
/// When the id would have more than 64 characters.
pub fn clone_id(id: &TemplateId, language: &str, target: &str) -> Result<TemplateId, InvalidTextId> {
    let (language, target) = (language.to_ascii_lowercase(), target.to_ascii_lowercase());
    let stem = without_suffix(id.as_str(), &language)
        .or_else(|| without_suffix(id.as_str(), language.split('-').next().unwrap_or_default()));
    let text = match stem {
        Some(stem) => format!("{stem}{target}"),
        None => format!("{id}-{target}"),
    };
    text.parse()
}

/// The id up to and with the separator before its language; `None` when it does not end in the language.
fn without_suffix<'a>(id: &'a str, language: &str) -> Option<&'a str> {
    id.strip_suffix(language).filter(|stem| stem.len() > 1 && stem.ends_with(['-', '_', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloned(id: &str, language: &str, target: &str) -> Option<String> {
        clone_id(&id.parse().unwrap(), language, target).ok().map(String::from)
    }

    #[test]
    fn the_language_at_the_end_of_an_id_is_replaced_or_appended() {
        for (id, language, target, expected) in [
            ("support-en", "en", "de", "support-de"),
            ("support", "en", "de", "support-de"),
            ("support-en", "en", "de-AT", "support-de-at"),
            ("support-de-at", "de-AT", "fr", "support-fr"),
            ("support-en", "en-GB", "de", "support-de"),
            ("support.en", "en", "de", "support.de"),
            ("support_en", "en", "de", "support_de"),
            ("en", "en", "de", "en-de"),
            ("garden", "en", "de", "garden-de"),
            ("help-it", "en", "de", "help-it-de"),
            ("support-en", "en", "en", "support-en"),
        ] {
            assert_eq!(cloned(id, language, target).as_deref(), Some(expected), "{id} in {target}");
        }
    }

    #[test]
    fn an_id_that_would_be_too_long_is_refused() {
        assert_eq!(cloned(&"a".repeat(61), "en", "de").map(|id| id.len()), Some(64));
        assert_eq!(cloned(&"a".repeat(62), "en", "de"), None);
        assert_eq!(cloned(&format!("{}-en", "a".repeat(61)), "en", "de").map(|id| id.len()), Some(64));
        assert_eq!(cloned(&format!("{}-en", "a".repeat(61)), "en", "de-AT"), None);
    }
}
