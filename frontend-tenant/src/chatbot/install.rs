//! How to install the chatbot on a website: the snippet, the check of a page, and the websites that requested the
//! chatbot.

use app::{api, resource::Resource};
use contract::{
    chatbots::ChatbotStatus,
    embed::{EmbedReportQuery, GetEmbedReport},
};
use leptos::prelude::*;

use super::{
    doctor::{CheckCard, WebsitesCard},
    embed::EmbedCard,
    frame::Frame,
    parts::Part,
};
use crate::provisioning::ProvisioningPoller;

/// How to install the chatbot in the URL.
#[component]
pub(crate) fn InstallPage() -> impl IntoView {
    view! { <Frame part=Part::Install content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let chatbot = poller.chatbot();
    let id = chatbot.with_untracked(|chatbot| chatbot.id);
    let is_active = Memo::new(move |_| chatbot.with(|chatbot| chatbot.status == ChatbotStatus::Active));
    let report =
        Resource::new(move || async move { api::call::<GetEmbedReport>(&id, &EmbedReportQuery::default(), &()).await });
    view! {
        <div class="ui-grid ui-grid--main-side">
            <div class="ui-stack">
                {move || is_active.get().then(|| view! { <EmbedCard id /> })}
                <WebsitesCard report />
            </div>
            <div class="ui-stack ui-sticky"><CheckCard id report /></div>
        </div>
    }
    .into_any()
}
