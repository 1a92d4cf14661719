//! Names of the kinds of sources, shared by both consoles.

use contract::documents::SourceKind;

use super::Text;

/// What people read for a kind of source.
pub const fn name(of: SourceKind) -> Text {
    match of {
        SourceKind::FaqSeed => Text::new("Template questions and answers", "Fragen und Antworten der Vorlage"),
        SourceKind::Files => Text::new("Files from the platform operator", "Dateien des Plattformbetreibers"),
        SourceKind::Faq => Text::new("Custom answers", "Eigene Antworten"),
        SourceKind::Upload => Text::new("Uploads", "Uploads"),
        SourceKind::Api => Text::new("API", "API"),
        SourceKind::Website => Text::new("Website", "Website"),
    }
}
