//! Code to read and copy.

use leptos::prelude::*;

use super::CopyButton;
use crate::i18n::Localized;

/// Code to read and copy; scrolls sideways, by keyboard too.
#[component]
pub fn CodeBlock(
    #[prop(into)] label: Localized,
    /// Shown and copied unchanged.
    #[prop(into)]
    code: Signal<String>,
) -> impl IntoView {
    view! {
        <div class="ui-code">
            <pre class="ui-code__text" tabindex="0" role="group" aria-label=label><code>{move || code.get()}</code></pre>
            <div class="ui-code__actions"><CopyButton value=code /></div>
        </div>
    }
}
