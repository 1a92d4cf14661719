//! Asks before a page with unsaved changes is left: by a link, the command palette or a toast's button, the browser's
//! history, closing the tab, signing out, or the end of the session.

use std::{cell::RefCell, rc::Rc};

use leptos::{ev, prelude::*};
use leptos_router::{
    NavigateOptions,
    hooks::{use_location, use_navigate},
    location::Location,
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Event, HtmlAnchorElement, MouseEvent};

use super::ConfirmDialog;
use crate::{auth, i18n::texts};

/// Asks before the page is left while `dirty` is true.
#[component]
pub fn UnsavedGuard(
    /// Whether something would be lost.
    #[prop(into)]
    dirty: Signal<bool>,
) -> impl IntoView {
    let (open, destination) = (RwSignal::new(false), StoredValue::new(None::<String>));
    let ended = RwSignal::new(false);
    let changes = Changes { dirty, open, destination, signs_out: StoredValue::new(false), ended };
    let (location, navigate) = (use_location(), use_navigate());
    changes.guard_tab();
    let click = changes.guard_links();
    // The browser has already navigated when the event fires: return to the page that is still shown.
    let on_popstate = move |event: &Event| {
        if changes.is_dirty() {
            event.stop_immediate_propagation();
            let target = current_url();
            if let Ok(history) = window().history() {
                let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&shown_url(&location)));
            }
            changes.ask(Some(target));
        }
    };
    let blocker = NavigationBlocker {
        on_popstate: Box::new(on_popstate),
        blocks: Box::new(move |address: &str| changes.block(address)),
        blocks_sign_out: Box::new(move |is_wanted| changes.block_sign_out(is_wanted)),
    };
    // Both live as long as the page.
    let _kept = StoredValue::new_local((click, ActiveBlocker::set(blocker)));
    let leave = Callback::new(move |()| {
        open.set(false);
        match destination.get_value() {
            Some(address) => navigate(&address, NavigateOptions { resolve: false, ..NavigateOptions::default() }),
            None => changes.sign_out(),
        }
    });
    view! {
        <ConfirmDialog
            open
            title=texts::UNSAVED_TITLE
            text=texts::UNSAVED_TEXT
            confirm_label=texts::UNSAVED_LEAVE
            cancel_label=texts::UNSAVED_STAY
            on_confirm=leave
        />
        <ConfirmDialog
            open=ended
            title=texts::UNSAVED_ENDED_TITLE
            text=texts::UNSAVED_ENDED_TEXT
            confirm_label=texts::SIGN_IN
            on_confirm=|()| auth::give_up()
        />
    }
}

/// The changes of the page, and the question before they are lost.
#[derive(Clone, Copy)]
struct Changes {
    dirty: Signal<bool>,
    /// Whether the question is open.
    open: RwSignal<bool>,
    /// The address to go to after it, `None` to sign out.
    destination: StoredValue<Option<String>>,
    /// The user signs out and gives the changes up.
    signs_out: StoredValue<bool>,
    /// Whether the page says that the session has ended.
    ended: RwSignal<bool>,
}

impl Changes {
    fn is_dirty(self) -> bool {
        self.signs_out.try_get_value() == Some(false) && self.dirty.try_get_untracked().unwrap_or_default()
    }

    fn sign_out(self) {
        self.signs_out.set_value(true);
        auth::sign_out();
    }

    fn ask(self, address: Option<String>) {
        self.destination.set_value(address);
        self.open.set(true);
    }

    /// Asks before a navigation to another address, and returns whether it must wait.
    fn block(self, address: &str) -> bool {
        let leads_away = self.is_dirty() && address != current_url();
        if leads_away {
            self.ask(Some(address.to_owned()));
        }
        leads_away
    }

    /// Asks before a sign-out that is wanted, says that the session has ended otherwise, and returns whether the page stays.
    fn block_sign_out(self, is_wanted: bool) -> bool {
        let is_dirty = self.is_dirty();
        if is_dirty && is_wanted {
            self.ask(None);
        } else if is_dirty {
            self.ended.set(true);
        }
        is_dirty
    }

    /// Lets the browser show its own question when the tab is closed or reloaded.
    fn guard_tab(self) {
        let unload = window_event_listener(ev::beforeunload, move |event| {
            if self.is_dirty() {
                event.prevent_default();
            }
        });
        on_cleanup(move || unload.remove());
    }

    /// Asks before a link is followed, until the listener is dropped.
    fn guard_links(self) -> BeforeRouter {
        BeforeRouter::listen("click", move |event| {
            if let Some(address) = followed(&event).filter(|_| self.is_dirty()) {
                event.prevent_default();
                event.stop_immediate_propagation();
                self.ask(Some(address));
            }
        })
    }
}

