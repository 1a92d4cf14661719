//! Validation rules for bodies and queries, shared by the API and the consoles' forms.

use crate::{error::FieldError, moment::Moment};

/// Values that carry rules beyond their types.
pub trait Validate {
    /// Returns every rule that the value breaks; empty when it is valid.
    fn validate(&self) -> Vec<FieldError> {
        Vec::new()
    }
}

impl Validate for () {}

/// Collects broken rules of a value's fields.
#[derive(Debug)]
pub struct Checker {
    root: &'static [&'static str],
    errors: Vec<FieldError>,
}

impl Checker {
    /// Starts a check of a request body.
    pub fn body() -> Self {
        Self::within(&["body"])
    }

    /// Starts a check of a query string.
    pub fn query() -> Self {
        Self::within(&["query"])
    }

    /// Starts a check of the value at a place of the request.
    pub(crate) fn within(root: &'static [&'static str]) -> Self {
        Self { root, errors: Vec::new() }
    }

    fn place<'a>(&self, rest: &[&'a str]) -> Vec<&'a str> {
        self.root.iter().copied().chain(rest.iter().copied()).collect()
    }

    /// Records `msg` for `field` unless `holds`.
    pub fn require(&mut self, holds: bool, field: &str, kind: &str, msg: &str) {
        if !holds {
            self.errors.push(FieldError::new(self.place(&[field]), msg, kind));
        }
    }

    /// Records `msg` for entry `index` of the list `field`.
    pub fn entry(&mut self, field: &str, index: usize, kind: &str, msg: impl Into<String>) {
        self.errors.push(FieldError::new(self.place(&[field, &index.to_string()]), msg, kind));
    }

    /// Checks the parts of the field `field`: their errors name it, too.
    pub(crate) fn nested(&mut self, field: &str, check: impl FnOnce(&mut Self)) {
        let (depth, errors_before) = (self.root.len(), self.errors.len());
        check(self);
        for error in &mut self.errors[errors_before..] {
            error.loc.insert(depth, field.to_owned());
        }
    }

    /// A text of `min` to `max` characters without control characters (line breaks and tabs are allowed).
    pub fn text(&mut self, field: &str, value: &str, min: usize, max: usize) {
        if let Some((kind, msg)) = broken_text_rule(value, min, max) {
            self.require(false, field, kind, &msg);
        }
    }

    /// Checks a text like [`Self::text`], for entry `index` of the list `field`.
    pub fn text_entry(&mut self, field: &str, index: usize, value: &str, min: usize, max: usize) {
        if let Some((kind, msg)) = broken_text_rule(value, min, max) {
            self.entry(field, index, kind, msg);
        }
    }

    /// Texts of entry `index` of the list `field` without control characters (line breaks and tabs are allowed).
    pub(crate) fn without_control(&mut self, field: &str, index: usize, texts: &[&str]) {
        if texts.iter().any(|text| has_control(text)) {
            let (kind, msg) = CONTROL_RULE;
            self.entry(field, index, kind, msg);
        }
    }

    /// A tenant's or chatbot's slug.
    pub fn slug(&mut self, field: &str, value: &str) {
        self.require(is_slug(value), field, "slug", SLUG_RULE);
    }

    /// A language tag such as `en` or `de-AT`.
    pub fn language(&mut self, field: &str, value: &str) {
        self.require(is_language(value), field, "language", "must be a language tag such as en or de-AT");
    }

    /// A list without duplicates.
    pub fn distinct<T: PartialEq>(&mut self, field: &str, values: &[T]) {
        for (index, value) in values.iter().enumerate() {
            if values[..index].contains(value) {
                self.entry(field, index, "duplicate", "is already in the list");
            }
        }
    }

    /// A date, or a date and time, in ISO 8601.
    pub fn moment(&mut self, field: &str, value: Option<&str>) {
        let holds = value.is_none_or(|text| Moment::parse(text).is_some());
        self.require(holds, field, "datetime", "must be a date and time such as 2026-01-31T12:00:00Z");
    }

    /// The broken rules.
    pub fn finish(self) -> Vec<FieldError> {
        self.errors
    }
}

