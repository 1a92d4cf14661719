//! Which websites asked for a chatbot, what came of it and what to do; and the check of one page, which waits for what
//! the widget there asks.

mod allow;
mod check;
mod days;
mod labels;
mod rows;

use app::{
    api,
    resource::{Loaded, Resource},
    ui::{Button, ButtonLink, Card, EmptyState, IconName, Skeleton},
};
use contract::{
    ChatbotId,
    embed::{EmbedReport, EmbedReportQuery, GetEmbedReport},
};
use leptos::prelude::*;

use self::{check::CheckCard, rows::Rows};
use super::frame::{Frame, Section};
use crate::{provisioning::ProvisioningPoller, routes, texts::doctor as texts};

/// The websites that asked for the chatbot that the address names.
#[component]
pub(crate) fn DoctorPage() -> impl IntoView {
    view! { <Frame section=Section::Doctor content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let id = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    let report =
        Resource::new(move || async move { api::call::<GetEmbedReport>(&id, &EmbedReportQuery::default(), &()).await });
    let refresh = Callback::new(move |()| report.reload());
    view! {
        <div class="ui-grid ui-grid--main-side ui-grid--side-first">
            <Card
                title=texts::LIST
                flush=true
                actions=ViewFnOnce::from(move || view! {
                    <Button small=true busy=Signal::derive(move || report.is_busy()) on_click=refresh>{texts::REFRESH.t()}</Button>
                })
            >
                <Loaded resource=report skeleton=|| view! { <div class="ui-entries__intro"><Skeleton lines=4 /></div> } let:found>
                    <Found id found report />
                </Loaded>
            </Card>
            <CheckCard id report />
        </div>
    }
    .into_any()
}

#[component]
fn Found(id: ChatbotId, found: EmbedReport, report: Resource<EmbedReport>) -> impl IntoView {
    if found.origins.is_empty() {
        return view! {
            <EmptyState icon=IconName::Globe title=texts::EMPTY_TITLE text=texts::EMPTY_TEXT>
                <ButtonLink href=routes::chatbot(id)>{texts::EMPTY_ACTION.t()}</ButtonLink>
            </EmptyState>
        }
        .into_any();
    }
    view! { <Rows found report /> }.into_any()
}
