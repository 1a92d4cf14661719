//! The passages of a document. The one that the address names is marked and scrolled to.

use app::{
    format,
    ui::{Card, Prose},
};
use contract::{id::PassageId, knowledge_hub::KnowledgePassage};
use leptos::{ev, prelude::*};
use leptos_router::hooks::use_location;

use crate::texts::knowledge_hub as texts;

/// The place of a passage in the page.
pub(super) fn anchor(id: PassageId) -> String {
    format!("passage-{id}")
}

/// Follows a link within the page: the router would take it for a navigation.
pub(super) fn jump(event: &ev::MouseEvent, anchor: &str) {
    event.prevent_default();
    show(anchor);
}

fn show(anchor: &str) {
    if let Some(passage) = document().get_element_by_id(anchor) {
        passage.scroll_into_view();
    }
}

#[component]
pub(super) fn Passages(passages: Vec<KnowledgePassage>, total: i64) -> impl IntoView {
    let hash = use_location().hash.get_untracked();
    let wanted = hash.trim_start_matches('#').to_owned();
    if !wanted.is_empty() {
        let wanted = wanted.clone();
        request_animation_frame(move || show(&wanted));
    }
    let shown = passages.len();
    let mut last = String::new();
    let items: Vec<_> = passages
        .into_iter()
        .map(|passage| {
            let id = anchor(passage.id);
            let class = if id == wanted { "ui-entries__item ui-entries__item--marked" } else { "ui-entries__item" };
            let heading = (passage.heading != last && !passage.heading.is_empty())
                .then(|| view! { <h3 class="ui-strong">{passage.heading.clone()}</h3> });
            last = passage.heading;
            view! {
                <li class=class id=id>
                    {heading}
                    <Prose text=passage.content />
                </li>
            }
        })
        .collect();
    let is_cut = i64::try_from(shown).is_ok_and(|shown| shown < total);
    let more = is_cut.then(|| {
        let text = texts::MORE_PASSAGES.with_localized([format::count(shown), format::number(total)]);
        view! { <p class="ui-muted ui-entries__intro">{text}</p> }
    });
    let none = (shown == 0).then(|| view! { <p class="ui-muted ui-entries__intro">{texts::NO_TEXT.t()}</p> });
    view! {
        <Card title=texts::PASSAGES flush=true>
            {none}
            <ol class="ui-entries">{items}</ol>
            {more}
        </Card>
    }
}
