//! Asks before a page with unsaved changes is left: by a link, by the browser's history, by closing the tab.

use std::{cell::RefCell, rc::Rc};

use leptos::{ev, prelude::*};
use leptos_router::{
    NavigateOptions,
    hooks::{use_location, use_navigate},
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Event, HtmlAnchorElement, MouseEvent};

use super::ConfirmDialog;
use crate::i18n::texts;

/// Asks before the page is left while `dirty` holds.
#[component]
pub fn UnsavedGuard(
    /// Whether something would be lost.
    #[prop(into)]
    dirty: Signal<bool>,
) -> impl IntoView {
    let (open, wanted) = (RwSignal::new(false), StoredValue::new(String::new()));
    let (location, navigate) = (use_location(), use_navigate());
    let is_dirty = move || dirty.try_get_untracked().unwrap_or_default();
    let ask = move |address: String| {
        wanted.set_value(address);
        open.set(true);
    };
    // A closing or reloading tab asks in the browser's own words.
    let unload = window_event_listener(ev::beforeunload, move |event| {
        if is_dirty() {
            event.prevent_default();
        }
    });
    on_cleanup(move || unload.remove());
    let click = BeforeRouter::listen("click", move |event| {
        if let Some(address) = followed(&event).filter(|_| is_dirty()) {
            event.prevent_default();
            event.stop_immediate_propagation();
            ask(address);
        }
    });
    // The browser has moved already when it tells; it is taken back to the page that still stands there.
    let back = HeardFirst::set(move |event| {
        if is_dirty() {
            event.stop_immediate_propagation();
            let target = here();
            let shown = location.pathname.get_untracked() + &location.search.get_untracked();
            if let Ok(history) = window().history() {
                let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&shown));
            }
            ask(target);
        }
    });
    // The listeners live as long as the page.
    let _kept = StoredValue::new_local((click, back));
    let leave = Callback::new(move |()| {
        open.set(false);
        navigate(&wanted.get_value(), NavigateOptions { resolve: false, ..NavigateOptions::default() });
    });
    view! {
        <ConfirmDialog
            open
            title=texts::UNSAVED_TITLE
            text=texts::UNSAVED_TEXT
            confirm_label=texts::UNSAVED_LEAVE
            on_confirm=leave
        />
    }
}

/// The address of the console's page that a click leads to in this tab.
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

/// Where the browser is.
fn here() -> String {
    let place = window().location();
    place.pathname().unwrap_or_default() + &place.search().unwrap_or_default()
}

/// A listener on the window that hears an event on its way down, before the router does; removed when it is dropped.
struct BeforeRouter {
    name: &'static str,
    callback: Closure<dyn FnMut(Event)>,
}

impl BeforeRouter {
    fn listen(name: &'static str, hear: impl FnMut(Event) + 'static) -> Self {
        let callback = Closure::<dyn FnMut(Event)>::new(hear);
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

type Hear = Rc<dyn Fn(&Event)>;

thread_local! {
    static HISTORY: RefCell<Option<Hear>> = const { RefCell::new(None) };
}

/// Listens to the browser's history, before there is a router: of listeners on the window itself the first one hears
/// first.
pub(crate) fn listen_to_history() {
    // A console listens as long as its page lives.
    let _handle = window_event_listener(ev::popstate, |event| {
        let hear = HISTORY.with_borrow(Clone::clone);
        if let Some(hear) = hear {
            hear(&event);
        }
    });
}

/// Hears of the browser's history before the router, as long as it is kept.
struct HeardFirst(Hear);

impl HeardFirst {
    fn set(hear: impl Fn(&Event) + 'static) -> Self {
        let hear: Hear = Rc::new(hear);
        HISTORY.set(Some(Rc::clone(&hear)));
        Self(hear)
    }
}

impl Drop for HeardFirst {
    fn drop(&mut self) {
        // The next page's guard may be there already.
        HISTORY.with_borrow_mut(|current| current.take_if(|hear| Rc::ptr_eq(hear, &self.0)));
    }
}
