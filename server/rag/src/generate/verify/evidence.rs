//! The contents of a text in comparable forms: its words, numbers, addresses and parts.

use std::collections::HashSet;

use super::{
    cells::Tables,
    measures::{Measure, measures},
    stems::Stems,
    swapped::is_swapped,
};
use crate::{
    block::{item_marker, parts, sentences},
    chunk::CONTINUED,
    generate::{
        language::{Language, number_word, words},
        numbers::{forms, long_runs, months_of_dates},
        units::units,
    },
};

/// A passage, or the question, as evidence.
#[derive(Debug)]
pub(super) struct Evidence {
    /// Stems of all its words, including its headings.
    stems: Stems,
    /// Its text as returned by [`plain`].
    text: String,
    /// Its words only, each between spaces.
    row: String,
    numbers: HashSet<String>,
    /// Its numbers with their units.
    pub(super) measures: Vec<Measure>,
    /// The months that it names, or has in dates with a year.
    months: HashSet<usize>,
    runs: Vec<String>,
    tables: Tables,
    /// Its sentences, items and blocks.
    pub(super) parts: Vec<Part>,
    /// The clauses of these, because a negation affects its own clause only.
    pub(super) clauses: Vec<Part>,
    /// Whether it has a restriction or a negation.
    pub(super) limits: bool,
}

/// A sentence, item or block of a passage.
#[derive(Debug)]
pub(super) struct Part {
    stems: Stems,
    pub(super) denies: bool,
    /// The word that its negation affects, when it affects no other: `card` of "without a card".
    pub(super) denied: Option<String>,
    /// The things that it excepts, each as stems: `guide` and `dog` of "No dogs except guide dogs".
    excepted: Vec<Vec<String>>,
    /// Whether it has a word that permits or forbids.
    pub(super) rules: bool,
    /// Whether its sentence or the line above its list forbids, which may concern it: `cats` of "Dogs, cats and birds are
    /// forbidden".
    pub(super) may_be_forbidden: bool,
    pub(super) text: String,
}

impl Evidence {
    /// The evidence of `content` below these headings.
    pub(super) fn new(headings: &str, content: &str, language: &Language) -> Self {
        let content = content.strip_prefix(CONTINUED).unwrap_or(content);
        let whole = format!("{headings}\n{content}");
        let words: Vec<String> = words(&whole).collect();
        let written = whole.split(|mark: char| !mark.is_alphanumeric());
        let months: HashSet<usize> = written
            .filter_map(|word| language.month(word))
            .chain(months_of_dates(&whole).into_iter().flatten())
            .collect();
        let text = plain(&whole);
        Self {
            stems: Stems::of(&whole, language),
            measures: measures(&text, language),
            text,
            row: format!(" {} ", words.join(" ")),
            numbers: number_forms(&whole).chain(months.iter().map(usize::to_string)).collect(),
            months,
            runs: long_runs(&whole).into_iter().map(|(_, digits)| digits).collect(),
            tables: Tables::of(&units(content), language),
            parts: parts(content).into_iter().map(|text| Part::new(text, language)).collect(),
            clauses: all_clauses(content, language),
            limits: language.limits(&whole),
        }
    }

    /// Whether it contains this text, as returned by [`plain`].
    pub(super) fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// Whether it contains this text to the letter.
    pub(super) fn has_exactly(&self, text: &str) -> bool {
        self.parts.iter().any(|part| part.text.contains(text))
    }

    /// Whether one of its sentences has exactly the words of this one.
    pub(super) fn says(&self, sentence: &str) -> bool {
        self.parts.iter().any(|part| {
            let text = &part.text[item_marker(&part.text).unwrap_or(0)..];
            sentences(text).into_iter().any(|own| words(own).eq(words(sentence)))
        })
    }

    /// Whether its sentences with the words of this one have the numbers at other words.
    pub(super) fn swaps(&self, sentence: &str, language: &Language) -> bool {
        let mut compared = self.parts.iter().filter_map(|part| is_swapped(sentence, &part.text, language)).peekable();
        compared.peek().is_some() && compared.all(|is_swapped| is_swapped)
    }

