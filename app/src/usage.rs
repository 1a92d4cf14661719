//! The usage of a tenant, shared by both consoles: its quotas, its visitors' questions by day, and its stored amounts
//! by day.

#![allow(unreachable_pub, reason = "the component macro emits a second, hidden item that is not re-exported")]

mod growth;
mod quotas;
mod spending;
pub mod texts;

use contract::usage::{TenantUsage, UsageDay};
use leptos::prelude::*;

use growth::GrowthCard;
use spending::SpendingCard;

pub use quotas::{QuotaBanner, QuotaList, amount, quota_name};

use crate::ui::{Card, DayKind, DayMood, DayPlot, DayRange, DayValues, RangeSwitch};

/// The quotas of a tenant, and its usage by day.
#[component]
pub fn UsageView(
    /// The tenant's usage and quotas.
    usage: TenantUsage,
    /// Buttons next to the quotas.
    #[prop(optional, into)]
    actions: ViewFnOnce,
    /// The days of the plots.
    range: DayRange,
) -> impl IntoView {
    let kinds = vec![
        DayKind { label: texts::QUESTIONS_ANSWERED.into(), mood: DayMood::Plain },
        DayKind { label: texts::QUESTIONS_REFUSED.into(), mood: DayMood::Bad },
    ];
    let questions = |day: &UsageDay| vec![day.questions, day.refused_questions];
    let (days, before) = (by_day(&usage.days, questions), by_day(&usage.days_before, questions));
    let quotas = usage.quotas.clone();
    let switch = move || view! { <RangeSwitch range /> };
    view! {
        <Card title=texts::QUOTAS actions><QuotaList quotas /></Card>
        <Card title=texts::BY_DAY actions=switch><DayPlot title=texts::BY_DAY kinds days before /></Card>
        <GrowthCard stored=usage.stored quotas=usage.quotas />
        <SpendingCard months=usage.months days=usage.days before=usage.days_before currency=usage.currency />
    }
}

/// The numbers of each day.
fn by_day(days: &[UsageDay], counts: impl Fn(&UsageDay) -> Vec<i64>) -> Vec<DayValues> {
    days.iter().map(|day| DayValues { day: day.date.to_string(), counts: counts(day) }).collect()
}
