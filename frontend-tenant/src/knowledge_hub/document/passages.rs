//! The loaded passages of a document, and buttons to load those before and after them.

use app::{
    format,
    ui::{Button, Card, Prose},
};
use contract::id::PassageId;
use leptos::prelude::*;

use super::window::{PassageWindow, anchor};
use crate::texts::knowledge_hub as texts;

/// A passage in the page.
#[derive(Clone)]
struct Row {
    id: PassageId,
    /// Its heading, when the passage before it has another one.
    heading: Option<String>,
    content: String,
}

#[component]
pub(super) fn Passages(window: PassageWindow) -> impl IntoView {
    let earlier = Callback::new(move |()| window.load_earlier());
    let later = Callback::new(move |()| window.load_later());
    let busy = window.is_busy();
    view! {
        <Card title=texts::PASSAGES flush=true>
            <p class="ui-muted ui-entries__intro" role="status">{move || status(window)}</p>
            <Show when=move || window.has_earlier()>
                <div class="ui-entries__intro">
                    <Button small=true busy on_click=earlier>{texts::EARLIER_PASSAGES.t()}</Button>
                </div>
            </Show>
            <ol class="ui-entries">
                <For
                    each=move || rows(window)
                    key=|row| (row.id, row.heading.is_some())
                    children=move |row| item(row, window)
                />
            </ol>
            <Show when=move || window.has_later()>
                <div class="ui-entries__intro">
                    <Button small=true busy on_click=later>{texts::LATER_PASSAGES.t()}</Button>
                </div>
            </Show>
        </Card>
    }
}

/// Which passages are loaded.
fn status(window: PassageWindow) -> String {
    if window.is_empty() {
        return texts::NO_TEXT.get().to_owned();
    }
    let (before, end) = window.range();
    texts::SHOWN_PASSAGES.with_localized([before + 1, end, window.total()].map(format::number)).get()
}

fn rows(window: PassageWindow) -> Vec<Row> {
    let mut last = String::new();
    let row = |passage: contract::knowledge_hub::KnowledgePassage| {
        let is_new = passage.heading != last && !passage.heading.is_empty();
        last.clone_from(&passage.heading);
        Row { id: passage.id, heading: is_new.then_some(passage.heading), content: passage.content }
    };
    window.rows().into_iter().map(row).collect()
}

fn item(row: Row, window: PassageWindow) -> impl IntoView {
    let Row { id, heading, content } = row;
    let class =
        move || if window.is_marked(id) { "ui-entries__item ui-entries__item--marked" } else { "ui-entries__item" };
    let heading = heading.map(|heading| view! { <h3 class="ui-strong">{heading}</h3> });
    view! {
        <li class=class id=anchor(id) tabindex="-1">
            {heading}
            <Prose text=content />
        </li>
    }
}
