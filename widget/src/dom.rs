//! Short helpers for the browser's DOM. Elements are created with classes and text nodes only: no HTML strings, no
//! style attributes.

use std::future::Future;
use std::pin::Pin;

use js_sys::{Function, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue, UnwrapThrowExt};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Document, Element, Event, EventTarget, FocusOptions, HtmlElement, Node, Window};

pub(crate) fn window() -> Window {
    js_sys::global().unchecked_into()
}

pub(crate) fn document() -> Document {
    window().document().expect_throw("a page has a document")
}

/// A new element with these classes.
pub(crate) fn element(tag: &str, class: &str) -> HtmlElement {
    let element = document().create_element(tag).expect_throw("the tag is a constant");
    element.set_class_name(class);
    element.unchecked_into()
}

/// A new element with these classes and this text.
pub(crate) fn labelled(tag: &str, class: &str, text: &str) -> HtmlElement {
    let element = element(tag, class);
    element.set_text_content(Some(text));
    element
}

/// A new button that submits nothing.
pub(crate) fn button(class: &str) -> HtmlElement {
    let button = element("button", class);
    attribute(&button, "type", "button");
    button
}

pub(crate) fn attribute(element: &Element, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}

/// Appends children in order.
pub(crate) fn append(parent: &Node, children: &[&Node]) {
    for child in children {
        let _ = parent.append_child(child);
    }
}

/// Removes a node from wherever it is.
pub(crate) fn remove(element: &Element) {
    element.remove();
}

pub(crate) fn clear(element: &Element) {
    element.set_text_content(None);
}

/// Moves the focus without scrolling anything.
pub(crate) fn focus(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    let _ = element.focus_with_options(&options);
}

/// Calls `handle` on each event of a kind; the browser frees the handler with the element.
pub(crate) fn on(target: &EventTarget, event: &str, handle: impl FnMut(Event) + 'static) {
    listen(target, event, Box::new(handle));
}

fn listen(target: &EventTarget, event: &str, handle: Box<dyn FnMut(Event)>) {
    let _ = target.add_event_listener_with_callback(event, &function(handle));
}

/// A function for the browser to call with an event.
pub(crate) fn callback(handle: impl FnMut(Event) + 'static) -> Function {
    function(Box::new(handle))
}

fn function(handle: Box<dyn FnMut(Event)>) -> Function {
    Closure::wrap(handle).into_js_value().unchecked_into()
}

/// Runs a future. All have one type, because the code that starts one would be repeated for each type.
pub(crate) fn spawn(future: impl Future<Output = ()> + 'static) {
    spawn_boxed(Box::pin(future));
}

fn spawn_boxed(future: Pin<Box<dyn Future<Output = ()>>>) {
    spawn_local(future);
}

pub(crate) async fn pause(milliseconds: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
    });
    let _: Result<JsValue, JsValue> = JsFuture::from(promise).await;
}
