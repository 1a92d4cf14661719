//! Splits a message into its questions, because a search for two topics at once finds neither well.

use super::words::Words;
use crate::{
    accents, block,
    generate::language::Language,
    small_talk::{self, Topic},
};

/// Maximum questions of a message that are answered.
const QUESTIONS: usize = 4;
/// Maximum bytes of a message with one question that is searched for as a whole.
const SHORT: usize = 240;
/// Maximum bytes of what is said before the questions that a follow-up may refer to.
const CONTEXT: usize = 200;

/// A visitor's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The questions to search for, in their order; at least one.
    pub questions: Vec<String>,
    /// What is said before them, which "it" may refer to.
    pub context: Option<String>,
    /// Further questions, which are too many.
    pub open: Vec<String>,
}

/// The questions of `message`, without greeting and thanks. A short message with one question is that question.
/// `language` is the chatbot's code, which counts when the words do not identify another one.
pub fn split(message: &str, language: &str) -> Message {
    let words = Words::of(Language::of_question(message, language).code);
    let text = without_greeting(message.trim(), words, language);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let sentences = lines.flat_map(block::sentences).filter(|sentence| !is_courtesy(sentence, language));
    let sentences: Vec<&str> = sentences.collect();
    let asks = |sentence: &str| sentence.ends_with('?') || is_opened(sentence, words) && text.contains('\n');
    let (asking, context_sentences): (Vec<&str>, Vec<&str>) = sentences.iter().partition(|sentence| asks(sentence));
    let mut questions: Vec<String> = asking.iter().flat_map(|sentence| parts(sentence, words, language)).collect();
    let whole = || sentences.join(" ");
    match questions.len() {
        0 => questions = vec![if sentences.is_empty() { text.to_owned() } else { whole() }],
        1 if text.len() <= SHORT => questions = vec![whole()],
        _ => {
            let open = questions.split_off(questions.len().min(QUESTIONS));
            return Message { questions, context: context(&context_sentences), open };
        }
    }
    Message { questions, context: None, open: Vec::new() }
}

/// The end of what is said besides the questions.
fn context(sentences: &[&str]) -> Option<String> {
    let mut context: Vec<&str> = Vec::new();
    for sentence in sentences.iter().rev() {
        if context.iter().map(|sentence| sentence.len()).sum::<usize>() + sentence.len() > CONTEXT {
            break;
        }
        context.insert(0, sentence);
    }
    (!context.is_empty()).then(|| context.join(" "))
}

/// Whether a sentence only greets, thanks or says goodbye.
fn is_courtesy(sentence: &str, language: &str) -> bool {
    let topic = small_talk::recognise(sentence, language).map(|recognised| recognised.topic);
    matches!(topic, Some(Topic::Greeting | Topic::Thanks | Topic::Goodbye))
}

/// A message without the greeting at its beginning; the whole message when it is nothing else.
fn without_greeting<'a>(message: &'a str, words: &Words, language: &str) -> &'a str {
    let marks = [',', '!', '.', '\n', '-', '–', ';', ':'];
    let end = message.find(marks).filter(|end| is_courtesy(&message[..*end], language));
    let after =
        end.map(|end| message[end..].trim_start_matches(|mark: char| mark.is_whitespace() || marks.contains(&mark)));
    let after = after.or_else(|| {
        let (first, rest) = message.split_once(char::is_whitespace)?;
        words.is_hello(&accents::without(&first.to_lowercase())).then_some(rest.trim_start())
    });
    after.filter(|rest| rest.contains(char::is_alphanumeric)).unwrap_or(message)
}

fn tokens(text: &str) -> Vec<(usize, String)> {
    let start = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let words = text.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| (start(word), accents::without(&word.to_lowercase()))).collect()
}

fn is_opened(sentence: &str, words: &Words) -> bool {
    let words_at = tokens(sentence);
    let word = |at: usize| words_at.get(at).map_or("", |(_, word)| word.as_str());
    words_at.len() > 2 && words.is_opening(word(0), word(1))
}

