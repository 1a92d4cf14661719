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
    /// Words before a noun at the beginning of a sentence.
    pub(super) articles: HashSet<String>,
    /// Negations of the next word only: "without".
    lacking: HashSet<String>,
    /// Words that may join two clauses.
    pub(super) joining: HashSet<String>,
    /// Words that limit a negation before them: "not only".
    pub(super) only: HashSet<String>,
    /// Words behind a comparison: "no more than".
    pub(super) than: HashSet<String>,
    numbers: Vec<String>,
    /// The words for 20, 30 and so on to 100.
    tens: Vec<String>,
    /// The ordinal numbers from the third on, each in its forms.
    ordinals: Vec<Vec<String>>,
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
    pub(super) words: Vec<String>,
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
    articles: String,
    negations: String,
    limits: String,
    lacking: String,
    joining: String,
    only: String,
    than: String,
    exceptions: Vec<String>,
    allowed: String,
    forbidden: String,
    numbers: String,
    tens: String,
    ordinals: String,
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
        articles: set(&words.articles),
        negations: set(&words.negations),
        limits: set(&words.limits),
        lacking: set(&words.lacking),
        joining: set(&words.joining),
        only: set(&words.only),
        than: set(&words.than),
        exceptions: words.exceptions,
        allowed: set(&words.allowed),
        forbidden: set(&words.forbidden),
        rules: [&words.allowed, &words.forbidden].into_iter().flat_map(|text| terms(text)).collect(),
        numbers: list(&words.numbers),
        tens: list(&words.tens),
        ordinals: list(&words.ordinals).iter().map(|forms| forms.split('/').map(str::to_owned).collect()).collect(),
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
        all().iter().find(|language| language.code == code).unwrap_or(&all()[0])
    }

    /// Like [`Self::of`], but `None` when it is not supported.
    pub fn find(code: &str) -> Option<&'static Self> {
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
        let count = |language: &Self| words.iter().filter(|word| language.words.function.contains(*word)).count();
        let best = all().iter().max_by_key(|language| (count(language), language.code == usual.code)).unwrap_or(usual);
        if count(best) >= 2 && count(best) > count(usual) { best } else { usual }
    }

    /// Whether a question is in the language of `usual`, a chatbot's code, judged by its words.
    pub fn compare(question: &str, usual: &str) -> QuestionLanguage {
        let usual = Self::of(usual);
        if question.chars().any(|mark| mark.is_alphabetic() && !is_latin(mark)) {
            return QuestionLanguage::Other;
        }
        let words: Vec<String> = words(question).collect();
        let count = |language: &Self| words.iter().filter(|word| language.words.function.contains(*word)).count();
        let own = count(usual);
        let others = all().iter().filter(|language| language.code != usual.code);
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
            QuestionLanguage::Same => Self::find(usual).map(|language| language.code),
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
        let count = |language: &Self| words.iter().filter(|word| language.words.function.contains(*word)).count();
        let mut counts: Vec<(usize, &'static Self)> =
            all().iter().map(|language| (count(language), language)).collect();
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
        let mut stems = HashSet::new();
        let meaningful = words(text).filter(|word| !self.words.function.contains(word));
        meaningful.flat_map(|word| terms(&word)).filter(|stem| stems.insert(stem.clone())).collect()
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
        let mut languages = all().iter().filter(|language| language.code != "en" || is_capital);
        let number = languages.find_map(|language| months::number(language.code, &lower));
        number.filter(|_| !self.words.negations.contains(&lower))
    }

    /// The value of a word in lower case that is a number in any language and no function word of this one: the
    /// English `once` is not the Spanish eleven.
    pub(super) fn number(&self, word: &str) -> Option<usize> {
        let is_own = self.value(word).is_some();
        number_word(word).filter(|_| is_own || !self.is_function_word(word))
    }

    /// The value of a number word or an ordinal number of this language.
    fn value(&self, word: &str) -> Option<usize> {
        let cardinal = self.words.numbers.iter().position(|number| number == word).map(|at| at + 2);
        let tens = || self.words.tens.iter().position(|number| number == word).map(|at| (at + 2) * 10);
        cardinal.or_else(tens).or_else(|| self.ordinal(word))
    }

    fn ordinal(&self, word: &str) -> Option<usize> {
        let mut all = self.words.ordinals.iter();
        all.position(|forms| forms.iter().any(|form| form == word)).map(|at| at + 3)
    }

    /// Whether a word in lower case carries no meaning in a question to documents of the language with this code, such as
    /// `combien`. The database leaves out many of these words itself; English and German questions need no others.
    pub fn is_function_word_of(code: &str, word: &str) -> bool {
        let language = Self::find(code).filter(|language| !matches!(language.code, "en" | "de"));
        language.is_some_and(|language| language.is_function_word(word))
    }

    /// Whether a word in lower case carries no meaning by itself.
    pub(super) fn is_function_word(&self, word: &str) -> bool {
        self.words.function.contains(word)
    }
}

/// The value of a number word or an ordinal number in any language: 12 for `zwölf`, 4 for `fourth`.
pub(super) fn number_word(word: &str) -> Option<usize> {
    all().iter().find_map(|language| language.value(word))
}

/// The value of an ordinal number from the third on in any language: 4 for `fourth`.
pub(super) fn ordinal(word: &str) -> Option<usize> {
    all().iter().find_map(|language| language.ordinal(word))
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
mod tests;
