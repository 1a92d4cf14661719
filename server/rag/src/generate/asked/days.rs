//! The weekdays and months that a text names, alone, in ranges ("Mon to Fri") or together ("daily").

use std::sync::LazyLock;

use super::words::{self, Words, phrase_in, plain};
use crate::{accents, generate::language::Language, months};

/// Minimum letters of a day's name that may have an ending: `montags`.
const WHOLE: usize = 5;
const WEEK: usize = 7;
const YEAR: usize = 12;

/// The first and last of a range of days or months, counted from 0. The last may be before the first: Friday to Monday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    first: usize,
    last: usize,
    /// Of how many days or months.
    of: usize,
    /// Whether one of its days is enough: "at the weekend".
    any: bool,
}

impl Span {
    fn one(at: usize, of: usize) -> Self {
        Self { first: at, last: at, of, any: false }
    }

    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        let Self { first, last, of, .. } = self;
        let count = (last + of - first) % of + 1;
        (0..count).map(move |step| (first + step) % of)
    }
}

/// The weekdays and months of a text.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Days {
    pub(super) weekdays: Vec<Span>,
    pub(super) months: Vec<Span>,
}

/// The names of the weekdays in all languages, with their abbreviations, each with its day.
static NAMES: LazyLock<Vec<(&str, usize)>> = LazyLock::new(|| {
    let of = |words: &'static Words| {
        let days = words.weekdays.iter().enumerate();
        days.flat_map(|(day, names)| names.split(' ').map(move |name| (name, day)))
    };
    words::all().flat_map(of).collect()
});

impl Days {
    /// The days of a text in `language`. In a question, abbreviations are no days: "mar" is a word too.
    pub(super) fn of(text: &str, language: &Language, is_question: bool) -> Self {
        let mut days = Self::default();
        let (mut last, mut is_range) = (None::<(bool, usize)>, false);
        let parts = parts(text);
        for (at, part) in parts.iter().enumerate() {
            let lower = accents::without(&part.word.to_lowercase());
            let is_marked = part.is_marked || parts.get(at + 1).is_some_and(|next| next.is_near && next.follows_mark);
            let day = weekday(&lower, part.word, is_question, is_marked);
            // "May I" begins a question.
            let next = parts.get(at + 1).map(|next| next.word.to_lowercase()).unwrap_or_default();
            let is_verb = is_question && at == 0 && Words::of(language.code).is_opening(&lower, &next);
            let month = language.month(part.word).filter(|_| day.is_none() && !is_verb).map(|month| month - 1);
            let Some((place, is_day)) = day.map(|day| (day, true)).or_else(|| month.map(|month| (month, false))) else {
                let joins = words::all().any(|words| words.is_to(&lower));
                is_range = last.is_some() && joins;
                if !joins && !part.is_filler() {
                    last = None;
                }
                continue;
            };
            let spans = if is_day { &mut days.weekdays } else { &mut days.months };
            match last.filter(|(was_day, _)| *was_day == is_day && (is_range || part.follows_dash)) {
                Some(_) => {
                    if let Some(span) = spans.last_mut() {
                        span.last = place;
                    }
                }
                None => spans.push(Span::one(place, if is_day { WEEK } else { YEAR })),
            }
            last = Some((is_day, place));
            is_range = false;
        }
        days.add_groups(text, is_question);
        days
    }

    fn add_groups(&mut self, text: &str, is_question: bool) {
        let text = plain(text);
        let has = |phrases: &[String]| phrases.iter().any(|phrase| phrase_in(&text, phrase));
        for words in words::all() {
            if has(&words.daily) && !is_question {
                self.weekdays.push(Span { first: 0, last: 6, of: WEEK, any: false });
            }
            if has(&words.workdays) {
                self.weekdays.push(Span { first: 0, last: 4, of: WEEK, any: true });
            }
            if has(&words.weekend) {
                self.weekdays.push(Span { first: 5, last: 6, of: WEEK, any: true });
            }
        }
        self.weekdays.dedup();
    }

    pub(super) fn has_weekday(&self, span: &Span) -> bool {
        has(&self.weekdays, span)
    }

    pub(super) fn has_month(&self, span: &Span) -> bool {
        has(&self.months, span)
    }
}

fn has(spans: &[Span], span: &Span) -> bool {
    let is_known = |place: usize| spans.iter().any(|own| own.places().any(|other| other == place));
    match span.any {
        true => span.places().any(is_known),
        false => span.places().all(is_known),
    }
}

/// Whether a word of a question names a day or a month.
pub(super) fn is_day(word: &str, lower: &str) -> bool {
    weekday(lower, word, true, false).is_some() || months::is_month(&word.to_lowercase())
}

