//! Deactivates a chatbot after a question that says what stops.

use app::{
    api,
    ui::{Button, ButtonKind, Card, ConfirmDialog, ToastKind, toast, toast_problem},
};
use contract::chatbots::{Chatbot, DeactivateChatbot, GetChatbot};
use leptos::{prelude::*, task::spawn_local};

use crate::{read_only::AdminOnly, texts::chatbot as texts};

/// The button, and the question before it acts.
#[component]
pub(super) fn DeactivateCard(
    /// The chatbot; shows the deactivated one afterwards.
    chatbot: RwSignal<Chatbot>,
) -> impl IntoView {
    let (open, busy) = (RwSignal::new(false), RwSignal::new(false));
    let name = chatbot.with_untracked(|chatbot| chatbot.name.clone());
    let confirm = Callback::new(move |()| {
        busy.set(true);
        spawn_local(async move {
            deactivate(chatbot).await;
            // The card, and the dialog with it, is gone when the chatbot is deactivated.
            busy.try_set(false);
            open.try_set(false);
        });
    });
    view! {
        <Card title=texts::DEACTIVATE_CARD>
            <p class="ui-muted">{texts::DEACTIVATE_CARD_TEXT.t()}</p>
            <AdminOnly>
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
                    on_confirm=confirm
                />
            </AdminOnly>
        </Card>
    }
}

async fn deactivate(chatbot: RwSignal<Chatbot>) {
    let Some((id, name)) = chatbot.try_with_untracked(|chatbot| (chatbot.id, chatbot.name.clone())) else { return };
    if let Err(problem) = api::call::<DeactivateChatbot>(&id, &(), &()).await {
        toast_problem(&problem);
        return;
    }
    toast(ToastKind::Success, texts::DEACTIVATED_TOAST.with(&[&name]));
    match api::call::<GetChatbot>(&id, &(), &()).await {
        Ok(fresh) => {
            chatbot.try_set(fresh);
        }
        Err(problem) => toast_problem(&problem),
    }
}
