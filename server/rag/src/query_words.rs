//! The words of a question to search for, and the share of them that a passage has: rare words count more, as in BM25.

mod specific;
mod typing_errors;

use std::collections::HashMap;

pub use specific::lacks_specific_word;
pub use typing_errors::corrected;
pub(crate) use typing_errors::have_same_words;

/// Maximum words of a question that are searched for.
const WORDS: usize = 40;
/// Weight of a part of a compound, where the compound itself has 1, and of a function word.
const PART: f32 = 0.5;
/// Weight of another form of a verb: with a prefix from elsewhere in the question, or without its own.
const VERB: f32 = 0.8;
/// Weight of a verb joined with a prefix from the end of its clause, and of a word with a hyphen as a whole. Below 1,
/// because the search leaves out forms below 1 that no passage has: every word of the clause is tried as its verb, and
/// `est-il` is no rare word.
const JOINED: f32 = 0.95;
/// Minimum letters of each part of a compound.
const PART_LETTERS: usize = 4;
/// Minimum letters of a compound.
const COMPOUND_LETTERS: usize = 9;
/// Saturation of repeated occurrences (k1 of BM25).
const SATURATION: f32 = 1.2;
/// Weight of an occurrence in a heading.
const HEADING: f32 = 3.0;
/// A word counts as if at least this many passages had it, so that a typing error is not evidence against every passage.
const FEWEST: f32 = 2.0;

/// Separable prefixes of German verbs.
pub(crate) const GERMAN_PREFIXES: [&str; 22] = [
    "ab", "an", "auf", "aus", "bei", "ein", "fest", "fort", "her", "hin", "los", "mit", "nach", "um", "vor", "weg",
    "zu", "zurück", "zusammen", "heraus", "herunter", "hoch",
];

/// A form of a word to search for.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// The form; the search reduces it to its stem.
    pub text: String,
    /// The position of the question's word that this is a form of, from 0.
    pub word: usize,
    /// The weight of a match of this form: 1 for the word itself.
    pub weight: f32,
}

/// The words of `question` in the forms that documents of `language` may use: parts of compounds, and verbs with and
/// without the prefix that German separates from them. Words for which `is_function_word` holds count only where passages
/// have them.
pub fn forms(question: &str, language: &str, is_function_word: impl Fn(&str) -> bool) -> Vec<Form> {
    let words = words(question);
    let is_german = language.split('-').next() == Some("de");
    let has_compounds = is_german || language.split('-').next() == Some("nl");
    let mut forms = Vec::new();
    for (word, Word { text, ends_clause }) in words.iter().enumerate() {
        // A prefix belongs to its verb. Alone it counts only where passages have it.
        let is_prefix = is_german && words.len() > 1 && *ends_clause && GERMAN_PREFIXES.contains(&text.as_str());
        let joined = joined_words(text);
        let weigh = |text: &str| if is_function_word(without_elision(text)) { PART } else { 1.0 };
        let weight = match () {
            () if is_prefix => PART,
            () if !joined.is_empty() => JOINED,
            () => weigh(text),
        };
        forms.push(Form { text: text.clone(), word, weight });
        forms.extend(joined.into_iter().map(|text| Form { text: text.to_owned(), word, weight: weigh(text) }));
        if has_compounds {
            forms.extend(parts(text).into_iter().map(|text| Form { text, word, weight: PART }));
        }
        if is_german {
            forms.extend(verb_forms(text).into_iter().map(|text| Form { text, word, weight: VERB }));
        }
    }
    if is_german {
        for (prefix, before) in separated(&words) {
            let verb = |word: usize| Form { text: format!("{prefix}{}", words[word].text), word, weight: JOINED };
            forms.extend(before.map(verb));
        }
    }
    forms
}

/// A word of a question in lower case.
struct Word {
    text: String,
    /// Whether a clause ends after it.
    ends_clause: bool,
}

