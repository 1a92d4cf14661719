//! The languages of answers: the prompt in each language, and the words by which a model's answer is interpreted. Each
//! language has its file in `prompts/`.

mod polarity;

use std::{collections::HashSet, sync::LazyLock};

use serde::Deserialize;

use crate::{accents, months, terms::terms};

/// A language with its prompt and words.
#[derive(Debug)]
pub struct Language {
    /// Its code, for example `de`.
    pub code: &'static str,
    pub(super) prompt: Prompt,
    pub(super) words: Words,
    pub(super) refusal: Refusal,
}

/// Whether a question is in its chatbot's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionLanguage {
    Same,
    Other,
    /// It has too few words that identify a language.
    Unclear,
}

/// The texts of a prompt.
#[derive(Debug, Deserialize)]
pub(super) struct Prompt {
    pub(super) rules: String,
    /// Introduces the chatbot's own instructions.
    pub(super) voice: String,
    /// Introduces the question.
    pub(super) question: String,
    /// Asks for the summary of a document.
    pub(super) summary: String,
    pub(super) examples: Vec<Example>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Text {
    pub(super) title: String,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Example {
    pub(super) question: String,
    pub(super) answer: String,
    /// The passages that the example answers from.
    pub(super) texts: Vec<Text>,
}

/// Words for the interpretation of an answer.
#[derive(Debug)]
pub(super) struct Words {
    function: HashSet<String>,
    yes_no: HashSet<String>,
    negations: HashSet<String>,
    limits: HashSet<String>,
    /// What introduces an exception, as words between single spaces.
    exceptions: Vec<String>,
    allowed: HashSet<String>,
    /// Words that negate without "not".
    forbidden: HashSet<String>,
    /// The stems of words that permit or forbid.
    rules: HashSet<String>,
    numbers: Vec<String>,
    /// Words that a model writes before the number of a passage.
    pub(super) passage: Vec<String>,
    /// "According to", before a passage.
    pub(super) according: Vec<String>,
    /// Headings that a model writes above a list of sources or topics.
    pub(super) lists: Vec<String>,
    /// Words of an instruction to keep something secret.
    pub(super) secret: Vec<String>,
}

/// Words of a model that says that it has no answer.
#[derive(Debug, Deserialize)]
pub(super) struct Refusal {
    pub(super) phrases: Vec<String>,
    pub(super) subjects: Vec<String>,
    pub(super) denials: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    #[serde(flatten)]
    prompt: Prompt,
    words: FileWords,
    refusal: Refusal,
}

#[derive(Deserialize)]
struct FileWords {
    function: String,
    yes_no: String,
    negations: String,
    limits: String,
    exceptions: Vec<String>,
    allowed: String,
    forbidden: String,
    numbers: String,
    passage: Vec<String>,
    according: Vec<String>,
    lists: Vec<String>,
    secret: Vec<String>,
}

/// In a text of a language, at least one in this many words is a function word.
const TELLING: usize = 5;

/// English is first, because it is the fallback.
const FILES: [(&str, &str); 7] = [
    ("en", include_str!("../../prompts/en.toml")),
    ("de", include_str!("../../prompts/de.toml")),
    ("es", include_str!("../../prompts/es.toml")),
    ("fr", include_str!("../../prompts/fr.toml")),
    ("it", include_str!("../../prompts/it.toml")),
    ("nl", include_str!("../../prompts/nl.toml")),
    ("pt", include_str!("../../prompts/pt.toml")),
];

static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| FILES.iter().map(|(code, text)| read(code, text)).collect());

fn read(code: &'static str, text: &str) -> Language {
    let File { prompt, words, refusal } = toml::from_str(text).expect("the files of prompts are part of the program");
    let set = |text: &str| text.split_whitespace().map(str::to_owned).collect::<HashSet<_>>();
    let list = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let words = Words {
        function: with_plain_forms(set(&words.function)),
        yes_no: set(&words.yes_no),
        negations: set(&words.negations),
        limits: set(&words.limits),
        exceptions: words.exceptions,
        allowed: set(&words.allowed),
        forbidden: set(&words.forbidden),
        rules: [&words.allowed, &words.forbidden].into_iter().flat_map(|text| terms(text)).collect(),
        numbers: list(&words.numbers),
        passage: words.passage,
        according: words.according,
        lists: words.lists,
        secret: words.secret,
    };
    Language { code, prompt, words, refusal }
}

/// The words, and those with accents without them too, as visitors write them: `cuanto` for `cuánto`.
fn with_plain_forms(mut words: HashSet<String>) -> HashSet<String> {
    let plain: Vec<String> = words.iter().map(|word| accents::without(word)).collect();
    words.extend(plain);
    words
}

/// All languages, English first.
pub(super) fn all() -> &'static [Language] {
    &LANGUAGES
}

