//! A scripted perfect model: it answers with the sentences of the passages in its prompt that contain the labelled
//! words. Whatever its answers lack is a loss of the platform: the search did not find it, or the verification removed
//! it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use rag::{
    block::{item_marker, parts},
    generate::prompt::{Message, NO_ANSWER},
};

use server::eval::plain;

use super::Question;

/// A numbered passage of a prompt.
struct Passage<'a> {
    title: &'a str,
    text: String,
}

impl Passage<'_> {
    fn has(&self, words: &str) -> bool {
        plain(&self.text).contains(words)
    }
}

/// The message with the passages: the last one, or with a whole knowledge base the first of the conversation. No other text
/// begins like a numbered title.
pub(super) fn with_passages(messages: &[Message]) -> Option<&Message> {
    messages.iter().rev().find(|message| message.content.starts_with("[1] ")).or(messages.last())
}

/// The answer to a question from the passages of its prompt. A question that is labelled with a passage and without
/// words is answered with that passage.
pub(super) fn answer(question: &Question, messages: &[Message]) -> String {
    let passages = with_passages(messages).map(|message| passages(&message.content)).unwrap_or_default();
    let answer = match &question.passage {
        Some(label) if question.words.is_empty() => whole(&passages, label),
        _ => sentences(&passages, &question.words),
    };
    answer.unwrap_or_else(|| NO_ANSWER.to_owned())
}

/// The passages of a turn, which ends with its question. No line of their texts looks like a numbered title.
fn passages(turn: &str) -> Vec<Passage<'_>> {
    let mut passages: Vec<Passage<'_>> = Vec::new();
    let numbered = turn.rsplit_once("\n\n").map_or("", |(numbered, _)| numbered);
    for line in numbered.lines() {
        let number = format!("[{}] ", passages.len() + 1);
        if let Some(title) = line.strip_prefix(number.as_str()) {
            passages.push(Passage { title, text: String::new() });
        } else if let Some(last) = passages.last_mut() {
            last.text.push_str(line);
            last.text.push('\n');
        }
    }
    passages
}

/// The first passage that has the words of its label in its title or text.
fn whole(passages: &[Passage<'_>], label: &str) -> Option<String> {
    let label = plain(label);
    let labelled = |passage: &&Passage<'_>| plain(&format!("{} {}", passage.title, passage.text)).contains(&label);
    let text = &passages.iter().find(labelled)?.text;
    Some(text.trim_start_matches(['…', '\n', ' ']).trim_end().to_owned())
}

/// The sentences with all of these words: of a single passage if one has them all. `None` when a word is in no passage.
fn sentences(passages: &[Passage<'_>], words: &[String]) -> Option<String> {
    let labels: Vec<String> = words.iter().map(|words| plain(words)).collect();
    let all = passages.iter().position(|passage| labels.iter().all(|words| passage.has(words)));
    let mut by_passage: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for words in &labels {
        let at = all.or_else(|| passages.iter().position(|passage| passage.has(words)))?;
        by_passage.entry(at).or_default().push(words);
    }
    let parts = by_passage.into_iter().flat_map(|(at, words)| {
        let chosen = chosen(&passages[at].text, &words).into_iter();
        chosen.map(|part| spoken(part, at + 1)).collect::<Vec<_>>()
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// The sentence, item or block with all of these words, or else for each of them the shortest sequence of such parts
/// that has it.
fn chosen<'a>(text: &'a str, words: &[&str]) -> Vec<&'a str> {
    let parts = parts(text);
    if let Some(part) = parts.iter().find(|part| words.iter().all(|words| plain(part).contains(words))) {
        return vec![*part];
    }
    let length = parts.len();
    let runs = move || (1..=length).flat_map(move |count| (0..=length - count).map(move |start| start..start + count));
    let has = |run: &Range<usize>, words: &str| plain(&parts[run.clone()].concat()).contains(words);
    let mut places: BTreeSet<usize> = BTreeSet::new();
    for &words in words {
        if let Some(run) = runs().find(|run| has(run, words)) {
            places.extend(run);
        }
    }
    places.into_iter().map(|at| parts[at]).collect()
}

/// A part as a model would write it: an item becomes a sentence, and a line gets a marker.
fn spoken(part: &str, number: usize) -> String {
    let part = part.trim();
    let text = part[item_marker(part).unwrap_or_default()..].trim();
    if text.contains('\n') {
        return text.to_owned();
    }
    let end = if text.ends_with(char::is_alphanumeric) { "." } else { "" };
    format!("{text}{end} [{number}]")
}

#[cfg(test)]
mod tests {
    use rag::generate::prompt::Role;

    use super::*;

    const TURN: &str = "[1] Pool - Hours\nThe pool opens at nine. It closes at six on Mondays.\n\n- Dogs stay outside\n\n\
                        [2] Pool - Prices\n…\n\nA ticket costs 5 euros.\n\n| who | price |\n|---|---|\n| Children | 3 euros |\n\n\
                        Question: When and how much?";

    fn answer_for(passage: Option<&str>, words: &[&str]) -> String {
        let question = Question {
            question: "When and how much?".to_owned(),
            history: vec![],
            kind: "direct".to_owned(),
            document: None,
            passage: passage.map(str::to_owned),
            words: words.iter().map(|words| (*words).to_owned()).collect(),
            half: None,
            ..Question::default()
        };
        answer(&question, &[Message { role: Role::User, content: TURN.to_owned() }])
    }

    #[test]
    fn the_sentences_with_the_labelled_words_are_the_answer() {
        assert_eq!(answer_for(None, &["Mondays", "at six"]), "It closes at six on Mondays. [1]");
        assert_eq!(
            answer_for(None, &["at nine", "at six"]),
            "The pool opens at nine. [1]\n\nIt closes at six on Mondays. [1]"
        );
        assert_eq!(answer_for(None, &["dogs"]), "Dogs stay outside. [1]");
        assert_eq!(answer_for(None, &["at nine. It closes"]), answer_for(None, &["at nine", "at six"]));
        assert_eq!(
            answer_for(None, &["at nine", "5 euros"]),
            "The pool opens at nine. [1]\n\nA ticket costs 5 euros. [2]"
        );
        assert_eq!(answer_for(None, &["3 euros"]), "| who | price |\n|---|---|\n| Children | 3 euros |");
    }

    #[test]
    fn words_that_no_passage_has_and_no_words_are_refused() {
        assert_eq!(answer_for(None, &["at nine", "7 euros"]), NO_ANSWER);
        assert_eq!(answer_for(None, &[]), NO_ANSWER);
        assert_eq!(answer_for(Some("Pool - Rules"), &[]), NO_ANSWER);
    }

    #[test]
    fn a_passage_that_is_labelled_without_words_is_the_answer() {
        assert!(answer_for(Some("prices"), &[]).starts_with("A ticket costs 5 euros.\n\n| who"));
    }
}
