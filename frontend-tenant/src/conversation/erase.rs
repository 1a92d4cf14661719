//! Erases a conversation after a confirmation that says what is lost and what stays.

use app::{
    api, format,
    i18n::plural,
    page_task::spawn_on_page,
    problem::Problem,
    ui::{Button, ButtonKind, ConfirmDialog, IconName, ToastKind, toast},
};
use contract::{SessionId, conversations::EraseConversation};
use leptos::prelude::*;
use leptos_router::{NavigateOptions, hooks::use_navigate};

use crate::{read_only::AdminOnly, texts::conversations as texts};

/// The button, and its confirmation; opens the list afterwards.
#[component]
pub(super) fn EraseButton(
    session: SessionId,
    count: usize,
    /// The address of the list.
    back: String,
) -> impl IntoView {
    let (open, busy) = (RwSignal::new(false), RwSignal::new(false));
    let failure = RwSignal::new(None::<Problem>);
    let navigate = use_navigate();
    let confirm = Callback::new(move |()| {
        let (navigate, back) = (navigate.clone(), back.clone());
        let call = async move { api::call::<EraseConversation>(&session, &(), &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(()) => {
                open.set(false);
                toast(ToastKind::Success, texts::ERASED);
                // The address has the console's base already.
                let options = NavigateOptions { resolve: false, replace: true, ..NavigateOptions::default() };
                navigate(&back, options);
            }
            Err(problem) => failure.set(Some(problem)),
        });
    });
    let text = plural(i64::try_from(count).unwrap_or(i64::MAX), texts::ERASE_TEXT_ONE, texts::ERASE_TEXT);
    let count = format::count(count);
    view! {
        <AdminOnly>
            <Button kind=ButtonKind::Ghost icon=IconName::Trash on_click=Callback::new(move |()| open.set(true))>
                {texts::ERASE.t()}
            </Button>
            <ConfirmDialog
                open
                title=texts::ERASE_TITLE
                text=text.with_localized([count.clone()])
                confirm_label=texts::ERASE
                busy
                failure
                on_confirm=confirm
            />
        </AdminOnly>
    }
}
