//! The usage of the tenant: its quotas, and its visitors' questions by day.

use app::{
    api,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{DayRange, PageHeader, Skeleton},
    usage::{QuotaBanner, UsageView, texts},
};
use contract::usage::{GetOwnUsage, UsageQuery};
use leptos::prelude::*;

/// The usage of the user's tenant.
#[component]
pub(crate) fn UsagePage() -> impl IntoView {
    let range = DayRange::new(ListUrl::new("", 0));
    let usage = Resource::new(move || {
        let query = UsageQuery { days: range.days().into() };
        async move { api::call::<GetOwnUsage>(&(), &query, &()).await }
    });
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE />
        <Loaded resource=usage skeleton=|| view! { <Skeleton lines=8 /> } let:usage>
            <QuotaBanner quotas=usage.quotas.clone() />
            <UsageView usage range />
        </Loaded>
    }
}
