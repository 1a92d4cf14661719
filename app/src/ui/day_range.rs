//! The range of a page's charts: the last 7, 30 or 90 days. The choice is in the URL.

use leptos::prelude::*;

use super::Select;
use crate::{
    i18n::{Text, texts},
    list_url::ListUrl,
};

const DAYS: &str = "days";
/// The ranges in days, with their names.
pub const DAY_RANGES: [(u16, Text); 3] =
    [(7, texts::LAST_7_DAYS), (DEFAULT_DAYS, texts::LAST_30_DAYS), (90, texts::LAST_90_DAYS)];
/// The default range in days.
const DEFAULT_DAYS: u16 = 30;

/// The range in the URL.
#[derive(Debug, Clone, Copy)]
pub struct DayRange {
    url: ListUrl,
    days: Memo<u16>,
}

impl DayRange {
    /// The range of a page.
    pub fn new(url: ListUrl) -> Self {
        let days = Memo::new(move |_| of_address(&url.value(DAYS)));
        Self { url, days }
    }

    /// The number of days, including today; tracked.
    pub fn days(self) -> u16 {
        self.days.get()
    }
}

/// Chooses the range.
#[component]
pub fn RangeSwitch(range: DayRange) -> impl IntoView {
    let DayRange { url, .. } = range;
    let options = DAY_RANGES.map(|(days, text)| (in_address(days), text.into())).to_vec();
    view! {
        <Select
            label=texts::PERIOD
            hide_label=true
            small=true
            value=Signal::derive(move || in_address(range.days()))
            options
            on_change=move |value: String| url.replace(&[(DAYS, value.as_str())])
        />
    }
}

/// A range as a URL value; empty for the default.
fn in_address(days: u16) -> String {
    if days == DEFAULT_DAYS { String::new() } else { days.to_string() }
}

/// The range of a URL value; the default for an invalid one.
fn of_address(text: &str) -> u16 {
    DAY_RANGES.iter().map(|(days, _)| *days).find(|days| in_address(*days) == text).unwrap_or(DEFAULT_DAYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_names_a_range_unless_it_is_the_usual_one() {
        for (text, days) in [("", 30), ("7", 7), ("90", 90), ("30", 30), ("14", 30), ("x", 30)] {
            assert_eq!(of_address(text), days, "{text}");
        }
        assert_eq!((in_address(30), in_address(7)), (String::new(), "7".to_owned()));
    }
}
