//! The usage of language models: tokens by day, and tokens and cost by month and chatbot.

use contract::usage::{ModelSpending, UsageDay, UsageMonth};
use leptos::prelude::*;

use super::{by_day, texts};
use crate::{
    format,
    i18n::Localized,
    ui::{Card, DayKind, DayMood, DayPlot},
};

/// The months with usage of language models; nothing when there is none.
#[component]
pub(super) fn SpendingCard(
    /// The months, the newest one first.
    months: Vec<UsageMonth>,
    /// The last days.
    days: Vec<UsageDay>,
    /// The same number of days before.
    before: Vec<UsageDay>,
    /// The currency of costs, when there are prices.
    currency: Option<String>,
) -> impl IntoView {
    if months.is_empty() {
        return ().into_any();
    }
    let kinds = vec![
        DayKind { label: texts::PROMPTS.into(), mood: DayMood::Plain },
        DayKind { label: texts::MODEL_ANSWERS.into(), mood: DayMood::Good },
    ];
    let tokens = |day: &UsageDay| vec![day.prompt_tokens, day.answer_tokens];
    let (days, before) = (by_day(&days, tokens), by_day(&before, tokens));
    let details = months.iter().map(|month| by_chatbot(month, currency.as_deref())).collect_view();
    let rows = months.iter().map(|month| {
        let name = format::month(&month.month.to_string());
        row(name, month.spent, currency.as_deref())
    });
    let rows = rows.collect_view();
    view! {
        <Card title=texts::TOKENS_BY_DAY><DayPlot title=texts::TOKENS_BY_DAY kinds days before /></Card>
        <Card title=texts::SPENDING>
            <div class="ui-table-wrap">
                <table class="ui-table">
                    <caption class="ui-visually-hidden">{texts::SPENDING.t()}</caption>
                    {head(texts::MONTH.into(), currency.is_some())}
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {details}
        </Card>
    }
    .into_any()
}

/// A month's chatbots, and those that were deleted.
fn by_chatbot(month: &UsageMonth, currency: Option<&str>) -> impl IntoView + use<> {
    let deleted = month.of_deleted();
    let rows = month.chatbots.iter().map(|of| row(of.chatbot_name.clone().into(), of.spent, currency));
    let rows = rows.collect_view();
    let deleted = (deleted.answers > 0).then(|| row(texts::DELETED_CHATBOTS.into(), deleted, currency));
    let title = texts::BY_CHATBOT.with_localized([format::month(&month.month.to_string())]);
    view! {
        <details class="ui-details">
            <summary class="ui-details__summary">{title}</summary>
            <div class="ui-table-wrap">
                <table class="ui-table">
                    {head(texts::CHATBOTS.into(), currency.is_some())}
                    <tbody>{rows}{deleted}</tbody>
                </table>
            </div>
        </details>
    }
}

fn head(first: Localized, has_prices: bool) -> impl IntoView {
    let number = |label: crate::i18n::Text| {
        view! { <th class="ui-table__head ui-table__head--number" scope="col">{label.t()}</th> }
    };
    view! {
        <thead>
            <tr>
                <th class="ui-table__head" scope="col">{first}</th>
                {number(texts::MODEL_ANSWERS)}
                {number(texts::PROMPT_TOKENS)}
                {number(texts::CACHED_TOKENS)}
                {number(texts::ANSWER_TOKENS)}
                {has_prices.then(|| number(texts::COST))}
            </tr>
        </thead>
    }
}

fn row(name: Localized, spent: ModelSpending, currency: Option<&str>) -> impl IntoView + use<> {
    let number = |text: Localized| view! { <td class="ui-table__cell ui-table__cell--number">{text}</td> };
    let cost = currency.map(|currency| number(format::money(spent.cost_micros, currency)));
    view! {
        <tr class="ui-table__row">
            <th class="ui-table__cell" scope="row">{name}</th>
            {number(format::number(spent.answers))}
            {number(format::number(spent.prompt_tokens))}
            {number(format::number(spent.cached_tokens))}
            {number(format::number(spent.answer_tokens))}
            {cost}
        </tr>
    }
}
