//! The reply of an endpoint that streams CSV, and how its texts are kept from running as formulas.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Marks a reply that is a stream of CSV (RFC 4180) and never a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Csv;

/// A spreadsheet takes a cell that begins so for a formula, in some locales with full-width characters too.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\0', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
/// A program that splits at another separator than the file's does not see the quotes around a text, and begins a cell
/// after these.
const SEPARATORS: [char; 5] = [',', ';', '\t', '\n', '\r'];
/// A second quote closes a quoted cell, so that the text goes on behind it. Apostrophes count so that
/// [`restored`] is exact.
const QUOTES: [char; 2] = ['\'', '"'];

/// A text in which no cell begins with a formula, wherever a program splits it: each gets an apostrophe in front.
pub fn neutralised(text: &str) -> Cow<'_, str> {
    let begins = is_formula_at_start(text).then_some(0);
    let places = begins.into_iter().chain(cells(text).filter(|at| is_formula_after_separator(&text[*at..])));
    let mut safe = String::new();
    let mut done = 0;
    for at in places {
        safe.push_str(&text[done..at]);
        safe.push('\'');
        done = at;
    }
    if safe.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(safe + &text[done..]) }
}

/// The text of which [`neutralised`] made this one.
pub fn restored(text: &str) -> Cow<'_, str> {
    let added = |at: &usize| text[*at..].strip_prefix('\'').is_some_and(is_formula_after_separator);
    let begins = text.strip_prefix('\'').is_some_and(is_formula_at_start).then_some(0);
    let mut plain = String::new();
    let mut done = 0;
    for at in begins.into_iter().chain(cells(text).filter(added)) {
        plain.push_str(&text[done..at]);
        done = at + 1;
    }
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(plain + &text[done..]) }
}

/// Where a separator ends.
fn cells(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(SEPARATORS).map(|(at, separator)| at + separator.len())
}

fn is_formula_at_start(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(|first| first == '\r' || FORMULA.contains(&first))
}

/// Nothing after the separator is unsafe too: the cell goes on with what the file has behind the text.
fn is_formula_after_separator(text: &str) -> bool {
    let text = text.trim_start_matches(QUOTES);
    text.is_empty() || text.starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_that_begins_with_a_formula_gets_an_apostrophe() {
        for (text, safe) in [
            ("=1", "'=1"),
            ("\0=1", "'\0=1"),
            ("\r=1", "'\r'=1"),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("\u{ff0b}1\t\u{ff0d}1\n\u{ff20}", "'\u{ff0b}1\t'\u{ff0d}1\n'\u{ff20}"),
            ("Where?;=cmd|' /C calc'!A1;thanks", "Where?;'=cmd|' /C calc'!A1;thanks"),
            ("a;\"=1\"", "a;'\"=1\""),
            ("a;", "a;'"),
            ("a,-1", "a,'-1"),
            ("'=1", "''=1"),
        ] {
            assert_eq!(neutralised(text), safe);
        }
    }

    #[test]
    fn other_texts_stay() {
        for text in ["", "'", "1-1", "a@b", " =1", "it's; that's\r\n\r\nall", "\"=1\""] {
            assert_eq!(neutralised(text), text);
            assert_eq!(restored(text), text);
        }
    }

    #[test]
    fn what_was_neutralised_is_restored() {
        let parts = ["=", "'", "\"", ",", ";", "\t", "\n", "\r", "a", "\u{ff1d}"];
        let mut texts = vec![String::new()];
        for length in 0..5 {
            let longest: Vec<_> = texts.iter().filter(|text| text.chars().count() == length).cloned().collect();
            texts.extend(longest.iter().flat_map(|text| parts.iter().map(move |part| format!("{text}{part}"))));
        }
        for text in texts {
            assert_eq!(restored(&neutralised(&text)), text);
        }
    }
}
