//! The language of a console: English or German, chosen by the user, else by the browser.
//!
//! A text is a constant with both languages, so that a missing translation does not compile. Views use reactive texts,
//! [`Text::t`] and [`Localized`]: a change of the language replaces texts without rebuilding the page.

pub mod answer_models;
pub mod languages;
mod localized;
pub mod modules;
pub mod source_kinds;
pub mod texts;

use leptos::prelude::*;

pub use localized::Localized;

use crate::storage;

const KEY: &str = "svc_language";

/// A language of the consoles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// The language where the browser prefers neither.
    #[default]
    English,
    /// Addresses people as "Sie".
    German,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// The language tag.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// The language's name in itself.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
        }
    }

    fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| tag.to_ascii_lowercase().starts_with(language.code()))
    }
}

/// A text in both languages. `{0}` and `{1}` are placeholders, see [`Text::with`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    en: &'static str,
    de: &'static str,
}

impl Text {
    /// A text in English and German.
    pub const fn new(en: &'static str, de: &'static str) -> Self {
        Self { en, de }
    }

    /// The text for a view, which reads it again when the language changes.
    pub fn t(self) -> impl Fn() -> &'static str + Copy + Send + Sync + 'static {
        move || self.get()
    }

    /// The text in the current language, tracked.
    pub fn get(self) -> &'static str {
        match current() {
            Language::English => self.en,
            Language::German => self.de,
        }
    }

    /// The text with `{0}`, `{1}`, ... replaced by `values`.
    pub fn with(self, values: &[&str]) -> Localized {
        let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
        Localized::new(move || filled(self, values.iter().map(String::as_str)))
    }

    /// Like [`Self::with`], with values that follow the language too.
    pub fn with_localized<const N: usize>(self, values: [Localized; N]) -> Localized {
        Localized::new(move || {
            let values = values.each_ref().map(Localized::get);
            filled(self, values.iter().map(String::as_str))
        })
    }
}

/// `one` for a count of one, else `some`: both languages have these two forms.
pub const fn plural(count: i64, one: Text, some: Text) -> Text {
    if count == 1 { one } else { some }
}

fn filled<'a>(text: Text, values: impl Iterator<Item = &'a str>) -> String {
    values.enumerate().fold(text.get().to_owned(), |text, (index, value)| text.replace(&format!("{{{index}}}"), value))
}

thread_local! {
    static CURRENT: ArcRwSignal<Language> = ArcRwSignal::new(Language::English);
}

/// The current language, tracked.
pub fn current() -> Language {
    CURRENT.with(Get::get)
}

/// Starts with the stored choice, else the browser's preference.
pub(crate) fn start() {
    show(stored().or_else(preferred).unwrap_or_default());
}

/// Switches the language and remembers it in this browser.
pub fn switch(language: Language) {
    storage::put(storage::local(), KEY, language.code());
    show(language);
}

fn show(language: Language) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", language.code());
    }
    CURRENT.with(|current| current.set(language));
}

fn stored() -> Option<Language> {
    Language::from_tag(&storage::read(storage::local(), KEY)?)
}

fn preferred() -> Option<Language> {
    let tags = window().navigator().languages();
    tags.iter().filter_map(|tag| tag.as_string()).find_map(|tag| Language::from_tag(&tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_count_of_one_is_singular() {
        const ONE: Text = Text::new("1 page", "1 Seite");
        const SOME: Text = Text::new("{0} pages", "{0} Seiten");
        assert_eq!([0, 1, 2, -1].map(|count| plural(count, ONE, SOME)), [SOME, ONE, SOME, SOME]);
    }
}
