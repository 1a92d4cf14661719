//! Quotas with their usage.

use contract::usage::{Quota, QuotaState, QuotaUsage};
use leptos::prelude::*;

use super::texts;
use crate::{
    format,
    i18n::{Localized, Text},
    ui::{Badge, Banner, Tone},
};

/// What people read for a quota.
pub const fn quota_name(quota: Quota) -> Text {
    match quota {
        Quota::Documents => texts::DOCUMENTS,
        Quota::Bytes => texts::BYTES,
        Quota::Passages => texts::PASSAGES,
        Quota::Pages => texts::PAGES,
        Quota::Chatbots => texts::CHATBOTS,
        Quota::QuestionsPerMonth => texts::QUESTIONS_PER_MONTH,
        Quota::TokensPerMonth => texts::TOKENS_PER_MONTH,
    }
}

/// An amount in the unit of a quota.
pub fn amount(quota: Quota, number: i64) -> Localized {
    match quota {
        Quota::Bytes => format::bytes(number.unsigned_abs()),
        _ => format::number(number),
    }
}

/// "12 of 100", or "12" without a limit.
pub(super) fn used_of_limit(of: &QuotaUsage) -> Localized {
    let used = amount(of.quota, of.used);
    match of.limit {
        Some(limit) => texts::USED_OF.with_localized([used, amount(of.quota, limit)]),
        None => texts::USED_UNLIMITED.with_localized([used]),
    }
}

/// The badge of a quota that is nearly or fully used.
const fn mark(state: QuotaState) -> Option<(Tone, Text)> {
    match state {
        QuotaState::Ok => None,
        QuotaState::Warning => Some((Tone::Warning, texts::ALMOST_USED_UP)),
        QuotaState::UsedUp => Some((Tone::Danger, texts::USED_UP)),
    }
}

/// Every quota with what is used of it.
#[component]
pub fn QuotaList(
    /// Listed in this order.
    quotas: Vec<QuotaUsage>,
) -> impl IntoView {
    view! { <ul class="ui-quotas">{quotas.into_iter().map(row).collect_view()}</ul> }
}

fn row(of: QuotaUsage) -> impl IntoView {
    let name = quota_name(of.quota);
    let bar = of.limit.map(|limit| {
        let max = limit.max(1);
        let value = if limit == 0 { max } else { of.used.min(max) };
        view! { <progress class="ui-progress" max=max value=value aria-label=move || name.get()></progress> }
    });
    view! {
        <li class="ui-stack ui-stack--small">
            <div class="ui-row ui-row--between ui-row--wrap">
                <span class="ui-row ui-row--wrap">
                    <span class="ui-strong">{name.t()}</span>
                    {mark(of.state).map(|(tone, text)| view! { <Badge tone dot=true>{text.t()}</Badge> })}
                </span>
                <span class="ui-muted">{used_of_limit(&of)}</span>
            </div>
            {bar}
        </li>
    }
}

/// Shows which quotas are nearly or fully used; nothing when none is.
#[component]
pub fn QuotaBanner(
    /// All of them; only short ones are named.
    quotas: Vec<QuotaUsage>,
) -> impl IntoView {
    let short: Vec<_> = quotas.into_iter().filter(|of| of.state != QuotaState::Ok).collect();
    if short.is_empty() {
        return ().into_any();
    }
    let lines = short.iter().map(|of| {
        let usage = texts::NAMED.with_localized([quota_name(of.quota).into(), used_of_limit(of)]);
        view! { <li>{usage}</li> }
    });
    let lines = lines.collect_view();
    view! { <Banner tone=Tone::Warning title=texts::NEAR_LIMITS><ul>{lines}</ul></Banner> }.into_any()
}