fn words(question: &str) -> Vec<Word> {
    let word = |raw: &str| {
        let text = raw.trim_matches(|mark: char| !mark.is_alphanumeric()).to_lowercase();
        Word { text, ends_clause: raw.ends_with([',', '.', '?', '!', ';', ':']) }
    };
    let mut words: Vec<Word> =
        question.split_whitespace().map(word).filter(|word| !word.text.is_empty()).take(WORDS).collect();
    if let Some(last) = words.last_mut() {
        last.ends_clause = true;
    }
    words
}

/// The words that hyphens join: `puis` and `je` for `puis-je`. None for a word without a hyphen or with digits.
fn joined_words(word: &str) -> Vec<&str> {
    let hyphens = ['-', '\u{2010}', '\u{2011}'];
    let words: Vec<&str> = word.split(|mark: char| hyphens.contains(&mark) || is_apostrophe(mark)).collect();
    let are_words = words.iter().all(|word| !word.is_empty() && word.chars().all(char::is_alphabetic));
    if word.contains(hyphens) && are_words { words } else { Vec::new() }
}

/// A word without what is elided before it: `abonnement` for `l'abonnement`.
fn without_elision(word: &str) -> &str {
    word.rsplit(is_apostrophe).next().unwrap_or(word)
}

fn is_apostrophe(mark: char) -> bool {
    matches!(mark, '\'' | '\u{2019}')
}

/// All splits of a long word into two parts.
fn parts(word: &str) -> Vec<String> {
    let letters = word.chars().count();
    if letters < COMPOUND_LETTERS || !word.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let cuts = word.char_indices().skip(PART_LETTERS).take(letters + 1 - 2 * PART_LETTERS);
    cuts.flat_map(|(at, _)| [word[..at].to_owned(), word[at..].to_owned()]).collect()
}

/// Further forms of a German verb, or its noun: without its separable prefix, with "zu" after it, and those of another person,
/// which the stemmer does not join ("haftet", "haften").
fn verb_forms(word: &str) -> Vec<String> {
    let long_enough = |stem: &&str| stem.chars().count() >= PART_LETTERS;
    let prefixes = GERMAN_PREFIXES.iter().filter(|prefix| word.starts_with(**prefix));
    let parts = prefixes.max_by_key(|prefix| prefix.len()).map(|prefix| word.split_at(prefix.len()));
    let parts = parts.filter(|(_, rest)| long_enough(rest));
    let prefixed = parts.into_iter().flat_map(|(prefix, rest)| [rest.to_owned(), format!("{prefix}zu{rest}")]);
    let is_short = |stem: &str| stem.ends_with("er") || stem.ends_with("el");
    let short = word.strip_suffix('n').filter(|stem| is_short(stem));
    let third_person = short.or_else(|| word.strip_suffix("en")).filter(long_enough).into_iter();
    let third_person = third_person.flat_map(|stem| ["t", "et"].map(|ending| format!("{stem}{ending}")));
    let stem = word.strip_suffix("et").or_else(|| word.strip_suffix('t')).filter(long_enough);
    let infinitive = stem.map(|stem| format!("{stem}{}", if is_short(stem) { "n" } else { "en" }));
    prefixed.chain(third_person).chain(infinitive).collect()
}

/// The prefixes at the end of a clause, each with the words before it, one of which is its verb.
fn separated(words: &[Word]) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
    let mut start = 0;
    words.iter().enumerate().filter_map(move |(at, word)| {
        let before = start..at;
        if word.ends_clause {
            start = at + 1;
        }
        let is_prefix = word.ends_clause && GERMAN_PREFIXES.contains(&word.text.as_str());
        is_prefix.then_some((word.text.as_str(), before))
    })
}

/// A stem that was searched for.
#[derive(Debug, Clone, PartialEq)]
pub struct Stem {
    pub text: String,
    /// As in [`Form`].
    pub word: usize,
    /// As in [`Form`].
    pub weight: f32,
    /// How many passages of the collection have it.
    pub passages: u64,
}

