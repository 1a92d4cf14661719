//! Actions of administrators on a chatbot as a whole: copy, deactivate and delete.

use app::ui::Card;
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
pub(super) fn DangerZone(poller: ProvisioningPoller) -> impl IntoView {
    let chatbot = poller.chatbot();
    let is_active = Memo::new(move |_| chatbot.with(|chatbot| chatbot.status == ChatbotStatus::Active));
    (!is_read_only()).then(|| {
        view! {
            <Card title=texts::MANAGE flush=true>
                <DuplicateRow chatbot=chatbot />
                {move || match is_active.get() {
                    true => view! { <DeactivateRow chatbot=chatbot /> }.into_any(),
                    false => view! { <ReactivateRow poller /><EraseRow chatbot=chatbot.get_untracked() /> }.into_any(),
                }}
            </Card>
        }
    })
}