impl Language {
    /// The language with this code, such as `de` or `de-AT`; English when it is not supported.
    pub fn of(code: &str) -> &'static Self {
        let code = code.split(['-', '_']).next().unwrap_or(code).to_ascii_lowercase();
        all().iter().find(|known| known.code == code).unwrap_or(&all()[0])
    }

    /// Like [`Self::of`], but `None` when it is not supported.
    pub fn known(code: &str) -> Option<&'static Self> {
        let language = Self::of(code);
        let main = code.split(['-', '_']).next().unwrap_or(code);
        Some(language).filter(|language| language.code.eq_ignore_ascii_case(main))
    }

    /// The request for the summary of a document.
    pub fn summary_request(&self) -> &str {
        &self.prompt.summary
    }

    /// The language of `question`; `usual`, the chatbot's code, when the question's words do not clearly identify
    /// another one.
    pub fn of_question(question: &str, usual: &str) -> &'static Self {
        let usual = Self::of(usual);
        let words: Vec<String> = words(question).collect();
        let count = |known: &Self| words.iter().filter(|word| known.words.function.contains(*word)).count();
        let best = all().iter().max_by_key(|known| (count(known), known.code == usual.code)).unwrap_or(usual);
        if count(best) >= 2 && count(best) > count(usual) { best } else { usual }
    }

    /// Whether a question is in the language of `usual`, a chatbot's code, judged by its words.
    pub fn compare(question: &str, usual: &str) -> QuestionLanguage {
        let usual = Self::of(usual);
        if question.chars().any(|mark| mark.is_alphabetic() && !is_latin(mark)) {
            return QuestionLanguage::Other;
        }
        let words: Vec<String> = words(question).collect();
        let count = |known: &Self| words.iter().filter(|word| known.words.function.contains(*word)).count();
        let own = count(usual);
        let others = all().iter().filter(|known| known.code != usual.code);
        match others.map(count).max().unwrap_or_default() {
            other if other >= 2 && other > own => QuestionLanguage::Other,
            other if own > other => QuestionLanguage::Same,
            _ => QuestionLanguage::Unclear,
        }
    }

    /// The code of the language of `question`; `None` when its words do not clearly identify one. `usual` is the
    /// chatbot's code.
    pub fn detect(question: &str, usual: &str) -> Option<&'static str> {
        match Self::compare(question, usual) {
            QuestionLanguage::Same => Self::known(usual).map(|language| language.code),
            // Another script does not identify a language.
            QuestionLanguage::Other => {
                Some(Self::of_question(question, usual).code).filter(|code| *code != Self::of(usual).code)
            }
            QuestionLanguage::Unclear => None,
        }
    }

    /// The language of a text of several sentences; `None` when its words do not clearly identify a supported one.
    pub fn of_text(text: &str) -> Option<&'static Self> {
        let words: Vec<String> = words(text).collect();
        let count = |known: &Self| words.iter().filter(|word| known.words.function.contains(*word)).count();
        let mut counts: Vec<(usize, &'static Self)> = all().iter().map(|known| (count(known), known)).collect();
        counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let [(best, language), (second, _), ..] = counts.as_slice() else { return None };
        // A text in another language has a few words that look like one of ours.
        (*best >= 3 && best > second && best * TELLING >= words.len()).then_some(*language)
    }

    /// The words of `text` that carry meaning, in comparable form, each once. For English and German those of [`terms`].
    pub(crate) fn content_words(&self, text: &str) -> Vec<String> {
        match self.code {
            "en" | "de" => terms(text),
            _ => self.stems(text),
        }
    }

    /// The words of `text` that carry meaning, as comparable stems, each once.
    pub(super) fn stems(&self, text: &str) -> Vec<String> {
        let mut seen = HashSet::new();
        let meaningful = words(text).filter(|word| !self.words.function.contains(word));
        meaningful.flat_map(|word| terms(&word)).filter(|stem| seen.insert(stem.clone())).collect()
    }

    /// Whether a word in lower case answers yes or no.
    pub(super) fn is_yes_no(&self, word: &str) -> bool {
        self.words.yes_no.contains(word)
    }

    /// The number of the month that a word of a text in this language names, in any language: 3 for `März`. English
    /// months have a capital letter, and `mai` is not a month in Italian.
    pub(super) fn month(&self, word: &str) -> Option<usize> {
        let lower = word.to_lowercase();
        let is_capital = word.starts_with(char::is_uppercase);
        let mut known = all().iter().filter(|known| known.code != "en" || is_capital);
        let number = known.find_map(|known| months::number(known.code, &lower));
        number.filter(|_| !self.words.negations.contains(&lower))
    }

    /// The value of a word in lower case that is a number in any language and no function word of this one: the
    /// English `once` is not the Spanish eleven.
    pub(super) fn number(&self, word: &str) -> Option<usize> {
        let is_own = self.words.numbers.iter().any(|number| number == word);
        number_word(word).filter(|_| is_own || !self.is_function_word(word))
    }

    /// Whether a word in lower case carries no meaning in a question to documents of the language with this code, such as
    /// `combien`. The database leaves out many of these words itself; English and German questions need no others.
    pub fn is_function_word_of(code: &str, word: &str) -> bool {
        let known = Self::known(code).filter(|known| !matches!(known.code, "en" | "de"));
        known.is_some_and(|known| known.is_function_word(word))
    }

    /// Whether a word in lower case carries no meaning by itself.
    pub(super) fn is_function_word(&self, word: &str) -> bool {
        self.words.function.contains(word)
    }
}

