//! The first letters of a name in a circle.

use leptos::prelude::*;

use crate::letter_case::upper;

/// The initials of a name in a circle; decoration next to the name.
#[component]
pub fn Avatar(
    /// Gives at most two initials.
    #[prop(into)]
    name: String,
) -> impl IntoView {
    let initials: String =
        name.split(|c: char| !c.is_alphanumeric()).filter_map(|word| word.chars().next()).take(2).collect();
    view! { <span class="ui-avatar" aria-hidden="true">{upper(&initials)}</span> }
}
