//! The small Markdown that documents are converted to, and its blocks.
//!
//! Every reader writes the same form: blocks separated by an empty line, a paragraph on one line, one line for each
//! list item, code in fences, tables with a header. [`blocks`] splits such a text into blocks, [`sentences`] a
//! paragraph into sentences.

use crate::months;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block<'a> {
    /// A paragraph on one line.
    Paragraph(&'a str),
    /// Consecutive list items, one a line, markers and indentation included.
    List(&'a str),
    /// A code block with its fences.
    Code(&'a str),
    /// A table: header, rule, rows.
    Table(&'a str),
    /// A heading that was folded into a passage.
    Heading(&'a str),
}

impl<'a> Block<'a> {
    /// The block's text, unchanged.
    pub fn text(&self) -> &'a str {
        match self {
            Self::Paragraph(text) | Self::List(text) | Self::Code(text) | Self::Table(text) | Self::Heading(text) => {
                text
            }
        }
    }
}

/// The blocks of `text`, in order.
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut rest = text.trim_matches('\n');
    while !rest.is_empty() {
        let end = if rest.starts_with("```") { code_end(rest) } else { rest.find("\n\n").unwrap_or(rest.len()) };
        blocks.push(classify(&rest[..end]));
        rest = rest[end..].trim_start_matches('\n');
    }
    blocks
}

/// The end of the fenced block at the beginning of `text`: after its closing fence, or the end of the text.
fn code_end(text: &str) -> usize {
    let fence_length = text.bytes().take_while(|byte| *byte == b'`').count();
    let (fence, mut at) = (&text[..fence_length], 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        if number > 0 && line.trim_end() == fence {
            return at - (line.len() - line.trim_end_matches('\n').len());
        }
    }
    text.len()
}

fn classify(block: &str) -> Block<'_> {
    match block {
        _ if block.starts_with("```") => Block::Code(block),
        _ if block.starts_with("#") && block.trim_start_matches('#').starts_with(' ') => Block::Heading(block),
        _ if block.starts_with('|') => Block::Table(block),
        _ if item_marker(block).is_some() => Block::List(block),
        _ => Block::Paragraph(block),
    }
}

/// The length of the list marker (`- ` or `12. `) with its indentation, when `line` begins with one.
pub fn item_marker(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let body = &line[indent..];
    if body.starts_with("- ") {
        return Some(indent + 2);
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    ((1..=4).contains(&digits) && body[digits..].starts_with(". ")).then_some(indent + digits + 2)
}

/// Abbreviations whose full stop does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "etc", "vs", "cf", "mr", "mrs", "dr", "no", "fig", "approx", "resp", "st", "z.b", "d.h", "u.a",
    "bzw", "usw", "ca", "nr", "vgl", "inkl", "ggf", "evtl", "tel",
    // Spanish, French, Italian, Dutch and Portuguese.
    "sr", "sra", "dra", "ud", "uds", "avda", "aprox", "núm", "pág", "p.ej", "ej", "mme", "tél", "env", "réf", "p.ex",
    "ex", "sig", "dott", "ecc", "pag", "bijv", "incl", "excl", "d.w.z", "m.u.v", "a.u.b", "o.a",
];

/// The sentences of a paragraph, trimmed, each a part of `paragraph`. Text in backticks or between typographic
/// quotation marks is never cut.
pub fn sentences(paragraph: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let (mut start, mut in_code, mut in_title) = (0, false, false);
    let last_backtick = paragraph.rfind('`');
    for (at, character) in paragraph.char_indices() {
        match character {
            '`' => in_code = !in_code && last_backtick > Some(at),
            '“' => in_title = paragraph[at..].contains('”'),
            '”' => in_title = false,
            '.' | '!' | '?' if !in_code && !in_title => {
                let end = at + 1 + closing_length(&paragraph[at + 1..]);
                if ends_sentence(&paragraph[start..at], character, &paragraph[end..]) {
                    sentences.push(paragraph[start..end].trim());
                    start = end;
                }
            }
            _ => {}
        }
    }
    sentences.push(paragraph[start..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// Splits `text` into sentences of paragraphs, list items, and other blocks as a whole. Concatenated, the parts are the
/// text again, byte for byte.
pub fn parts(text: &str) -> Vec<&str> {
    let inner = blocks(text).into_iter().flat_map(|block| match block {
        Block::Paragraph(text) => sentences(text),
        Block::List(text) => text.lines().collect(),
        Block::Code(text) | Block::Table(text) | Block::Heading(text) => vec![text],
    });
    let ends: Vec<usize> = inner.map(|part| part.as_ptr().addr() + part.len() - text.as_ptr().addr()).collect();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let last = ends.len().saturating_sub(1);
    let parts = starts.zip(&ends).enumerate();
    parts.map(|(at, (start, end))| &text[start..if at == last { text.len() } else { *end }]).collect()
}

/// How many bytes of closing quotes and brackets follow a sentence's last mark.
pub(crate) fn closing_length(rest: &str) -> usize {
    // French has a space before its closing quotation mark. German begins a quotation with that mark.
    let closes = |after: &&str| {
        let next = after.strip_prefix('»');
        next.is_some_and(|next| !next.starts_with(char::is_alphanumeric))
    };
    let spaced = rest.strip_prefix([' ', '\u{a0}', '\u{202f}']).filter(closes);
    let marks = spaced.unwrap_or(rest);
    let is_closing = |c: &char| matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '“' | '»');
    rest.len() - marks.len() + marks.chars().take_while(is_closing).map(char::len_utf8).sum::<usize>()
}

pub(crate) fn ends_sentence(before: &str, mark: char, after: &str) -> bool {
    let Some(next) = after.strip_prefix(char::is_whitespace) else { return false };
    let next = next.trim_start();
    if next.starts_with(char::is_lowercase) || next.is_empty() {
        return false;
    }
    if mark != '.' {
        return true;
    }
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or(before).to_lowercase();
    let initial = word.chars().count() == 1 && word.starts_with(char::is_alphabetic);
    let number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let numbering = number && word.len() <= 5 && before.trim() == word;
    let followed: String = next.chars().take_while(|c| c.is_alphabetic()).collect();
    // German writes the day before a month with a full stop: "1. Januar".
    let day = number && word.len() <= 2 && months::number("de", &followed.to_lowercase()).is_some();
    !(initial || numbering || day || ABBREVIATIONS.contains(&word.as_str()))
}

/// Whether a text ends with a question.
pub(crate) fn is_question(text: &str) -> bool {
    text.trim_end().trim_end_matches(['*', '_']).ends_with(['?', '？', '؟'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_with_empty_lines_stays_one_block() {
        let text = "Run this:\n\n```\nmake\n\nmake run\n```\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.";
        let kinds = blocks(text);
        assert_eq!(kinds[1], Block::Code("```\nmake\n\nmake run\n```"));
        assert_eq!(kinds[2], Block::List("- one\n- two"));
        assert!(matches!(kinds[3], Block::Table(_)) && kinds[4] == Block::Paragraph("End.") && kinds.len() == 5);
    }

    #[test]
    fn a_fence_that_never_closes_ends_with_the_text() {
        assert_eq!(blocks("```\nmake"), [Block::Code("```\nmake")]);
    }

    #[test]
    fn full_stops_in_words_code_and_abbreviations_end_no_sentence() {
        let text =
            "Use apt, e.g. `apt. Install` or 3.5. See Dr. No (it helps.) See “Why? How?” there. Is that all? Yes";
        let expected = [
            "Use apt, e.g. `apt. Install` or 3.5.",
            "See Dr. No (it helps.)",
            "See “Why? How?” there.",
            "Is that all?",
            "Yes",
        ];
        assert_eq!(sentences(text), expected);
    }

    #[test]
    fn a_backtick_without_another_begins_no_code() {
        let text = "Use `apt. Install` or the `dpkg' program. It is old. Is it?";
        assert_eq!(sentences(text), ["Use `apt. Install` or the `dpkg' program.", "It is old.", "Is it?"]);
    }

    #[test]
    fn abbreviations_and_quotation_marks_of_other_languages_are_read() {
        for (text, expected) in [
            (
                "Pregunte a la Sra. García en el núm. 12. Gracias.",
                vec!["Pregunte a la Sra. García en el núm. 12.", "Gracias."],
            ),
            ("Bel tel. 0512 33, m.u.v. Koningsdag. Dank.", vec!["Bel tel. 0512 33, m.u.v. Koningsdag.", "Dank."]),
            ("Il dit : « Venez tôt. » Puis il part.", vec!["Il dit : « Venez tôt. »", "Puis il part."]),
            ("Cliquez sur « Envoyer ? » pour finir. Merci.", vec!["Cliquez sur « Envoyer ? » pour finir.", "Merci."]),
            ("Das ist gut. »Ja«, sagte er.", vec!["Das ist gut.", "»Ja«, sagte er."]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
        }
    }

    #[test]
    fn the_day_before_a_month_ends_no_sentence() {
        let text = "Wir öffnen am 15. Mai (bis 1. Oktober). Es sind 12. Maier zählt sie.";
        assert_eq!(sentences(text), ["Wir öffnen am 15. Mai (bis 1. Oktober).", "Es sind 12.", "Maier zählt sie."]);
    }

    #[test]
    fn only_real_markers_make_a_list() {
        assert_eq!(item_marker("  - a"), Some(4));
        assert_eq!(item_marker("12. a"), Some(4));
        assert_eq!(item_marker("2026. A"), Some(6));
        assert_eq!(item_marker("-5 degrees"), None);
    }

    #[test]
    fn parts_are_sentences_items_and_blocks_and_make_the_text_again() {
        let text = "\n\nOne (two). Three!  Four [1]\n\n- a\n- b\n\n```\nx. Y\n```\n\nEnd.\n";
        assert_eq!(
            parts(text),
            ["\n\nOne (two).", " Three!", "  Four [1]", "\n\n- a", "\n- b", "\n\n```\nx. Y\n```", "\n\nEnd.\n"]
        );
        assert!(parts("").is_empty());
    }
}
