//! The usage of the tenant: its quotas, and its visitors' questions by day.

use app::{
    api,
    resource::{Loaded, Resource},
    ui::{PageHeader, Skeleton},
    usage::{QuotaBanner, UsageView, texts},
};
use contract::usage::GetOwnUsage;
use leptos::prelude::*;

/// The usage of the user's tenant.
#[component]
pub(crate) fn UsagePage() -> impl IntoView {
    let usage = Resource::new(|| async { api::call::<GetOwnUsage>(&(), &(), &()).await });
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE />
        <Loaded resource=usage skeleton=|| view! { <Skeleton lines=8 /> } let:usage>
            <QuotaBanner quotas=usage.quotas.clone() />
            <UsageView usage />
        </Loaded>
    }
}
