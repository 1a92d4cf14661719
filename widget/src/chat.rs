//! One chatbot on a page: its state and the visitor's actions. `view` renders it.

mod config;
mod exchange;
mod feedback;
mod history;
mod keys;
mod recovery;
mod section;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use contract::widget::WidgetConfig;
use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::{AbortController, CustomEvent, CustomEventInit, HtmlButtonElement, HtmlElement, ShadowRoot};

use crate::api;
use crate::api_error::ApiError;
use crate::options::Options;
use crate::session::Session;
use crate::texts::Texts;
use crate::view::View;
use crate::{dom, view};

/// The step of the start after the panel's parts, its colours and its texts.
const LAST_STEP: u32 = 8;

/// A chatbot's whole state. The browser's single thread makes cells enough.
pub(crate) struct Chat {
    options: Options,
    texts: &'static Texts,
    session: Session,
    root: ShadowRoot,
    view: View,
    /// The loader's configuration until it is applied.
    prefetched: RefCell<Option<Result<WidgetConfig, ApiError>>>,
    config: RefCell<Option<WidgetConfig>>,
    /// The completed steps of the start.
    steps: Cell<u32>,
    is_open: Cell<bool>,
    is_restored: Cell<bool>,
    is_watching: Cell<bool>,
    /// Whether a question was delayed by a rate limit since the last answer.
    has_waited: Cell<bool>,
    is_destroyed: Cell<bool>,
    /// The exchange under way.
    pending: RefCell<Option<AbortController>>,
    /// Grows with every exchange, stop and new conversation: an answer of an older one is dropped.
    generation: Cell<u32>,
}

impl Chat {
    /// Creates the panel's parts without adding them to the page.
    pub(crate) fn start(
        root: ShadowRoot,
        frame: HtmlElement,
        launcher: HtmlButtonElement,
        options: &JsValue,
        config: &JsValue,
        texts: &'static Texts,
    ) -> Rc<Self> {
        let options = Options::read(options);
        let prefetched = api::early_config(config);
        Rc::new(Self {
            session: Session::of(&options.chatbot_id),
            view: View::build(frame, launcher, texts),
            options,
            texts,
            root,
            prefetched: RefCell::new(Some(prefetched)),
            config: RefCell::new(None),
            steps: Cell::new(0),
            is_open: Cell::new(false),
            is_restored: Cell::new(false),
            is_watching: Cell::new(false),
            has_waited: Cell::new(false),
            is_destroyed: Cell::new(false),
            pending: RefCell::new(None),
            generation: Cell::new(0),
        })
    }

    /// Runs the next step of the start; false after the last. Each forces the layout of its result, so that no step
    /// blocks the page for long and opening the panel finds everything ready.
    pub(crate) fn step(self: &Rc<Self>) -> bool {
        let step = self.steps.replace(self.steps.get() + 1);
        if !self.view.attach(step, self.texts) {
            match self.prefetched.take() {
                Some(Ok(config)) => self.apply_config(config),
                Some(Err(_)) => {}
                None if step == LAST_STEP => {
                    self.follow_scheme();
                    self.wire();
                    // Code is compiled at its first use, which the first opening need not wait for.
                    self.view.show(false, self.texts);
                    return false;
                }
                None => self.render_welcome(),
            }
        }
        self.view.panel.force_layout();
        true
    }

    /// Opens the panel; the first time, missing configuration and an earlier conversation are fetched.
    pub(crate) fn open(self: &Rc<Self>) {
        if self.is_destroyed.get() || self.is_open.replace(true) {
            return;
        }
        self.view.show(true, self.texts);
        self.emit("open");
        if self.config.borrow().is_none() {
            self.load_config();
        }
        self.restore();
    }

    /// Closes the panel; an answer under way still arrives and leaves a mark on the launcher.
    pub(crate) fn close(&self) {
        if self.is_open.replace(false) {
            let had_focus = self.root.active_element().is_some();
            self.view.show(false, self.texts);
            if had_focus {
                dom::focus(&self.view.launcher);
            }
            self.emit("close");
        }
    }

    pub(crate) fn toggle(self: &Rc<Self>) {
        if self.is_open.get() { self.close() } else { self.open() }
    }

    /// Forgets the session and empties the panel.
    pub(crate) fn new_conversation(&self) {
        self.cancel();
        self.session.forget();
        self.is_restored.set(true);
        self.view.log.reset();
        self.view.notice.hide();
        self.view.composer.focus();
    }

    /// Stops everything under way for good.
    pub(crate) fn destroy(&self) {
        self.is_destroyed.set(true);
        self.cancel();
    }

    /// Notifies the page by an event `svc-chat` on the document, without any text of the conversation.
    fn emit(&self, kind: &str) {
        let detail = Object::new();
        for (key, value) in [("type", kind), ("chatbotId", self.options.chatbot_id.as_str())] {
            let _ = Reflect::set(&detail, &JsValue::from_str(key), &JsValue::from_str(value));
        }
        let init = CustomEventInit::new();
        init.set_detail(&detail);
        if let Ok(event) = CustomEvent::new_with_event_init_dict("svc-chat", &init) {
            let _ = dom::document().dispatch_event(&event);
        }
    }

    fn wire(self: &Rc<Self>) {
        let chat = Rc::clone(self);
        view::on_click(&self.view.panel.close, move || chat.close());
        let chat = Rc::clone(self);
        view::on_click(&self.view.panel.new, move || chat.new_conversation());
        let chat = Rc::clone(self);
        view::on_click(&self.view.notice.again, move || {
            chat.submit();
            chat.view.focus();
        });
        let chat = Rc::clone(self);
        dom::on(&self.view.composer.form, "submit", move |event| {
            event.prevent_default();
            if chat.pending.borrow().is_some() { chat.stop() } else { chat.submit() }
        });
        let chat = Rc::clone(self);
        self.view.log.on_suggestion(move |question| {
            chat.ask(question);
            chat.view.focus();
        });
        self.wire_feedback();
        self.wire_keys();
    }
}
