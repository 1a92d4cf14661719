//! The words of a question to search for, and the share of them that a passage has: rare words count more, as in BM25.

use std::collections::{HashMap, HashSet};

/// Maximum words of a question that are searched for.
const WORDS: usize = 40;
/// Weight of a part of a compound, where the compound itself has 1.
const PART: f32 = 0.5;
/// Weight of another form of a verb: with a prefix from elsewhere in the question, or without its own.
const VERB: f32 = 0.8;
/// Weight of a verb joined with a prefix from the end of its clause. Below 1, because the search leaves out forms below 1
/// that no passage has: every word of the clause is tried as its verb.
const JOINED: f32 = 0.95;
/// Minimum letters of each part of a compound.
const PART_LETTERS: usize = 4;
/// Minimum letters of a compound.
const COMPOUND_LETTERS: usize = 9;
/// Minimum letters of an unknown word that may be a typing error.
const CORRECTED_LETTERS: usize = 5;
/// Minimum letters of a word that may have two errors.
const LONG_LETTERS: usize = 8;
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
/// without the prefix that German separates from them.
pub fn forms(question: &str, language: &str) -> Vec<Form> {
    let words = words(question);
    let is_german = language.split('-').next() == Some("de");
    let has_compounds = is_german || language.split('-').next() == Some("nl");
    let mut found = Vec::new();
    for (word, Word { text, ends_clause }) in words.iter().enumerate() {
        // A prefix belongs to its verb. Alone it counts only where passages have it.
        let is_prefix = is_german && words.len() > 1 && *ends_clause && GERMAN_PREFIXES.contains(&text.as_str());
        found.push(Form { text: text.clone(), word, weight: if is_prefix { PART } else { 1.0 } });
        if has_compounds {
            found.extend(parts(text).into_iter().map(|text| Form { text, word, weight: PART }));
        }
        if is_german && let Some(rest) = without_prefix(text) {
            found.push(Form { text: rest.to_owned(), word, weight: VERB });
        }
    }
    if is_german {
        for (prefix, before) in separated(&words) {
            let verb = |word: usize| Form { text: format!("{prefix}{}", words[word].text), word, weight: JOINED };
            found.extend(before.map(verb));
        }
    }
    found
}

/// Corrects typing errors: replaces each `unknown` word, given by its position, by the word of `texts` with nearly the
/// same spelling. Words without one stay.
pub fn corrected<'a>(question: &str, unknown: &HashSet<usize>, texts: impl Iterator<Item = &'a str>) -> String {
    let words = words(question);
    let unknown = words.iter().enumerate().filter(|(word, _)| unknown.contains(word));
    let unknown: Vec<(&str, usize)> = unknown.map(|(word, known)| (known.text.as_str(), word)).collect();
    let corrections = corrections(&unknown, texts);
    let mut place = 0;
    let correct = |raw: &str| {
        if raw.trim_matches(|mark: char| !mark.is_alphanumeric()).is_empty() {
            return raw.to_owned();
        }
        let found = corrections.get(&place);
        place += 1;
        found.map_or_else(|| raw.to_owned(), |meant| raw.to_lowercase().replace(&words[place - 1].text, meant))
    };
    if corrections.is_empty() {
        return question.to_owned();
    }
    question.split_whitespace().map(correct).collect::<Vec<_>>().join(" ")
}

