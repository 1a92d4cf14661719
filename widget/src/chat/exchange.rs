//! A question and its answer. A failed question returns to the input, so that nothing typed is lost.

use std::rc::Rc;

use contract::widget::{MAX_QUESTION, StreamSession, StreamSources, StreamToken};
use wasm_bindgen::JsValue;
use web_sys::{AbortController, HtmlElement};

use super::Chat;
use crate::api;
use crate::api_error::ApiError;
use crate::json::name;
use crate::texts::with_number;
use crate::{dom, json};

/// After this time the visitor sees that it takes longer.
const SLOW_MS: i32 = 8_000;

/// Minimum interval between renderings of a growing answer.
const DRAW_MS: i32 = 50;

impl Chat {
    /// Asks the question in the input.
    pub(super) fn submit(self: &Rc<Self>) {
        let question = self.view.composer.text();
        if question.is_empty() {
            self.view.composer.focus();
        } else if self.ask(&question) {
            self.view.composer.clear();
        }
    }

    /// Asks a question; false while another one is being answered, or when the question is empty.
    pub(crate) fn ask(self: &Rc<Self>, question: &str) -> bool {
        let question: String = question.trim().chars().take(MAX_QUESTION).collect();
        if question.is_empty() || self.is_destroyed.get() || self.pending.borrow().is_some() {
            return false;
        }
        let Ok(abort) = AbortController::new() else { return false };
        *self.pending.borrow_mut() = Some(abort.clone());
        let generation = self.next_generation();
        self.view.notice.hide();
        self.view.log.ask(&question, self.texts);
        self.view.composer.set_busy(true, self.texts);
        self.view.say(self.texts.writing());
        self.emit("question");
        self.start_slow_timer(generation);
        let chat = Rc::clone(self);
        dom::spawn(async move {
            // Show the question first.
            dom::pause(0).await;
            let outcome = chat.query(&question, &abort, generation).await;
            let mut element = None;
            if let Ok(reply) = &outcome {
                // Parsing the answer, building its elements and showing them are separate tasks.
                dom::pause(0).await;
                element = Some(chat.view.log.reply(reply, chat.texts));
                dom::pause(0).await;
            }
            if chat.generation.get() == generation {
                chat.finish(outcome, element, &question);
            }
        });
        true
    }

    /// Stops the answer and keeps its received part; when there is none, the question returns to the input.
    pub(super) fn stop(&self) {
        self.cancel();
        if !self.view.log.abort(self.texts.stopped(), false, self.texts)
            && let Some(question) = self.view.log.withdraw()
        {
            self.view.composer.restore(&question);
        }
        self.view.composer.focus();
    }

    /// Ends the exchange under way, if any, without a word.
    pub(super) fn cancel(&self) {
        self.next_generation();
        if let Some(abort) = self.pending.borrow_mut().take() {
            abort.abort();
        }
        self.view.composer.set_busy(false, self.texts);
        self.view.say("");
    }

    fn next_generation(&self) -> u32 {
        self.generation.set(self.generation.get().wrapping_add(1));
        self.generation.get()
    }

    /// One exchange with at most one silent retry for each of two reasons: without the session when the server does not
    /// know it (specification, widget session behaviour), and when the connection failed before the answer began although
    /// the API is up. The second can lead to the first: the server knows a new session only once it has stored it.
    async fn query(
        self: &Rc<Self>,
        question: &str,
        abort: &AbortController,
        generation: u32,
    ) -> Result<json::Reply, ApiError> {
        let chat = Rc::clone(self);
        let hear = dom::callback(move |part| {
            if chat.generation.get() == generation {
                chat.hear(&part);
            }
        });
        let mut session_id = self.session.id();
        let (mut may_forget, mut may_repeat) = (true, true);
        loop {
            let outcome = api::query(&self.options, session_id.as_deref(), question, abort, &hear).await;
            session_id = match outcome {
                Err(ApiError::SessionNotFound) if may_forget => {
                    may_forget = false;
                    self.session.forget();
                    None
                }
                Err(ApiError::Unreachable)
                    if may_repeat
                        && !abort.signal().aborted()
                        && !self.view.log.has_started()
                        && api::is_reachable(&self.options).await =>
                {
                    may_repeat = false;
                    self.session.id()
                }
                outcome => return outcome,
            };
        }
    }

    /// Shows, to assistive technology too, why there is no answer yet.
    fn explain_wait(&self, text: &str, may_replace: bool) {
        if self.view.log.explain_wait(text, may_replace) {
            self.view.say(text);
        }
    }

    /// Handles an event of the stream: the session, which is stored immediately, so that a stopped answer belongs to
    /// the continuing conversation; the sources; a piece of the text; the question's place in the queue.
    fn hear(self: &Rc<Self>, part: &JsValue) {
        if let Some(id) = json::text(part, name!(StreamSession, session_id)) {
            self.session.keep(id);
        } else if let Some(count) = json::length(part, name!(StreamSources, sources)) {
            self.view.log.expect_sources(count);
        } else if let Some(text) = json::text(part, name!(StreamToken, text)) {
            self.draw_soon(self.view.log.hear(&text));
        } else if let Some(place) = json::number(part, "position") {
            self.explain_wait(&with_number(self.texts.place(), place as u32), true);
        }
    }

    /// Rendering a growing answer is expensive, so pieces that arrive close together are rendered together.
    fn draw_soon(self: &Rc<Self>, is_due: bool) {
        if is_due {
            let chat = Rc::clone(self);
            dom::spawn(async move {
                dom::pause(DRAW_MS).await;
                chat.view.log.draw(chat.texts);
            });
        }
    }

    /// Ends the exchange with its outcome; `shown` is the message of a reply.
    fn finish(self: &Rc<Self>, outcome: Result<json::Reply, ApiError>, element: Option<HtmlElement>, question: &str) {
        self.pending.borrow_mut().take();
        self.view.composer.set_busy(false, self.texts);
        self.view.say("");
        match outcome {
            Ok(reply) => {
                self.session.keep(reply.session_id.clone());
                self.is_restored.set(true);
                self.has_waited.set(false);
                self.view.log.answer(element);
                self.emit("answer");
                if !self.is_open.get() {
                    self.view.mark_unread(self.texts);
                }
            }
            Err(error) => {
                if !self.view.log.abort(self.texts.cut(), true, self.texts) {
                    self.view.log.withdraw();
                }
                self.view.composer.restore(question);
                self.view.log.follow(|| self.report(error));
            }
        }
    }

    fn start_slow_timer(self: &Rc<Self>, generation: u32) {
        let chat = Rc::clone(self);
        dom::spawn(async move {
            dom::pause(SLOW_MS).await;
            if chat.generation.get() == generation {
                // The place in the queue says more.
                chat.explain_wait(chat.texts.slow(), false);
            }
        });
    }
}
