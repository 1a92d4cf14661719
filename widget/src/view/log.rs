//! The messages: welcome, suggestions, the earlier conversation and the current one. The list is a live log, so each message is
//! announced once, after its author and when it is complete.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use contract::widget::MessageRole;
use web_sys::HtmlElement;

use super::open::Open;
use super::scroll::Scroll;
use super::{answer, on_click, prose};
use crate::dom;
use crate::json::{HistoryMessage, Reply};
use crate::texts::Texts;
use contract::markdown;

type OnSuggestion = Rc<RefCell<Option<Box<dyn Fn(&str)>>>>;

/// The list of messages.
pub(crate) struct Log {
    /// `role="log"`.
    pub(crate) element: HtmlElement,
    welcome: HtmlElement,
    suggestions: HtmlElement,
    earlier: HtmlElement,
    current: HtmlElement,
    /// The question that waits for its answer.
    open: RefCell<Option<Open>>,
    /// A failed exchange, which is removed when its question is repeated.
    broken: RefCell<Option<Open>>,
    scroll: Scroll,
    name: RefCell<String>,
    answers: Cell<u32>,
    on_suggestion: OnSuggestion,
}

impl Log {
    pub(super) fn build(texts: &Texts) -> Self {
        let element = dom::element("div", "svc-log");
        for (name, value) in [("role", "log"), ("aria-label", texts.conversation()), ("tabindex", "0")] {
            dom::attribute(&element, name, value);
        }
        let part = |class| dom::element("div", class);
        let (welcome, suggestions) = (part("svc-part"), dom::element("ul", "svc-suggestions"));
        dom::attribute(&suggestions, "aria-label", texts.suggestions());
        suggestions.set_hidden(true);
        let (earlier, current) = (part("svc-part"), part("svc-part"));
        dom::append(&element, &[&welcome, &suggestions, &earlier, &current]);
        Self {
            element,
            welcome,
            suggestions,
            earlier,
            current,
            open: RefCell::default(),
            broken: RefCell::default(),
            scroll: Scroll::default(),
            name: RefCell::new(texts.assistant().to_owned()),
            answers: Cell::new(0),
            on_suggestion: Rc::default(),
        }
    }

    /// Handles a chosen suggested question.
    pub(crate) fn on_suggestion<R>(&self, handle: impl Fn(&str) -> R + 'static) {
        *self.on_suggestion.borrow_mut() = Some(Box::new(move |question| {
            handle(question);
        }));
    }

    /// The chatbot's first words and the questions it suggests.
    pub(super) fn render_welcome(&self, name: &str, welcome: &str, suggestions: &[String], texts: &Texts) {
        if !name.is_empty() {
            *self.name.borrow_mut() = name.to_owned();
        }
        dom::clear(&self.welcome);
        dom::append(&self.welcome, &[&dom::labelled("p", "svc-note", texts.caution())]);
        if !welcome.is_empty() {
            let (message, bubble) = self.bubble(texts);
            prose::render(&bubble, &markdown::parse(welcome), &|_| None);
            dom::append(&self.welcome, &[&message]);
        }
        dom::clear(&self.suggestions);
        for question in suggestions.iter().filter(|question| !question.trim().is_empty()) {
            let button = dom::button("svc-suggestion");
            button.set_text_content(Some(question));
            dom::attribute(&button, "dir", "auto");
            let (chosen, handle) = (question.clone(), Rc::clone(&self.on_suggestion));
            on_click(&button, move || {
                if let Some(handle) = handle.borrow().as_ref() {
                    handle(&chosen);
                }
            });
            let item = dom::element("li", "");
            dom::append(&item, &[&button]);
            dom::append(&self.suggestions, &[&item]);
        }
        self.offer_suggestions();
    }

    /// Shows a question with a waiting sign. Removes an equal question whose answer failed.
    pub(crate) fn ask(&self, question: &str, texts: &Texts) {
        if let Some(broken) = self.broken.borrow_mut().take().filter(|broken| broken.text == question) {
            broken.remove();
        }
        let message = self.question(question, texts);
        let open = Open::new(message.clone(), question);
        dom::append(&self.current, &[&message, &open.coming]);
        *self.open.borrow_mut() = Some(open);
        self.offer_suggestions();
        self.scroll.begin(&self.element, message);
    }

    /// Shows a text next to the waiting sign, with `may_replace` instead of another one; false when it is not shown.
    pub(crate) fn explain_wait(&self, text: &str, may_replace: bool) -> bool {
        self.open.borrow().as_ref().is_some_and(|open| open.explain_wait(text, may_replace))
    }

    /// The number of answers so far, stopped ones included.
    pub(crate) fn answers(&self) -> u32 {
        self.answers.get()
    }

    /// Whether a part of the answer is visible.
    pub(crate) fn has_started(&self) -> bool {
        self.open.borrow().as_ref().is_some_and(|open| !open.received.is_empty())
    }

    /// Sets the number of sources that the answer will have.
    pub(crate) fn expect_sources(&self, count: u32) {
        if let Some(open) = self.open.borrow_mut().as_mut() {
            open.sources = count;
        }
    }

