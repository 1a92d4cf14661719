//! Keyboard handling: Enter sends, Escape closes, Tab stays inside a full-screen panel, and keys typed here do not
//! trigger the page's own shortcuts.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::Chat;
use crate::dom;

/// The code of the keys that an input method handles. `isComposing` is not enough: Safari ends a composition before it
/// reports the key that does.
const INPUT_METHOD_KEY_CODE: u32 = 229;

impl Chat {
    pub(super) fn wire_keys(self: &Rc<Self>) {
        for kind in ["keyup", "keypress"] {
            dom::on(&self.view.panel.element, kind, |event| event.stop_propagation());
        }
        let chat = Rc::clone(self);
        dom::on(&self.view.panel.element, "keydown", move |event| {
            event.stop_propagation();
            if let Some(key) = event.dyn_ref::<KeyboardEvent>().filter(|key| key.key_code() != INPUT_METHOD_KEY_CODE) {
                chat.press(key);
            }
        });
        let chat = Rc::clone(self);
        dom::on(&self.view.launcher, "keydown", move |event| {
            if event.dyn_ref::<KeyboardEvent>().is_some_and(|key| key.key() == "Escape") && chat.is_open.get() {
                event.stop_propagation();
                chat.close();
            }
        });
    }

    fn press(self: &Rc<Self>, key: &KeyboardEvent) {
        match key.key().as_str() {
            "Escape" => {
                key.prevent_default();
                self.close();
            }
            "Enter" if !key.shift_key() && self.view.composer.is_target(key) => {
                key.prevent_default();
                self.submit();
            }
            "Tab" if self.view.panel.is_modal() && self.view.panel.wrap_focus(&self.root, key.shift_key()) => {
                key.prevent_default();
            }
            _ => {}
        }
    }
}
