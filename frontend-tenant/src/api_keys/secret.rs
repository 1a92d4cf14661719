//! A new key, shown once.

use app::{
    i18n::Localized,
    ui::{Banner, Button, ButtonKind, CodeBlock, Dialog, DialogSize, Tone, open_while_some},
};
use leptos::prelude::*;

use super::{Context, examples::Example};
use crate::texts::api_keys as texts;

/// Shows a new key. What it shows is forgotten when it closes.
#[component]
pub(super) fn SecretDialog(context: Context) -> impl IntoView {
    let shown = context.shown;
    let open = open_while_some(shown);
    let title = Localized::new(move || {
        let name = shown.with(|shown| shown.as_ref().map(|made| made.key.name.clone()).unwrap_or_default());
        texts::SECRET_TITLE.with(&[&name]).get()
    });
    view! {
        <Dialog open title size=DialogSize::Large>
            <div class="ui-dialog__body">
                <Banner tone=Tone::Warning>{texts::SECRET_TEXT.t()}</Banner>
                {move || shown.get().map(|made| view! {
                    <div data-new-key=""><CodeBlock label=texts::SECRET code=Signal::stored(made.secret.clone()) /></div>
                    <Example key=made.key secret=made.secret context />
                })}
            </div>
            <footer class="ui-dialog__footer">
                <Button kind=ButtonKind::Primary on_click=move |()| open.set(false)>{texts::DONE.t()}</Button>
            </footer>
        </Dialog>
    }
}
