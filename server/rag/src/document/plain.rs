//! Plain text: paragraphs parted by empty lines; the first short line is the title.

use super::{Section, builder::Builder};

/// Characters of a first line that may be a title.
const MAX_TITLE: usize = 80;

/// The title, if the first line looks like one, and one section with everything.
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

/// The first line when it stands alone, is short and ends like no sentence.
fn title(text: &str) -> Option<String> {
    let mut lines = text.trim_start().lines();
    let first = lines.next()?.trim();
    let alone = lines.next().is_some_and(|line| line.trim().is_empty());
    (alone && first.chars().count() <= MAX_TITLE && !first.ends_with(['.', ',', ';', ':'])).then(|| first.to_owned())
}
