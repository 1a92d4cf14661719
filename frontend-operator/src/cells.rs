//! What tables of this console have in common: moments, ids and tenants.

use app::format;
use contract::{TenantId, Timestamp};
use leptos::prelude::*;

use crate::paths;

/// How long ago, and below it exactly when.
pub(crate) fn time(at: Timestamp) -> impl IntoView {
    view! {
        <time datetime=format::machine(at)>
            {format::ago(at)} <br /> <span class="ui-muted ui-small">{format::date_time_exact(at)}</span>
        </time>
    }
}

/// A tenant by its id.
pub(crate) fn tenant_id(id: TenantId) -> impl IntoView {
    let text = id.to_string();
    view! { <a class="ui-link ui-link--quiet ui-mono" href=paths::tenant(id) title=text.clone()>{short(&text)}</a> }
}

/// The beginning of a UUID; other ids whole.
pub(crate) fn short(id: &str) -> String {
    match id.get(..8) {
        Some(start) if id.len() == 36 => format!("{start}…"),
        _ => id.to_owned(),
    }
}
