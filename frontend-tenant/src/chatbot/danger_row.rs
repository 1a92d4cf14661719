//! One action on a chatbot as a whole: its explanation and its button.

use app::i18n::Text;
use leptos::prelude::*;

/// The row of an action.
#[component]
pub(super) fn DangerRow(
    /// The name of the action.
    title: Text,
    text: Text,
    /// The button, with its dialog.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="ui-action">
            <div class="ui-action__text">
                <h3>{title.t()}</h3>
                <p class="ui-muted">{text.t()}</p>
            </div>
            {children()}
        </div>
    }
}
