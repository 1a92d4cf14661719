//! A short plain-text extract of a passage for a list of sources.

use crate::{
    chunk::CONTINUED,
    terms::{positions, terms},
};

/// Characters of a snippet (specification, widget query exchange: about 150).
pub const SNIPPET_CHARS: usize = 150;

/// About [`SNIPPET_CHARS`] characters of `content` around the words of `question`, on one line and without markup. Cut
/// between words, with an ellipsis at each cut end.
pub fn snippet(content: &str, question: &str) -> String {
    cut(plain(content), question, None)
}

/// Like [`snippet`], for a text that is already [`plain`]. It begins with the sentence `quoted`, if there is one.
pub fn cut(text: String, question: &str, quoted: Option<&str>) -> String {
    let total = text.chars().count();
    if total <= SNIPPET_CHARS {
        return text;
    }
    let quote = quoted.and_then(|sentence| text.find(sentence));
    let start = quote.unwrap_or_else(|| start(&text, &terms(question)));
    let rest = &text[start..];
    let end = match rest.char_indices().nth(SNIPPET_CHARS) {
        Some((cut, _)) => start + rest[..cut].rfind(' ').filter(|space| *space > 0).unwrap_or(cut),
        None => text.len(),
    };
    let before = if start > 0 { "… " } else { "" };
    let after = if end < text.len() { " …" } else { "" };
    format!("{before}{}{after}", text[start..end].trim())
}

/// The first sentence of an answer that a [`plain`] passage has word for word.
pub fn quoted_sentence(passage: &str, answer: &str) -> Option<String> {
    let plain_answer = plain(answer);
    let quoted = sentences(&plain_answer)
        .map(without_marker)
        .find(|sentence| sentence.len() >= QUOTED && passage.contains(sentence));
    quoted.map(str::to_owned)
}

/// A sentence without the marker of a citation before or behind it.
fn without_marker(sentence: &str) -> &str {
    let sentence = sentence.trim_start_matches(|mark: char| matches!(mark, '[' | ']' | ' ') || mark.is_ascii_digit());
    sentence.rsplit_once(" [").map_or(sentence, |(sentence, _)| sentence).trim()
}

/// Minimum bytes of a sentence that a snippet shows because it was quoted.
const QUOTED: usize = 12;

/// The byte from which the snippet covers the most question words; the beginning unless another place has more.
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
    let lines = content.lines().filter(|line| !line.starts_with("```") && !line.starts_with("|---"));
    let words = lines.flat_map(str::split_whitespace).filter(|word| !matches!(*word, "-" | "|" | "###" | CONTINUED));
    let line = words.map(|word| word.replace('`', "")).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    without_marks(&line)
}

/// The line with the words only of `**bold text**` and `[links](https://example.com/)`.
fn without_marks(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['*', '[']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((words, after)) = bold(rest).or_else(|| link(rest)) {
            text.push_str(&without_marks(words));
            rest = after;
        } else {
            text.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    text + rest
}

fn bold(text: &str) -> Option<(&str, &str)> {
    let (words, after) = text.strip_prefix("**")?.split_once("**")?;
    (!words.is_empty() && words.trim() == words).then_some((words, after))
}

fn link(text: &str) -> Option<(&str, &str)> {
    let (words, after) = text.strip_prefix('[')?.split_once("](")?;
    let (address, after) = after.split_once(')')?;
    (!words.contains('[') && !address.contains(' ')).then_some((words, after))
}

/// Words at each end of a sentence in a text fragment: enough to find it, few enough to survive edits in between.
const FRAGMENT_WORDS: usize = 4;

/// Adds a text fragment (`#:~:text=`) that leads a browser to the sentence of `content` with most words of `question`.
/// Leaves addresses of PDF pages unchanged, because PDF viewers do not support text fragments.
pub fn with_text_fragment(url: &str, content: &str, question: &str) -> String {
    if url.split_once('#').is_some_and(|(_, fragment)| fragment.starts_with("page=")) {
        return url.to_owned();
    }
    let Some(sentence) = best_sentence(content, question) else { return url.to_owned() };
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let text = if words.len() <= 2 * FRAGMENT_WORDS {
        escaped(&words.join(" "))
    } else {
        let (first, last) = (&words[..FRAGMENT_WORDS], &words[words.len() - FRAGMENT_WORDS..]);
        format!("{},{}", escaped(&first.join(" ")), escaped(&last.join(" ")))
    };
    let hash = if url.contains('#') { "" } else { "#" };
    format!("{url}{hash}:~:text={text}")
}

/// The sentence with most words of the question that is within one block of the text; the first one when none has any.
fn best_sentence(content: &str, question: &str) -> Option<String> {
    let question_terms = terms(question);
    let lines = content.lines().filter(|line| !line.starts_with('|') && !line.starts_with("```"));
    let blocks =
        lines.map(|line| plain(line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(". ")));
    let sentences = blocks.flat_map(|block| sentences(&block).map(str::to_owned).collect::<Vec<_>>());
    let scored = sentences.map(|sentence| (positions(&question_terms, &sentence).len(), sentence));
    // The first of the best.
    scored.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, sentence)| sentence)
}

