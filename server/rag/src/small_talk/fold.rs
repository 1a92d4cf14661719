//! Normalises messages and patterns for comparison: lower case, no accents, single spaces.

use crate::accents::push;

/// Emoji that count as words.
const SIGNS: [char; 6] = ['👋', '🙏', '👍', '❤', '😊', '🙂'];

/// A normalised message in two readings: a letter repeated for emphasis ("hellooo") is one letter or two.
pub(super) fn message(text: &str) -> [String; 2] {
    let mut words = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            push(&mut words, letter);
        } else if SIGNS.contains(&letter) {
            words.extend([' ', letter, ' ']);
        } else if !is_mark(letter) {
            words.push(' ');
        }
    }
    let plain = words.split_whitespace().collect::<Vec<_>>().join(" ");
    [shortened(&plain, 1), shortened(&plain, 2)]
}

/// A normalised pattern. An apostrophe becomes a space as in messages, or nothing at the end of a word.
pub(super) fn pattern(text: &str) -> String {
    let mut folded = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '’' if letters.peek().is_some_and(|next| matches!(next, '|' | ')' | ' ')) => {}
            '\'' | '’' => folded.push(' '),
            letter if is_mark(letter) => {}
            letter => push(&mut folded, letter),
        }
    }
    folded
}

/// Marks that modify the letter or sign before them.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{fe0f}' | '\u{200d}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// The text with letters that occur three times or more in a row reduced to `times`.
fn shortened(text: &str, times: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut short = String::with_capacity(text.len());
    for run in letters.chunk_by(|one, next| one == next) {
        let count = if run.len() > 2 { times } else { run.len() };
        short.extend(run.iter().take(count));
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_apostrophes_and_emphasis_do_not_count() {
        assert_eq!(message("  Hellooo!!  "), ["hello", "helloo"]);
        assert_eq!(message("Was geht's, Größe? 👋🏽")[0], "was geht s grosse 👋");
        assert_eq!(message("gooood")[1], "good");
    }

    #[test]
    fn a_pattern_is_folded_as_messages_are() {
        assert_eq!(pattern("what'?s|d'|l'été"), "what ?s|d|l ete");
    }
}
