//! A question and its answer. Nothing the visitor typed is lost: a question that failed goes back into the input.

use std::rc::Rc;

use contract::widget::{MAX_QUESTION, WidgetReply};
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use super::Chat;
use crate::api::{self, Fault};
use crate::dom;
use crate::plain::uuid_text;
use crate::view::Answer;

/// After this long the visitor is told that it takes longer.
const SLOW_MS: i32 = 8_000;

impl Chat {
    /// Asks what stands in the input.
    pub(super) fn submit(self: &Rc<Self>) {
        let question = self.view.composer.text();
        if question.is_empty() {
            self.view.composer.focus();
        } else if self.ask(&question) {
            self.view.composer.clear();
        }
    }

    /// Asks a question; false when one is being answered already or there is nothing to ask.
    pub(crate) fn ask(self: &Rc<Self>, question: &str) -> bool {
        let question: String = question.trim().chars().take(MAX_QUESTION).collect();
        if question.is_empty() || self.is_destroyed.get() || self.pending.borrow().is_some() {
            return false;
        }
        let Ok(abort) = AbortController::new() else { return false };
        *self.pending.borrow_mut() = Some(abort.clone());
        let turn = self.next_turn();
        self.view.notice.hide();
        self.view.log.ask(&question, self.texts);
        self.view.composer.set_busy(true, self.texts);
        self.view.say(self.texts.writing);
        self.emit("question");
        self.mind_the_time(turn);
        let chat = Rc::clone(self);
        spawn_local(async move {
            let outcome = chat.query(&question, &abort).await;
            if chat.turn.get() == turn {
                chat.finish(outcome, &question);
            }
        });
        true
    }

    /// Stops waiting; the question goes back into the input.
    pub(super) fn stop(&self) {
        self.cancel();
        if let Some(question) = self.view.log.withdraw() {
            self.view.composer.restore(&question);
        }
        self.view.composer.focus();
    }

    /// Ends the exchange under way, if any, without a word.
    pub(super) fn cancel(&self) {
        self.next_turn();
        if let Some(abort) = self.pending.borrow_mut().take() {
            abort.abort();
        }
        self.view.composer.set_busy(false, self.texts);
        self.view.say("");
    }

    fn next_turn(&self) -> u32 {
        self.turn.set(self.turn.get().wrapping_add(1));
        self.turn.get()
    }

    /// One exchange with its two quiet repetitions: without the session when the server no longer knows it
    /// (specification, widget session behaviour), and once more when the connection broke but the API is there.
    async fn query(&self, question: &str, abort: &AbortController) -> Result<WidgetReply, Fault> {
        let session_id = self.session.id();
        let first = api::query(&self.options, session_id.as_deref(), question, abort).await;
        match first {
            Err(Fault::SessionNotFound) => {
                self.session.forget();
                api::query(&self.options, None, question, abort).await
            }
            Err(Fault::Unreachable) if !abort.signal().aborted() && api::is_reachable(&self.options).await => {
                api::query(&self.options, session_id.as_deref(), question, abort).await
            }
            outcome => outcome,
        }
    }

    fn finish(self: &Rc<Self>, outcome: Result<WidgetReply, Fault>, question: &str) {
        self.pending.borrow_mut().take();
        self.view.composer.set_busy(false, self.texts);
        self.view.say("");
        match outcome {
            Ok(reply) => {
                self.session.keep(uuid_text(reply.session_id.0));
                self.is_restored.set(true);
                self.view.log.answer(&Answer::of(&reply), self.texts);
                self.emit("answer");
                if !self.is_open.get() {
                    self.view.mark_unread(self.texts);
                }
            }
            Err(fault) => {
                self.view.log.withdraw();
                self.view.composer.restore(question);
                self.report(fault);
            }
        }
    }

    fn mind_the_time(self: &Rc<Self>, turn: u32) {
        let chat = Rc::clone(self);
        spawn_local(async move {
            dom::pause(SLOW_MS).await;
            if chat.turn.get() == turn && chat.pending.borrow().is_some() {
                chat.view.say(chat.texts.slow);
                chat.view.log.say_slow(chat.texts);
            }
        });
    }
}