/// The questions that "and" joins in one sentence. Both have words of their own: "How and when do I pay?" is one question.
fn parts(sentence: &str, words: &Words, language: &str) -> Vec<String> {
    let words_at = tokens(sentence);
    let language = Language::of_question(sentence, language);
    let mut cuts = vec![0];
    for at in 1..words_at.len().saturating_sub(2) {
        let is_join = words.is_join(&words_at[at].1) && words.is_opening(&words_at[at + 1].1, &words_at[at + 2].1);
        let start = *cuts.last().unwrap_or(&0);
        let (left, right) = (&sentence[start..words_at[at].0], &sentence[words_at[at + 1].0..]);
        let has_words = |part: &str| !language.content_words(part).is_empty();
        if is_join && has_words(left) && has_words(right) {
            cuts.push(words_at[at + 1].0);
        }
    }
    cuts.push(sentence.len());
    let part = |(number, cut): (usize, &[usize])| {
        let text = sentence[cut[0]..cut[1]].trim();
        if number + 2 == cuts.len() {
            return text.to_owned();
        }
        // Without the word that joins it to the next question.
        let text = text.rsplit_once(char::is_whitespace).map_or(text, |(text, _)| text);
        format!("{}?", text.trim_end_matches(|mark: char| !mark.is_alphanumeric()))
    };
    cuts.windows(2).enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions(message: &str, language: &str) -> Vec<String> {
        split(message, language).questions
    }

    #[test]
    fn questions_of_one_message_are_split() {
        for (message, language, expected) in [
            (
                "What are the opening hours and where can I park?",
                "en",
                &["What are the opening hours?", "where can I park?"][..],
            ),
            ("When do you open? Is there parking?", "en", &["When do you open?", "Is there parking?"]),
            ("when do you open\nwhere can I park", "en", &["when do you open", "where can I park"]),
            (
                "Is the lamp waterproof and how long is its warranty?",
                "en",
                &["Is the lamp waterproof?", "how long is its warranty?"],
            ),
            ("Wie werde ich Mitglied und was kostet das?", "de", &["Wie werde ich Mitglied?", "was kostet das?"]),
            ("Wann öffnen Sie und gibt es Parkplätze?", "de", &["Wann öffnen Sie?", "gibt es Parkplätze?"]),
            (
                "Quels sont les horaires et où puis-je me garer ?",
                "fr",
                &["Quels sont les horaires?", "où puis-je me garer ?"],
            ),
            ("¿Cuándo abren y dónde puedo aparcar?", "es", &["¿Cuándo abren?", "dónde puedo aparcar?"]),
            ("Quando aprite e dove posso parcheggiare?", "it", &["Quando aprite?", "dove posso parcheggiare?"]),
            (
                "Wat kost een kaartje en waar kan ik parkeren?",
                "nl",
                &["Wat kost een kaartje?", "waar kan ik parkeren?"],
            ),
            ("Quando abrem e onde posso estacionar?", "pt", &["Quando abrem?", "onde posso estacionar?"]),
            ("How and where do I pay?", "en", &["How and where do I pay?"]),
            ("Do you sell ropes and lamps?", "en", &["Do you sell ropes and lamps?"]),
            (
                "Can I return shoes that are worn and have no box?",
                "en",
                &["Can I return shoes that are worn and have no box?"],
            ),
            ("I bought a rope. Can I return it?", "en", &["I bought a rope. Can I return it?"]),
        ] {
            assert_eq!(questions(message, language), expected, "{message}");
        }
    }

    #[test]
    fn a_greeting_and_thanks_are_no_part_of_a_question() {
        for (message, language, expected) in [
            ("Hi, do you ship to Norway?", "en", "do you ship to Norway?"),
            ("Hello! When do you open? Thanks!", "en", "When do you open?"),
            ("hi when do you open", "en", "when do you open"),
            ("Good morning, where are you?", "en", "where are you?"),
            ("Hallo zusammen, wann habt ihr offen?", "de", "wann habt ihr offen?"),
            ("Guten Tag\nWann öffnen Sie?", "de", "Wann öffnen Sie?"),
            ("Bonjour, quels sont vos horaires ?", "fr", "quels sont vos horaires ?"),
            ("Hola, ¿cuándo abren?", "es", "¿cuándo abren?"),
            ("Hello", "en", "Hello"),
            ("morning opening hours", "en", "morning opening hours"),
        ] {
            assert_eq!(questions(message, language), [expected], "{message}");
        }
    }

    #[test]
    fn a_long_message_is_searched_by_its_questions() {
        let story = "My parcel was left with a neighbour whom I do not know. ".repeat(8);
        let message = split(&format!("{story}The box was wet. Can I return it? {story}"), "en");
        assert_eq!(message.questions, ["Can I return it?"]);
        assert!(message.context.is_some_and(|context| context.len() <= CONTEXT));
        let many = split("When? Where is it? What does it cost? Who is there? How old is it? Is it big?", "en");
        assert_eq!((many.questions.len(), many.open.len()), (4, 2));
    }
}
