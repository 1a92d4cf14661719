//! Handles failures: shows a notice, keeps the input, and polls `/health/live` until the API is back.

use std::rc::Rc;

use super::Chat;
use crate::api;
use crate::api_error::ApiError;
use crate::{backoff, dom};

/// After a longer wait, in seconds, the visitor decides.
const MAX_WAIT_SECONDS: u32 = 60;

impl Chat {
    /// Shows an error to the visitor and polls an unreachable API.
    pub(super) fn report(self: &Rc<Self>, error: ApiError) {
        let texts = self.texts;
        let notice = &self.view.notice;
        let has_question = !self.view.composer.text().is_empty();
        match error {
            ApiError::Forbidden => notice.show(texts.forbidden(), false),
            ApiError::Invalid => notice.show(texts.invalid(), false),
            ApiError::RateLimited(None) => notice.show(texts.limited(), has_question),
            ApiError::RateLimited(Some(seconds)) => {
                notice.show(texts.limited(), has_question);
                self.wait(seconds);
            }
            ApiError::SessionNotFound | ApiError::Unavailable => notice.show(texts.unavailable(), has_question),
            ApiError::Unreachable => {
                let is_online = dom::window().navigator().on_line();
                notice.show(if is_online { texts.unreachable() } else { texts.offline() }, false);
                self.watch();
            }
        }
    }

    /// Polls the API with growing delays, only while the panel is open, until it responds.
    pub(super) fn watch(self: &Rc<Self>) {
        if self.is_watching.replace(true) {
            return;
        }
        let chat = Rc::clone(self);
        dom::spawn(async move {
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

    /// Continues after the connection was restored.
    fn recover(self: &Rc<Self>) {
        if self.is_destroyed.get() {
            return;
        }
        if self.view.composer.text().is_empty() {
            self.view.notice.hide();
        } else {
            self.view.notice.show(self.texts.recovered(), true);
        }
        if self.config.borrow().is_none() {
            self.load_config();
        }
        self.restore();
    }

    /// Waits as long as the platform requested, then repeats the question once if it is unchanged in the input.
    fn wait(self: &Rc<Self>, seconds: u32) {
        let chat = Rc::clone(self);
        let (generation, question) = (self.generation.get(), self.view.composer.text());
        let may_repeat = !self.has_waited.replace(true) && seconds <= MAX_WAIT_SECONDS;
        dom::spawn(async move {
            for left in (1..=seconds).rev() {
                chat.view.notice.count_down(left);
                dom::pause(1_000).await;
                if chat.generation.get() != generation {
                    return;
                }
            }
            chat.view.notice.count_down(0);
            if question.is_empty() {
                chat.recover();
            } else if may_repeat && chat.view.composer.text() == question {
                chat.submit();
            }
        });
    }
}
