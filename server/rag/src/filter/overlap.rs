//! Detects verbatim overlap of an answer with its chatbot's system prompt: twelve consecutive words, whatever is
//! between them.

use std::collections::BTreeMap;

/// Consecutive words that count as a leak.
const WORDS: usize = 12;
/// Minimum words of a prompt that can leak.
const MIN_WORDS: usize = 6;
/// Maximum bytes between two words of one overlap.
const GAP: usize = 32;

/// The words of a system prompt.
#[derive(Debug, Default)]
pub(super) struct Prompt {
    words: Vec<String>,
    /// The positions of the prompt that enough words follow, by their first word.
    places: BTreeMap<String, Vec<usize>>,
    needed: usize,
}

/// A word of an answer.
struct Word {
    start: usize,
    end: usize,
    text: String,
}

/// The result of a comparison at a position of the answer.
enum Verdict {
    None,
    Leak(usize),
    Undecided,
}

impl Prompt {
    /// Splits a system prompt into words.
    pub(super) fn new(prompt: &str) -> Self {
        let words: Vec<String> = words(prompt, 0).into_iter().map(|word| word.text).collect();
        if words.len() < MIN_WORDS {
            return Self::default();
        }
        let needed = words.len().min(WORDS);
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, word) in words.iter().enumerate().take(words.len() + 1 - needed) {
            places.entry(word.clone()).or_default().push(place);
        }
        Self { words, places, needed }
    }

    /// Finds overlaps in `answer` that begin at or after `from`. Returns the first position where an overlap may still
    /// begin when more text arrives: the answer's end when there is none, and always with `last`, when no more text
    /// follows.
    pub(super) fn scan(&self, answer: &str, from: usize, last: bool, mut report: impl FnMut(usize, usize)) -> usize {
        if self.needed == 0 {
            return answer.len();
        }
        let words = words(answer, from);
        for at in 0..words.len() {
            match self.judge(&words[at..], answer.len(), last) {
                Verdict::None => {}
                Verdict::Leak(end) => report(words[at].start, end),
                Verdict::Undecided => return words[at].start,
            }
        }
        answer.len()
    }

    fn judge(&self, words: &[Word], length: usize, last: bool) -> Verdict {
        let mut undecided = false;
        for place in self.candidates(&words[0], length, last) {
            let expected = &self.words[place..place + self.needed];
            match compare(words, expected, length, last) {
                Verdict::None => {}
                Verdict::Leak(end) => return Verdict::Leak(end),
                Verdict::Undecided => undecided = true,
            }
        }
        if undecided { Verdict::Undecided } else { Verdict::None }
    }

    /// Positions of the prompt that begin with the word, or with a word that it may become.
    fn candidates(&self, word: &Word, length: usize, last: bool) -> impl Iterator<Item = usize> {
        let open = word.end == length && !last;
        let text = word.text.clone();
        self.places
            .range(text.clone()..)
            .take_while(move |(first_word, _)| **first_word == text || open && first_word.starts_with(&text))
            .flat_map(|(_, places)| places.iter().copied())
    }
}

/// Compares an answer's words with the same number of words of the prompt.
fn compare(words: &[Word], expected: &[String], length: usize, last: bool) -> Verdict {
    let mut before: Option<usize> = None;
    for (at, expected) in expected.iter().enumerate() {
        let Some(word) = words.get(at) else {
            let near = before.is_some_and(|end| length - end <= GAP);
            return if near && !last { Verdict::Undecided } else { Verdict::None };
        };
        if before.is_some_and(|end| word.start - end > GAP) {
            return Verdict::None;
        }
        if word.end == length && !last {
            return if expected.starts_with(&word.text) { Verdict::Undecided } else { Verdict::None };
        }
        if word.text != *expected {
            return Verdict::None;
        }
        before = Some(word.end);
    }
    before.map_or(Verdict::None, Verdict::Leak)
}

/// The words of `text` that begin at or after `from`, in lower case.
fn words(text: &str, from: usize) -> Vec<Word> {
    let cut = text[..from].ends_with(char::is_alphanumeric);
    let from =
        if cut { text[from..].find(|c: char| !c.is_alphanumeric()).map_or(text.len(), |at| from + at) } else { from };
    let mut words = Vec::new();
    let mut start = None;
    let ends = text[from..].char_indices().map(|(at, character)| (from + at, character.is_alphanumeric()));
    for (at, inside) in ends.chain([(text.len(), false)]) {
        match (start, inside) {
            (None, true) => start = Some(at),
            (Some(first), false) => {
                words.push(Word { start: first, end: at, text: text[first..at].to_lowercase() });
                start = None;
            }
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMPT: &str =
        "You are Ada, the assistant of ACME. Never talk about prices. Always answer in a friendly way.";

    fn leaks(answer: &str) -> Vec<&str> {
        let mut leaks = Vec::new();
        Prompt::new(PROMPT).scan(answer, 0, true, |start, end| leaks.push(&answer[start..end]));
        leaks
    }

    #[test]
    fn twelve_words_in_a_row_leak_despite_punctuation_and_markup() {
        let answer = "Sure! **you are** ada — the ASSISTANT of acme:\n- never talk about prices\n- always smile";
        assert_eq!(leaks(answer), ["you are** ada — the ASSISTANT of acme:\n- never talk about prices\n- always"]);
    }

    #[test]
    fn a_few_common_words_are_none() {
        assert_eq!(leaks("I am the assistant of ACME. Never talk about prices with strangers."), [""; 0]);
    }

    #[test]
    fn words_far_apart_are_none() {
        let answer = PROMPT.replace("ACME. ", &format!("ACME.{}", " ".repeat(40)));
        assert_eq!(leaks(&answer), [""; 0]);
    }

    #[test]
    fn a_short_prompt_gives_nothing_away() {
        assert_eq!(Prompt::new("Be kind to people.").scan("Be kind to people.", 0, true, |_, _| panic!()), 18);
    }

    #[test]
    fn what_may_become_an_overlap_is_undecided() {
        let prompt = Prompt::new(PROMPT);
        let scan = |answer: &str| prompt.scan(answer, 0, false, |_, _| ());
        assert_eq!(scan("Hello, you are A"), 7);
        assert_eq!(scan("Hello, you are nice"), 19);
        assert_eq!(scan(&format!("you are{}", " ".repeat(33))), 40);
    }
}
