//! What the loader calls.

use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{HtmlButtonElement, HtmlElement, ShadowRoot};

use crate::{chat, texts::Texts};

/// One chatbot on a page, held by the loader.
#[wasm_bindgen]
pub struct Chat(Rc<chat::Chat>);

#[wasm_bindgen]
impl Chat {
    /// Builds the panel next to the loader's launcher. `options` are the script tag's attributes, `config` the response
    /// of the configuration endpoint, or the HTTP status (0: unreachable) when it failed. `texts` are the lines of the
    /// visitor's language.
    #[wasm_bindgen(constructor)]
    pub fn new(
        root: ShadowRoot,
        frame: HtmlElement,
        launcher: HtmlButtonElement,
        options: &JsValue,
        config: &JsValue,
        texts: String,
    ) -> Self {
        Self(chat::Chat::start(root, frame, launcher, options, config, Texts::read(texts)))
    }

    /// Runs one step of the start: attaches a part of the panel, applies the configuration, or adds listeners. False
    /// when no step is left. The loader runs each step as its own task.
    pub fn step(&self) -> bool {
        self.0.step()
    }

    /// Opens the panel and moves the focus into it.
    pub fn open(&self) {
        self.0.open();
    }

    /// Closes the panel and returns the focus to the launcher.
    pub fn close(&self) {
        self.0.close();
    }

    /// Opens the closed panel, closes the open one.
    pub fn toggle(&self) {
        self.0.toggle();
    }

    /// Opens the panel and asks a question, unless one is being answered.
    pub fn ask(&self, question: &str) {
        self.0.open();
        self.0.ask(question);
    }

    /// Stops everything under way; the loader removes the elements.
    pub fn destroy(&self) {
        self.0.destroy();
    }
}
