//! Restores the focus when a part of the page is rebuilt: the replacement of the focused element gets it, so that "next
//! page" can be pressed again.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Focuses the element that matches `selector` in the next frame, if the focused element was removed.
pub fn focus_next(selector: impl Into<String>) {
    let selector = selector.into();
    request_animation_frame(move || {
        if let Ok(Some(element)) = document().query_selector(&selector) {
            let _ = element.unchecked_into::<HtmlElement>().focus();
        }
    });
}

/// The focused element inside a part of the page.
pub(crate) struct FocusRestore {
    part: HtmlElement,
    tag: String,
    name: String,
    /// Its place among the elements of the same name.
    place: usize,
}

impl FocusRestore {
    /// Captures the focused element inside `part` before it is rebuilt.
    pub(crate) fn capture(part: HtmlElement) -> Option<Self> {
        let active = document().active_element().filter(|active| part.contains(Some(active)) && *active != *part)?;
        let mut focus = Self { part, tag: active.tag_name(), name: name(&active), place: 0 };
        focus.place = focus.find(&|_, element| **element == active).0;
        Some(focus)
    }

    /// Focuses the replacement in the next frame, or the part when there is none. Does nothing if another element has
    /// the focus.
    pub(crate) fn restore(self) {
        request_animation_frame(move || {
            let is_lost = document().active_element().is_none_or(|active| active.tag_name() == "BODY");
            if is_lost {
                let _ = self.replacement().unwrap_or(self.part).focus();
            }
        });
    }

    /// The element at the same place, or the last one when there are fewer now.
    fn replacement(&self) -> Option<HtmlElement> {
        self.find(&|place, _| place == self.place).1
    }

    /// The place and the element of the first one of the same name that `is_wanted`, or the last one of the name.
    fn find(&self, is_wanted: &dyn Fn(usize, &HtmlElement) -> bool) -> (usize, Option<HtmlElement>) {
        let (mut place, mut last) = (0, None);
        let Ok(all) = self.part.query_selector_all(&self.tag) else { return (place, last) };
        for element in (0..all.length()).filter_map(|index| all.get(index)?.dyn_into::<HtmlElement>().ok()) {
            if name(&element) != self.name || element.has_attribute("disabled") {
                continue;
            }
            if is_wanted(place, &element) {
                return (place, Some(element));
            }
            (place, last) = (place + 1, Some(element));
        }
        (0, last)
    }
}

/// A name that distinguishes an element from its siblings. A field has the name of its label.
fn name(element: &Element) -> String {
    let label = element.closest("label").ok().flatten();
    let text = || label.as_ref().unwrap_or(element).text_content();
    element.get_attribute("aria-label").or_else(text).unwrap_or_default()
}
