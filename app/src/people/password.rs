//! A first password, shown once.

use leptos::prelude::*;

use super::texts;
use crate::ui::{
    Banner, Button, ButtonKind, CopyButton, DefinitionItem, DefinitionList, Dialog, Tone, open_while_some,
};

/// A user name with its first password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Credentials {
    pub(super) name: String,
    pub(super) username: String,
    pub(super) password: String,
}

/// Shows a first password. What it shows is forgotten when it closes.
#[component]
pub(super) fn PasswordDialog(
    /// The shown credentials; `None` closes the dialog.
    credentials: RwSignal<Option<Credentials>>,
) -> impl IntoView {
    let open = open_while_some(credentials);
    let title = crate::i18n::Localized::new(move || {
        let name = credentials
            .with(|credentials| credentials.as_ref().map(|credentials| credentials.name.clone()).unwrap_or_default());
        texts::PASSWORD_TITLE.with(&[&name]).get()
    });
    view! {
        <Dialog open title>
            <div class="ui-dialog__body">
                <Banner tone=Tone::Warning>{texts::PASSWORD_TEXT.t()}</Banner>
                {move || credentials.get().map(|Credentials { username, password, .. }| view! {
                    <DefinitionList stacked=true>
                        <DefinitionItem term=texts::USERNAME>
                            <span class="ui-row ui-row--wrap">
                                <span class="ui-mono">{username.clone()}</span><CopyButton value=username />
                            </span>
                        </DefinitionItem>
                        <DefinitionItem term=texts::PASSWORD>
                            <span class="ui-row ui-row--wrap">
                                <span class="ui-mono" data-first-password="">{password.clone()}</span>
                                <CopyButton value=password />
                            </span>
                        </DefinitionItem>
                    </DefinitionList>
                })}
            </div>
            <footer class="ui-dialog__footer">
                <Button kind=ButtonKind::Primary on_click=move |()| open.set(false)>{texts::PASSWORD_DONE.t()}</Button>
            </footer>
        </Dialog>
    }
}
