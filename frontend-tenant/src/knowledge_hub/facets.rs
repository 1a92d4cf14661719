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
    if values.len() < 2 && untrack(|| url.value(key)).is_empty() {
        return None;
    }
    let values = values.into_iter().map(|FacetValue { value, label: name, count }| {
        let shown = label.map_or_else(|| Localized::from(name), |label| label(&value));
        let text = COUNTED.with_localized([shown, format::number(count)]);
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
    });
    let values: Vec<_> = values.collect();
    Some(view! {
        <fieldset class="ui-facet">
            <legend class="ui-facet__title">{title.t()}</legend>
            {values}
        </fieldset>
    })
}

const COUNTED: Text = Text::new("{0} ({1})", "{0} ({1})");

/// The months in which documents changed.
#[component]
fn Months(url: ListUrl, months: Vec<FacetValue>) -> impl IntoView {
    let is_chosen = untrack(|| !url.value("date_from").is_empty());
    if months.len() < 2 && !is_chosen {
        return None;
    }
    let mut options: Vec<(String, Localized)> = vec![(String::new(), texts::MONTH_ANY.into())];
    options.extend(months.into_iter().map(|FacetValue { value, label, count }| {
        (value, COUNTED.with_localized([label.into(), format::number(count)]))
    }));
    let value = Signal::derive(move || url.value("date_from").get(..7).unwrap_or_default().to_owned());
    let change = move |month: String| {
        let (from, to) = labels::days_of_month(&month).unwrap_or_default();
        url.set(&[("date_from", &from), ("date_to", &to), ("offset", "")]);
    };
    Some(view! { <Select label=texts::MONTH value options on_change=change /> })
}
