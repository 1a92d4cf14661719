//! A modal dialog. It is the browser's own, so that focus stays inside, Escape closes it and the page behind is inert.

use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement};

use super::{IconButton, IconName, unique_id};
use crate::i18n::{Localized, texts};

/// The width of a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DialogSize {
    /// For a question.
    Small,
    /// For a short form.
    #[default]
    Medium,
    /// For a long form or a preview.
    Large,
}

impl DialogSize {
    /// The class of the dialog.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Small => "ui-dialog ui-dialog--small",
            Self::Medium => "ui-dialog",
            Self::Large => "ui-dialog ui-dialog--large",
        }
    }
}

/// Whether a dialog is open that shows `shown` while it has a value, and forgets it on closing.
pub fn open_while_some<T: Send + Sync + 'static>(content: RwSignal<Option<T>>) -> RwSignal<bool> {
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(content.with(Option::is_some)));
    Effect::new(move |was_open: Option<bool>| {
        let is_open = open.get();
        if was_open == Some(true) && !is_open {
            content.set(None);
        }
        is_open
    });
    open
}

/// A modal dialog. Its content is built when it opens and dropped when it closes: a [`super::DialogForm`], or buttons in
/// `<footer class="ui-dialog__footer">` below a `<div class="ui-dialog__body">`. While a button of the footer is busy, only
/// another one closes it.
#[component]
pub fn Dialog(
    /// Whether it is open; closing it by hand sets this too.
    open: RwSignal<bool>,
    /// The heading, which names the dialog to screen readers.
    #[prop(into)]
    title: Localized,
    /// The width.
    #[prop(optional)]
    size: DialogSize,
    /// Whether a click next to it closes it. Not for what would be lost then: typed text, or a password that is shown once.
    #[prop(optional)]
    dismissible: bool,
    /// Body and footer.
    children: ChildrenFn,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let title_id = unique_id("dialog-title");
    // Whether it opens with the next frame.
    let opening = RwSignal::new(false);
    follow(dialog, open, opening);
    refuse_escape(dialog);
    let close = move || {
        if !is_busy(dialog) {
            open.set(false);
        }
    };
    let backdrop = move |event: ev::MouseEvent| {
        let on_backdrop = event.target().is_some_and(|target| target.has_type::<HtmlDialogElement>());
        if on_backdrop && dismissible {
            close();
        }
    };
    // Sent some time after the browser closed the dialog: the page may be gone, or the dialog open again.
    let closed = move |event: ev::Event| {
        let is_open = event_target::<HtmlDialogElement>(&event).open();
        if !is_open && opening.try_get_untracked() != Some(true) {
            let _ = open.try_set(false);
        }
    };
    let labelled_by = title_id.clone();
    view! {
        <dialog
            class=size.as_str()
            node_ref=dialog
            aria-labelledby=labelled_by
            on:mousedown=backdrop
            on:close=closed
        >
            <div class="ui-dialog__panel">
                <header class="ui-dialog__header">
                    <h2 class="ui-dialog__title" id=title_id>{title}</h2>
                    <IconButton icon=IconName::Close label=texts::CLOSE on_click=move |()| close() />
                </header>
                {move || open.get().then(|| children())}
            </div>
        </dialog>
    }
}

/// Opens and closes the dialog with `open`.
fn follow(dialog: NodeRef<html::Dialog>, open: RwSignal<bool>, opening: RwSignal<bool>) {
    Effect::new(move |_| {
        let (Some(dialog), is_open) = (dialog.get(), open.get()) else { return };
        if is_open && !dialog.open() {
            opening.set(true);
            // The content must exist before the focus moves into it.
            request_animation_frame(move || show(&dialog, open, opening));
        } else if !is_open && dialog.open() {
            dialog.close();
        }
    });
}

/// Keeps Escape from closing the dialog while it is busy. Listens to the window, because a field that was disabled for the
/// time being has lost the focus. Not to the event `cancel`: Chromium closes the dialog without it when Escape is pressed
/// twice.
fn refuse_escape(dialog: NodeRef<html::Dialog>) {
    let keys = window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" && is_busy(dialog) {
            event.prevent_default();
        }
    });
    on_cleanup(move || keys.remove());
}

/// Whether a button of the footer is busy. A closed dialog would drop the reply, such as the first password of an invited
/// person.
fn is_busy(dialog: NodeRef<html::Dialog>) -> bool {
    let dialog = dialog.get_untracked();
    let button = dialog.and_then(|dialog| dialog.query_selector(".ui-dialog__footer [aria-busy]").ok().flatten());
    button.is_some()
}

/// Shows the dialog, unless it was closed meanwhile, and moves the focus into it.
fn show(dialog: &HtmlDialogElement, open: RwSignal<bool>, opening: RwSignal<bool>) {
    let _ = opening.try_set(false);
    if open.try_get_untracked() == Some(true) && dialog.show_modal().is_ok() {
        focus_first(dialog);
    }
}

/// Focuses the field with autofocus, else the first field, else the first button of the footer.
fn focus_first(dialog: &HtmlDialogElement) {
    const PLACES: [&str; 3] = [
        ".ui-dialog__body [autofocus]",
        ".ui-dialog__body :is(input, select, textarea):not(:disabled)",
        ".ui-dialog__footer button:not(:disabled)",
    ];
    let first = PLACES.iter().find_map(|place| dialog.query_selector(place).ok().flatten());
    if let Some(element) = first {
        let _ = element.unchecked_ref::<HtmlElement>().focus();
    }
}
