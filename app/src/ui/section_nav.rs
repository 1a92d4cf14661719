//! Links to the pages of one thing, which look like tabs, and below them links to the parts of one page.

use leptos::{html::Nav, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::{
    format,
    i18n::{Localized, texts},
};

/// The number of open tasks behind a link; `None` until it is loaded.
pub type OpenCount = Signal<Option<i64>>;

/// One page of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionLink {
    /// The target.
    pub href: String,
    /// The page's name.
    pub label: Localized,
    /// Whether it is the current page.
    pub is_current: bool,
    /// The number of open tasks; nothing is shown for none.
    pub open: Option<OpenCount>,
}

/// Links between the pages of one thing; they scroll sideways where they do not fit.
#[component]
pub fn SectionNav(
    /// Names the links to screen readers.
    #[prop(into)]
    label: Localized,
    links: Vec<SectionLink>,
    /// Links to the parts of one page, below the links between pages.
    #[prop(optional)]
    parts: bool,
) -> impl IntoView {
    let (class, link_class) = if parts { ("ui-parts", "ui-parts__part") } else { ("ui-tabs", "ui-tabs__tab") };
    let counts: Vec<_> = links.iter().filter_map(|link| link.open).collect();
    let links: Vec<_> = links
        .into_iter()
        .map(|link| {
            let count = link.open.map(|open| move || open.get().filter(|count| *count > 0).map(open_count));
            view! {
                <a class=link_class href=link.href aria-current=link.is_current.then_some("page")>{link.label} {count}</a>
            }
        })
        .collect();
    let nav = NodeRef::<Nav>::new();
    Effect::new(move || {
        // They arrive later, and make links wider.
        counts.iter().for_each(|count| count.track());
        if let Some(nav) = nav.get() {
            request_animation_frame(move || reveal(&nav));
        }
    });
    view! { <nav class=class aria-label=label node_ref=nav>{links}</nav> }
}

fn open_count(count: i64) -> impl IntoView {
    let spoken = texts::OPEN_COUNT.with_localized([format::number(count)]);
    view! {
        <span class="ui-count" aria-hidden="true">{format::number(count)}</span>
        <span class="ui-visually-hidden">{spoken}</span>
    }
}

/// Scrolls the links sideways to centre the current one, so that the links on either side show that there are more.
fn reveal(nav: &HtmlElement) {
    if let Ok(Some(current)) = nav.query_selector("[aria-current=page]") {
        let current: HtmlElement = current.unchecked_into();
        let middle = current.offset_left() - nav.offset_left() + (current.offset_width() - nav.client_width()) / 2;
        nav.set_scroll_left(middle.max(0));
    }
}
