//! Contact data of a site, such as the telephone number in its footer. It becomes the last section of a page, so that
//! [`crate::repeated`] can leave it out of all pages but the first.

use std::sync::LazyLock;

use regex_automata::meta::Regex;

use crate::{
    block::{blocks, item_marker},
    document::Section,
};

/// A telephone number, opening hours or a postal address, in the seven languages of chatbots.
const CONTACT: &str = r"(?ix)
    # A telephone number
      (\+|\b00)\ ?[1-9]\d{0,2}[\s().\/–-]+\d[\d\s().\/–-]{4,}\d
    | (\+|\b00)[1-9]\d{7,}
    | \(?\b0\d{1,5}\)?[\s\/–-]+\d[\d\s\/–-]{2,}\d
    | \b\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}\b
    | \b(tel|telefon|telephone|phone|fon|call|hotline|mobil|mobile|fax|téléphone|tél|teléfono|telefono|telefoon|telefone)\b[^\d\n]{0,12}\+?[\d(][\d\s().\/–-]{2,}\d
    # Opening hours
    | \b(opening\ (hours|times)|öffnungszeiten|sprechzeiten|geöffnet|horaires?|heures\ d.ouverture|horarios?|orari(\ di\ apertura)?|openingstijden)\b\D{0,80}\d
    | \b(mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|lunes|sáb|dom|lunedì|maandag|zaterdag|seg|sex)\w{0,7}\b[^\n\d]{0,30}\d{1,2}([:.h]\d{2})?\ ?(am|pm|uhr|h)?\ ?(-|–|to|bis|à|a|until|and|und|tot)\ ?\d
    # A postal address
    | \b[\p{L}.-]*(straße|strasse|str\.|weg|platz|allee|gasse|damm|ufer|ring|markt|straat|laan|plein|gracht)\ ?\d{1,4}\ ?[a-z]?\b[\s\S]{0,60}\b\d{4,5}\b
    | \b\d{1,5}[a-z]?,?\ ([\p{L}.'-]+\ ){1,3}(street|st|road|rd|avenue|ave|lane|square|drive|way|quay|row|boulevard|blvd)\b
    | \b\d{1,4},?\ (bis\ )?(rue|avenue|place|boulevard|quai|chemin|allée)\b
    | \b(via|viale|piazza|calle|avenida|plaza|paseo|rua|praça)\ [^\n]{2,40}?,?\ \d{1,4}\b
    | \b[A-Z]{1,2}\d[A-Z\d]?\ \d[A-Z]{2}\b";

/// Maximum letters of the contact data of a page.
const MAX_LETTERS: usize = 2_000;

/// Whether a text has a telephone number, opening hours or a postal address.
pub(crate) fn has_contact(text: &str) -> bool {
    // `(?x)` makes an invalid pattern a defect of this file, which a test finds.
    static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(CONTACT).ok());
    PATTERN.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// The contact data in parts around a page's text, as a list. `None` when no part has any.
pub(super) fn section(parts: impl Iterator<Item = Vec<Section>>) -> Option<Section> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts.map(|sections| lines_of(&sections)).filter(|part| has_contact(&part.join("\n"))) {
        for line in part {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let text = lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n");
    let is_short = text.chars().count() <= MAX_LETTERS;
    (!lines.is_empty() && is_short).then(|| Section { heading_path: Vec::new(), anchor: None, text })
}

/// The lines of sections; the first line of each begins with its heading.
fn lines_of(sections: &[Section]) -> Vec<String> {
    let mut lines = Vec::new();
    for section in sections {
        let mut heading = section.heading_path.last().map(|heading| heading.trim_end_matches(':'));
        for line in blocks(&section.text).iter().flat_map(|block| block.text().lines()) {
            let line = line.trim();
            let is_rule = line.starts_with("|--");
            let line = item_marker(line).map_or(line, |marker| &line[marker..]);
            let cells: Vec<&str> =
                line.trim_matches('|').split(" | ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
            if is_rule || cells.is_empty() {
                continue;
            }
            let line = cells.join(": ");
            lines.push(match heading.take() {
                Some(heading) if heading != line => format!("{heading}: {line}"),
                _ => line,
            });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_data_is_known() {
        for text in [
            "Phone: 040 123 45 67",
            "Tel. +49 (0)30 / 1234-56",
            "+4930123456789",
            "Call us: 555-0134",
            "(030) 12 34 56",
            "(212) 555-0134",
            "Öffnungszeiten\nMo–Fr 9–17 Uhr",
            "Monday to Friday 9 am to 5 pm",
            "Di, Do: 10:00 - 18:00",
            "Hafenstraße 12, 20457 Hamburg",
            "Am Markt 3\n99423 Weimar",
            "12 Harbour Road, Leith",
            "14, rue de la Paix",
            "Via Roma 5, Torino",
            "London SW1A 1AA",
        ] {
            assert!(has_contact(text), "{text}");
        }
        for text in [
            "© 2019-2024 Museum of ships. All rights reserved.",
            "Imprint · Privacy",
            "Version 1.24.3 of 2024-11-29",
            "Made with 12 kinds of tea. Follow us on our way.",
            "Open source since 1998",
        ] {
            assert!(!has_contact(text), "{text}");
        }
    }
}
