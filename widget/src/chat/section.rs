//! Fetches the section that a source names and shows it in the source's place.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

use super::Chat;
use crate::view::Section;
use crate::{api, dom};

impl Chat {
    /// One listener for the titles of all sources.
    pub(super) fn wire_sections(self: &Rc<Self>) {
        let chat = Rc::clone(self);
        dom::on(&self.view.log.element, "click", move |event| {
            let target = event.target();
            let section = target.and_then(|target| Section::of(target.unchecked_ref()));
            if let Some((section, passage)) = section.and_then(Section::toggle) {
                let chat = Rc::clone(&chat);
                spawn_local(async move {
                    let text = api::section(&chat.options, &passage).await;
                    section.fill(text.ok(), &chat.view.log.element, chat.texts);
                });
            }
        });
    }
}
