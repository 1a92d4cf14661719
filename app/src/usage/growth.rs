//! The stored amounts of a tenant by day, one kind at a time.

use contract::usage::{Quota, QuotaUsage, StoredDay};
use leptos::prelude::*;

use super::{
    quotas::{amount, quota_name, used_of_limit},
    texts,
};
use crate::{
    format,
    i18n::Localized,
    list_url::ListUrl,
    ui::{Card, DayKind, DayMood, DayPlot, DayValues, Select},
};

const SHOWN: &str = "shown";
/// The kinds. The first one is the default and not in the URL.
const KINDS: [Quota; 5] = [USUAL, Quota::Bytes, Quota::Passages, Quota::Pages, Quota::Chatbots];
const USUAL: Quota = Quota::Documents;

/// The amounts by day. The choice is in the URL.
#[component]
pub(super) fn GrowthCard(
    /// The days, oldest first, today included.
    stored: Vec<StoredDay>,
    quotas: Vec<QuotaUsage>,
) -> impl IntoView {
    let url = ListUrl::new("", 0);
    let quota = Memo::new(move |_| of_address(&url.value(SHOWN)));
    let picker = move || {
        let options = KINDS.map(|kind| (in_address(kind), quota_name(kind).into())).to_vec();
        view! {
            <Select
                label=texts::SHOWN
                hide_label=true
                small=true
                value=Signal::derive(move || in_address(quota.get()))
                options
                on_change=move |value: String| url.replace(&[(SHOWN, value.as_str())])
            />
        }
    };
    let plot = move || plot(quota.get(), &stored, &quotas);
    view! { <Card title=texts::STORED actions=picker>{plot}</Card> }
}

fn plot(quota: Quota, stored: &[StoredDay], quotas: &[QuotaUsage]) -> impl IntoView + use<> {
    let today = quotas.iter().find(|of| of.quota == quota).map(|of| texts::TODAY.with_localized([used_of_limit(of)]));
    let levels = today.into_iter().chain(change_since_first(quota, stored)).collect();
    let number: fn(i64) -> Localized = match quota {
        Quota::Bytes => |count: i64| format::bytes(count.unsigned_abs()),
        _ => format::number,
    };
    let kinds = vec![DayKind { label: quota_name(quota).into(), mood: DayMood::Plain }];
    let (days, nothing) = match stored {
        [] | [_] => (Vec::new(), texts::FIRST_DAY),
        _ => (stored.iter().map(|day| values(day, quota)).collect(), texts::NOTHING_STORED),
    };
    view! {
        <div class="ui-stack ui-stack--small">
            <p class="ui-small ui-muted">{Localized::joined(levels, " · ")}</p>
            <DayPlot title=texts::STORED kinds days number level=true nothing />
        </div>
    }
}

/// "Since 30 Jan 2026: +3", when there is more than one day.
fn change_since_first(quota: Quota, stored: &[StoredDay]) -> Option<Localized> {
    let [first, .., last] = stored else { return None };
    let by = last.of(quota)? - first.of(quota)?;
    let sign = match by.signum() {
        1 => "+",
        -1 => "\u{2212}",
        _ => "±",
    };
    let by = Localized::joined(vec![sign.into(), amount(quota, by.abs())], "");
    Some(texts::SINCE.with_localized([format::day(&first.date.to_string()), by]))
}

fn values(day: &StoredDay, quota: Quota) -> DayValues {
    DayValues { day: day.date.to_string(), counts: vec![day.of(quota).unwrap_or_default()] }
}

fn in_address(kind: Quota) -> String {
    if kind == USUAL { String::new() } else { kind.as_str().to_owned() }
}

/// The kind of a URL value; the default for an invalid one.
fn of_address(text: &str) -> Quota {
    KINDS.into_iter().find(|kind| in_address(*kind) == text).unwrap_or(USUAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_names_what_is_shown_unless_it_is_documents() {
        for (text, quota) in [("", USUAL), ("bytes", Quota::Bytes), ("pages", Quota::Pages), ("x", USUAL)] {
            assert_eq!(of_address(text), quota, "{text}");
        }
        assert_eq!(of_address("questions_per_month"), USUAL, "it is no number of a day");
    }
}
