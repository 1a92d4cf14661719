//! Lists and their items. A list of links is navigation and no text.

use super::{Builder, SENTENCE};
use crate::block::item_marker;

pub(super) struct List {
    /// The number of its next item, or none for bullets.
    next: Option<u64>,
    /// Bytes of the section before it.
    start: usize,
    items: usize,
    /// Letters of its text.
    pub(super) letters: usize,
    /// Letters in links to other pages.
    pub(super) link_letters: usize,
    pub(super) has_headings: bool,
}

impl List {
    /// Whether the list is navigation, such as "Related topics".
    fn is_navigation(&self) -> bool {
        !self.has_headings && self.items > 1 && self.link_letters * 10 >= self.letters * 9
    }
}

impl Builder {
    /// Opens a list, numbered from `first` or with bullets.
    pub(in crate::document) fn open_list(&mut self, first: Option<u64>) {
        self.end_block();
        self.open_title();
        self.lists.push(List {
            next: first,
            start: self.body.len(),
            items: 0,
            letters: 0,
            link_letters: 0,
            has_headings: false,
        });
    }

    /// Closes the innermost list. Drops it when it is navigation.
    pub(in crate::document) fn close_list(&mut self) {
        self.end_block();
        self.marker = None;
        let Some(list) = self.lists.pop() else { return };
        // Below an item, links that are sentences are text. If the outer list is navigation, it takes them along.
        let is_text = !self.lists.is_empty() && list.letters > list.items * SENTENCE;
        if list.is_navigation() && !is_text {
            self.leave_out();
            self.body.truncate(list.start);
            self.last_was_item = !self.lists.is_empty() && !self.body.is_empty();
        } else if let Some(outer) = self.lists.last_mut() {
            outer.letters += list.letters;
            outer.link_letters += list.link_letters;
        }
    }

    /// Opens and closes bulleted lists until `target` of them are open; `depth` counts those that are.
    pub(in crate::document) fn set_list_depth(&mut self, depth: &mut usize, target: usize) {
        while *depth > target {
            self.close_list();
            *depth -= 1;
        }
        while *depth < target {
            self.open_list(None);
            *depth += 1;
        }
    }

    /// Opens an item of the innermost list.
    pub(in crate::document) fn open_item(&mut self) {
        self.end_block();
        let indent = "  ".repeat(self.lists.len().clamp(1, 4) - 1);
        let list = self.lists.last_mut().map(|list| {
            list.items += 1;
            &mut list.next
        });
        self.marker = Some(match list {
            Some(Some(number)) => {
                let marker = format!("{indent}{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => format!("{indent}- "),
        });
    }

    /// Opens an item with the number that the document draws, such as `2.` or `(b)`.
    pub(in crate::document) fn open_labelled_item(&mut self, number: &str) {
        self.open_item();
        let indent = "  ".repeat(self.lists.len().clamp(1, 4) - 1);
        let marker = format!("{number} ");
        // A number of another form stands behind a bullet, so that the item remains one.
        let bullet = if item_marker(&marker).is_some() { "" } else { "- " };
        self.marker = Some(format!("{indent}{bullet}{marker}"));
    }
}
