//! The export of the output-filter audit: its parameters, its progress, and who exported before.

mod form;
mod run;
mod tenant_field;

use app::ui::{Banner, PageHeader};
use contract::audit::AuditFilter;
use leptos::prelude::*;

use self::form::ExportForm;
use crate::{audit::LatestAuditCard, paths, texts::output_filter as texts};

const ACTION: &str = "output_filter_audit.exported";

/// The export of the output-filter audit.
#[component]
pub(crate) fn OutputFilterPage() -> impl IntoView {
    let filter = AuditFilter { action: Some(ACTION.to_owned()), ..AuditFilter::default() };
    let done = RwSignal::new(0_u32);
    let earlier = move || {
        done.track();
        let all = paths::audit_of(&[("action", ACTION)]);
        view! { <LatestAuditCard title=texts::EARLIER filter=filter.clone() all /> }
    };
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE />
        <div class="ui-grid ui-grid--main-side">
            <ExportForm on_done=move |()| done.update(|turn| *turn += 1) />
            <div class="ui-stack">
                <Banner title=texts::TRUNCATION_TITLE>{texts::TRUNCATION.t()}</Banner>
                {earlier}
            </div>
        </div>
    }
}
