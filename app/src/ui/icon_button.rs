//! A button with an icon only; its label is read by screen readers and shown on hover.

use leptos::prelude::*;

use super::{Icon, IconName};
use crate::i18n::Localized;

/// The appearance of an icon button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IconButtonKind {
    /// Without a frame.
    #[default]
    Ghost,
    /// With a frame.
    Secondary,
    /// For a destructive action.
    Danger,
}

impl IconButtonKind {
    /// The class of the button.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ghost => "ui-icon-button",
            Self::Secondary => "ui-icon-button ui-icon-button--secondary",
            Self::Danger => "ui-icon-button ui-icon-button--danger",
        }
    }
}

/// A button with an icon alone.
#[component]
pub fn IconButton(
    /// Drawn instead of a text.
    icon: IconName,
    /// Read by screen readers and shown on hover.
    #[prop(into)]
    label: Localized,
    #[prop(optional)] kind: IconButtonKind,
    /// More classes, for example `ui-shell__toggle`.
    #[prop(optional, into)]
    class: String,
    #[prop(optional, into)] disabled: Signal<bool>,
    /// Whether what it opens is open; leave out when it opens nothing.
    #[prop(optional, into)]
    expanded: Option<Signal<bool>>,
    #[prop(into)] on_click: Callback<()>,
) -> impl IntoView {
    view! {
        <button
            class=format!("{} {class}", kind.as_str())
            type="button"
            title=label.clone()
            aria-label=label
            aria-expanded=move || expanded.map(|expanded| expanded.get().to_string())
            disabled=disabled
            on:click=move |_| on_click.run(())
        >
            <Icon name=icon />
        </button>
    }
}