/// The day that a word names. Abbreviations of two letters are words too ("so"), and count only next to a dash, a colon or
/// a digit.
fn weekday(lower: &str, word: &str, is_question: bool, is_marked: bool) -> Option<usize> {
    let is_capital = word.starts_with(char::is_uppercase);
    let is_name = |name: &str| match name.len() {
        0..WHOLE if is_question => name.len() > 2 && is_capital && name == lower,
        0..WHOLE => name == lower && (is_marked || name.len() > 2 && is_capital),
        _ => lower.starts_with(name),
    };
    NAMES.iter().find(|(name, _)| is_name(name)).map(|(_, day)| *day)
}

/// A word with what is around it.
struct Part<'a> {
    word: &'a str,
    /// Whether a dash is before it.
    follows_dash: bool,
    /// Whether a dash, a colon, a full stop or a digit is next to it.
    is_marked: bool,
    /// Whether nothing but marks is between it and the word before.
    is_near: bool,
    /// Whether a dash or a digit is before it.
    follows_mark: bool,
}

impl Part<'_> {
    /// Whether it may stand between the first day of a range and the word "to": a time or a date.
    fn is_filler(&self) -> bool {
        self.word.starts_with(|mark: char| mark.is_ascii_digit())
    }
}

fn parts(text: &str) -> Vec<Part<'_>> {
    const DASHES: [char; 4] = ['-', '–', '—', '‐'];
    // The days of Portuguese have a hyphen: `segunda-feira`.
    let is_word = |mark: char| mark.is_alphanumeric();
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut start = None;
    let mut end = 0;
    for (at, mark) in text.char_indices().chain([(text.len(), ' ')]) {
        let in_compound = start.is_some() && mark == '-' && text[at..].starts_with("-feira");
        match (is_word(mark) || in_compound, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let between = &text[end..from];
                let word = &text[from..at];
                let after = text[at..].trim_start();
                let has_dash = !parts.is_empty() && between.contains(DASHES);
                parts.push(Part {
                    word,
                    follows_dash: has_dash
                        && between
                            .trim_matches(|mark: char| mark == ' ' || mark == '.' || DASHES.contains(&mark))
                            .is_empty(),
                    is_marked: has_dash
                        || after.starts_with(|mark: char| {
                            mark.is_ascii_digit()
                                || mark == ':'
                                || mark == '.'
                                || mark == ','
                                || mark == '/'
                                || DASHES.contains(&mark)
                        }),
                    is_near: between.len() <= 3,
                    follows_mark: has_dash,
                });
                (start, end) = (None, at);
            }
            _ => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, code: &str, is_question: bool) -> Vec<usize> {
        let days = Days::of(text, Language::of(code), is_question).weekdays;
        let mut places: Vec<usize> = days.iter().flat_map(|span| span.places()).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    #[test]
    fn a_text_names_days_alone_in_ranges_and_together() {
        for (text, code, expected) in [
            ("Open Monday to Friday, 9 to 5.", "en", &[0, 1, 2, 3, 4][..]),
            ("Mon–Wed 9:00, Sat 10:00", "en", &[0, 1, 2, 5]),
            ("Mo-Fr 9-18 Uhr, Sa 10-14 Uhr", "de", &[0, 1, 2, 3, 4, 5]),
            ("montags und donnerstags", "de", &[0, 3]),
            ("So können Sie das Mitglied werden, da wo es geht.", "de", &[]),
            ("Täglich ab zehn.", "de", &[0, 1, 2, 3, 4, 5, 6]),
            ("du mardi au samedi", "fr", &[1, 2, 3, 4, 5]),
            ("de martes a viernes", "es", &[1, 2, 3, 4]),
            ("dal lunedì al mercoledì", "it", &[0, 1, 2]),
            ("van dinsdag tot vrijdag", "nl", &[1, 2, 3, 4]),
            ("de segunda-feira a sexta-feira", "pt", &[0, 1, 2, 3, 4]),
            ("Friday to Monday", "en", &[0, 4, 5, 6]),
            ("Monday and Friday", "en", &[0, 4]),
        ] {
            assert_eq!(places(text, code, false), expected, "{text}");
        }
        assert_eq!(places("Open on Sunday or at the weekend?", "en", true), [5, 6]);
        assert!(places("Where is the sun?", "en", true).is_empty());
    }

    #[test]
    fn months_are_named_alone_and_in_ranges() {
        let months = |text: &str| Days::of(text, Language::of("en"), false);
        let july = Span::one(6, YEAR);
        assert!(months("Open from April to October.").has_month(&july));
        assert!(!months("Open in April and October.").has_month(&july));
        assert!(months("Closed November to March").has_month(&Span::one(0, YEAR)));
    }
}
