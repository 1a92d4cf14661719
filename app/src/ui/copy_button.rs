//! Copies a text to the clipboard and confirms it.

use std::time::Duration;

use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen_futures::JsFuture;

use super::{Icon, IconName};
use crate::i18n::{Localized, texts};

/// How long the confirmation is shown.
const CONFIRMATION_TIME: Duration = Duration::from_secs(2);

/// Copies a text to the clipboard.
#[component]
pub fn CopyButton(
    /// The text to copy.
    #[prop(into)]
    value: Signal<String>,
    /// The button's label; *Copy* by default.
    #[prop(optional, into)]
    label: Localized,
) -> impl IntoView {
    let copied = RwSignal::new(false);
    let copy = move |_| {
        let promise = window().navigator().clipboard().write_text(&value.get_untracked());
        spawn_local(async move {
            if JsFuture::from(promise).await.is_ok() {
                copied.set(true);
                set_timeout(
                    move || {
                        copied.try_set(false);
                    },
                    CONFIRMATION_TIME,
                );
            }
        });
    };
    let label = if label.is_empty() { texts::COPY.into() } else { label };
    let text = move || if copied.get() { texts::COPIED.get().to_owned() } else { label.get() };
    let icon = move || if copied.get() { IconName::Check } else { IconName::Copy };
    view! {
        <button
            class="ui-button ui-button--ghost ui-button--small"
            type="button"
            data-copied=move || copied.get().then_some("true")
            on:click=copy
        >
            {move || view! { <Icon name=icon() /> }}
            <span class="ui-button__label">{text}</span>
        </button>
        <span class="ui-visually-hidden" role="status">{move || copied.get().then(|| texts::COPIED.get())}</span>
    }
}
