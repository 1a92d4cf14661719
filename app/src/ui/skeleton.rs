//! Grey placeholders of content that is loading.

use leptos::prelude::*;

fn line(modifier: &'static str) -> impl IntoView {
    view! { <span class=format!("ui-skeleton__line {modifier}")></span> }
}

/// Lines of text that are loading.
#[component]
pub fn Skeleton(#[prop(default = 3)] lines: usize) -> impl IntoView {
    let last = lines.saturating_sub(1);
    let lines: Vec<_> =
        (0..lines).map(|index| line(if index == last { "ui-skeleton__line--short" } else { "" })).collect();
    view! { <div class="ui-skeleton" aria-hidden="true">{lines}</div> }
}

/// A table that is loading.
#[component]
pub fn SkeletonTable(#[prop(default = 6)] rows: usize, #[prop(default = 4)] columns: usize) -> impl IntoView {
    let row = |_| {
        let cells: Vec<_> = (0..columns).map(|_| line("")).collect();
        view! { <div class="ui-skeleton__row">{cells}</div> }
    };
    let rows: Vec<_> = (0..rows).map(row).collect();
    view! { <div class="ui-skeleton ui-skeleton--table" aria-hidden="true">{rows}</div> }
}

/// Cards that are loading.
#[component]
pub fn SkeletonCards(#[prop(default = 4)] count: usize) -> impl IntoView {
    let card = |_| {
        view! { <div class="ui-skeleton ui-skeleton--card">{line("ui-skeleton__line--short")}{line("ui-skeleton__line--title")}</div> }
    };
    let cards: Vec<_> = (0..count).map(card).collect();
    view! { <div class="ui-grid ui-grid--cards" aria-hidden="true">{cards}</div> }
}