/// The kind of the rule that a text breaks, and its sentence.
fn broken_text_rule(value: &str, min: usize, max: usize) -> Option<(&'static str, String)> {
    if value.trim().chars().count() < min {
        let msg =
            if min == 1 { "must not be empty".to_owned() } else { format!("must have at least {min} characters") };
        return Some(("too_short", msg));
    }
    if value.chars().count() > max {
        return Some(("too_long", format!("must have at most {max} characters")));
    }
    let (kind, msg) = CONTROL_RULE;
    has_control(value).then(|| (kind, msg.to_owned()))
}

/// The rule against control characters: its kind and its sentence.
const CONTROL_RULE: (&str, &str) = ("control_character", "must not contain control characters");

fn has_control(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

/// The rule for slugs, as a pattern for the API's description.
pub const SLUG_PATTERN: &str = "^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$";

/// The rule for languages, as a pattern for the API's description.
pub const LANGUAGE_PATTERN: &str = "^[a-z]{2}(-[A-Z]{2})?$";

/// The rule for slugs, as a sentence for a form.
pub const SLUG_RULE: &str = "must have 1 to 63 of a-z, 0-9 and '-', with a letter or digit at both ends";

/// `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`.
pub fn is_slug(text: &str) -> bool {
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.len() <= 63
        && bytes.first().is_some_and(plain)
        && bytes.last().is_some_and(plain)
        && bytes.iter().all(|b| plain(b) || *b == b'-')
}

/// `^[a-z]{2}(-[A-Z]{2})?$`.
pub fn is_language(text: &str) -> bool {
    let bytes = text.as_bytes();
    matches!(bytes.len(), 2 | 5)
        && bytes[..2].iter().all(u8::is_ascii_lowercase)
        && (bytes.len() == 2 || (bytes[2] == b'-' && bytes[3..].iter().all(u8::is_ascii_uppercase)))
}

/// Suggests a slug for a display name: lower case, other characters become single hyphens.
pub fn suggest_slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().map(|c| c.to_ascii_lowercase()) {
        match c {
            'ä' | 'Ä' => slug.push_str("ae"),
            'ö' | 'Ö' => slug.push_str("oe"),
            'ü' | 'Ü' => slug.push_str("ue"),
            'ß' | 'ẞ' => slug.push_str("ss"),
            c if c.is_ascii_alphanumeric() => slug.push(c),
            _ if !slug.ends_with('-') && !slug.is_empty() => slug.push('-'),
            _ => {}
        }
    }
    slug.truncate(63);
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_a_part_of_a_field_names_both() {
        let mut check = Checker::body();
        check.text("name", "", 1, 5);
        check.nested("quotas", |check| check.require(false, "pages", "out_of_range", "is too large"));
        let places: Vec<_> = check.finish().into_iter().map(|error| error.loc.join("/")).collect();
        assert_eq!(places, ["body/name", "body/quotas/pages"]);
    }

    #[test]
    fn slugs_follow_their_pattern() {
        for good in ["a", "a1", "harbor-supply", &"a".repeat(63)] {
            assert!(is_slug(good), "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a_b", "ä", &"a".repeat(64)] {
            assert!(!is_slug(bad), "{bad}");
        }
    }

    #[test]
    fn a_suggested_slug_is_a_slug() {
        assert_eq!(suggest_slug("  Harbor & Supply GmbH "), "harbor-supply-gmbh");
        assert_eq!(suggest_slug("Müller Straße"), "mueller-strasse");
    }

    #[test]
    fn languages_are_two_letters_with_an_optional_region() {
        assert!(is_language("en") && is_language("de-AT"));
        assert!(!is_language("english") && !is_language("de_AT") && !is_language("EN"));
    }
}