/// The stems of a question, weighted by their rarity in a collection.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryWords {
    /// Position of the word and weight, by stem.
    stems: HashMap<String, Vec<(usize, f32)>>,
    /// The maximum value of each word.
    words: HashMap<usize, f32>,
}

impl QueryWords {
    /// The stems of a question to a collection of `passages` passages.
    pub fn new(stems: &[Stem], passages: u64) -> Self {
        let mut words = Self::default();
        for Stem { text, word, weight, passages: having } in stems {
            let value = weight * rarity(*having as f32, passages as f32);
            let most = words.words.entry(*word).or_default();
            *most = most.max(value);
            if *having > 0 {
                words.stems.entry(text.clone()).or_default().push((*word, value));
            }
        }
        words
    }

    /// The share of the question's rarity that a passage has, from 0 to 1. `matches` are its stems, each with its
    /// number of occurrences and whether it occurs in a heading. Further occurrences count less and less.
    pub fn share<'a>(&self, matches: impl Iterator<Item = (&'a str, usize, bool)>) -> f32 {
        self.sum(matches, |count, in_heading| {
            let often = count as f32 + if in_heading { HEADING - 1.0 } else { 0.0 };
            often / (often + SATURATION)
        })
    }

    /// Like [`Self::share`], but all occurrences count the same: 1 for a passage with all words.
    pub fn coverage<'a>(&self, matches: impl Iterator<Item = (&'a str, usize, bool)>) -> f32 {
        self.sum(matches, |_, _| 1.0)
    }

    fn sum<'a>(
        &self,
        matches: impl Iterator<Item = (&'a str, usize, bool)>,
        counted: impl Fn(usize, bool) -> f32,
    ) -> f32 {
        let total: f32 = self.words.values().sum();
        if total <= 0.0 {
            return 0.0;
        }
        let mut best: HashMap<usize, f32> = HashMap::new();
        for (stem, count, in_heading) in matches {
            for (word, value) in self.stems.get(stem).into_iter().flatten() {
                let value = value * counted(count, in_heading);
                let word_value = best.entry(*word).or_default();
                *word_value = word_value.max(value);
            }
        }
        best.values().sum::<f32>() / total
    }
}

