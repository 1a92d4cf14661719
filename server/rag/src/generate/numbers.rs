//! Numbers, dates and times in a comparable form: `1.000` and `1,000` are 1000, `5 pm`, `17:00` and `17 Uhr` are 17.

use std::ops::Range;

/// Minimum digits of a run with spaces and signs that is a telephone number or the like.
const LONG_RUN: usize = 7;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    /// The byte range of its first to its last digit.
    pub(super) at: Range<usize>,
    /// The comparable form.
    pub(super) form: String,
    /// An alternative form, which other texts may use: the 5 of `5 pm`.
    pub(super) also: Option<String>,
}

/// The numbers of a text. Digits at the end of a word, as in `A4`, are part of the word.
pub(super) fn numbers(text: &str) -> Vec<Number> {
    let (mut numbers, mut at) = (Vec::new(), 0);
    let mut before = ' ';
    while let Some(mark) = text[at..].chars().next() {
        if !mark.is_ascii_digit() {
            before = mark;
            at += mark.len_utf8();
            continue;
        }
        let (raw, length) = clock(&text[at..]).unwrap_or_else(|| {
            let raw = raw(&text[at..]);
            (raw.to_owned(), raw.len())
        });
        let range = at..at + length;
        if !before.is_alphabetic() {
            read(&raw, &range, &text[range.end..], &mut numbers);
        }
        before = '0';
        at = range.end;
    }
    numbers
}

/// The comparable forms of the numbers of a text.
pub(super) fn forms(text: &str) -> impl Iterator<Item = String> {
    numbers(text).into_iter().flat_map(|number| [Some(number.form), number.also]).flatten()
}

/// The digits of each long run that only spaces and signs of telephone numbers interrupt.
pub(super) fn long_runs(text: &str) -> Vec<(Range<usize>, String)> {
    let mut runs = Vec::new();
    let (mut from, mut end, mut digits) = (0, 0, String::new());
    for (at, mark) in text.char_indices().chain([(text.len(), '\n')]) {
        match mark {
            _ if mark.is_ascii_digit() => {
                if digits.is_empty() {
                    from = at;
                }
                digits.push(mark);
                end = at + 1;
            }
            ' ' | '-' | '/' | '(' | ')' | '.' | '+' | '\u{a0}' | '\u{2011}' if !digits.is_empty() => {}
            _ => {
                if digits.len() >= LONG_RUN {
                    runs.push((from..end, std::mem::take(&mut digits)));
                }
                digits.clear();
            }
        }
    }
    runs
}

/// The months that each date with a year may have: 12 for `24.12.1999` and `1999-12-24`, 5 and 6 for `5/6/1999`.
pub(super) fn months_of_dates(text: &str) -> Vec<Vec<usize>> {
    let text = text.replace(". ", ".");
    let mut months_by_date = Vec::new();
    for token in text.split(|mark: char| !(mark.is_ascii_digit() || matches!(mark, '.' | '/' | '-'))) {
        let parts: Vec<&str> = token.split(['.', '/', '-']).collect();
        for date in parts.windows(3) {
            let is_year = |part: &str| part.len() == 4 && (part.starts_with("19") || part.starts_with("20"));
            let written = match (is_year(date[0]), is_year(date[2])) {
                (true, false) => &date[1..2],
                // Americans write the month first.
                (false, true) if token.contains('/') => &date[..2],
                (false, true) => &date[1..2],
                _ => continue,
            };
            let months = written.iter().filter_map(|part| part.parse::<usize>().ok());
            months_by_date.push(months.filter(|month| (1..=12).contains(month)).collect::<Vec<_>>());
        }
    }
    months_by_date.retain(|months| !months.is_empty());
    months_by_date
}

/// The digits at the beginning of `text` with the separators between them.
fn raw(text: &str) -> &str {
    let mut end = 0;
    loop {
        end += text[end..].bytes().take_while(u8::is_ascii_digit).count();
        let mut rest = text[end..].chars();
        let Some(separator) = rest.next() else { break };
        let digits = rest.as_str().bytes().take_while(u8::is_ascii_digit).count();
        let groups = matches!(separator, ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}');
        let first = text[..end].bytes().take_while(u8::is_ascii_digit).count();
        let is_group = digits == 3 && first <= 3 && !text[..end].contains(['.', ',', ':']);
        if digits == 0 || !(matches!(separator, '.' | ',' | ':') || groups && is_group) {
            break;
        }
        end += separator.len_utf8();
    }
    &text[..end]
}

/// A time such as `17h30` or `17 h 30` at the beginning of `text`: the same with a colon, and its length.
fn clock(text: &str) -> Option<(String, usize)> {
    const SPACES: [char; 3] = [' ', '\u{a0}', '\u{202f}'];
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let hour = &text[..digits(text)];
    let rest = text[hour.len()..].trim_start_matches(SPACES).strip_prefix('h')?.trim_start_matches(SPACES);
    let minutes = &rest[..digits(rest)];
    let after = &rest[minutes.len()..];
    let is_end = !after.starts_with(char::is_alphanumeric) && !after.trim_start_matches(SPACES).starts_with("min");
    let is_time = hour.len() <= 2 && minutes.len() == 2 && is_end;
    is_time.then(|| (format!("{hour}:{minutes}"), text.len() - after.len()))
}

