//! A chatbot's first page: the snippet for the site, and what it is.

use contract::chatbots::ChatbotStatus;
use leptos::prelude::*;

use super::{
    details::DetailsCard,
    embed::EmbedCard,
    frame::{Frame, Section},
};
use crate::provisioning::ProvisioningPoller;

/// The chatbot that the address names.
#[component]
pub(crate) fn ChatbotPage() -> impl IntoView {
    view! { <Frame section=Section::Embed content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let shown = poller.chatbot();
    let id = shown.with_untracked(|chatbot| chatbot.id);
    let is_active = Memo::new(move |_| shown.with(|chatbot| chatbot.status == ChatbotStatus::Active));
    view! {
        <div class="ui-grid ui-grid--main-side">
            <div class="ui-stack">
                {move || is_active.get().then(|| view! { <EmbedCard id /> })}
            </div>
            <div class="ui-stack">
                {move || view! { <DetailsCard chatbot=shown.get() /> }}
            </div>
        </div>
    }
    .into_any()
}
