//! Buttons, and links that look like them.

use leptos::prelude::*;

use super::{Icon, IconName, Spinner};
use crate::i18n::texts;

/// The visual weight of a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ButtonKind {
    /// The one action of a page or dialog.
    Primary,
    /// Any other action.
    #[default]
    Secondary,
    /// A secondary action.
    Ghost,
    /// An action that destroys.
    Danger,
}

impl ButtonKind {
    /// The modifier of `ui-button`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Secondary => "secondary",
            Self::Ghost => "ghost",
            Self::Danger => "danger",
        }
    }
}

fn classes(kind: ButtonKind, small: bool, block: bool) -> String {
    let small = if small { " ui-button--small" } else { "" };
    let block = if block { " ui-button--block" } else { "" };
    format!("ui-button ui-button--{}{small}{block}", kind.as_str())
}

/// A button. While `busy` it shows a spinner and ignores clicks, but keeps the focus.
#[component]
pub fn Button(
    #[prop(optional)] kind: ButtonKind,
    /// Smaller, for rows and bars.
    #[prop(optional)]
    small: bool,
    /// As wide as its container.
    #[prop(optional)]
    block: bool,
    /// Submits its form.
    #[prop(optional)]
    submit: bool,
    /// Its work is under way.
    #[prop(optional, into)]
    busy: Signal<bool>,
    #[prop(optional, into)] disabled: Signal<bool>,
    /// An icon before the text.
    #[prop(optional, into)]
    icon: Option<IconName>,
    #[prop(optional, into)] on_click: Option<Callback<()>>,
    children: Children,
) -> impl IntoView {
    let click = move |event: leptos::ev::MouseEvent| {
        if busy.get_untracked() {
            event.prevent_default();
        } else if let Some(on_click) = on_click {
            on_click.run(());
        }
    };
    view! {
        <button
            class=classes(kind, small, block)
            type=if submit { "submit" } else { "button" }
            disabled=disabled
            aria-busy=move || busy.get().then_some("true")
            on:click=click
        >
            {move || busy.get().then(|| view! { <Spinner label=texts::LOADING /> })}
            {icon.map(|name| view! { <Icon name=name /> })}
            <span class="ui-button__label">{children()}</span>
        </button>
    }
}

/// A link that looks like a button.
#[component]
pub fn ButtonLink(
    #[prop(into)] href: String,
    #[prop(optional)] kind: ButtonKind,
    /// Smaller, for rows and bars.
    #[prop(optional)]
    small: bool,
    /// An icon before the text.
    #[prop(optional, into)]
    icon: Option<IconName>,
    children: Children,
) -> impl IntoView {
    view! {
        <a class=classes(kind, small, false) href=href>
            {icon.map(|name| view! { <Icon name=name /> })}
            <span class="ui-button__label">{children()}</span>
        </a>
    }
}
