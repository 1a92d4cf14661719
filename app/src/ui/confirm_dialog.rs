//! A confirmation before something that cannot be undone. It names the affected thing.

use leptos::prelude::*;

use super::{Button, ButtonKind, Dialog, DialogSize, Failure, TextField};
use crate::{
    form::Field,
    i18n::{Localized, texts},
    problem::Problem,
};

/// A question before an action; with `type_to_confirm` the user types that text first.
#[component]
pub fn ConfirmDialog(
    open: RwSignal<bool>,
    /// The question.
    #[prop(into)]
    title: Localized,
    /// The consequences, including the name of the affected thing.
    #[prop(into)]
    text: Localized,
    /// The action, in a verb.
    #[prop(into)]
    confirm_label: Localized,
    /// The button that leaves everything as it is.
    #[prop(default = texts::CANCEL.into(), into)]
    cancel_label: Localized,
    /// The text to type first.
    #[prop(optional, into)]
    type_to_confirm: Option<String>,
    /// The action is under way.
    #[prop(optional, into)]
    busy: Signal<bool>,
    /// Why the action failed. Shown here, because the page behind the dialog is inert. Another attempt clears it.
    #[prop(optional)]
    failure: RwSignal<Option<Problem>>,
    /// Runs the action; it closes the dialog itself when it succeeded.
    #[prop(into)]
    on_confirm: Callback<()>,
) -> impl IntoView {
    let typed = Field::new("confirm", "");
    Effect::new(move |_| {
        if open.get() {
            typed.set(String::new());
            failure.set(None);
        }
    });
    let required = type_to_confirm.clone();
    let ready = Signal::derive(move || required.as_ref().is_none_or(|required| typed.get().trim() == required));
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if ready.get_untracked() && !busy.get_untracked() {
            failure.set(None);
            on_confirm.run(());
        }
    };
    let content = move || {
        let required = type_to_confirm.as_ref().map(|required| texts::TYPE_TO_CONFIRM.with(&[required]));
        view! {
            <form class="ui-dialog__form" on:submit=submit>
                <div class="ui-dialog__body">
                    <p>{text.clone()}</p>
                    {required.map(|label| view! { <TextField label field=typed mono=true /> })}
                    <Failure failure />
                </div>
                <Footer open cancel_label=cancel_label.clone() confirm_label=confirm_label.clone() busy ready />
            </form>
        }
    };
    view! { <Dialog open title size=DialogSize::Small dismissible=true>{content.clone()()}</Dialog> }
}

/// The two buttons.
#[component]
fn Footer(
    open: RwSignal<bool>,
    cancel_label: Localized,
    confirm_label: Localized,
    busy: Signal<bool>,
    /// Whether the action can be run.
    ready: Signal<bool>,
) -> impl IntoView {
    view! {
        <footer class="ui-dialog__footer">
            <Button disabled=busy on_click=move |()| open.set(false)>{cancel_label}</Button>
            <Button kind=ButtonKind::Danger submit=true busy disabled=Signal::derive(move || !ready.get())>
                {confirm_label}
            </Button>
        </footer>
    }
}