    /// Whether its tables have a number of this sentence in another row or column only.
    pub(super) fn misplaces(&self, sentence: &str, language: &Language) -> bool {
        self.tables.misplace(sentence, language)
    }

    /// Whether it contains these words in sequence, given in lower case with spaces between them.
    pub(super) fn has_row(&self, row: &str) -> bool {
        self.row.contains(&format!(" {row} "))
    }

    pub(super) fn has_number(&self, form: &str) -> bool {
        self.numbers.contains(form)
    }

    /// Whether a text has one of its numbers, if it has any.
    pub(super) fn shares_number(&self, text: &str) -> bool {
        self.numbers.is_empty() || number_forms(text).any(|form| self.has_number(&form))
    }

    pub(super) fn names_month(&self, month: usize) -> bool {
        self.months.contains(&month)
    }

    /// Whether it names the month, or has its number and names no month.
    pub(super) fn has_month(&self, month: usize) -> bool {
        self.names_month(month) || self.months.is_empty() && self.has_number(&month.to_string())
    }

    /// Whether it contains a telephone number with these digits.
    pub(super) fn has_run(&self, digits: &str) -> bool {
        self.runs.iter().any(|run| run.contains(digits))
    }

    /// Whether it contains a form of the word.
    pub(super) fn has_stem(&self, stem: &str) -> bool {
        self.stems.has(stem)
    }
}

impl Part {
    fn new(text: &str, language: &Language) -> Self {
        Self {
            stems: Stems::of(text, language),
            denies: language.denies(text),
            denied: denied(text, language),
            excepted: excepted(text, language),
            rules: language.permits(text) || language.forbids(text),
            may_be_forbidden: false,
            text: text.trim().to_owned(),
        }
    }

    /// Whether it contains a form of the word.
    pub(super) fn has_stem(&self, stem: &str) -> bool {
        self.stems.has(stem)
    }

    /// Whether `stems` has all words of something that it excepts.
    pub(super) fn excepts(&self, stems: &[String]) -> bool {
        self.excepted.iter().any(|thing| thing.iter().all(|stem| stems.contains(stem)))
    }

    /// The share of `wanted` that it contains, from 0 to 1. Opposites count, and so do all words that permit or forbid.
    pub(super) fn share(&self, stems: &[String], language: &Language) -> f32 {
        let is_known = |stem: &&String| {
            self.stems.has(stem) || self.stems.has_opposite(stem) || self.rules && language.is_rule(stem)
        };
        stems.iter().filter(is_known).count() as f32 / stems.len().max(1) as f32
    }

    /// Whether it has the opposite of one of the words instead of the word.
    pub(super) fn has_opposite(&self, stems: &[String]) -> bool {
        stems.iter().any(|stem| !self.stems.has(stem) && self.stems.has_opposite(stem))
    }
}

/// The numbers of a text, in figures and in words.
pub(super) fn number_forms(text: &str) -> impl Iterator<Item = String> {
    forms(text).chain(words(text).filter_map(|word| number_word(&word)).map(|value| value.to_string()))
}

/// Splits a table into rows, because a negation and an answer concern their own row only.
pub(super) fn rows(part: &str) -> Vec<&str> {
    if part.trim_start().starts_with('|') { part.lines().collect() } else { vec![part] }
}

/// The clauses of a passage.
fn all_clauses(content: &str, language: &Language) -> Vec<Part> {
    let mut parts_of_text = Vec::new();
    let mut is_list_forbidden = false;
    for text in parts(content) {
        let is_item = item_marker(text.trim()).is_some();
        for row in rows(text) {
            let forbids = language.forbids(row) || is_list_forbidden && is_item;
            let part = |clause: &str| Part {
                may_be_forbidden: forbids && !language.permits(clause),
                ..Part::new(clause, language)
            };
            parts_of_text.extend(clauses(row, language).map(part));
        }
        if !is_item {
            is_list_forbidden = text.trim_end().ends_with(':') && language.forbids(text);
        }
    }
    parts_of_text
}

