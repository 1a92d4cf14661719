//! A text of the report in both languages.

use std::fmt::Display;

use contract::system_check::ReportLanguage;

/// A text in English and German.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    english: String,
    german: String,
}

impl Text {
    /// A text in both languages; [`text!`] fills in values.
    pub(super) fn new(english: String, german: String) -> Self {
        Self { english, german }
    }

    /// An error, which is in English.
    pub(super) fn error(error: &impl Display) -> Self {
        Self::new(error.to_string(), format!("Fehler: {error}"))
    }

    /// Why something gave no answer.
    pub(super) fn no_answer(why: &str) -> Self {
        Self::new(format!("No answer: {why}."), format!("Keine Antwort: {why}."))
    }

    /// The text in one language.
    pub(super) fn of(&self, language: ReportLanguage) -> &str {
        match language {
            ReportLanguage::English => &self.english,
            ReportLanguage::German => &self.german,
        }
    }
}

/// A text in both languages, with values in braces.
macro_rules! text {
    ($english:literal, $german:literal $(,)?) => {
        $crate::doctor::text::Text::new(format_args!($english).to_string(), format_args!($german).to_string())
    };
}
