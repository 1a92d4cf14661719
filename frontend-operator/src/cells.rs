//! Shared cells of this console's tables: times and ids.

use app::format;
use contract::Timestamp;
use leptos::prelude::*;

/// The relative time, and below it the exact one.
pub(crate) fn time(at: Timestamp) -> impl IntoView {
    view! {
        <time datetime=format::machine(at)>
            {format::ago(at)} <br /> <span class="ui-muted ui-small">{format::date_time_exact(at)}</span>
        </time>
    }
}

/// The beginning of a UUID; other ids whole.
pub(crate) fn short(id: &str) -> String {
    match id.get(..8) {
        Some(start) if id.len() == 36 => format!("{start}…"),
        _ => id.to_owned(),
    }
}
