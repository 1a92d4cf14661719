//! What stands where a button would be, for users who may look and not change.

use app::{
    session::Session,
    ui::{Banner, Tone},
};
use leptos::prelude::*;

use crate::texts;

/// Says on a page with a form that the user may only look; nothing for tenant administrators.
#[component]
pub(crate) fn ReadOnlyBanner() -> impl IntoView {
    (!Session::get().is_tenant_admin()).then(|| {
        view! { <Banner tone=Tone::Info title=texts::READ_ONLY_TITLE>{texts::READ_ONLY.t()}</Banner> }
    })
}

/// The children for tenant administrators, else a note in their place.
#[component]
pub(crate) fn AdminOnly(
    /// The button.
    children: Children,
) -> impl IntoView {
    if Session::get().is_tenant_admin() {
        children().into_any()
    } else {
        view! { <p class="ui-muted ui-small">{texts::READ_ONLY.t()}</p> }.into_any()
    }
}
