//! The names of sources, as visitors see them.

use std::borrow::Cow;

use crate::{
    document::{page_number, slide_number},
    retrieve::Candidate,
};

/// The title of the document and the headings above the passage: `Manual › Care › Descaling`. Pages and slides are named in
/// a language.
pub fn source_title(candidate: &Candidate, language: &str) -> String {
    let headings = candidate.heading.split(" > ").filter(|heading| !heading.is_empty());
    let names = std::iter::once(Cow::Borrowed(candidate.title.as_str()));
    names.chain(headings.map(|heading| localized(heading, language))).collect::<Vec<_>>().join(" › ")
}

/// A heading as it is shown in a language. The readers name the pages of a PDF or a scan, and the slides of a
/// PPTX, in English.
pub(crate) fn localized<'a>(heading: &'a str, language: &str) -> Cow<'a, str> {
    let (page, slide) = match language.split('-').next().unwrap_or_default() {
        "de" => ("Seite", "Folie"),
        "es" => ("Página", "Diapositiva"),
        "fr" => ("Page", "Diapositive"),
        "it" => ("Pagina", "Diapositiva"),
        "nl" => ("Pagina", "Dia"),
        "pt" => ("Página", "Slide"),
        _ => ("Page", "Slide"),
    };
    let page = page_number(heading).map(|number| format!("{page} {number}"));
    let slide = || slide_number(heading).map(|number| format!("{slide} {number}"));
    page.or_else(slide).map_or(Cow::Borrowed(heading), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_source_is_named_by_its_document_and_headings() {
        for (heading, language, expected) in [
            ("", "en", "Manual"),
            ("Care > Descaling", "en", "Manual › Care › Descaling"),
            ("Page 3", "en", "Manual › Page 3"),
            ("Page 3", "de-AT", "Manual › Seite 3"),
            ("Page 3", "fr", "Manual › Page 3"),
            ("Page layout", "de", "Manual › Page layout"),
            ("Slide 12", "de", "Manual › Folie 12"),
        ] {
            assert_eq!(source_title(&Candidate::new(Uuid::nil(), "Manual", heading, "Text."), language), expected);
        }
    }
}
