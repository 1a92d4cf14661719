//! Running headers and footers: lines at the edges of pages that most pages share.

use std::collections::HashMap;

use super::{page::Page, paragraphs::ends_sentence};

/// Minimum pages for their detection.
const MIN_PAGES: usize = 3;
/// Maximum lines of a header or footer.
const MAX_LINES: usize = 3;

/// Removes running headers and footers.
pub(super) fn remove(pages: &mut [Page]) {
    if pages.len() < MIN_PAGES {
        return;
    }
    for round in 0..MAX_LINES {
        let mut counts: HashMap<(bool, String), usize> = HashMap::new();
        for page in pages.iter() {
            for key in keys(page) {
                *counts.entry(key).or_default() += 1;
            }
        }
        // A sentence within the text may repeat; it is a footer only at the very edge.
        let may_run = |(_, line): &(bool, String)| round == 0 || !ends_sentence(line);
        counts.retain(|key, count| *count * 2 > pages.len() && may_run(key));
        if counts.is_empty() {
            return;
        }
        for page in pages.iter_mut() {
            for key in keys(page).filter(|key| counts.contains_key(key)) {
                page.remove(key.0);
            }
        }
    }
}

/// The first and the last line of a page, without their numbers.
fn keys(page: &Page) -> impl Iterator<Item = (bool, String)> + use<> {
    let first = page.rows().next().map(|row| (true, without_numbers(&row.text())));
    let last = page.rows().next_back().map(|row| (false, without_numbers(&row.text())));
    first.into_iter().chain(last)
}

fn without_numbers(line: &str) -> String {
    line.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>().trim().to_owned()
}
