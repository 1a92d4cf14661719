//! Completes answers that are a lone value: small models say "95 euros" where a person would say what costs that much.

use super::evidence::Evidence;
use crate::{
    block::item_marker,
    generate::{
        language::{Language, words},
        table::as_list,
        units::{Kind, Unit, units},
    },
};

/// Maximum words of a lone value: when it begins with a number, and otherwise.
const LONGEST_NUMBER: usize = 8;
const LONGEST: usize = 3;

/// The sentence, list item or row of a passage that contains these words, as a sentence, when they are a lone value
/// without a word of the question.
pub(super) fn context(text: &str, question: &Evidence, passage: &str, language: &Language) -> Option<String> {
    let limit = if text.starts_with(|mark: char| mark.is_ascii_digit()) { LONGEST_NUMBER } else { LONGEST };
    if words(text).count() > limit || language.stems(text).iter().any(|stem| question.has_stem(stem)) {
        return None;
    }
    let row = row(text);
    let mut lines = units(passage).into_iter().flat_map(lines);
    let line = lines.find(|part| {
        // Skips brackets of a document, which would look like markers.
        let found = self::row(part);
        found.contains(&row) && found != row && !part.contains('[')
    });
    line.map(|line| as_sentence(&line))
}

/// A list item without its marker, because it is no list alone; a text without punctuation at its end gets a full stop.
fn as_sentence(line: &str) -> String {
    let text = line[item_marker(line).unwrap_or_default()..].trim();
    let end = if text.ends_with(char::is_alphanumeric) { "." } else { "" };
    format!("{text}{end}")
}

/// The lines of a unit that are understandable alone.
fn lines(unit: Unit<'_>) -> Vec<String> {
    match unit.kind {
        Kind::Whole if unit.is_table() => as_list(unit.text).lines().map(str::to_owned).collect(),
        Kind::Whole | Kind::Heading => Vec::new(),
        Kind::Opening | Kind::Sentence | Kind::Item => vec![unit.text.trim().to_owned()],
    }
}

/// The words, each between spaces.
fn row(text: &str) -> String {
    format!(" {} ", words(text).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGE: &str = "## Prices\n\nChildren swim free of charge.\n\n| ticket | adults | children |\n|---|---|---|\n| Single | 5.00 euros \
                           | 3.00 euros |\n| Season | 95.00 euros | 55.00 euros |\n\n- The sauna costs 12 euros.\n- A towel costs 2 euros [1].";

    fn asked(question: &str, text: &str) -> Option<String> {
        let english = Language::of("en");
        context(text, &Evidence::new("", question, english), PASSAGE, english)
    }

    #[test]
    fn a_value_gets_the_words_around_it() {
        let season = "**Season**: adults: 95.00 euros; children: 55.00 euros.";
        assert_eq!(asked("What does a season ticket cost?", "95.00 euros.").as_deref(), Some(season));
        assert_eq!(asked("And the sauna?", "12 euros").as_deref(), Some("The sauna costs 12 euros."));
        assert_eq!(asked("Who need not pay?", "Children").as_deref(), Some("Children swim free of charge."));
    }

    #[test]
    fn sentences_stay_as_they_are() {
        assert_eq!(asked("What does the sauna cost?", "The sauna costs 12 euros."), None);
        assert_eq!(asked("What about children?", "Children"), None, "a word of the question");
        assert_eq!(asked("Who need not pay?", "Children swim free of charge."), None);
        assert_eq!(asked("What does it cost?", "2 euros"), None, "a bracket of the document");
    }
}
