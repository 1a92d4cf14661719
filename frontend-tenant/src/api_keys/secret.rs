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
    let created = context.created;
    let open = open_while_some(created);
    let title = Localized::new(move || {
        let name = created.with(|created| created.as_ref().map(|key| key.key.name.clone()).unwrap_or_default());
        texts::SECRET_TITLE.with(&[&name]).get()
    });
    view! {
        <Dialog open title size=DialogSize::Large>
            <div class="ui-dialog__body">
                <Banner tone=Tone::Warning>{texts::SECRET_TEXT.t()}</Banner>
                {move || created.get().map(|new_key| view! {
                    <div data-new-key=""><CodeBlock label=texts::SECRET code=Signal::stored(new_key.secret.clone()) /></div>
                    <Example key=new_key.key secret=new_key.secret context />
                })}
            </div>
            <footer class="ui-dialog__footer">
                <Button kind=ButtonKind::Primary on_click=move |()| open.set(false)>{texts::DONE.t()}</Button>
            </footer>
        </Dialog>
    }
}