fn read(raw: &str, at: &Range<usize>, after: &str, numbers: &mut Vec<Number>) {
    let after = after.trim_start_matches([' ', '\u{a0}', '\u{202f}']).to_lowercase();
    let says = |word: &str| after.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    let is_clock = says("uhr") || says("h");
    let mut add = |form: String, also: Option<String>| numbers.push(Number { at: at.clone(), form, also });
    let parts: Vec<&str> = raw.split(['.', ',', ':', ' ', '\'', '’', '\u{a0}', '\u{202f}']).collect();
    let is_time = raw.contains(':') && parts.len() == 2 || is_clock && raw.contains('.') && parts.len() == 2;
    if is_time || parts.len() == 1 {
        let minutes = parts.get(1).filter(|minutes| !minutes.trim_start_matches('0').is_empty());
        let hour = |hour: &str| minutes.map_or_else(|| hour.to_owned(), |minutes| format!("{hour}:{minutes}"));
        let plain = plain(parts[0]);
        let value: u64 = plain.parse().unwrap_or(u64::MAX);
        let (is_am, is_pm) = (says("am") || says("a.m"), says("pm") || says("p.m"));
        return match value {
            1..=11 if is_pm => add(hour(&(value + 12).to_string()), Some(hour(&plain))),
            12 if is_am => add(hour("0"), Some(hour(&plain))),
            _ => add(hour(&plain), minutes.map(|minutes| decimal(&plain, minutes))),
        };
    }
    let are_groups = parts[0].len() <= 3 && parts[0] != "0" && parts[1..].iter().all(|part| part.len() == 3);
    let last = raw.rfind([',', '.']).map(|at| &raw[at..=at]);
    let mixed = raw.contains(',') && raw.contains('.');
    match last {
        _ if raw.contains(':') => parts.iter().for_each(|part| add(plain(part), None)),
        _ if are_groups && !mixed => add(plain(&parts.concat()), None),
        Some(mark) if mixed || raw.matches(mark).count() == 1 => {
            let (whole, fraction) = raw.rsplit_once(mark).unwrap_or((raw, ""));
            let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
            add(decimal(&plain(&whole), fraction), if mark == "." { time(&whole, fraction) } else { None });
        }
        // A date or a version: its parts.
        _ => parts.iter().for_each(|part| add(plain(part), None)),
    }
}

fn decimal(whole: &str, fraction: &str) -> String {
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// The time that a number with a full stop may be: `17.30` is 17:30.
fn time(hour: &str, minutes: &str) -> Option<String> {
    let below = |digits: &str, end: u32| digits.parse::<u32>().is_ok_and(|value| value < end);
    let is_time = below(hour, 24) && below(minutes, 60) && minutes.len() == 2 && minutes != "00";
    is_time.then(|| format!("{}:{minutes}", plain(hour)))
}

fn plain(digits: &str) -> String {
    let plain = digits.trim_start_matches('0');
    if plain.is_empty() { "0".to_owned() } else { plain.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Vec<String> {
        numbers(text).into_iter().map(|number| number.form).collect()
    }

    #[test]
    fn formats_meet() {
        for (texts, expected) in [
            (&["1.000", "1,000", "1 000", "1'000", "1000"][..], &["1000"][..]),
            (&["1.234.567,50", "1,234,567.5", "1 234 567.50"], &["1234567.5"]),
            (&["19,90", "19.9", "019.90"], &["19.9"]),
            (&["5 pm", "5 p.m.", "17:00", "17 Uhr", "17.00 Uhr", "5pm", "17 h"], &["17"]),
            (&["5:30 pm", "17:30", "17.30 Uhr", "17h30", "17 h 30", "17\u{a0}h\u{a0}30,"], &["17:30"]),
            (&["17h", "17h00", "17 h."], &["17"]),
            (&["1 h 30 min"], &["1", "30"]),
            (&["12 am", "0:00"], &["0"]),
            (&["24.12.2026", "24. 12. 2026", "24/12/2026"], &["24", "12", "2026"]),
            (&["1.2.3"], &["1", "2", "3"]),
            (&["5 %", "5%", "€5", "5 EUR", "5th", "5GB", "(5)"], &["5"]),
            (&["A4", "T1000", "no"], &[]),
        ] {
            for text in texts {
                assert_eq!(forms(text), expected, "{text}");
            }
        }
        assert_eq!(numbers("5 pm")[0].also.as_deref(), Some("5"));
    }

    #[test]
    fn dates_with_a_year_have_a_month() {
        for (text, expected) in [
            ("24.12.1999, 24. 12. 1999. 5 people", vec![vec![12], vec![12]]),
            ("1999-12-24", vec![vec![12]]),
            ("24/12/1999", vec![vec![12]]),
            ("5/6/1999", vec![vec![5, 6]]),
            ("1.2.3, 24.12., 192.168.20.10, 030-12-3456", Vec::new()),
        ] {
            assert_eq!(months_of_dates(text), expected, "{text}");
        }
    }

    #[test]
    fn telephone_numbers_are_long_runs() {
        assert_eq!(long_runs("Call +49 (30) 123-456 or 5."), [(6..21, "4930123456".to_owned())]);
        assert!(long_runs("In 2026 and 2027.").is_empty());
    }

    #[test]
    fn a_time_and_its_decimal_form_meet() {
        let also = |text: &str| numbers(text)[0].also.clone();
        assert_eq!((also("17:30").as_deref(), also("17h30").as_deref()), (Some("17.3"), Some("17.3")));
        assert_eq!((also("17.30").as_deref(), also("9.05").as_deref()), (Some("17:30"), Some("9:05")));
        assert_eq!((also("17.75"), also("25.30"), also("17,30"), also("17.5")), (None, None, None, None));
    }
}
