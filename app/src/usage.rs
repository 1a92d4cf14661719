//! How much a tenant has and may have, which both consoles show: its quotas, and its visitors' questions by day.

#![allow(unreachable_pub, reason = "the component macro emits a second, hidden item that is not re-exported")]

mod quotas;
mod spending;
pub mod texts;

use contract::usage::TenantUsage;
use leptos::prelude::*;

use spending::SpendingCard;

pub use quotas::{QuotaBanner, QuotaList, amount, quota_name};

use crate::ui::{Card, DayKind, DayMood, DayPlot, DayValues};

/// The quotas of a tenant, and its usage by day.
#[component]
pub fn UsageView(
    /// What it has and may have.
    usage: TenantUsage,
    /// Buttons beside the quotas.
    #[prop(optional, into)]
    actions: ViewFnOnce,
) -> impl IntoView {
    let kinds = vec![
        DayKind { label: texts::QUESTIONS_ANSWERED.into(), mood: DayMood::Plain },
        DayKind { label: texts::QUESTIONS_REFUSED.into(), mood: DayMood::Bad },
    ];
    let days = usage
        .days
        .iter()
        .map(|day| DayValues { day: day.date.to_string(), counts: vec![day.questions, day.refused_questions] });
    let days = days.collect();
    view! {
        <Card title=texts::QUOTAS actions><QuotaList quotas=usage.quotas /></Card>
        <Card title=texts::BY_DAY><DayPlot title=texts::BY_DAY kinds days /></Card>
        <SpendingCard months=usage.months days=usage.days currency=usage.currency />
    }
}