/// The inverse document frequency of BM25.
fn rarity(having: f32, all: f32) -> f32 {
    let (having, all) = (having.max(FEWEST), all.max(having).max(FEWEST));
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::language::Language;

    fn texts(question: &str, language: &str) -> Vec<String> {
        forms(question, language, |_| false).into_iter().map(|form| form.text).collect()
    }

    #[test]
    fn english_words_are_searched_as_they_are() {
        assert_eq!(texts("How do I return a parcel?", "en"), ["how", "do", "i", "return", "a", "parcel"]);
        assert!(texts("?!", "en").is_empty());
    }

    #[test]
    fn words_that_a_hyphen_joins_are_searched_each() {
        let needed = |question: &str| {
            let forms = forms(question, "fr", |word| word == "ce").into_iter();
            forms.filter(|form| form.weight >= 1.0).map(|form| (form.text, form.word)).collect::<Vec<_>>()
        };
        let puis_je = [("puis", 0), ("je", 0), ("payer", 1)].map(|(text, word)| (text.to_owned(), word));
        assert_eq!(needed("Puis-je payer ?"), puis_je);
        assert!(texts("Puis-je payer ?", "fr").contains(&"puis-je".to_owned()), "where passages have it");
        let quoi = [("qu", 0), ("est", 0)].map(|(text, word)| (text.to_owned(), word));
        assert_eq!(needed("Qu\u{2019}est-ce ?"), quoi);
        assert_eq!(needed("2026-11-27"), [("2026-11-27".to_owned(), 0)]);
        assert_eq!(needed("l'abonnement"), [("l'abonnement".to_owned(), 0)]);
    }

    #[test]
    fn function_words_count_only_where_passages_have_them() {
        for (language, question, expected) in [
            ("fr-CA", "Combien coûte l'abonnement ?", vec!["coûte", "l'abonnement"]),
            ("fr", "D'où part-il ?", vec!["part"]),
            ("es", "¿Cuando recibo mi dinero?", vec!["recibo", "dinero"]),
            ("nl", "Hoeveel borg betaal ik?", vec!["borg", "betaal"]),
            ("en", "How many of them?", vec!["how", "many", "of", "them"]),
        ] {
            let is_function_word = |word: &str| Language::is_function_word_of(language, word);
            let forms = forms(question, language, is_function_word).into_iter();
            let needed: Vec<String> = forms.filter(|form| form.weight >= 1.0).map(|form| form.text).collect();
            assert_eq!(needed, expected, "{question}");
        }
    }

    #[test]
    fn german_compounds_and_verbs_have_further_forms() {
        let forms = texts("Wie melde ich mich an?", "de");
        assert!(forms.contains(&"anmelde".to_owned()), "{forms:?}");
        let forms = texts("Wo ist die Rückgabefrist", "de-AT");
        assert!(forms.contains(&"rückgabe".to_owned()) && forms.contains(&"frist".to_owned()), "{forms:?}");
        for (question, form) in [
            ("Wie kann ich mich anmelden?", "melden"),
            ("Was soll ich mitbringen?", "mitzubringen"),
            ("Haftet ihr?", "haften"),
            ("Streicht ihr Wände?", "streichen"),
            ("Wie lange dauern die Kurse?", "dauert"),
        ] {
            assert!(texts(question, "de").contains(&form.to_owned()), "{question}");
        }
    }

    /// The search counts a form of weight 1 even when no passage has it.
    #[test]
    fn a_separated_verb_needs_only_the_words_of_its_clause() {
        let needed = |question: &str| {
            let forms = forms(question, "de", |_| false).into_iter();
            forms.filter(|form| form.weight >= 1.0).map(|form| form.text).collect::<Vec<_>>()
        };
        assert_eq!(needed("Wie melde ich mich an?"), ["wie", "melde", "ich", "mich"]);
        assert_eq!(needed("zurück"), ["zurück"]);
    }

    #[test]
    fn a_prefix_joins_the_words_of_its_own_clause_only() {
        let forms = texts("Hilf mir, wie lege ich das an?", "de");
        assert!(forms.contains(&"anlege".to_owned()) && !forms.contains(&"anhilf".to_owned()), "{forms:?}");
    }

    fn stem(text: &str, word: usize, weight: f32, passages: u64) -> Stem {
        Stem { text: text.into(), word, weight, passages }
    }

    #[test]
    fn rare_words_and_headings_count_more() {
        let words = QueryWords::new(&[stem("purge", 0, 1.0, 3), stem("package", 1, 1.0, 500)], 1000);
        let share = |matches: &[(&str, usize, bool)]| words.share(matches.iter().copied());
        assert!(share(&[("purge", 1, false)]) > share(&[("package", 3, false)]));
        assert!(share(&[("purge", 1, true)]) > share(&[("purge", 1, false)]));
        assert!(share(&[("purge", 2, false)]) > share(&[("purge", 1, false)]));
        let coverage = words.coverage([("purge", 1, false), ("package", 1, false)].into_iter());
        assert!((coverage - 1.0).abs() < 1e-6);
        assert_eq!(QueryWords::default().share(std::iter::empty()), 0.0);
    }

    #[test]
    fn of_the_forms_of_one_word_the_best_counts() {
        let stems = [stem("ruckgabefrist", 0, 1.0, 2), stem("frist", 0, 0.5, 2), stem("ruckgab", 0, 0.5, 2)];
        let words = QueryWords::new(&stems, 100);
        let both = words.coverage([("frist", 1, false), ("ruckgab", 1, false)].into_iter());
        assert!((both - 0.5).abs() < 1e-6, "{both}");
    }
}