/// The corrections, by the position of each unknown word.
fn corrections<'a>(unknown: &[(&str, usize)], texts: impl Iterator<Item = &'a str>) -> HashMap<usize, String> {
    let unknown: Vec<(Vec<char>, usize)> = unknown
        .iter()
        .filter(|(text, _)| text.chars().all(char::is_alphabetic) && text.chars().count() >= CORRECTED_LETTERS)
        .map(|(text, word)| (text.chars().collect(), *word))
        .collect();
    let mut best: HashMap<usize, (usize, String)> = HashMap::new();
    let mut seen = HashSet::new();
    for text in texts.filter(|_| !unknown.is_empty()) {
        for raw in text.split(|mark: char| !mark.is_alphabetic()).filter(|raw| raw.len() >= CORRECTED_LETTERS) {
            let known = raw.to_lowercase();
            if !seen.insert(known.clone()) {
                continue;
            }
            let letters: Vec<char> = known.chars().collect();
            for (wrong, word) in &unknown {
                let most = most_errors(wrong.len());
                let better = best.get(word).map_or(most, |(distance, _)| distance.saturating_sub(1));
                if let Some(distance) = distance(wrong, &letters, better) {
                    best.insert(*word, (distance, known.clone()));
                }
            }
        }
    }
    best.into_iter().map(|(word, (_, text))| (word, text)).collect()
}

/// Whether two texts have the same words in the same order, apart from typing errors.
pub(crate) fn have_same_words(left: &str, right: &str) -> bool {
    let (left, right) = (words(left), words(right));
    left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| is_same(&left.text, &right.text))
}

/// Whether two words are the same, apart from typing errors. Two numbers are not, and neither are words with different
/// first letters, which may be opposites: `einen` and `keinen`, `available` and `unavailable`.
fn is_same(left: &str, right: &str) -> bool {
    if left == right {
        return true;
    }
    let [left, right] = [left, right].map(|word| word.chars().collect::<Vec<char>>());
    let shorter = left.len().min(right.len());
    let may_be_misspelt = shorter >= CORRECTED_LETTERS
        && left.first() == right.first()
        && left.iter().chain(&right).all(|letter| letter.is_alphabetic());
    may_be_misspelt && distance(&left, &right, most_errors(shorter)).is_some()
}

/// Maximum typing errors of a word with this many letters.
fn most_errors(letters: usize) -> usize {
    if letters < LONG_LETTERS { 1 } else { 2 }
}