/// The word that the only negation of a text affects, as a stem, when it affects no other.
pub(super) fn denied(text: &str, language: &Language) -> Option<String> {
    let text = text.to_lowercase();
    let marks = |mark: char| !mark.is_alphanumeric() && !matches!(mark, '\'' | '’');
    let words: Vec<&str> = text.split(marks).filter(|word| !word.is_empty()).collect();
    let mut negations = (0..words.len()).filter(|at| language.denies(words[*at]));
    let at = negations.next().filter(|_| negations.next().is_none())?;
    let behind = &words[at + 1..];
    if language.lacks(words[at]) {
        return language.stems(&behind.join(" ")).into_iter().next();
    }
    let next = behind.first()?;
    let is_compared = behind.get(1).is_some_and(|than| language.words.than.contains(*than));
    (!language.forbids(words[at]) && (language.words.only.contains(*next) || is_compared)).then(|| (*next).to_owned())
}

/// The first word that a text negates by itself, as a stem: `card` of "not possible without a card".
pub(super) fn lacked(text: &str, language: &Language) -> Option<String> {
    let behind: Vec<String> = words(text).skip_while(|word| !language.lacks(word)).skip(1).collect();
    language.stems(&behind.join(" ")).into_iter().next()
}

/// The things that a text excepts, each as stems.
fn excepted(text: &str, language: &Language) -> Vec<Vec<String>> {
    // "Possible outside the hall" does not deny that it is possible in the hall, "only possible outside the hall" does.
    let behind = language.exception(text).filter(|_| language.limits(text)).unwrap_or_default();
    let words: Vec<&str> = behind.split_whitespace().collect();
    let joins = |word: &&str| language.words.joining.contains(*word);
    let things = words.split(joins).map(|thing| language.stems(&thing.join(" ")));
    let things = things.map(|stems| stems.into_iter().filter(|stem| !language.is_rule(stem)).collect::<Vec<_>>());
    things.filter(|stems| !stems.is_empty()).collect()
}

/// Splits a sentence at commas and similar marks, except between digits and behind "Without ..." at its beginning, and
/// between two clauses that permit or forbid.
pub(super) fn clauses<'a>(text: &'a str, language: &Language) -> impl Iterator<Item = &'a str> {
    let is_lacking = words(text).next().is_some_and(|word| language.lacks(&word));
    let mut start = 0;
    let marks = text.match_indices([',', ';', ':', '(', '–']);
    let is_in_number =
        |(at, mark): &(usize, &str)| text[at + mark.len()..].starts_with(|mark: char| mark.is_ascii_digit());
    let ends = marks.filter(|mark| !is_in_number(mark)).map(|(at, _)| at).skip(usize::from(is_lacking));
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    let split = ends.into_iter().map(move |end| &text[std::mem::replace(&mut start, end)..end]);
    split.flat_map(move |clause| unjoined(clause, language))
}

/// Splits at conjunctions between two clauses that permit or forbid: "forbidden in the hall and allowed in the yard".
fn unjoined<'a>(text: &'a str, language: &Language) -> Vec<&'a str> {
    let joins = |word: &str| language.words.joining.contains(word);
    let is_joint = |at: &usize| text[*at..].split_whitespace().next().is_some_and(joins);
    let joints = text.match_indices(char::is_whitespace).map(|(at, _)| at).filter(is_joint);
    let (mut start, mut from, mut has_rule, mut unjoined) = (0, 0, false, Vec::new());
    for end in joints.chain([text.len()]) {
        let next = &text[from..end];
        let is_rule = language.permits(next) || language.forbids(next);
        if has_rule && is_rule {
            unjoined.push(&text[start..from]);
            start = from;
        }
        has_rule |= is_rule;
        from = end;
    }
    unjoined.push(&text[start..]);
    unjoined
}

/// Normalises a text: one line, lower case, without emphasis and code marks, with plain quotation marks and hyphens.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for mark in text.chars() {
        match mark {
            '`' | '*' => {}
            '“' | '”' | '„' | '«' | '»' => plain.push('"'),
            '’' | '‘' => plain.push('\''),
            '‐' | '‑' | '–' | '−' => plain.push('-'),
            mark if mark.is_whitespace() => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            mark => plain.extend(mark.to_lowercase()),
        }
    }
    plain.trim().to_owned()
}
