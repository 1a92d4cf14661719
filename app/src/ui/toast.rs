//! Short messages about a completed action. Screen readers announce them; errors stay until they are closed or the action
//! succeeds.

use std::{cell::Cell, sync::Arc, time::Duration};

use leptos::prelude::*;

use super::{Button, Icon, IconButton, IconName};
use crate::{
    i18n::{Localized, texts},
    problem::Problem,
};

/// How long a message stays, except errors.
const DURATION: Duration = Duration::from_secs(6);

/// How long a message stays that offers something.
const DURATION_WITH_OFFER: Duration = Duration::from_secs(15);

/// The kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToastKind {
    /// It worked.
    Success,
    /// Good to know.
    Info,
    /// It did not work.
    Error,
}

impl ToastKind {
    /// The modifier of `ui-toast`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Info => "info",
            Self::Error => "error",
        }
    }

    const fn icon(self) -> IconName {
        match self {
            Self::Success => IconName::Check,
            Self::Info => IconName::Info,
            Self::Error => IconName::Alert,
        }
    }
}

type Offer = Arc<dyn Fn() + Send + Sync>;

#[derive(Clone)]
struct Toast {
    id: u32,
    kind: ToastKind,
    text: Localized,
    offer: Option<(Localized, Offer)>,
    /// The action that failed.
    action: Option<RwSignal<bool>>,
}

thread_local! {
    static TOASTS: ArcRwSignal<Vec<Toast>> = ArcRwSignal::new(Vec::new());
    static NEXT: Cell<u32> = const { Cell::new(0) };
    /// The action whose result is being handled, known by its signal `busy`.
    static ACTION: Cell<Option<RwSignal<bool>>> = const { Cell::new(None) };
}

/// Shows a message.
pub fn toast(kind: ToastKind, text: impl Into<Localized>) {
    let stay = (kind != ToastKind::Error).then_some(DURATION);
    show(kind, text.into(), None, stay);
}

/// Shows a success message with an undo button. It may be pressed after a navigation: `undo` must not depend on the
/// current page.
pub fn toast_with_undo(text: impl Into<Localized>, undo: impl Fn() + Send + Sync + 'static) {
    toast_with_offer(text, texts::UNDO, undo);
}

/// Shows a success message with a button labelled `label` for the next step. It may be pressed after a navigation:
/// `offer` must not depend on the current page.
pub fn toast_with_offer(
    text: impl Into<Localized>,
    label: impl Into<Localized>,
    offer: impl Fn() + Send + Sync + 'static,
) {
    show(ToastKind::Success, text.into(), Some((label.into(), Arc::new(offer))), Some(DURATION_WITH_OFFER));
}

fn show(kind: ToastKind, text: Localized, offer: Option<(Localized, Offer)>, stay: Option<Duration>) {
    let id = NEXT.get();
    NEXT.set(id.wrapping_add(1));
    let action = ACTION.get().filter(|_| kind == ToastKind::Error);
    TOASTS.with(|toasts| toasts.update(|list| list.push(Toast { id, kind, text, offer, action })));
    if let Some(stay) = stay {
        set_timeout(move || close(id), stay);
    }
}

/// Shows a failed call as a message with its request id.
pub fn toast_problem(problem: &Problem) {
    toast(ToastKind::Error, problem.message());
}

/// Begins to handle the result of an action: messages about errors are now about this action. If it has succeeded, its
/// earlier ones are closed.
pub(crate) fn begin_result(busy: RwSignal<bool>, has_succeeded: bool) {
    ACTION.set(Some(busy));
    if has_succeeded {
        close_all(&|toast| toast.action == Some(busy));
    }
}

/// Ends what [`begin_result`] began.
pub(crate) fn end_result() {
    ACTION.set(None);
}

fn close(id: u32) {
    close_all(&|toast| toast.id == id);
}

fn close_all(is_over: &dyn Fn(&Toast) -> bool) {
    TOASTS.with(|toasts| toasts.update(|list| list.retain(|toast| !is_over(toast))));
}

/// The area of the messages; once per page.
#[component]
pub fn Toasts() -> impl IntoView {
    let toasts = TOASTS.with(Clone::clone);
    let row = |toast: Toast| {
        let offer = toast.offer.map(|(label, offer)| {
            let take = move |()| {
                close(toast.id);
                offer();
            };
            view! { <Button small=true on_click=take>{label}</Button> }
        });
        view! {
            <div class=format!("ui-toast ui-toast--{}", toast.kind.as_str())>
                <Icon name=toast.kind.icon() />
                <div class="ui-toast__text">{toast.text}</div>
                {offer}
                <IconButton icon=IconName::Close label=texts::CLOSE on_click=move |()| close(toast.id) />
            </div>
        }
    };
    view! {
        <div class="ui-toasts" role="region" aria-live="polite" aria-label=texts::NOTIFICATIONS.t()>
            <For each=move || toasts.get() key=|toast| toast.id children=row />
        </div>
    }
}
