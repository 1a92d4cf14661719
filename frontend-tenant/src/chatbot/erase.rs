//! Permanently deletes a deactivated chatbot, after a confirmation that lists the affected data and requires the
//! chatbot's name.

use app::{
    api,
    page_task::spawn_on_page,
    ui::{Button, ButtonKind, ConfirmDialog, ToastKind, toast, use_guarded_navigate},
};
use contract::chatbots::{Chatbot, ChatbotErasure, EraseChatbot};
use leptos::prelude::*;

use super::danger_row::DangerRow;
use crate::{paths, texts::chatbot as texts};

/// The button, and its confirmation; opens the list of chatbots afterwards.
#[component]
pub(super) fn EraseRow(chatbot: Chatbot) -> impl IntoView {
    let (open, busy, failure) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(None));
    let Chatbot { id, slug, name, .. } = chatbot;
    let (typed, title) = (name.trim().to_owned(), texts::ERASE_TITLE.with(&[&name]));
    let leave = use_guarded_navigate();
    let confirm = Callback::new(move |()| {
        let (body, erased, leave) =
            (ChatbotErasure { slug: slug.clone() }, texts::ERASED_TOAST.with(&[&name]), leave.clone());
        let call = async move { api::call::<EraseChatbot>(&id, &(), &body).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(()) => {
                open.set(false);
                toast(ToastKind::Success, erased);
                leave(paths::CHATBOTS);
            }
            Err(problem) => failure.set(Some(problem)),
        });
    });
    view! {
        <DangerRow title=texts::ERASE_CARD text=texts::ERASE_CARD_TEXT>
            <div class="ui-row">
                <Button kind=ButtonKind::Danger on_click=Callback::new(move |()| open.set(true))>
                    {texts::ERASE.t()}
                </Button>
            </div>
            <ConfirmDialog
                open
                title
                text=texts::ERASE_TEXT
                confirm_label=texts::ERASE
                type_to_confirm=typed
                busy
                failure
                on_confirm=confirm
            />
        </DangerRow>
    }
}
