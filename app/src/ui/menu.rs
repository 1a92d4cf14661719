//! A button that opens a list of actions. Arrow keys move the focus; Escape and leaving close the list.

use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};

use super::{Icon, IconName};
use crate::i18n::Localized;

/// Items that close the menu when chosen. Toggles do not, because users may want several.
const CLOSING: &str = ".ui-menu__item:not([role=menuitemcheckbox])";

/// Whether a menu is open, its element, and where the focus returns when it closes.
#[derive(Clone, Copy)]
struct MenuState {
    open: RwSignal<bool>,
    root: NodeRef<html::Div>,
    trigger: NodeRef<html::Button>,
}

impl MenuState {
    fn close(self) {
        self.open.try_set(false);
        if let Some(Some(trigger)) = self.trigger.try_get_untracked() {
            let _ = trigger.focus();
        }
    }

    /// Closes the menu when the focus leaves it. The focus also leaves when the menu is removed from the page. Its state
    /// is then disposed.
    fn leave(self, event: &ev::FocusEvent) {
        let to = event.related_target().map(JsCast::unchecked_into::<Node>);
        let Some(Some(root)) = self.root.try_get_untracked() else { return };
        // Another window got the focus: keep the menu open.
        if to.is_none() && !document().has_focus().unwrap_or(true) {
            return;
        }
        if to.is_none() || !root.contains(to.as_ref()) {
            self.open.try_set(false);
        }
    }

    fn press_key(self, event: &ev::KeyboardEvent) {
        let open = self.open;
        let Some(Some(root)) = self.root.try_get_untracked() else { return };
        match event.key().as_str() {
            "Escape" if open.get_untracked() => self.close(),
            "ArrowDown" => open_at(open, &root, Move::Next),
            "ArrowUp" => open_at(open, &root, Move::Previous),
            "Home" if open.get_untracked() => open_at(open, &root, Move::First),
            "End" if open.get_untracked() => open_at(open, &root, Move::Last),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    }
}

/// A button that opens a list of actions.
#[component]
pub fn Menu(
    /// Read by screen readers and shown on hover.
    #[prop(into)]
    label: Localized,
    /// The content of the button.
    trigger: ViewFnOnce,
    /// The button's id, when something else must find it.
    #[prop(optional, into)]
    id: Option<String>,
    /// The list is aligned to the button's end.
    #[prop(optional)]
    end: bool,
    /// [`MenuItem`]s, `hr.ui-menu__line` and `div.ui-menu__title`.
    children: Children,
) -> impl IntoView {
    let state = MenuState { open: RwSignal::new(false), root: NodeRef::new(), trigger: NodeRef::new() };
    let MenuState { open, root, .. } = state;
    let focus_left = move |event: ev::FocusEvent| state.leave(&event);
    let keydown = move |event: ev::KeyboardEvent| state.press_key(&event);
    let toggle = move |_| {
        let opens = !open.get_untracked();
        open.set(opens);
        if let (true, Some(root)) = (opens, root.get_untracked()) {
            open_at(open, &root, Move::Opening);
        }
    };
    // The items are passed in and do not know the menu: handle their clicks when they bubble up.
    let chosen = move |event: ev::MouseEvent| {
        let target = event.target().map(JsCast::unchecked_into::<Element>);
        if target.is_some_and(|target| target.closest(CLOSING).is_ok_and(|item| item.is_some())) {
            state.close();
        }
    };
    view! {
        <div class="ui-menu" class=("ui-menu--end", end) node_ref=root on:focusout=focus_left on:keydown=keydown>
            <button
                class="ui-menu__trigger"
                id=id
                type="button"
                node_ref=state.trigger
                title=label.clone()
                aria-label=label.clone()
                aria-haspopup="menu"
                aria-expanded=move || open.get().to_string()
                on:click=toggle
            >
                {trigger.run()}
            </button>
            <div class="ui-menu__panel" role="menu" aria-label=label tabindex="-1" hidden=move || !open.get() on:click=chosen>
                {children()}
            </div>
        </div>
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    Opening,
    First,
    Last,
    Next,
    Previous,
}

/// Opens the menu and focuses an item as soon as the menu is visible.
fn open_at(open: RwSignal<bool>, root: &HtmlElement, step: Move) {
    let root = root.clone();
    if open.get_untracked() && step != Move::Opening {
        move_focus(&root, step);
    } else {
        open.set(true);
        request_animation_frame(move || move_focus(&root, step));
    }
}

fn move_focus(root: &HtmlElement, step: Move) {
    let Ok(items) = root.query_selector_all(".ui-menu__item:not(:disabled)") else { return };
    let count = items.length();
    if count == 0 {
        return;
    }
    let active = document().active_element();
    let at = (0..count).find(|&index| items.get(index).as_ref() == active.as_ref().map(AsRef::as_ref));
    let to = match (step, at) {
        (Move::Last, _) | (Move::Previous, None) => count - 1,
        (Move::Opening | Move::First, _) | (Move::Next, None) => 0,
        (Move::Next, Some(at)) => (at + 1) % count,
        (Move::Previous, Some(at)) => (at + count - 1) % count,
    };
    if let Some(item) = items.get(to) {
        let _ = item.unchecked_into::<HtmlElement>().focus();
    }
}

/// An action of a menu; with `checked` one of several choices.
#[component]
pub fn MenuItem(
    /// An icon before the text.
    #[prop(optional, into)]
    icon: Option<IconName>,
    /// Whether it is the chosen one; leave out for an action.
    #[prop(optional, into)]
    checked: Option<Signal<bool>>,
    /// A toggle of several: the menu stays open.
    #[prop(optional)]
    several: bool,
    /// It destroys something.
    #[prop(optional)]
    danger: bool,
    /// Called when it is chosen.
    #[prop(into)]
    on_select: Callback<()>,
    children: Children,
) -> impl IntoView {
    let role = match (checked.is_some(), several) {
        (true, true) => "menuitemcheckbox",
        (true, false) => "menuitemradio",
        (false, _) => "menuitem",
    };
    let mark = move || checked.is_some_and(|checked| checked.get()).then(|| view! { <Icon name=IconName::Check /> });
    view! {
        <button
            class="ui-menu__item"
            class=("ui-menu__item--danger", danger)
            type="button"
            role=role
            tabindex="-1"
            aria-checked=move || checked.map(|checked| checked.get().to_string())
            on:click=move |_| on_select.run(())
        >
            {icon.map(|name| view! { <Icon name=name /> })}
            {children()}
            {mark}
        </button>
    }
}
