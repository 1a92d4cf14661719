//! A shortcut for the days of the list: the last 7, 30 or 90 days, in UTC like the figures.

use app::{
    format,
    i18n::{Localized, texts as shared},
    list_url::ListUrl,
    ui::{DAY_RANGES, Select},
};
use leptos::prelude::*;

use super::{CURSOR, FROM, TO};
use crate::texts::conversations as texts;

/// The choice when the days are not those of a range.
const CUSTOM: &str = "custom";
/// How many days the figures have without a choice.
const DEFAULT_DAYS: u16 = 30;

/// Sets *From* and *To*. A range leaves *To* empty, so that the newest conversations are always in it.
#[component]
pub(super) fn PeriodSelect(url: ListUrl) -> impl IntoView {
    let mut options = vec![(String::new(), Localized::from(texts::ANY_DAY))];
    options.extend(DAY_RANGES.map(|(days, text)| (days.to_string(), Localized::from(text))));
    options.push((CUSTOM.to_owned(), texts::CUSTOM_DAYS.into()));
    let change = move |choice: String| {
        let (from, to) = days_of(&choice, untrack(|| url.value(FROM)), format::days_ago);
        url.set(&[(FROM, from.as_str()), (TO, to.as_str()), (CURSOR, ""), ("offset", "")]);
    };
    view! {
        <Select
            label=shared::PERIOD
            hide_label=true
            value=Signal::derive(move || choice_of(&url.value(FROM), &url.value(TO), format::days_ago))
            options
            on_change=change
        />
    }
}

/// The choice that has these days.
fn choice_of(from: &str, to: &str, days_ago: impl Fn(u16) -> String) -> String {
    if from.is_empty() && to.is_empty() {
        return String::new();
    }
    let range = DAY_RANGES.into_iter().find(|(days, _)| to.is_empty() && from == days_ago(days - 1));
    range.map_or_else(|| CUSTOM.to_owned(), |(days, _)| days.to_string())
}

/// The first and the last day of a choice. A custom period begins with the days that were shown before.
fn days_of(choice: &str, from: String, days_ago: impl Fn(u16) -> String) -> (String, String) {
    match choice.parse::<u16>() {
        Ok(days) => (days_ago(days.saturating_sub(1)), String::new()),
        Err(_) if choice == CUSTOM && from.is_empty() => (days_ago(DEFAULT_DAYS - 1), days_ago(0)),
        Err(_) if choice == CUSTOM => (from, days_ago(0)),
        Err(_) => (String::new(), String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ago(days: u16) -> String {
        format!("-{days}")
    }

    #[test]
    fn days_until_now_are_a_range() {
        let cases = [("", "", ""), ("-6", "", "7"), ("-29", "", "30"), ("-89", "", "90")];
        let custom = [("-6", "-0", CUSTOM), ("-5", "", CUSTOM), ("", "-0", CUSTOM)];
        for (from, to, choice) in cases.into_iter().chain(custom) {
            assert_eq!(choice_of(from, to, ago), choice, "{from} {to}");
        }
    }

    #[test]
    fn a_choice_sets_both_days() {
        for (choice, from, days) in
            [("7", "-80", ("-6", "")), (CUSTOM, "-6", ("-6", "-0")), (CUSTOM, "", ("-29", "-0")), ("", "-6", ("", ""))]
        {
            let (first, last) = days_of(choice, from.to_owned(), ago);
            assert_eq!((first.as_str(), last.as_str()), days, "{choice} {from}");
        }
    }
}