/// The value of a number word in any language: 12 for `zwölf`.
pub(super) fn number_word(word: &str) -> Option<usize> {
    all().iter().find_map(|known| known.words.numbers.iter().position(|number| number == word).map(|at| at + 2))
}

/// Letters of the seven languages and their neighbours.
fn is_latin(mark: char) -> bool {
    mark < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(&mark) || matches!(mark, 'ª' | 'º')
}

/// The words of a text in lower case.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_all_its_words_and_three_examples() {
        for language in all() {
            let Language { code, prompt, words, .. } = language;
            let texts: Vec<usize> = prompt.examples.iter().map(|example| example.texts.len()).collect();
            assert_eq!(texts, [2, 1, 1], "{code}");
            assert_eq!(words.numbers.len(), 11, "{code}");
            assert!(months::NAMES.iter().any(|(known, _)| known == code), "{code}");
            assert!(prompt.rules.contains("NO_ANSWER") && !prompt.rules.contains('\n'), "{code}");
            assert!(prompt.rules.matches(". ").count() == 4, "{code}: five sentences");
            for example in [&prompt.examples[0], &prompt.examples[1]] {
                let copied = example.answer.replace(" [1]", "");
                assert_eq!(copied, example.texts[0].text, "{code}: the words of the text");
                assert_eq!(example.answer.matches(". [1]").count(), 2, "{code}: a marker after each sentence");
            }
            let [asked, text] = [&prompt.examples[1].question, &prompt.examples[1].texts[0].text];
            let text = language.stems(text);
            assert!(language.stems(asked).iter().all(|stem| !text.contains(stem)), "{code}: other words than the text");
            assert_eq!(prompt.examples[2].answer, super::super::prompt::NO_ANSWER, "{code}");
        }
    }

    #[test]
    fn a_questions_language_is_the_chatbots_another_one_or_unclear() {
        use QuestionLanguage::{Other, Same, Unclear};
        for (question, usual, expected) in [
            ("How do I return an item?", "en", Same),
            ("What is in the box?", "en-GB", Same),
            ("Wie kann ich einen Artikel zurückgeben?", "en", Other),
            ("Wie kann ich einen Artikel zurückgeben?", "de-AT", Same),
            ("Comment puis-je retourner un article ?", "en", Other),
            ("Как вернуть товар?", "en", Other),
            ("返品はできますか", "en", Other),
            ("Öffnungszeiten", "en", Unclear),
            ("opening hours", "en", Unclear),
            ("cuanto cuesta la entrada", "es", Same),
            ("combien coute l'abonnement annuel", "fr", Same),
            ("Jak zwrócić towar?", "en", Unclear),
            ("", "en", Unclear),
        ] {
            assert_eq!(Language::compare(question, usual), expected, "{question}");
        }
    }

    #[test]
    fn a_language_is_detected_only_when_the_words_tell_it() {
        for (question, usual, expected) in [
            ("How do I return an item?", "en-GB", Some("en")),
            ("Wie kann ich einen Artikel zurückgeben?", "en", Some("de")),
            ("How do I return an item?", "de", Some("en")),
            ("Wie kann ich einen Artikel zurückgeben?", "pl", Some("de")),
            ("How do I return an item?", "pl", None),
            ("Öffnungszeiten", "de", None),
            ("Как вернуть товар?", "en", None),
            ("", "en", None),
        ] {
            assert_eq!(Language::detect(question, usual), expected, "{question}");
        }
    }

    #[test]
    fn a_text_tells_its_language_or_none() {
        for (text, expected) in [
            ("Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben. Die Kosten trägt der Käufer.", Some("de")),
            ("You can return any item within 30 days of delivery. Keep the receipt of each item.", Some("en")),
            ("Vous pouvez retourner un article dans les trente jours qui suivent la livraison.", Some("fr")),
            (
                "Jeśli chcesz zwrócić towar, napisz do nas. Paczka idzie dwa dni, a zwrot pieniędzy trwa cały tydzień.",
                None,
            ),
            ("Как вернуть товар? Напишите нам.", None),
            ("XR-200 XR-300 12 V 24 V", None),
            ("", None),
        ] {
            assert_eq!(Language::of_text(text).map(|language| language.code), expected, "{text}");
        }
    }

    #[test]
    fn the_language_is_the_questions_or_else_the_chatbots() {
        for (question, usual, expected) in [
            ("Wie kann ich einen Artikel zurückgeben?", "en", "de"),
            ("How do I return an item?", "de", "en"),
            ("¿Cuánto cuesta el envío de los paquetes?", "en", "es"),
            ("Comment puis-je retourner un article ?", "en", "fr"),
            ("Come posso restituire un articolo che non mi piace?", "en", "it"),
            ("Hoe kan ik een artikel terugsturen?", "en", "nl"),
            ("Como posso devolver um artigo que não quero?", "en", "pt"),
            ("Apt?", "de-AT", "de"),
            ("Apt?", "xx", "en"),
        ] {
            assert_eq!(Language::of_question(question, usual).code, expected, "{question}");
        }
    }
}