/// The console address that a click opens in this tab.
fn followed(event: &Event) -> Option<String> {
    let mouse = event.dyn_ref::<MouseEvent>()?;
    if mouse.button() != 0 || mouse.ctrl_key() || mouse.meta_key() || mouse.shift_key() || mouse.alt_key() {
        return None;
    }
    let element = event.target()?.dyn_into::<web_sys::Element>().ok()?;
    let link = element.closest("a[href]").ok()??.dyn_into::<HtmlAnchorElement>().ok()?;
    let place = window().location();
    let address = format!("{}{}", link.pathname(), link.search());
    let is_plain = link.target().is_empty() && !link.has_attribute("download");
    let leads_away = place.pathname().ok()? + &place.search().ok()? != address;
    (is_plain && place.origin().ok()? == link.origin() && leads_away).then_some(address)
}

/// The address of the page that the router shows.
fn shown_url(location: &Location) -> String {
    let search = location.search.get_untracked();
    let mark = if search.is_empty() { "" } else { "?" };
    location.pathname.get_untracked() + mark + &search
}

fn current_url() -> String {
    let place = window().location();
    place.pathname().unwrap_or_default() + &place.search().unwrap_or_default()
}

/// A capturing listener on the window, which runs before the router's; removed on drop.
struct BeforeRouter {
    name: &'static str,
    callback: Closure<dyn FnMut(Event)>,
}

impl BeforeRouter {
    fn listen(name: &'static str, handler: impl FnMut(Event) + 'static) -> Self {
        let callback = Closure::<dyn FnMut(Event)>::new(handler);
        let function = callback.as_ref().unchecked_ref();
        let _ = window().add_event_listener_with_callback_and_bool(name, function, true);
        Self { name, callback }
    }
}

impl Drop for BeforeRouter {
    fn drop(&mut self) {
        let function = self.callback.as_ref().unchecked_ref();
        let _ = window().remove_event_listener_with_callback_and_bool(self.name, function, true);
    }
}

/// Asks before the page is left by anything but a link.
///
/// When the reader goes back from the changed page `/b` to `/a`, the address bar has `/a` already. `on_popstate` stops the
/// event, so that the router still shows `/b`, pushes `/b` to the history and asks. A confirmation navigates to `/a`.
struct NavigationBlocker {
    /// Handles the browser's history before the router does.
    on_popstate: Box<dyn Fn(&Event)>,
    /// Asks before a navigation to an address of the console, and returns whether it must wait.
    blocks: Box<dyn Fn(&str) -> bool>,
    /// Whether the page stays: it asks when the user wants to sign out, and says so when the session has ended.
    blocks_sign_out: Box<dyn Fn(bool) -> bool>,
}

thread_local! {
    static BLOCKER: RefCell<Option<Rc<NavigationBlocker>>> = const { RefCell::new(None) };
}

fn blocker() -> Option<Rc<NavigationBlocker>> {
    BLOCKER.with_borrow(Clone::clone)
}

/// Whether the current page has unsaved changes and stays although the user wants to sign out, or, if not `is_wanted`,
/// although the session has ended.
pub(crate) fn blocks_sign_out(is_wanted: bool) -> bool {
    blocker().is_some_and(|blocker| (blocker.blocks_sign_out)(is_wanted))
}

/// Navigates to an address of the console from code; asks first where changes would be lost. Call it inside the router,
/// like `use_navigate`.
pub fn use_guarded_navigate() -> impl Fn(&str) + Clone + Send + Sync + 'static {
    let navigate = use_navigate();
    move |address| {
        if !blocker().is_some_and(|blocker| (blocker.blocks)(address)) {
            navigate(address, NavigateOptions { resolve: false, ..NavigateOptions::default() });
        }
    }
}

/// Listens to the browser's history. Call it before the router is created: listeners on the window run in the order of
/// registration.
pub(crate) fn listen_to_history() {
    // A console listens as long as its page lives.
    let _handle = window_event_listener(ev::popstate, |event| {
        if let Some(blocker) = blocker() {
            (blocker.on_popstate)(&event);
        }
    });
}

/// The blocker of the current page, until this is dropped.
struct ActiveBlocker(Rc<NavigationBlocker>);

impl ActiveBlocker {
    fn set(blocker: NavigationBlocker) -> Self {
        let blocker = Rc::new(blocker);
        BLOCKER.set(Some(Rc::clone(&blocker)));
        Self(blocker)
    }
}

impl Drop for ActiveBlocker {
    fn drop(&mut self) {
        // The next page's blocker may be there already.
        BLOCKER.with_borrow_mut(|current| current.take_if(|blocker| Rc::ptr_eq(blocker, &self.0)));
    }
}
