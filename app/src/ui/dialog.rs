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

/// A modal dialog. Its content is built when it opens and dropped when it closes: a [`super::DialogForm`], or buttons in
/// `<footer class="ui-dialog__footer">` below a `<div class="ui-dialog__body">`.
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
    /// Body and footer.
    children: ChildrenFn,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let title_id = unique_id("dialog-title");
    // Whether it opens with the next frame.
    let opening = RwSignal::new(false);
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
    let backdrop = move |event: ev::MouseEvent| {
        let on_backdrop = event.target().is_some_and(|target| target.has_type::<HtmlDialogElement>());
        if on_backdrop {
            open.set(false);
        }
    };
    // The browser sends the event some time after it closed the dialog. By then, the page may be gone, or the dialog may
    // have been opened again.
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
                    <IconButton icon=IconName::Close label=texts::CLOSE on_click=move |()| open.set(false) />
                </header>
                {move || open.get().then(|| children())}
            </div>
        </dialog>
    }
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
