//! Every component in every state on one page, to look at while changing the design system.

use leptos::prelude::*;

/// The gallery.
#[component]
pub fn GalleryPage() -> impl IntoView {}
