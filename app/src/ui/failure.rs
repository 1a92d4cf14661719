//! The error of an action, shown where it was started.

use leptos::prelude::*;

use super::{Banner, Tone};
use crate::problem::Problem;

/// Why an action failed; nothing while it has not.
#[component]
pub fn Failure(
    /// Shown while it is set.
    failure: RwSignal<Option<Problem>>,
) -> impl IntoView {
    move || failure.get().map(|problem| view! { <Banner tone=Tone::Danger>{problem.message()}</Banner> })
}
