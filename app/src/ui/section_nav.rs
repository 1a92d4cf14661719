//! The pages of one thing, as links that look like tabs.

use leptos::{html::Nav, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::i18n::Localized;

/// One page of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionLink {
    /// Where it leads.
    pub href: String,
    /// The page's name.
    pub label: Localized,
    /// Whether it is the page that is shown.
    pub is_current: bool,
}

/// Links between the pages of one thing; they scroll sideways where they do not fit.
#[component]
pub fn SectionNav(
    /// What the pages are about.
    #[prop(into)]
    label: Localized,
    /// The pages.
    links: Vec<SectionLink>,
) -> impl IntoView {
    let links: Vec<_> = links
        .into_iter()
        .map(|link| {
            view! {
                <a class="ui-tabs__tab" href=link.href aria-current=link.is_current.then_some("page")>{link.label}</a>
            }
        })
        .collect();
    let nav = NodeRef::<Nav>::new();
    Effect::new(move || {
        if let Some(nav) = nav.get() {
            request_animation_frame(move || reveal(&nav));
        }
    });
    view! { <nav class="ui-tabs ui-tabs--many" aria-label=label node_ref=nav>{links}</nav> }
}

/// Scrolls the links sideways until the one that is shown stands in the middle: what lies on either side tells that there is more.
fn reveal(nav: &HtmlElement) {
    if let Ok(Some(current)) = nav.query_selector("[aria-current=page]") {
        let current: HtmlElement = current.unchecked_into();
        let middle = current.offset_left() - nav.offset_left() + (current.offset_width() - nav.client_width()) / 2;
        nav.set_scroll_left(middle.max(0));
    }
}
