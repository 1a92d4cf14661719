//! Every component in every state on one page, for work on the design system.

mod actions;
mod data;
mod fields;
mod frame;
mod states;

use app::ui::PageHeader;
use leptos::prelude::*;

/// The page with every component.
#[component]
pub(crate) fn GalleryPage() -> impl IntoView {
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
