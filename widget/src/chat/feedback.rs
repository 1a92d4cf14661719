//! Sends feedback, to the platform's endpoint or to the legacy one where the page names no chatbot.

use std::rc::Rc;

use contract::feedback::Rating;
use wasm_bindgen::JsCast;

use super::Chat;
use crate::view::{Press, section};
use crate::{api, dom};

impl Chat {
    /// One listener for the buttons under all answers, and the titles of their sources.
    pub(super) fn wire_feedback(self: &Rc<Self>) {
        let chat = Rc::clone(self);
        dom::on(&self.view.log.element, "click", move |event| {
            let Some(target) = event.target() else { return };
            if let Some(passage) = section::passage(target.unchecked_ref()) {
                chat.unfold(&passage, target.unchecked_into());
            } else if let Some(press) = Press::of(target.unchecked_ref()) {
                chat.take(press);
            }
        });
    }

    fn take(self: &Rc<Self>, press: Press) {
        match press.act().as_str() {
            "up" => self.rate(press, Rating::Up),
            "send" => self.rate(press, Rating::Down),
            "reason" => press.choose(),
            _ => press.toggle_form(&self.view.log.element, self.texts),
        }
    }

    fn rate(self: &Rc<Self>, press: Press, rating: Rating) {
        press.hold();
        let chat = Rc::clone(self);
        dom::spawn(async move {
            let (category, comment) = match rating {
                Rating::Up => (None, None),
                Rating::Down => (press.category(), press.comment()),
            };
            let (session_id, message_id) = (press.session_id(), press.message_id());
            let outcome = api::feedback(&chat.options, session_id, message_id, rating, category, comment).await;
            press.settle(rating, outcome.is_ok(), chat.texts);
        });
    }
}