/// The edit distance (optimal string alignment): letters missing, added, wrong or swapped with their neighbour; `None`
/// when it is above `most`.
fn distance(left: &[char], right: &[char], most: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > most || most == 0 {
        return None;
    }
    let mut rows = [vec![0; right.len() + 1], (0..=right.len()).collect(), vec![0; right.len() + 1]];
    for (i, letter) in left.iter().enumerate() {
        let [before, last, row] = &mut rows;
        row[0] = i + 1;
        for (j, other) in right.iter().enumerate() {
            let changed = last[j] + usize::from(letter != other);
            row[j + 1] = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == right[j - 1] && left[i - 1] == *other {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        if row.iter().min().is_some_and(|least| *least > most) {
            return None;
        }
        rows.rotate_left(1);
    }
    Some(rows[1][right.len()]).filter(|distance| *distance <= most)
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

/// All splits of a long word into two parts.
fn parts(word: &str) -> Vec<String> {
    let letters = word.chars().count();
    if letters < COMPOUND_LETTERS || !word.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let cuts = word.char_indices().skip(PART_LETTERS).take(letters + 1 - 2 * PART_LETTERS);
    cuts.flat_map(|(at, _)| [word[..at].to_owned(), word[at..].to_owned()]).collect()
}

/// A German verb, or its noun, without its separable prefix.
fn without_prefix(word: &str) -> Option<&str> {
    let prefixes = GERMAN_PREFIXES.iter().filter(|prefix| word.starts_with(**prefix));
    let longest = prefixes.max_by_key(|prefix| prefix.len())?;
    Some(&word[longest.len()..]).filter(|rest| rest.chars().count() >= PART_LETTERS)
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
        let mut found = Self::default();
        for Stem { text, word, weight, passages: having } in stems {
            let value = weight * rarity(*having as f32, passages as f32);
            let most = found.words.entry(*word).or_default();
            *most = most.max(value);
            if *having > 0 {
                found.stems.entry(text.clone()).or_default().push((*word, value));
            }
        }
        found
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
                let known = best.entry(*word).or_default();
                *known = known.max(value);
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

    fn texts(question: &str, language: &str) -> Vec<String> {
        forms(question, language).into_iter().map(|form| form.text).collect()
    }

    #[test]
    fn english_words_are_searched_as_they_are() {
        assert_eq!(texts("How do I return a parcel?", "en"), ["how", "do", "i", "return", "a", "parcel"]);
        assert!(texts("?!", "en").is_empty());
    }

    #[test]
    fn german_compounds_and_verbs_have_further_forms() {
        let found = texts("Wie melde ich mich an?", "de");
        assert!(found.contains(&"anmelde".to_owned()), "{found:?}");
        let found = texts("Wo ist die Rückgabefrist", "de-AT");
        assert!(found.contains(&"rückgabe".to_owned()) && found.contains(&"frist".to_owned()), "{found:?}");
        assert!(texts("Wie kann ich mich anmelden?", "de").contains(&"melden".to_owned()));
    }

    #[test]
    fn texts_with_typing_errors_have_the_same_words() {
        assert!(have_same_words("qouta für benuzer ändern", "Quota für Benutzer ändern."));
        assert!(!have_same_words("Is the library open?", "The library is open."));
        assert!(!have_same_words("quota ändern", "quota ändern mit edquota"));
        assert!(!have_same_words("Is it 12?", "Is it 13?") && !have_same_words("port 50000", "port 50001"));
        assert!(!have_same_words("parking available?", "Parking unavailable."));
        assert!(!have_same_words("Man darf einen Hund mitbringen?", "Man darf keinen Hund mitbringen."));
    }

    #[test]
    fn a_typing_error_finds_the_word_that_was_meant() {
        let texts = ["The library is open. A password, a member, the brewery."];
        let of = |question: &str, unknown: &[usize]| {
            corrected(question, &unknown.iter().copied().collect(), texts.into_iter())
        };
        assert_eq!(
            of("Wich pasword has the Libary, memeber?", &[0, 1, 4, 5]),
            "Wich password has the library, member?"
        );
        assert_eq!(of("Is the  libary - ope?", &[2, 3]), "Is the library - ope?");
        assert_eq!(of("Is the  zzzzz open?", &[2]), "Is the  zzzzz open?");
        assert_eq!(of("Is the libary open?", &[]), "Is the libary open?");
    }

    #[test]
    fn letters_that_changed_places_are_one_error() {
        let distance = |left: &str, right: &str, most| {
            super::distance(&left.chars().collect::<Vec<_>>(), &right.chars().collect::<Vec<_>>(), most)
        };
        assert_eq!(distance("wihtout", "without", 2), Some(1));
        assert_eq!(distance("borow", "borrow", 1), Some(1));
        assert_eq!(distance("certian", "certain", 1), Some(1));
        assert_eq!(distance("plain", "plane", 1), None);
        assert_eq!(distance("same", "same", 0), None);
    }

    /// The search counts a form of weight 1 even when no passage has it.
    #[test]
    fn a_separated_verb_needs_only_the_words_of_its_clause() {
        let needed = |question: &str| {
            let forms = forms(question, "de").into_iter();
            forms.filter(|form| form.weight >= 1.0).map(|form| form.text).collect::<Vec<_>>()
        };
        assert_eq!(needed("Wie melde ich mich an?"), ["wie", "melde", "ich", "mich"]);
        assert_eq!(needed("zurück"), ["zurück"]);
    }

    #[test]
    fn a_prefix_joins_the_words_of_its_own_clause_only() {
        let found = texts("Hilf mir, wie lege ich das an?", "de");
        assert!(found.contains(&"anlege".to_owned()) && !found.contains(&"anhilf".to_owned()), "{found:?}");
    }

    fn stem(text: &str, word: usize, weight: f32, passages: u64) -> Stem {
        Stem { text: text.into(), word, weight, passages }
    }

    #[test]
    fn rare_words_and_headings_count_more() {
        let words = QueryWords::new(&[stem("purge", 0, 1.0, 3), stem("package", 1, 1.0, 500)], 1000);
        let share = |found: &[(&str, usize, bool)]| words.share(found.iter().copied());
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
