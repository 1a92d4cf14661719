//! Formats cells: texts, UUIDs and times from the database's binary form.

use chrono::{DateTime, Datelike, Timelike};
use contract::csv::neutralised;
use uuid::Uuid;

/// A text that begins so could be a formula; it gets a single quote in front (specification, CSV rules, 3).
const FORMULA: [u8; 6] = [b'=', b'+', b'-', b'@', b'\t', b'\r'];
/// Microseconds from 1970 to 2000, where the database begins to count.
const EPOCH_MICROS: i64 = 946_684_800_000_000;
const DAY_MICROS: i64 = 86_400_000_000;

/// A quoted text that is safe in programs that split at semicolons or tabs, too.
pub(super) fn text(buffer: &mut Vec<u8>, text: &[u8]) {
    buffer.push(b'"');
    quoted(buffer, neutralised(&String::from_utf8_lossy(text)).as_bytes());
}

/// A quoted text of which only the first character is checked.
#[inline]
pub(super) fn specified_text(buffer: &mut Vec<u8>, text: &[u8]) {
    buffer.push(b'"');
    if text.first().is_some_and(|first| FORMULA.contains(first)) {
        buffer.push(b'\'');
    }
    quoted(buffer, text);
}

/// The rest of a quoted text, its quotes doubled.
#[inline]
fn quoted(buffer: &mut Vec<u8>, text: &[u8]) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'"', rest) {
        buffer.extend_from_slice(&rest[..=at]);
        buffer.push(b'"');
        rest = &rest[at + 1..];
    }
    buffer.extend_from_slice(rest);
    buffer.push(b'"');
}

/// A quoted UUID; `None` when the field is invalid.
#[inline]
pub(super) fn id(buffer: &mut Vec<u8>, field: &[u8]) -> Option<()> {
    let mut cell = [b'"'; 38];
    Uuid::from_slice(field).ok()?.as_hyphenated().encode_lower(&mut cell[1..]);
    buffer.extend_from_slice(&cell);
    Some(())
}

/// Writes moments; rows that follow each other mostly share their day.
#[derive(Debug, Default)]
pub(super) struct Clock {
    day: i64,
    /// `YYYY-MM-DDT` of the day; empty before the first moment.
    date: Vec<u8>,
}

impl Clock {
    /// A quoted time as in the API's JSON; `None` when the field is invalid.
    pub(super) fn moment(&mut self, buffer: &mut Vec<u8>, field: &[u8]) -> Option<()> {
        let micros = i64::from_be_bytes(field.try_into().ok()?).checked_add(EPOCH_MICROS)?;
        let day = micros.div_euclid(DAY_MICROS);
        if self.date.is_empty() || day != self.day {
            self.turn_to(day, micros)?;
        }
        let time = DateTime::from_timestamp_micros(micros)?.time();
        buffer.push(b'"');
        buffer.extend_from_slice(&self.date);
        digits(buffer, time.hour(), 2);
        buffer.push(b':');
        digits(buffer, time.minute(), 2);
        buffer.push(b':');
        digits(buffer, time.second(), 2);
        let fraction = time.nanosecond() / 1000;
        if fraction > 0 {
            buffer.push(b'.');
            if fraction % 1000 == 0 { digits(buffer, fraction / 1000, 3) } else { digits(buffer, fraction, 6) }
        }
        buffer.extend_from_slice(b"Z\"");
        Some(())
    }

    fn turn_to(&mut self, day: i64, micros: i64) -> Option<()> {
        let date = DateTime::from_timestamp_micros(micros)?.date_naive();
        self.day = day;
        self.date.clear();
        // The database stores no year of more than four digits that a chatbot lived in.
        digits(&mut self.date, u32::try_from(date.year()).ok().filter(|year| *year <= 9999)?, 4);
        self.date.push(b'-');
        digits(&mut self.date, date.month(), 2);
        self.date.push(b'-');
        digits(&mut self.date, date.day(), 2);
        self.date.push(b'T');
        Some(())
    }
}

/// A number with leading zeros.
fn digits(buffer: &mut Vec<u8>, number: u32, width: usize) {
    let mut text = [b'0'; 6];
    let mut rest = number;
    for digit in text[..width].iter_mut().rev() {
        *digit = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
    }
    buffer.extend_from_slice(&text[..width]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell_text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut buffer = Vec::new();
        write(&mut buffer);
        String::from_utf8(buffer).unwrap()
    }

    #[test]
    fn a_text_is_quoted_and_its_quotes_are_doubled() {
        for (plain, cell) in [
            ("", r#""""#),
            ("a,b", r#""a,b""#),
            (r#"""#, r#""""""#),
            (r#"a"b""c"#, r#""a""b""""c""#),
            ("ä\r\n", "\"ä\r\n'\""),
        ] {
            assert_eq!(cell_text(|buffer| text(buffer, plain.as_bytes())), cell);
        }
    }

    #[test]
    fn specified_texts_are_escaped_by_their_first_character() {
        for first in ["=", "+", "-", "@", "\t", "\r"] {
            assert_eq!(
                cell_text(|buffer| specified_text(buffer, format!("{first}1").as_bytes())),
                format!("\"'{first}1\"")
            );
        }
        for plain in ["\n=1", " =1", "'=1", "1-1", "a@b", "\"=1"] {
            assert!(!cell_text(|buffer| specified_text(buffer, plain.as_bytes())).starts_with("\"'='"), "{plain}");
        }
        assert_eq!(cell_text(|buffer| specified_text(buffer, b" =1")), "\" =1\"");
    }

    #[test]
    fn a_text_is_safe_for_programs_that_split_at_semicolons() {
        assert_eq!(cell_text(|buffer| text(buffer, b"Why?;=1;\"-2\"")), "\"Why?;'=1;'\"\"-2\"\"\"");
    }

    #[test]
    fn a_moment_is_written_as_the_json_of_the_api_writes_it() {
        let mut clock = Clock::default();
        for moment in [
            "2000-01-01T00:00:00Z",
            "1999-12-31T23:59:59.999999Z",
            "2026-11-21T15:40:07.120Z",
            "2026-11-21T15:40:07.000001Z",
            "2026-02-28T00:00:00.500Z",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
        ] {
            let micros = DateTime::parse_from_rfc3339(moment).unwrap().timestamp_micros();
            let field = (micros - EPOCH_MICROS).to_be_bytes();
            let json = serde_json::to_string(&DateTime::from_timestamp_micros(micros).unwrap()).unwrap();
            assert_eq!(cell_text(|buffer| clock.moment(buffer, &field).unwrap()), json);
            assert_eq!(json, format!("\"{moment}\""));
        }
        assert!(clock.moment(&mut Vec::new(), &i64::MAX.to_be_bytes()).is_none());
        assert!(clock.moment(&mut Vec::new(), b"short").is_none());
    }

    #[test]
    fn a_uuid_is_lower_case_with_hyphens() {
        let uuid = Uuid::from_u128(0xA1);
        assert_eq!(cell_text(|buffer| id(buffer, uuid.as_bytes()).unwrap()), format!("\"{uuid}\""));
    }
}
