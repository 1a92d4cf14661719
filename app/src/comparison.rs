//! Texts that compare figures with those of the same number of days before.

pub mod texts;

use crate::{
    format,
    i18n::{Localized, Text},
};

/// A change against as many days before, when there is something to compare with.
pub fn compared(text: Text, change: Option<Localized>, length: &Localized) -> Localized {
    match change {
        None => texts::BEFORE_NONE.with_localized([length.clone()]),
        Some(change) => text.with_localized([change, length.clone()]),
    }
}

/// The change in percent, such as "+12%"; `None` when there was nothing before.
pub fn percent_change(now: i64, before: i64) -> Option<Localized> {
    format::percent(now - before, before).map(format::percent_change)
}
