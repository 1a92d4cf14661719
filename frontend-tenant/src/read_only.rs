//! Replaces buttons for read-only users.

use app::{
    session::Session,
    ui::{Banner, Tone},
};
use leptos::prelude::*;

use crate::texts;

/// Whether the user is read-only.
pub(crate) fn is_read_only() -> bool {
    !Session::get().is_tenant_admin()
}

/// Explains on a page with a form that the user is read-only; shows nothing to tenant administrators.
#[component]
pub(crate) fn ReadOnlyBanner() -> impl IntoView {
    is_read_only().then(|| {
        view! { <Banner tone=Tone::Info title=texts::READ_ONLY_TITLE>{texts::READ_ONLY.t()}</Banner> }
    })
}

/// The children for tenant administrators, else a note in their place.
#[component]
pub(crate) fn AdminOnly(children: Children) -> impl IntoView {
    if is_read_only() {
        view! { <p class="ui-muted ui-small">{texts::READ_ONLY.t()}</p> }.into_any()
    } else {
        children().into_any()
    }
}
