//! When something fails: a gentle notice, the input kept, and `/health/live` looked at until the API is back.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::Chat;
use crate::api::{self, Fault};
use crate::plain::decimal;
use crate::{backoff, dom};

impl Chat {
    /// Tells the visitor about a fault; an unreachable API is watched.
    pub(super) fn report(self: &Rc<Self>, fault: Fault) {
        let texts = self.texts;
        let notice = &self.view.notice;
        let has_question = !self.view.composer.text().is_empty();
        match fault {
            Fault::Forbidden => notice.show(texts.forbidden, false),
            Fault::Invalid => notice.show(texts.invalid, false),
            Fault::RateLimited(None) => notice.show(texts.limited, has_question),
            Fault::RateLimited(Some(seconds)) => {
                let [before, after] = texts.limited_seconds;
                notice.show(&[before, &decimal(seconds), after].concat(), false);
                self.lift_notice_after(seconds);
            }
            Fault::SessionNotFound | Fault::Unavailable => notice.show(texts.unavailable, has_question),
            Fault::Unreachable => {
                let is_online = dom::window().navigator().on_line();
                notice.show(if is_online { texts.unreachable } else { texts.offline }, false);
                self.watch();
            }
        }
    }

    /// Looks at the API with growing pauses, only while the panel is open, until it answers.
    pub(super) fn watch(self: &Rc<Self>) {
        if self.is_watching.replace(true) {
            return;
        }
        let chat = Rc::clone(self);
        spawn_local(async move {
            let mut attempt = 0;
            while !chat.is_destroyed.get() {
                dom::pause(backoff::pause_ms(attempt, js_sys::Math::random())).await;
                if chat.is_open.get() {
                    if api::is_reachable(&chat.options).await {
                        break;
                    }
                    attempt += 1;
                }
            }
            chat.is_watching.set(false);
            chat.recover();
        });
    }

    /// Goes on where the connection was lost.
    fn recover(self: &Rc<Self>) {
        if self.is_destroyed.get() {
            return;
        }
        if self.view.composer.text().is_empty() {
            self.view.notice.hide();
        } else {
            self.view.notice.show(self.texts.recovered, true);
        }
        if self.config.borrow().is_none() {
            self.load_config();
        }
        self.restore();
    }

    fn lift_notice_after(self: &Rc<Self>, seconds: u32) {
        let chat = Rc::clone(self);
        let turn = self.turn.get();
        spawn_local(async move {
            dom::pause(i32::try_from(seconds).unwrap_or(60).saturating_mul(1_000)).await;
            if chat.turn.get() == turn && chat.pending.borrow().is_none() {
                chat.recover();
            }
        });
    }
}
