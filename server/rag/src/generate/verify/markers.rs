//! Parses markers of passages in the forms that models write: `[1]`, `[1, 2]`, `(1)`, `[Source 1]`, `【1】`.

use crate::generate::language::all;

/// Maximum digits of a passage's number.
const DIGITS: usize = 3;

/// A marker at the beginning of a text.
struct Marker {
    /// Its length in bytes.
    length: usize,
    numbers: Vec<usize>,
    /// Whether it is in round brackets without a word, and therefore ambiguous.
    is_round: bool,
}

/// A text without its markers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) text: String,
    /// The indices of the passages that the markers refer to, each once.
    pub(super) indices: Vec<usize>,
}

/// The length of the marker at the beginning of a text, including punctuation directly behind it (`[1].`).
pub(super) fn leading(text: &str) -> Option<usize> {
    let Marker { length, .. } = at_start(text)?;
    Some(length + usize::from(text[length..].starts_with(['.', ','])))
}

/// Whether a text may begin with a marker when more text arrives.
pub(super) fn may_lead(text: &str) -> bool {
    text.is_empty() || text.starts_with(['[', '(', '【']) && !text.contains([']', ')', '】'])
}

/// Removes the markers of `count` passages from `text`. Keeps brackets in code, before a link's address and in words
/// quoted from a passage (`is_quoted`).
pub(super) fn read(text: &str, count: usize, is_quoted: impl Fn(&str) -> bool) -> Read {
    let (mut text_before, mut indices) = (String::with_capacity(text.len()), Vec::new());
    let (mut at, mut in_code) = (0, false);
    while let Some(mark) = text[at..].chars().next() {
        let marker = if in_code { None } else { at_start(&text[at..]) };
        let marker = marker.filter(|marker| {
            let after = &text[at + marker.length..];
            let is_at_border = no_words(&text_before) || no_words(&without_markers(after));
            let is_known = marker.numbers.iter().all(|number| (1..=count).contains(number));
            !after.starts_with('(')
                && (!marker.is_round || is_at_border && is_known)
                && !is_part_of_word(&text_before, &text[at..at + marker.length], &is_quoted)
        });
        match marker {
            Some(Marker { length, numbers, .. }) => {
                for index in
                    numbers.into_iter().filter_map(|number| number.checked_sub(1)).filter(|index| *index < count)
                {
                    if !indices.contains(&index) {
                        indices.push(index);
                    }
                }
                text_before.truncate(text_before.trim_end_matches(' ').len());
                at += length;
                // Keeps the space that separated the marker from the next word.
                let parts_words =
                    text_before.ends_with(|end: char| end.is_alphanumeric() || matches!(end, '.' | '!' | '?'));
                if parts_words && text[at..].starts_with(char::is_alphanumeric) {
                    text_before.push(' ');
                }
            }
            None => {
                in_code ^= mark == '`';
                text_before.push(mark);
                at += mark.len_utf8();
            }
        }
    }
    Read { text: tidy(&text_before), indices }
}

/// Whether a bracket belongs to the word before it, as in `list[1]`.
fn is_part_of_word(before: &str, marker: &str, is_quoted: &impl Fn(&str) -> bool) -> bool {
    let start = before.rfind(|mark: char| !mark.is_alphanumeric() && mark != '_').map_or(0, |at| at + 1);
    let start = (start..=before.len()).find(|at| before.is_char_boundary(*at)).unwrap_or(before.len());
    let word = &before[start..];
    !word.is_empty() && (word.chars().count() < 3 || word.contains('_') || is_quoted(&format!("{word}{marker}")))
}

fn no_words(text: &str) -> bool {
    !text.contains(char::is_alphanumeric)
}

fn without_markers(text: &str) -> String {
    let mut rest = text.trim_start_matches([' ', '.', ',', ';']);
    while let Some(marker) = at_start(rest) {
        rest = rest[marker.length..].trim_start_matches([' ', '.', ',', ';']);
    }
    rest.to_owned()
}

