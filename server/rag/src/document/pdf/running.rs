//! Running headers and footers: lines at the edges of pages that many pages share, apart from the page's number.

use std::collections::{HashMap, HashSet};

use super::{
    lines::{Row, ends_sentence},
    page::Page,
};
use crate::document::has_contact;

/// Minimum pages for their detection.
const MIN_PAGES: usize = 3;
/// Maximum lines of a header or footer.
const MAX_LINES: usize = 3;
/// Minimum pages that share a line which only left or only right pages have.
const MIN_SIDE: usize = 4;
/// Maximum numbers of a line that may be the page's.
const MAX_NUMBERS: usize = 8;

/// Words of a line that are more than a running header has.
const MIN_TEXT: usize = 10;

/// A line at the top or at the bottom, in one of its readings.
type Key = (bool, String);

/// Removes running headers and footers.
pub(super) fn remove(pages: &mut [Page]) {
    if pages.len() < MIN_PAGES {
        return;
    }
    let first: Vec<Row> = pages[0].rows().cloned().collect();
    remove_shared(pages);
    // A letterhead and terms of business stay on the first page, as nothing else has them.
    let rest: HashSet<String> = pages[0].rows().map(Row::text).collect();
    let is_text = |line: &str| has_contact(line) || line.split(' ').count() >= MIN_TEXT;
    if rest.is_empty() || first.iter().map(Row::text).any(|line| !rest.contains(&line) && is_text(&line)) {
        pages[0].set_rows(first);
    }
}

fn remove_shared(pages: &mut [Page]) {
    for round in 0..MAX_LINES {
        let keys: Vec<HashSet<Key>> = (0..).zip(pages.iter()).map(|(number, page)| keys(number, page)).collect();
        let mut counts: HashMap<&Key, usize> = HashMap::new();
        keys.iter().flatten().for_each(|key| *counts.entry(key).or_default() += 1);
        // A sentence within the text may repeat; it is a footer only at the very edge.
        let may_run = |line: &str| round == 0 || !ends_sentence(line);
        let is_shared = |count: usize| count * 2 > pages.len() || count >= MIN_SIDE && count * 5 >= pages.len() * 2;
        counts.retain(|(_, line), count| is_shared(*count) && may_run(line));
        if counts.is_empty() {
            return;
        }
        let edges: Vec<HashSet<bool>> = keys
            .iter()
            .map(|keys| keys.iter().filter(|key| counts.contains_key(key)).map(|(first, _)| *first).collect())
            .collect();
        for (page, edges) in pages.iter_mut().zip(edges) {
            edges.into_iter().for_each(|first| page.remove(first));
        }
    }
}

/// The first and the last line of a page in all readings.
fn keys(page: i64, lines: &Page) -> HashSet<Key> {
    let first = lines.rows().next().map(|row| (true, row.text()));
    let last = lines.rows().next_back().map(|row| (false, row.text()));
    let all = |(first, line): Key| readings(page, &line).into_iter().map(move |line| (first, line));
    first.into_iter().chain(last).flat_map(all).collect()
}

/// A line as it is, and once for each of its numbers with the distance to the page's number in place of this number. The
/// other numbers stay, so that rows of tables differ.
fn readings(page: i64, line: &str) -> Vec<String> {
    let mut readings = vec![line.to_owned()];
    let mut rest = line;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()).filter(|_| readings.len() <= MAX_NUMBERS)
    {
        let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let at = line.len() - rest.len() + start;
        rest = &rest[start + digits..];
        if let Ok(number) = line[at..at + digits].parse::<i64>() {
            let distance = number.saturating_sub(page);
            readings.push(format!("{}\u{0}{distance}\u{0}{rest}", &line[..at]));
        }
    }
    readings
}
