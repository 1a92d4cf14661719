//! The output filter: its events, counted and listed without texts, and the export, which has them.

mod events;
mod form;
mod range;
mod run;
mod tiles;

use app::{
    api,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Banner, PageHeader, SkeletonCards},
};
use contract::{
    audit::{AuditFilter, actions},
    output_filter::events::SummariseOutputFilterEvents,
};
use leptos::prelude::*;

use self::{events::EventsCard, form::ExportForm, range::Range, tiles::Tiles};
use crate::{audit::LatestAuditCard, paths, texts::output_filter as texts};

const ACTION: &str = actions::OUTPUT_FILTER_AUDIT_EXPORTED;
/// Events of a page.
const PAGE_SIZE: i64 = 25;

/// The events of the output filter and their export. The range and the tenant apply to both and are in the URL.
#[component]
pub(crate) fn OutputFilterPage() -> impl IntoView {
    let list = ListUrl::new("", PAGE_SIZE);
    let range = Range::new(list);
    let summary = Resource::new(move || {
        let selection = range::from_address(list);
        async move { api::call::<SummariseOutputFilterEvents>(&(), &selection?, &()).await }
    });
    let filter = AuditFilter { action: Some(ACTION.to_owned()), ..AuditFilter::default() };
    let done = RwSignal::new(0_u32);
    let earlier = move || {
        done.track();
        let all = paths::audit_of(&[("action", ACTION)]);
        view! { <LatestAuditCard title=texts::EARLIER filter=filter.clone() all nothing=texts::EARLIER_NONE /> }
    };
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE />
        <range::RangeCard range />
        <Loaded resource=summary skeleton=|| view! { <SkeletonCards /> } let:summary>
            <Tiles summary list />
        </Loaded>
        <EventsCard list />
        <div class="ui-grid ui-grid--main-side">
            <ExportForm range summary on_done=move |()| done.update(|count| *count += 1) />
            <div class="ui-stack">
                <Banner title=texts::TRUNCATION_TITLE>{texts::TRUNCATION.t()}</Banner>
                {earlier}
            </div>
        </div>
    }
}
