//! Restores the scroll position of pages on back and forward. Content arrives after the URL has changed, so the
//! browser's own restoration finds a page that is too short.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
};

use js_sys::Reflect;
use leptos::{ev, prelude::*};

/// How long to wait until the page is long enough, in frames: 17 seconds at 60 frames a second, longer on a busy machine,
/// and 7 at 144. A press, a key or the wheel ends the waiting earlier.
const RESTORE_FRAMES: u32 = 1_000;

thread_local! {
    static PLACES: RefCell<HashMap<String, f64>> = RefCell::new(HashMap::new());
    /// The URL of the shown page.
    static SHOWN: RefCell<String> = const { RefCell::new(String::new()) };
    /// Counts what ends a restoring that is under way.
    static GENERATION: Cell<u32> = const { Cell::new(0) };
}

/// Starts to record positions until the owner is disposed. Ignores a popstate that another listener has stopped.
pub(super) fn remember() {
    if let Ok(history) = window().history() {
        let _ = Reflect::set(&history, &"scrollRestoration".into(), &"manual".into());
    }
    SHOWN.set(address());
    let record_place = || {
        PLACES.with_borrow_mut(|places| places.insert(SHOWN.with_borrow(Clone::clone), scrolled()));
        GENERATION.set(GENERATION.get() + 1);
    };
    // Record before the click: a link or a button navigates right after it.
    let press = window_event_listener(ev::pointerdown, move |_| record_place());
    let key = window_event_listener(ev::keydown, move |_| record_place());
    let wheel = window_event_listener(ev::wheel, |_| GENERATION.set(GENERATION.get() + 1));
    let back = window_event_listener(ev::popstate, move |_| {
        let target = address();
        // The router may have handled it first and shown the page: then the old position is lost.
        if SHOWN.with_borrow(|current| *current != target) {
            record_place();
        }
        GENERATION.set(GENERATION.get() + 1);
        let place = PLACES.with_borrow(|places| places.get(&target).copied());
        SHOWN.set(target);
        if let Some(place) = place.filter(|place| *place > 0.0) {
            restore(place, GENERATION.get(), RESTORE_FRAMES);
        }
    });
    on_cleanup(move || {
        press.remove();
        key.remove();
        wheel.remove();
        back.remove();
    });
}

/// Called when the page of the current URL is shown.
pub(super) fn record_address() {
    SHOWN.set(address());
}

fn restore(place: f64, generation: u32, frames: u32) {
    request_animation_frame(move || {
        if GENERATION.get() != generation || frames == 0 {
            return;
        }
        if reach() >= place {
            window().scroll_to_with_x_and_y(0.0, place);
        } else {
            restore(place, generation, frames - 1);
        }
    });
}

/// How far the page can be scrolled.
fn reach() -> f64 {
    let height = document().document_element().map_or(0, |root| root.scroll_height());
    let window_height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
    f64::from(height) - window_height
}

fn scrolled() -> f64 {
    window().scroll_y().unwrap_or_default()
}

fn address() -> String {
    let place = window().location();
    place.pathname().unwrap_or_default() + &place.search().unwrap_or_default()
}
