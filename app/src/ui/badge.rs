//! A label for a state.

use leptos::prelude::*;

/// The meaning of a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// Neither good nor bad.
    #[default]
    Neutral,
    /// Good to know.
    Info,
    /// Good.
    Success,
    /// Needs attention.
    Warning,
    /// Bad.
    Danger,
}

impl Tone {
    /// The modifier of badges, banners and figures.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Info => "info",
            Self::Success => "success",
            Self::Warning => "warning",
            Self::Danger => "danger",
        }
    }
}

/// A label for a state. The colour only repeats the meaning of the text.
#[component]
pub fn Badge(
    /// The meaning of the state.
    #[prop(optional)]
    tone: Tone,
    /// A dot before the word.
    #[prop(optional)]
    dot: bool,
    children: Children,
) -> impl IntoView {
    view! {
        <span class=format!("ui-badge ui-badge--{}", tone.as_str())>
            {dot.then(|| view! { <span class="ui-badge__dot" aria-hidden="true"></span> })}
            {children()}
        </span>
    }
}
