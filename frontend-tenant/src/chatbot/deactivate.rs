//! Deactivates a chatbot after a confirmation that explains the consequences, and activates it again.

use app::{
    api,
    i18n::Localized,
    page_task::spawn_on_page,
    problem::Problem,
    ui::{Button, ButtonKind, ConfirmDialog, ToastKind, toast, toast_problem},
};
use contract::{
    ChatbotId,
    chatbots::{Chatbot, ChatbotStatus, DeactivateChatbot, GetChatbot, ReactivateChatbot},
};
use leptos::prelude::*;

use super::danger_row::DangerRow;
use crate::{provisioning::ProvisioningPoller, texts::chatbot as texts};

/// The button, and the question before it acts.
#[component]
pub(super) fn DeactivateRow(
    /// The chatbot; shows the deactivated one afterwards.
    chatbot: RwSignal<Chatbot>,
) -> impl IntoView {
    let (open, busy, failure) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(None));
    let (id, name) = chatbot.with_untracked(|chatbot| (chatbot.id, chatbot.name.clone()));
    let deactivated = texts::DEACTIVATED_TOAST.with(&[&name]);
    let confirm = Callback::new(move |()| {
        spawn_on_page(busy, deactivate(id, deactivated.clone()), move |result| match result {
            Ok(fresh) => {
                open.set(false);
                chatbot.update(|chatbot| match fresh {
                    Some(fresh) => *chatbot = fresh,
                    None => chatbot.status = ChatbotStatus::Deactivated,
                });
            }
            Err(problem) => failure.set(Some(problem)),
        });
    });
    view! {
        <DangerRow title=texts::DEACTIVATE_CARD text=texts::DEACTIVATE_CARD_TEXT>
            <div class="ui-row">
                <Button kind=ButtonKind::Danger on_click=Callback::new(move |()| open.set(true))>
                    {texts::DEACTIVATE.t()}
                </Button>
            </div>
            <ConfirmDialog
                open
                title=texts::DEACTIVATE_TITLE.with(&[&name])
                text=texts::DEACTIVATE_TEXT
                confirm_label=texts::DEACTIVATE
                busy
                failure
                on_confirm=confirm
            />
        </DangerRow>
    }
}

/// The button that activates a deactivated chatbot again.
#[component]
pub(super) fn ReactivateRow(
    /// Receives the active chatbot and follows its provisioning.
    poller: ProvisioningPoller,
) -> impl IntoView {
    let busy = RwSignal::new(false);
    let (id, name) = poller.chatbot().with_untracked(|chatbot| (chatbot.id, chatbot.name.clone()));
    let reactivate = Callback::new(move |()| {
        let call = async move { api::call::<ReactivateChatbot>(&id, &(), &()).await };
        let name = name.clone();
        spawn_on_page(busy, call, move |result| match result {
            Ok(fresh) => {
                toast(ToastKind::Success, texts::REACTIVATED_TOAST.with(&[&name]));
                poller.accept(fresh);
            }
            Err(problem) => toast_problem(&problem),
        });
    });
    view! {
        <DangerRow title=texts::REACTIVATE_CARD text=texts::REACTIVATE_CARD_TEXT>
            <div class="ui-row">
                <Button kind=ButtonKind::Primary busy on_click=reactivate>{texts::REACTIVATE.t()}</Button>
            </div>
        </DangerRow>
    }
}

/// Deactivates the chatbot, shows a message, and reloads it; `None` if it could not be loaded again.
async fn deactivate(id: ChatbotId, deactivated: Localized) -> Result<Option<Chatbot>, Problem> {
    api::call::<DeactivateChatbot>(&id, &(), &()).await?;
    toast(ToastKind::Success, deactivated);
    Ok(api::call::<GetChatbot>(&id, &(), &()).await.ok())
}
