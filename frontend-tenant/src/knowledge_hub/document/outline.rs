//! The headings of a whole document as links to their passages.

use app::ui::Card;
use contract::{id::PassageId, knowledge_hub::OutlineHeading};
use leptos::prelude::*;

use super::window::{PassageWindow, anchor};
use crate::texts::knowledge_hub as texts;

/// The card with the headings; `None` when there are fewer than two.
#[component]
pub(super) fn Outline(headings: Vec<OutlineHeading>, window: PassageWindow) -> impl IntoView {
    let headings = own_parts(headings);
    if headings.len() < 2 {
        return None;
    }
    let links: Vec<_> = headings
        .into_iter()
        .map(|(id, heading)| {
            // The router would handle the link as a navigation.
            let jump = move |event: leptos::ev::MouseEvent| {
                event.prevent_default();
                window.jump(id);
            };
            let href = format!("#{}", anchor(id));
            view! {
                <li class="ui-break"><a class="ui-link ui-link--quiet" href=href on:click=jump>{heading}</a></li>
            }
        })
        .collect();
    Some(view! {
        <Card title=texts::OUTLINE>
            <nav aria-label=texts::OUTLINE.t()><ul class="ui-list ui-list--loose">{links}</ul></nav>
        </Card>
    })
}

/// Each heading without those above it, equal neighbours once.
fn own_parts(headings: Vec<OutlineHeading>) -> Vec<(PassageId, String)> {
    let parts = headings.into_iter().map(|OutlineHeading { heading, passage_id, .. }| {
        (passage_id, heading.rsplit(" > ").next().unwrap_or_default().to_owned())
    });
    let mut parts: Vec<_> = parts.collect();
    parts.dedup_by(|next, former| next.1 == former.1);
    parts
}
