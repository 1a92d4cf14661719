//! The footer of a long form: shows unsaved changes, saves or discards them, and asks before the page is left.

use leptos::{html, prelude::*};

use super::{Button, ButtonKind, UnsavedGuard, app_shell::focus_still};
use crate::{
    form::{Form, FormError},
    i18n::{Localized, texts},
};

/// The foot of a long form; it stays in sight while something is not saved.
#[component]
pub fn SaveBar(
    /// Whose changes are saved.
    form: Form,
    /// Number of fields that differ from the stored ones.
    #[prop(into)]
    changes: Signal<usize>,
    /// The action, in a verb.
    #[prop(into)]
    save_label: Localized,
    #[prop(into)] on_discard: Callback<()>,
) -> impl IntoView {
    let text = move || match changes.get() {
        0 => texts::NO_CHANGES.get().to_owned(),
        1 => texts::CHANGES_ONE.get().to_owned(),
        count => texts::CHANGES.with(&[&count.to_string()]).get(),
    };
    let nothing = Signal::derive(move || changes.get() == 0);
    let discard = move |()| {
        on_discard.run(());
        form.accept(&[]);
    };
    let (bar, status) = (NodeRef::<html::Div>::new(), NodeRef::<html::P>::new());
    // A button that has just been pressed and is of no use any more would lose the focus to nowhere.
    Effect::new(move |before: Option<usize>| {
        let now = changes.get();
        let holds = bar.get_untracked().is_some_and(|bar| bar.contains(document().active_element().as_deref()));
        if now == 0
            && before.is_some_and(|before| before > 0)
            && holds
            && let Some(status) = status.get_untracked()
        {
            focus_still(&status);
        }
        now
    });
    view! {
        <UnsavedGuard dirty=Signal::derive(move || changes.get() > 0) />
        <div class="ui-form__bar" node_ref=bar>
            <FormError form />
            <p class="ui-muted" role="status" tabindex="-1" node_ref=status>{text}</p>
            <div class="ui-row">
                <Button disabled=nothing on_click=discard>{texts::DISCARD.t()}</Button>
                <Button kind=ButtonKind::Primary submit=true busy=form.busy() disabled=nothing>{save_label}</Button>
            </div>
        </div>
    }
}
