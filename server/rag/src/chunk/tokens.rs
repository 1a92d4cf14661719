//! Estimates how many tokens a text has for the embedding model, without its tokenizer.

/// Letters of the longest word that is usually one token.
const WHOLE_WORD: usize = 6;
/// Letters of each further token of a longer word.
const FURTHER: usize = 4;

/// Estimates the tokens of `text`: each punctuation mark is one, a word is one or more, depending on its length. Rarely
/// far too low for Latin scripts; a character of another script counts as one token.
pub fn estimate_tokens(text: &str) -> usize {
    let (mut tokens, mut letters) = (0, 0);
    for character in text.chars() {
        match character {
            c if c.is_alphanumeric() && (c as u32) < 0x250 => {
                letters += if c.is_ascii_alphabetic() { 1 } else { 2 };
                continue;
            }
            c if c.is_whitespace() => {}
            _ => tokens += 1,
        }
        tokens += word_tokens(letters);
        letters = 0;
    }
    tokens + word_tokens(letters)
}

fn word_tokens(letters: usize) -> usize {
    match letters {
        0 => 0,
        1..=WHOLE_WORD => 1,
        long => 1 + (long - WHOLE_WORD).div_ceil(FURTHER),
    }
}