fn at_start(text: &str) -> Option<Marker> {
    let close = match text.chars().next()? {
        '[' => ']',
        '(' => ')',
        '【' => '】',
        _ => return None,
    };
    let open = text.chars().next().map_or(1, char::len_utf8);
    let end = text.char_indices().take(40).find(|(_, mark)| *mark == close)?.0;
    let inner = text[open..end].trim();
    let word: String = inner.chars().take_while(|mark| mark.is_alphabetic()).collect();
    let is_labelled = !word.is_empty();
    if is_labelled && !all().iter().any(|language| language.words.passage.contains(&word.to_lowercase())) {
        return None;
    }
    let numbers = numbers(&inner[word.len()..])?;
    Some(Marker { length: end + close.len_utf8(), numbers, is_round: close == ')' && !is_labelled })
}

/// Numbers separated by commas and the like: `1, 2`, `1-3`, `1 and 2`, `#1`.
fn numbers(text: &str) -> Option<Vec<usize>> {
    let mut numbers: Vec<usize> = Vec::new();
    let mut rest = text;
    let mut is_range = false;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            if digits > DIGITS {
                return None;
            }
            let number: usize = rest[..digits].parse().ok()?;
            let from = numbers.last().copied().filter(|_| is_range).unwrap_or(number);
            numbers.extend((from + 1..number).take(9));
            numbers.push(number);
            rest = &rest[digits..];
            continue;
        }
        let parts = rest.chars().take_while(|mark| !mark.is_ascii_digit()).collect::<String>();
        let joins = matches!(parts.trim(), "" | "," | ";" | "&" | "#" | ":" | "-" | "–" | "][" | ", #");
        let joins = joins || all().iter().any(|language| language.words.joining.contains(parts.trim()));
        if !joins {
            return None;
        }
        is_range = matches!(parts.trim(), "-" | "–");
        rest = &rest[parts.len()..];
    }
    (!numbers.is_empty()).then_some(numbers)
}

/// Removes what markers leave behind: punctuation at the beginning, empty brackets, spaces before punctuation.
fn tidy(text: &str) -> String {
    let text = text.trim().trim_start_matches(['.', ',', ';', ':', ' ', ')', ']']);
    let mut tidy = String::with_capacity(text.len());
    for mark in text.chars() {
        if matches!(mark, '.' | ',' | ';' | '!' | '?') {
            let length = tidy.trim_end_matches(' ').len();
            // Keeps the space before a point that begins a word, as in ` .config`.
            if mark != '.' {
                tidy.truncate(length);
            }
        }
        tidy.push(mark);
    }
    for (left, right) in [(" .", "."), (",.", "."), (",,", ","), ("..", "."), ("()", "")] {
        while tidy.ends_with(left) && !(left == ".." && tidy.ends_with("...")) {
            let length = tidy.len() - left.len();
            tidy.truncate(length);
            tidy.push_str(right);
        }
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> (String, Vec<usize>) {
        let Read { text, indices } = read(text, 3, |words| words == "argv[1]");
        (text, indices)
    }

    #[test]
    fn markers_are_read_wherever_they_stand() {
        for (text, words, indices) in [
            ("At nine [1].", "At nine.", vec![0]),
            ("At nine. [1]", "At nine.", vec![0]),
            ("At nine.[1][2]", "At nine.", vec![0, 1]),
            ("[1]. To start it, run it.", "To start it, run it.", vec![0]),
            ("At nine [1, 3], or [2] ten.", "At nine, or ten.", vec![0, 2, 1]),
            ("At nine (1).", "At nine.", vec![0]),
            ("(2) At nine", "At nine", vec![1]),
            ("At nine [Source 1].", "At nine.", vec![0]),
            ("Um neun (Text 2).", "Um neun.", vec![1]),
            ("At nine [1-3]", "At nine", vec![0, 1, 2]),
            ("At nine【2】.", "At nine.", vec![1]),
            ("At nine [7] [0].", "At nine.", vec![]),
            ("days[1]", "days", vec![0]),
            ("[1]. [2].", "", vec![0, 1]),
        ] {
            assert_eq!(plain(text), (words.to_owned(), indices), "{text}");
        }
    }

    #[test]
    fn brackets_in_code_words_and_links_are_left_alone() {
        for text in [
            "Use `list[1]` here.",
            "Use a[1] or argv[1] here.",
            "See [1](https://example.org).",
            "Press (5) twice.",
            "Choose (1) here and wait.",
            "It costs [about] ten.",
            "In [2026] it was.",
            "Wait...",
            "Edit .config now.",
        ] {
            assert_eq!(plain(text), (text.to_owned(), vec![]), "{text}");
        }
    }
}
