//! Plain text: paragraphs separated by empty lines; a short first line is the title.

use super::{Section, builder::Builder};

/// Maximum characters of a first line that is a title.
const MAX_TITLE: usize = 80;

/// Returns the title, if the first line looks like one, and one section with the whole text.
pub(super) fn read(text: &str) -> (Option<String>, Vec<Section>) {
    let mut builder = Builder::default();
    for line in text.lines() {
        match line.trim().is_empty() {
            true => builder.end_block(),
            false => {
                builder.text(line);
                builder.text("\n");
            }
        }
    }
    (title(text), builder.finish())
}

/// The first line when an empty line follows it, it is short, and it does not end like a sentence.
fn title(text: &str) -> Option<String> {
    let mut lines = text.trim_start().lines();
    let first = lines.next()?.trim();
    let alone = lines.next().is_some_and(|line| line.trim().is_empty());
    (alone && first.chars().count() <= MAX_TITLE && !first.ends_with(['.', ',', ';', ':'])).then(|| first.to_owned())
}
