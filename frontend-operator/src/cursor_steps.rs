//! Navigation of a list with cursor pagination.

use app::{i18n::Text, list_url::ListUrl, ui::Button};
use leptos::prelude::*;

use crate::texts;

/// Links to the newest, newer and older rows. The position is in the URL as `cursor`.
#[component]
pub(crate) fn CursorSteps(
    list: ListUrl,
    /// The page of older rows.
    next_cursor: Option<String>,
    /// The page of newer rows.
    previous_cursor: Option<String>,
    /// The text at the end of the list.
    end: Text,
) -> impl IntoView {
    let is_newest = untrack(|| list.value("cursor").is_empty());
    let is_end = next_cursor.is_none();
    let step = |label: Text, cursor: Option<String>| {
        let is_nowhere = cursor.is_none();
        let go = move |()| {
            if let Some(cursor) = &cursor {
                list.set(&[("cursor", cursor)]);
            }
        };
        view! { <Button small=true disabled=is_nowhere on_click=go>{label.t()}</Button> }
    };
    view! {
        <nav class="ui-pagination" aria-label=app::i18n::texts::PAGINATION.t()>
            <p class="ui-pagination__status" role="status">{is_end.then(|| end.t())}</p>
            {step(texts::NEWEST, (!is_newest).then(String::new))}
            {step(texts::NEWER, previous_cursor)}
            {step(texts::OLDER, next_cursor)}
        </nav>
    }
}