/// The sentences of a text on one line.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '!', '?'])
        .scan(0, |start, part| {
            let begin = *start;
            *start += part.len();
            Some((begin, *start))
        })
        .fold(Vec::<(usize, usize)>::new(), |mut ranges, (begin, end)| {
            match ranges.last_mut() {
                // A dot inside a word, a number or an abbreviation does not end a sentence.
                Some(last) if !text[begin..].starts_with(' ') || last.1 - last.0 < 12 => last.1 = end,
                _ => ranges.push((begin, end)),
            }
            ranges
        })
        .into_iter()
        .map(|(begin, end)| text[begin..end].trim())
        .filter(|sentence| !sentence.is_empty())
}

/// Escapes a text for a URL fragment, including `-`, `,` and `&`, which have a meaning in text fragments.
pub fn escaped(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'~' | b'=');
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if is_plain(byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_passage_is_shown_whole_without_markup() {
        assert_eq!(snippet("Run `make`:\n\n```\nmake run\n```\n\n- one", ""), "Run make: make run one");
    }

    #[test]
    fn bold_text_and_links_are_shown_as_their_words() {
        let answer = "We open at **8:00**, see [our **new** site](https://example.com/).";
        assert_eq!(plain(answer), "We open at 8:00, see our new site.");
        let other = "2 ** 3 ** 4 [a] (b) [c](d e) **x";
        assert_eq!(plain(other), other);
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
    fn a_text_fragment_leads_to_the_sentence_that_answers() {
        let content = "Welcome to the shop.\n\nThe shop opens at 9.30 in the morning and closes at five, except on Sundays. Call us.";
        assert_eq!(
            with_text_fragment("https://example.com/hours#times", content, "When does the shop open?"),
            "https://example.com/hours#times:~:text=The%20shop%20opens%20at,five%2C%20except%20on%20Sundays."
        );
        assert_eq!(
            with_text_fragment("https://example.com/", "- Größe 42-44\n- Farbe", "Welche Größe?"),
            "https://example.com/#:~:text=Gr%C3%B6%C3%9Fe%2042%2D44"
        );
        assert_eq!(with_text_fragment("https://x.org/a.pdf#page=3", content, "open"), "https://x.org/a.pdf#page=3");
        assert_eq!(with_text_fragment("https://x.org/", "| a | b |", "a"), "https://x.org/");
    }

    #[test]
    fn a_snippet_shows_the_sentence_that_was_quoted() {
        let passage = format!(
            "Delivery costs 4.90 euros. {} Parcels that are ordered before noon leave today.",
            "Filler words. ".repeat(30)
        );
        let quoted =
            quoted_sentence(&plain(&passage), "Parcels that are ordered before noon leave today. [1]").unwrap();
        assert!(
            cut(plain(&passage), "When?", Some(&quoted)).contains("Parcels that are ordered before noon leave today.")
        );
        assert_eq!(quoted_sentence(&plain(&passage), "Nothing of it. [1]"), None);
    }

    #[test]
    fn wide_characters_and_endless_words_are_cut_without_panic() {
        let cut = snippet(&"ü".repeat(400), "üüü");
        assert_eq!(cut.chars().filter(|c| *c == 'ü').count(), SNIPPET_CHARS);
        assert!(snippet(&"日本語 ".repeat(90), "日本語").ends_with('…'));
    }
}
