//! The filters of a search with the number of documents for each value. Their state is the URL.

use app::{
    format,
    i18n::{Localized, Text, languages},
    list_url::ListUrl,
    ui::{Card, Checkbox, Select},
};
use contract::{
    documents::SourceKind,
    knowledge_hub::{FacetValue, Facets},
};
use leptos::prelude::*;

use super::labels;
use crate::texts::knowledge_hub as texts;

/// Everything in the address that narrows a search, the words apart.
pub(super) const FILTERS: [&str; 6] = ["sources", "chatbots", "kinds", "languages", "date_from", "date_to"];

#[component]
pub(super) fn FacetFilters(url: ListUrl, facets: Facets) -> impl IntoView {
    let kind = |value: &str| value.parse::<SourceKind>().map_or_else(|_| value.into(), |of| labels::kind(of).into());
    let language = |value: &str| languages::name(value);
    let Facets { sources, chatbots, kinds, languages, months } = facets;
    // Facets ignore the words of the search.
    let is_searching = untrack(|| !url.value("q").trim().is_empty());
    let note = is_searching.then(|| view! { <p class="ui-muted ui-small">{texts::FILTERS_NOTE.t()}</p> });
    view! {
        <Card title=texts::FILTERS>
            <div class="ui-stack">
                {note}
                {group(url, "chatbots", texts::CHATBOT, chatbots, None)}
                {group(url, "sources", texts::SOURCE, sources, None)}
                {group(url, "kinds", texts::KIND, kinds, Some(kind))}
                {group(url, "languages", texts::LANGUAGE, languages, Some(language))}
                <Months url months />
            </div>
        </Card>
    }
}

/// The values of one filter; nothing when there is only one to choose.
fn group(
    url: ListUrl,
    key: &'static str,
    title: Text,
    values: Vec<FacetValue>,
    label: Option<fn(&str) -> Localized>,
) -> Option<impl IntoView + use<>> {
    let chosen = untrack(|| url.value(key));
    if values.len() < 2 && chosen.is_empty() {
        return None;
    }
    // Chosen values of documents that are gone can still be removed.
    let is_gone = |value: &&str| !value.is_empty() && values.iter().all(|of| of.value != *value);
    let unlisted: Vec<_> = chosen
        .split(',')
        .filter(is_gone)
        .map(|value| (value.to_owned(), label.map_or_else(|| texts::STATE_GONE.into(), |label| label(value))))
        .collect();
    let listed = values.into_iter().map(|FacetValue { value, label: name, count }| {
        let text = label.map_or_else(|| Localized::from(name), |label| label(&value));
        (value, COUNTED.with_localized([text, format::number(count)]))
    });
    let boxes: Vec<_> = listed.chain(unlisted).map(|(value, text)| choice(url, key, value, text)).collect();
    Some(view! {
        <fieldset class="ui-facet">
            <legend class="ui-facet__title">{title.t()}</legend>
            {boxes}
        </fieldset>
    })
}

/// A value of a filter that can be chosen.
fn choice(url: ListUrl, key: &'static str, value: String, text: Localized) -> impl IntoView {
    let own = value.clone();
    let checked = Signal::derive(move || url.value(key).split(',').any(|chosen| chosen == own));
    let toggle = move |on: bool| {
        let mut chosen: Vec<String> =
            untrack(|| url.value(key)).split(',').filter(|chosen| !chosen.is_empty()).map(str::to_owned).collect();
        chosen.retain(|chosen| *chosen != value);
        if on {
            chosen.push(value.clone());
        }
        url.filter(key, &chosen.join(","));
    };
    view! { <Checkbox label=text checked on_change=toggle /> }
}

const COUNTED: Text = Text::new("{0} ({1})", "{0} ({1})");

/// The value of a period that is no month.
const OTHER_PERIOD: &str = "other";

/// The months in which documents changed.
#[component]
fn Months(url: ListUrl, months: Vec<FacetValue>) -> impl IntoView {
    let value = Signal::derive(move || period(&url.value("date_from"), &url.value("date_to")));
    let chosen = untrack(|| value.get());
    if months.len() < 2 && chosen.is_empty() {
        return None;
    }
    let name = |month: &str| format::month(&format!("{month}-01"));
    let mut options: Vec<(String, Localized)> = vec![(String::new(), texts::MONTH_ANY.into())];
    if chosen == OTHER_PERIOD {
        options.push((chosen, texts::OTHER_PERIOD.into()));
    } else if !chosen.is_empty() && months.iter().all(|of| of.value != chosen) {
        let label = name(&chosen);
        options.push((chosen, label));
    }
    options.extend(months.into_iter().map(|FacetValue { value, count, .. }| {
        let label = COUNTED.with_localized([name(&value), format::number(count)]);
        (value, label)
    }));
    let change = move |month: String| {
        let (from, to) = labels::days_of_month(&month).unwrap_or_default();
        url.set(&[("date_from", &from), ("date_to", &to), ("offset", "")]);
    };
    Some(view! { <Select label=texts::MONTH value options on_change=change /> })
}

/// The month of a range of days, [`OTHER_PERIOD`] for another range, and empty for none.
fn period(from: &str, to: &str) -> String {
    if from.is_empty() && to.is_empty() {
        return String::new();
    }
    let month = from.get(..7).unwrap_or_default();
    let days = labels::days_of_month(month);
    let is_month = days.is_some_and(|(first, last)| first == from && last == to);
    if is_month { month } else { OTHER_PERIOD }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{OTHER_PERIOD, period};

    #[test]
    fn a_period_is_a_whole_month_or_another_one() {
        assert_eq!(period("", ""), "");
        assert_eq!(period("2026-02-01", "2026-02-28"), "2026-02");
        for (from, to) in [("2026-02-01", "2026-03-31"), ("2026-02-02", ""), ("", "2026-02-28"), ("soon", "")] {
            assert_eq!(period(from, to), OTHER_PERIOD, "{from} to {to}");
        }
    }
}
