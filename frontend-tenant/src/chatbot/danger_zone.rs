//! Actions of administrators on a chatbot as a whole: copy, deactivate and delete.

use app::{i18n::Text, ui::Card};
use contract::chatbots::ChatbotStatus;
use leptos::prelude::*;

use super::{
    deactivate::{DeactivateRow, ReactivateRow},
    duplicate::DuplicateRow,
    erase::EraseRow,
};
use crate::{provisioning::ProvisioningPoller, read_only::is_read_only, texts::chatbot as texts};

/// The card at the end of the settings.
#[component]
pub(super) fn DangerZone(
    /// The chatbot.
    poller: ProvisioningPoller,
) -> impl IntoView {
    let shown = poller.chatbot();
    let is_active = Memo::new(move |_| shown.with(|chatbot| chatbot.status == ChatbotStatus::Active));
    (!is_read_only()).then(|| {
        view! {
            <Card title=texts::MANAGE flush=true>
                <DuplicateRow chatbot=shown />
                {move || match is_active.get() {
                    true => view! { <DeactivateRow chatbot=shown /> }.into_any(),
                    false => view! { <ReactivateRow poller /><EraseRow chatbot=shown.get_untracked() /> }.into_any(),
                }}
            </Card>
        }
    })
}

/// One action: its explanation and its button.
#[component]
pub(super) fn DangerRow(
    /// The name of the action.
    title: Text,
    /// The explanation.
    text: Text,
    /// The button, with its dialog.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="ui-action">
            <div class="ui-action__text">
                <h3>{title.t()}</h3>
                <p class="ui-muted">{text.t()}</p>
            </div>
            {children()}
        </div>
    }
}
