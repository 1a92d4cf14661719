//! Properties of an answer's text: whether it has the required words, whether it is understandable without its
//! document, and its length. Judged by its form only, so that every way of answering is measured alike.

use rag::block::{Block, blocks, item_marker, sentences};

use super::Question;

/// Properties of one answer's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerText {
    /// Whether it has all the words of the question's label; `None` when the label has no words.
    pub has_words: Option<bool>,
    /// Whether it is a complete unit, see [`is_complete`].
    pub is_complete: bool,
    /// Its length in characters, without markers of citations.
    pub characters: usize,
}

impl AnswerText {
    /// Judges `answer`, which was given to `question`.
    pub fn of(question: &Question, answer: &str) -> Self {
        let text = without_markers(answer);
        Self {
            has_words: (!question.words.is_empty()).then(|| question.has_words(&text)),
            is_complete: is_complete(&text),
            characters: text.trim().chars().count(),
        }
    }
}

/// Characters of a reply within which a visitor reads.
const READ: usize = 900;

/// Whether the beginning of a reply has the words of a question's label; `None` when the label has no words.
pub(super) fn is_read(question: &Question, reply: Option<&str>) -> Option<bool> {
    let beginning: String = without_markers(reply.unwrap_or_default()).chars().take(READ).collect();
    (!question.words.is_empty()).then(|| question.has_words(&beginning))
}

/// Whether a text says something whole. It is incomplete when it is
/// - nothing but a title or a link: no sentence, no list of two items, no table, no code,
/// - one item of a list, or steps that do not begin with the first,
/// - a text that ends with an announcement ("as follows:"),
/// - a text that begins in the middle of a sentence.
fn is_complete(text: &str) -> bool {
    let blocks: Vec<Block<'_>> = blocks(text).into_iter().filter(|block| !matches!(block, Block::Heading(_))).collect();
    let is_announcement = |block: &Block<'_>| matches!(block, Block::Paragraph(text) if text.trim_end().ends_with(':'));
    let says_something = blocks.iter().any(|block| match block {
        Block::Paragraph(text) => sentences(text).iter().any(|sentence| is_sentence(sentence)),
        Block::List(text) => items(text).len() > 1,
        Block::Code(_) | Block::Table(_) => true,
        Block::Heading(_) => false,
    });
    says_something
        && !blocks.first().is_some_and(begins_in_the_middle)
        && !blocks.last().is_some_and(is_announcement)
        && blocks.iter().all(|block| !matches!(block, Block::List(text) if is_torn(text)))
}

/// Three words or more, with an end.
fn is_sentence(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '”', '“', '’', ')', '*', '_', '`', ' ']);
    text.split_whitespace().count() >= 3 && text.ends_with(['.', '!', '?', ':', '…'])
}

fn begins_in_the_middle(block: &Block<'_>) -> bool {
    let Block::Paragraph(text) = block else { return false };
    text.starts_with(['…', ',', ';', ')']) || text.chars().next().is_some_and(char::is_lowercase)
}

/// Lines of a list that are items, without what continues one.
fn items(list: &str) -> Vec<&str> {
    list.lines().filter(|line| item_marker(line).is_some()).collect()
}

/// A single item, or numbered steps without the first one.
fn is_torn(list: &str) -> bool {
    let items = items(list);
    let number = |item: &str| item.trim_start().split(['.', ')']).next().and_then(|number| number.parse::<u32>().ok());
    items.len() < 2 || items.first().and_then(|item| number(item)).is_some_and(|first| first > 1)
}

/// The text without `[1]`, `[2]`, which are not the document's words.
fn without_markers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let (before, marker) = rest.split_at(start);
        let digits = marker[1..].bytes().take_while(u8::is_ascii_digit).count();
        let is_marker = digits > 0 && marker[1 + digits..].starts_with(']');
        out.push_str(if is_marker { before.trim_end_matches(' ') } else { before });
        let length = if is_marker { digits + 2 } else { 1 };
        out.push_str(if is_marker { "" } else { "[" });
        rest = &marker[length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_a_reply_is_read() {
        let question: Question = serde_json::from_str(r#"{"question":"?","words":["at six"]}"#).unwrap();
        let reply = |before: usize| format!("{}\n- Shop: It closes at six. [1]", "word ".repeat(before));
        assert_eq!(is_read(&question, Some(&reply(10))), Some(true));
        assert_eq!(is_read(&question, Some(&reply(180))), Some(false));
        assert_eq!(is_read(&question, None), Some(false), "a fallback message");
        let unlabelled: Question = serde_json::from_str(r#"{"question":"?"}"#).unwrap();
        assert_eq!(is_read(&unlabelled, Some("It closes at six.")), None);
    }

    #[test]
    fn sentences_lists_tables_and_code_are_complete() {
        for text in [
            "The desk is open until six.",
            "To join:\n\n1. Fill in the form.\n2. Show your card.",
            "- bread\n- cheese",
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "Run this:\n\n```\nmake run\n```",
            "Is it free? Yes, it is.",
        ] {
            assert!(is_complete(text), "{text}");
        }
    }

    #[test]
    fn titles_single_items_later_steps_and_announcements_are_not() {
        for text in [
            "",
            "Related topics",
            "Orders and returns",
            "- bread",
            "3. Choose the printer in the field.",
            "3. Choose the printer.\n4. Press start.",
            "To join, do the following:",
            "… and the rest of it is here.",
            "which is why it stops.",
        ] {
            assert!(!is_complete(text), "{text}");
        }
    }

    #[test]
    fn markers_of_citations_neither_part_words_nor_count() {
        let question: Question = serde_json::from_str(r#"{"question":"?","words":["at six. The desk"]}"#).unwrap();
        let text = AnswerText::of(&question, "It closes at six [1]. The desk [closes] earlier. [2]");
        assert_eq!(text.has_words, Some(true));
        assert_eq!(text.characters, "It closes at six. The desk [closes] earlier.".len());
    }
}
