//! Converts a passage with marked words to a short plain text with the ranges of these words.

use contract::knowledge_hub::Highlight;
use rag::snippet;
use store::knowledge_hub::hits::{MARK_END, MARK_START};

/// Maximum characters of a snippet, without ellipses.
const MAX_CHARS: usize = 320;
/// Characters before the first marked word.
const MAX_CHARS_BEFORE: usize = 60;

/// The snippet of a marked passage, and what of it is marked.
pub(super) fn snippet(marked: &str) -> (String, Vec<Highlight>) {
    let plain: Vec<char> = snippet::plain(marked).chars().collect();
    let (text, ranges) = without_marks(&plain);
    cut(&text, &ranges)
}

/// A passage without its marks.
pub(super) fn unmarked(marked: &str) -> String {
    marked.replace([MARK_START, MARK_END], "")
}

fn without_marks(marked: &[char]) -> (Vec<char>, Vec<(usize, usize)>) {
    let (mut text, mut ranges, mut open) = (Vec::with_capacity(marked.len()), Vec::new(), None);
    for character in marked {
        match *character {
            MARK_START => open = Some(text.len()),
            MARK_END => {
                if let Some(start) = open.take().filter(|start| *start < text.len()) {
                    ranges.push((start, text.len()));
                }
            }
            other => text.push(other),
        }
    }
    (text, ranges)
}

fn cut(text: &[char], ranges: &[(usize, usize)]) -> (String, Vec<Highlight>) {
    let first = ranges.first().map_or(0, |(start, _)| start.saturating_sub(MAX_CHARS_BEFORE));
    // Not so late that the snippet becomes short.
    let start = word_start(text, first.min(text.len().saturating_sub(MAX_CHARS)));
    let end = if text.len() - start <= MAX_CHARS { text.len() } else { word_end(text, start, start + MAX_CHARS) };
    let mut snippet = String::new();
    if start > 0 {
        snippet.push_str("… ");
    }
    let offset = snippet.chars().count();
    snippet.extend(&text[start..end]);
    if end < text.len() {
        snippet.push_str(" …");
    }
    let place = |at: usize| u32::try_from(at - start + offset).unwrap_or(u32::MAX);
    let inside = ranges.iter().filter(|(from, to)| *from >= start && *to <= end);
    let highlights = inside.map(|(from, to)| Highlight { start: place(*from), end: place(*to) });
    (snippet, highlights.collect())
}

/// The first word that begins at or after a place, but not behind the marked word that follows it.
fn word_start(text: &[char], from: usize) -> usize {
    let last = (from + MAX_CHARS_BEFORE).min(text.len());
    if from == 0 { 0 } else { (from..=last).find(|at| text[*at - 1] == ' ').unwrap_or(from) }
}

/// The end of the last word that ends at or before `to`.
fn word_end(text: &[char], from: usize, to: usize) -> usize {
    (from + 1..=to).rev().find(|at| text[*at] == ' ').unwrap_or(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> String {
        text.replace('<', &MARK_START.to_string()).replace('>', &MARK_END.to_string())
    }

    fn words(snippet: &str, highlights: &[Highlight]) -> Vec<String> {
        let characters: Vec<char> = snippet.chars().collect();
        highlights.iter().map(|range| characters[range.start as usize..range.end as usize].iter().collect()).collect()
    }

    #[test]
    fn highlights_are_the_marked_words_of_the_snippet() {
        let (snippet, highlights) = snippet(&marked("## Größe\n\nDie <Lieferung> dauert `zwei` <Tage>."));
        assert_eq!(snippet, "## Größe Die Lieferung dauert zwei Tage.");
        assert_eq!(words(&snippet, &highlights), ["Lieferung", "Tage"]);
    }

    #[test]
    fn a_long_passage_is_cut_around_its_first_marked_word() {
        let long = format!("{}<refund> {}", "before ".repeat(100), "after ".repeat(100));
        let (snippet, highlights) = snippet(&marked(&long));
        assert!(snippet.starts_with("… before") && snippet.ends_with(" …"), "{snippet}");
        assert!(snippet.chars().count() <= MAX_CHARS + 4);
        assert_eq!(words(&snippet, &highlights), ["refund"]);
    }

    #[test]
    fn a_marked_part_of_a_text_without_spaces_is_in_the_snippet() {
        let long = format!("{}<refund>{} end of it", "x".repeat(200), "y".repeat(400));
        let (snippet, highlights) = snippet(&marked(&long));
        assert_eq!(words(&snippet, &highlights), ["refund"], "{snippet}");
    }

    #[test]
    fn a_word_without_spaces_is_cut_anywhere() {
        let (snippet, highlights) = snippet(&"x".repeat(1000));
        assert_eq!((snippet.chars().count(), highlights.len()), (MAX_CHARS + 2, 0));
    }
}
