//! The form of a dialog: its fields, its error, and the buttons to cancel and submit.

use leptos::{ev::SubmitEvent, prelude::*};

use super::{Button, ButtonKind};
use crate::{
    form::{Form, FormError},
    i18n::{Localized, texts},
};

/// The whole content of a [`super::Dialog`] with a form.
#[component]
pub fn DialogForm(
    /// Whether the dialog is open; the button that cancels closes it.
    open: RwSignal<bool>,
    form: Form,
    /// The button that sends it.
    #[prop(default = texts::SAVE.into(), into)]
    submit_label: Localized,
    /// The button that leaves everything as it is.
    #[prop(default = texts::CANCEL.into(), into)]
    cancel_label: Localized,
    on_submit: impl FnMut(SubmitEvent) + 'static,
    children: Children,
) -> impl IntoView {
    let busy = form.busy();
    view! {
        <form class="ui-dialog__form" novalidate on:submit=on_submit>
            <div class="ui-dialog__body">
                {children()}
                <FormError form />
            </div>
            <footer class="ui-dialog__footer">
                <Button disabled=busy on_click=move |()| open.set(false)>{cancel_label}</Button>
                <Button kind=ButtonKind::Primary submit=true busy>{submit_label}</Button>
            </footer>
        </form>
    }
}
