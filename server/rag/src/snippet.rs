//! A short plain extract of a passage for a list of sources.

use crate::{
    chunk::CONTINUED,
    terms::{positions, terms},
};

/// Characters of a snippet (specification, widget query exchange: about 150).
pub const SNIPPET_CHARS: usize = 150;

/// About [`SNIPPET_CHARS`] characters of `content` around the words of `question`, on one line, without markup,
/// cut between words with an ellipsis at each cut end.
pub fn snippet(content: &str, question: &str) -> String {
    cut(plain(content), question)
}

/// The same of a text that is [`plain`].
pub fn cut(text: String, question: &str) -> String {
    let total = text.chars().count();
    if total <= SNIPPET_CHARS {
        return text;
    }
    let start = start(&text, &terms(question));
    let rest = &text[start..];
    let end = match rest.char_indices().nth(SNIPPET_CHARS) {
        Some((cut, _)) => start + rest[..cut].rfind(' ').filter(|space| *space > 0).unwrap_or(cut),
        None => text.len(),
    };
    let before = if start > 0 { "… " } else { "" };
    let after = if end < text.len() { " …" } else { "" };
    format!("{before}{}{after}", text[start..end].trim())
}

/// The byte from which the snippet covers the most question words: the beginning unless another place has more.
fn start(text: &str, question_terms: &[String]) -> usize {
    let hits = positions(question_terms, text);
    let covered = |from: usize| hits.iter().filter(|hit| (from..from + SNIPPET_CHARS * 9 / 10).contains(*hit)).count();
    let latest = text.char_indices().rev().nth(SNIPPET_CHARS - 1).map_or(0, |(at, _)| at);
    let mut best = 0;
    for hit in &hits {
        // A few words of context before the word; never so late that the snippet becomes short.
        let from = word_start(text, hit.saturating_sub(30).min(latest));
        if covered(from) > covered(best) {
            best = from;
        }
    }
    best
}

/// The first word that begins at or after `from`.
fn word_start(text: &str, from: usize) -> usize {
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    if from == 0 { 0 } else { text[from..].find(' ').map_or(0, |space| from + space + 1) }
}

/// The text of small Markdown on one line.
pub fn plain(content: &str) -> String {
    let kept = content.lines().filter(|line| !line.starts_with("```") && !line.starts_with("|---"));
    let words = kept.flat_map(str::split_whitespace).filter(|word| !matches!(*word, "-" | "|" | "###" | CONTINUED));
    words.map(|word| word.replace('`', "")).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_passage_is_shown_whole_without_markup() {
        assert_eq!(snippet("Run `make`:\n\n```\nmake run\n```\n\n- one", ""), "Run make: make run one");
    }

    #[test]
    fn a_long_passage_is_cut_between_words_around_the_question() {
        let text =
            format!("{} The cookie is deleted on load. {}", "filler words ".repeat(30), "more words ".repeat(30));
        let cut = snippet(&text, "When is the cookie deleted?");
        assert!(cut.starts_with("… ") && cut.ends_with(" …"), "{cut}");
        assert!(cut.contains("The cookie is deleted on load."), "{cut}");
        assert!(cut.chars().count() <= SNIPPET_CHARS + 4, "{cut}");
    }

    #[test]
    fn text_of_wide_characters_and_one_endless_word_is_cut_without_panic() {
        let cut = snippet(&"ü".repeat(400), "üüü");
        assert_eq!(cut.chars().filter(|c| *c == 'ü').count(), SNIPPET_CHARS);
        assert!(snippet(&"日本語 ".repeat(90), "日本語").ends_with('…'));
    }
}
