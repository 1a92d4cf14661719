//! Buttons, and links that look like them.

use leptos::prelude::*;

use super::{Icon, IconName, Spinner};
use crate::i18n::texts;

/// How much a button asks for attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ButtonKind {
    /// The one action of a page or dialog.
    Primary,
    /// Any other action.
    #[default]
    Secondary,
    /// An action that stands back.
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

/// A button. While `busy` it shows a spinner and takes no clicks, but keeps the focus.
#[component]
pub fn Button(
    /// How much it asks for attention.
    #[prop(optional)]
    kind: ButtonKind,
    /// Smaller, for rows and bars.
    #[prop(optional)]
    small: bool,
    /// As wide as its place.
    #[prop(optional)]
    block: bool,
    /// Sends the form it stands in.
    #[prop(optional)]
    submit: bool,
    /// Its work is under way.
    #[prop(optional, into)]
    busy: Signal<bool>,
    /// It cannot be used.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    /// An icon before the text.
    #[prop(optional, into)]
    icon: Option<IconName>,
    /// What it does.
    #[prop(optional, into)]
    on_click: Option<Callback<()>>,
    /// Its text.
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
    /// Where it leads.
    #[prop(into)]
    href: String,
    /// How much it asks for attention.
    #[prop(optional)]
    kind: ButtonKind,
    /// Smaller, for rows and bars.
    #[prop(optional)]
    small: bool,
    /// An icon before the text.
    #[prop(optional, into)]
    icon: Option<IconName>,
    /// Its text.
    children: Children,
) -> impl IntoView {
    view! {
        <a class=classes(kind, small, false) href=href>
            {icon.map(|name| view! { <Icon name=name /> })}
            <span class="ui-button__label">{children()}</span>
        </a>
    }
}
