//! Names of the platform's modules in the user's language. Texts of operators stay as they are.

use super::{Localized, Text};

const SHIPPED: [Text; 11] = [
    Text::new("Branding", "Erscheinungsbild"),
    Text::new("Feedback", "Feedback"),
    Text::new("Analytics", "Auswertung"),
    Text::new("Knowledge hub", "Wissenssuche"),
    Text::new("Audit export", "Export des Audit-Logs"),
    Text::new(
        "Chatbots that answer from the tenant's documents.",
        "Chatbots, die aus den Dokumenten der Organisation antworten.",
    ),
    Text::new(
        "Colours, texts and allowed origins of the widget.",
        "Farben, Texte und freigegebene Websites des Chatfensters.",
    ),
    Text::new("Ratings and comments of visitors.", "Bewertungen und Kommentare von Besuchern."),
    Text::new("Figures on questions and answers.", "Zahlen zu Fragen und Antworten."),
    Text::new(
        "Search over the sources of the tenant's chatbots.",
        "Suche in den Quellen aller Chatbots der Organisation.",
    ),
    Text::new("Export of the platform audit log.", "Export des Audit-Logs der Plattform."),
];

/// A module's name or description: a shipped one in the user's language, any other as it is stored.
pub fn localized(stored: &str) -> Localized {
    SHIPPED.iter().find(|text| text.en == stored).map_or_else(|| stored.into(), |text| (*text).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_description_has_a_german_text() {
        let tenants = include_str!("../../../migrations/0002_tenants.sql");
        let (_, modules) = tenants.split_once("insert into modules").unwrap();
        let rows: Vec<_> = modules.lines().filter(|line| line.starts_with("    ('")).collect();
        assert_eq!(rows.len(), 6);
        for row in rows {
            let description = row.split("', '").nth(2).unwrap().replace("''", "'");
            assert!(SHIPPED.iter().any(|text| text.en == description), "{description}");
        }
    }
}
