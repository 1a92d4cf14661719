//! The language of a console: English or German, chosen by the user, else by the browser.
//!
//! A text is a constant with both languages, so that a missing translation does not compile. Pages
//! are built again when the language changes, so texts are plain strings and not signals.

pub mod errors;
pub mod languages;
pub mod modules;
pub mod texts;

use std::cell::Cell;

use leptos::{either::Either, prelude::*};

use crate::storage;

const KEY: &str = "svc_language";

/// A language of the consoles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
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

/// A text in both languages. `{0}`, `{1}` stand for values, see [`Text::with`].
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

    /// The text in the current language.
    pub fn t(self) -> &'static str {
        match current() {
            Language::English => self.en,
            Language::German => self.de,
        }
    }

    /// The text with `{0}`, `{1}`, ... replaced by `values`.
    pub fn with(self, values: &[&str]) -> String {
        let mut text = self.t().to_owned();
        for (index, value) in values.iter().enumerate() {
            text = text.replace(&format!("{{{index}}}"), value);
        }
        text
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.t().to_owned()
    }
}

thread_local! {
    static CURRENT: Cell<Language> = const { Cell::new(Language::English) };
}

/// The language that texts come in.
pub fn current() -> Language {
    CURRENT.get()
}

/// The signal that pages are built under; one a console, provided as context.
#[derive(Debug, Clone, Copy)]
pub struct LanguageChoice(RwSignal<Language>);

impl LanguageChoice {
    /// Starts with the stored choice, else the browser's preference, and provides itself as context.
    pub fn provide() -> Self {
        let language = stored().or_else(preferred).unwrap_or_default();
        let choice = Self(RwSignal::new(language));
        apply(language);
        provide_context(choice);
        choice
    }

    /// The choice of this console.
    pub fn get() -> Self {
        expect_context()
    }

    /// The language, tracked.
    pub fn language(self) -> Language {
        self.0.get()
    }

    /// Switches the language and remembers it in this browser.
    pub fn set(self, language: Language) {
        apply(language);
        storage::put(storage::local(), KEY, language.code());
        self.0.set(language);
    }
}

/// Shows `view`, built anew from nothing when the language changes: texts are plain strings.
pub fn in_language<V: IntoView + 'static>(view: impl Fn() -> V + Send + 'static) -> impl IntoView {
    let choice = LanguageChoice::get();
    // Two branches, so that nothing of the other language's view is reused.
    move || match choice.language() {
        Language::English => Either::Left(view()),
        Language::German => Either::Right(view()),
    }
}

fn apply(language: Language) {
    CURRENT.set(language);
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", language.code());
    }
}

fn stored() -> Option<Language> {
    Language::from_tag(&storage::read(storage::local(), KEY)?)
}

fn preferred() -> Option<Language> {
    let tags = window().navigator().languages();
    tags.iter().filter_map(|tag| tag.as_string()).find_map(|tag| Language::from_tag(&tag))
}
