//! Every component in every state on one page, for work on the design system.

#![allow(unreachable_pub, reason = "the component macro emits a second, hidden item that is public")]

mod actions;
mod data;
mod fields;
mod frame;
mod states;

use leptos::prelude::*;

use crate::ui::PageHeader;

/// The page with every component.
#[component]
pub fn GalleryPage() -> impl IntoView {
    view! {
        <PageHeader title="Gallery" subtitle="Every component in every state." />
        <frame::FrameNotes />
        <actions::Actions />
        <fields::Fields />
        <data::Data />
        <states::States />
    }
}

/// One group of the gallery.
#[component]
fn Section(title: &'static str, children: Children) -> impl IntoView {
    view! {
        <section class="ui-gallery__section">
            <h2>{title}</h2>
            {children()}
        </section>
    }
}
