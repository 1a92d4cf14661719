//! The websites that requested a chatbot, with the outcome and what to do; and the check of one page, which waits for
//! requests of the widget there.

mod allow;
mod check;
mod days;
mod labels;
mod rows;

use app::{
    resource::{Loaded, Resource},
    ui::{Button, Card, EmptyState, IconName, Skeleton},
};
use contract::embed::EmbedReport;
use leptos::prelude::*;

pub(super) use self::check::CheckCard;
use self::rows::Rows;
use crate::texts::doctor as texts;

/// The websites that requested the chatbot.
#[component]
pub(super) fn WebsitesCard(
    /// The requests that the platform recorded.
    report: Resource<EmbedReport>,
) -> impl IntoView {
    let refresh = Callback::new(move |()| report.reload());
    view! {
        <Card
            title=texts::LIST
            flush=true
            actions=ViewFnOnce::from(move || view! {
                <Button small=true busy=Signal::derive(move || report.is_busy()) on_click=refresh>{texts::REFRESH.t()}</Button>
            })
        >
            <Loaded resource=report skeleton=|| view! { <div class="ui-entries__intro"><Skeleton lines=4 /></div> } let:latest>
                <Found latest report />
            </Loaded>
        </Card>
    }
}

#[component]
fn Found(latest: EmbedReport, report: Resource<EmbedReport>) -> impl IntoView {
    if latest.origins.is_empty() {
        return view! { <EmptyState icon=IconName::Globe title=texts::EMPTY_TITLE text=texts::EMPTY_TEXT /> }
            .into_any();
    }
    view! { <Rows latest report /> }.into_any()
}