    /// Adds a piece to the answer; true when `draw` must be called soon.
    pub(crate) fn hear(&self, text: &str) -> bool {
        self.open.borrow_mut().as_mut().is_some_and(|open| open.hear(text))
    }

    /// Renders the pieces since the last time.
    pub(crate) fn draw(&self, texts: &Texts) {
        if let Some(open) = self.open.borrow_mut().as_mut() {
            self.scroll.follow(&self.element, || open.show(|| self.bubble(texts)));
        }
    }

    /// Shows the whole answer to the open question, a message made by `reply`, instead of its pieces.
    pub(crate) fn answer(&self, message: Option<HtmlElement>) {
        if let (Some(mut open), Some(message)) = (self.open.borrow_mut().take(), message) {
            self.scroll.follow(&self.element, || open.make_room_for(message));
        }
    }

    /// Keeps the partial text of an interrupted answer, with a note; false when there is none. With `may_return` the
    /// exchange is removed when its question is repeated.
    pub(crate) fn abort(&self, note: &str, may_return: bool, texts: &Texts) -> bool {
        let Some(mut open) = self.open.borrow_mut().take_if(|open| !open.received.is_empty()) else { return false };
        let (message, bubble) = self.bubble(texts);
        open.draw(&bubble, 0);
        dom::append(&message, &[&dom::labelled("p", "svc-note", note)]);
        self.scroll.follow(&self.element, || open.make_room_for(message));
        if may_return {
            *self.broken.borrow_mut() = Some(open);
        } else {
            self.answers.set(self.answers.get() + 1);
        }
        true
    }

    /// Removes the open question and returns it.
    pub(crate) fn withdraw(&self) -> Option<String> {
        let open = self.open.borrow_mut().take()?;
        open.remove();
        self.offer_suggestions();
        Some(open.text)
    }

    /// Shows the earlier conversation of a session without announcing it, from its end, to which it scrolls on
    /// request, to its beginning: one exchange at a time, so that a long one does not block the page.
    pub(crate) async fn restore(&self, messages: &[HistoryMessage], texts: &'static Texts, mut scroll: bool) {
        dom::attribute(&self.element, "aria-live", "off");
        for (at, message) in messages.iter().enumerate().rev() {
            let is_question = message.role == MessageRole::User;
            // A question that was repeated after a fault occurs twice.
            let is_same = |next: &HistoryMessage| next.role == message.role && next.reply.text == message.reply.text;
            if is_question && messages.get(at + 1).is_some_and(is_same) {
                continue;
            }
            let element =
                if is_question { self.question(&message.reply.text, texts) } else { self.reply(&message.reply, texts) };
            self.scroll.lengthen_above(&self.element, || {
                let _ = self.earlier.insert_before(&element, self.earlier.first_child().as_ref());
                self.offer_suggestions();
            });
            if is_question {
                if std::mem::take(&mut scroll) {
                    self.scroll.begin(&self.element, element);
                }
                dom::pause(0).await;
                if !self.earlier.has_child_nodes() {
                    break; // A new conversation has started.
                }
            }
        }
        dom::pause(300).await;
        let _ = self.element.remove_attribute("aria-live");
    }

    /// Empties everything but the welcome.
    pub(crate) fn reset(&self) {
        self.open.borrow_mut().take();
        self.scroll.reset();
        dom::clear(&self.earlier);
        dom::clear(&self.current);
        self.offer_suggestions();
    }

    /// Runs something that changes the layout, and keeps the last exchange in view.
    pub(crate) fn follow(&self, happen: impl FnOnce()) {
        self.scroll.follow(&self.element, happen);
    }

    /// Scrolls to the last exchange.
    pub(crate) fn scroll_to_last(&self) {
        self.scroll.show(&self.element);
    }

    /// Shows suggestions until the first message.
    fn offer_suggestions(&self) {
        let has_messages = self.earlier.has_child_nodes() || self.current.has_child_nodes();
        self.suggestions.set_hidden(has_messages || !self.suggestions.has_child_nodes());
    }

    fn question(&self, text: &str, texts: &Texts) -> HtmlElement {
        let (message, bubble) = self.message("svc-message svc-message--own", "svc-bubble", texts.you());
        bubble.set_text_content(Some(text));
        message
    }

    /// Makes the message of an answer.
    pub(crate) fn reply(&self, reply: &Reply, texts: &'static Texts) -> HtmlElement {
        let (message, bubble) = self.bubble(texts);
        let number = self.answers.replace(self.answers.get() + 1);
        answer::fill(&message, &bubble, &self.element, reply, number, texts);
        message
    }

    /// An empty message of the chatbot and its bubble.
    fn bubble(&self, texts: &Texts) -> (HtmlElement, HtmlElement) {
        let name = self.name.borrow();
        let author = [if name.is_empty() { texts.assistant() } else { &name }, ":"].concat();
        self.message("svc-message", "svc-bubble svc-prose", &author)
    }

    fn message(&self, class: &str, bubble_class: &str, author: &str) -> (HtmlElement, HtmlElement) {
        let message = dom::element("div", class);
        let bubble = dom::element("div", bubble_class);
        dom::attribute(&bubble, "dir", "auto");
        dom::append(&message, &[&dom::labelled("span", "svc-spoken", author), &bubble]);
        (message, bubble)
    }
}
