//! The range of trends, which stands in the address: 7, 30 or 90 days; and the words that compare them with as many days before.

#![allow(unreachable_pub, reason = "the component macro emits a second, hidden item that is not re-exported")]

pub mod texts;

use leptos::prelude::*;

use crate::{
    format,
    i18n::{Localized, Text},
    list_url::ListUrl,
    ui::Select,
};

const DAYS: &str = "days";
/// The ranges in days.
const RANGES: [(u16, Text); 3] = [(7, texts::DAYS_7), (DEFAULT, texts::DAYS_30), (90, texts::DAYS_90)];
/// The range when the address names none.
const DEFAULT: u16 = 30;

/// The days of the range that the address names.
pub fn chosen(url: ListUrl) -> Memo<u16> {
    Memo::new(move |_| {
        let wanted = url.value(DAYS);
        RANGES.iter().map(|(days, _)| *days).find(|days| in_address(*days) == wanted).unwrap_or(DEFAULT)
    })
}

/// A range as it stands in the address: the usual one does not.
fn in_address(days: u16) -> String {
    if days == DEFAULT { String::new() } else { days.to_string() }
}

/// The choice of a range.
#[component]
pub fn RangeSelect(
    /// The address of the page.
    url: ListUrl,
) -> impl IntoView {
    let options = RANGES.map(|(days, text)| (in_address(days), text.into())).to_vec();
    view! {
        <Select
            label=texts::RANGE
            hide_label=true
            small=true
            value=url.signal(DAYS)
            options
            on_change=move |value: String| url.replace(&[(DAYS, value.as_str())])
        />
    }
}

/// A change against as many days before, when there is something to compare with.
pub fn compared(text: Text, change: Option<Localized>, length: &Localized) -> Localized {
    match change {
        None => texts::BEFORE_NONE.with_localized([length.clone()]),
        Some(change) => text.with_localized([change, length.clone()]),
    }
}

/// A number's change in percent, such as "+12%"; none when there was nothing before.
pub fn percent_change(now: i64, before: i64) -> Option<Localized> {
    format::percent(now - before, before).map(format::percent_change)
}
