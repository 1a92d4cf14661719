//! The messages: welcome, suggestions, the earlier conversation, and what is said now. The list is a live log, so each
//! message is spoken once, when it is complete; its author is spoken before it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use contract::widget::MessageRole;
use web_sys::HtmlElement;

use super::{Answer, answer, on_click, prose};
use crate::dom;
use crate::json::Turn;
use crate::markdown;
use crate::texts::Texts;

type OnSuggestion = Rc<RefCell<Option<Box<dyn Fn(&str)>>>>;

/// The list of messages.
pub(crate) struct Log {
    /// `role="log"`.
    pub(crate) element: HtmlElement,
    welcome: HtmlElement,
    suggestions: HtmlElement,
    earlier: HtmlElement,
    current: HtmlElement,
    /// The question that waits for its answer: element, text, and the sign that something is coming.
    open: RefCell<Option<(HtmlElement, String, HtmlElement)>>,
    name: RefCell<String>,
    answers: Cell<u32>,
    on_suggestion: OnSuggestion,
}

impl Log {
    pub(super) fn build(texts: &Texts) -> Self {
        let element = dom::element("div", "svc-log");
        for (name, value) in [("role", "log"), ("aria-label", texts.conversation), ("tabindex", "0")] {
            dom::attribute(&element, name, value);
        }
        let part = |class| dom::element("div", class);
        let (welcome, suggestions) = (part("svc-part"), dom::element("ul", "svc-suggestions"));
        dom::attribute(&suggestions, "aria-label", texts.suggestions);
        suggestions.set_hidden(true);
        let (earlier, current) = (part("svc-part"), part("svc-part"));
        dom::append(&element, &[&welcome, &suggestions, &earlier, &current]);
        Self {
            element,
            welcome,
            suggestions,
            earlier,
            current,
            open: RefCell::new(None),
            name: RefCell::new(texts.assistant.to_owned()),
            answers: Cell::new(0),
            on_suggestion: Rc::default(),
        }
    }

    /// What happens when a suggested question is chosen.
    pub(crate) fn on_suggestion<R>(&self, handle: impl Fn(&str) -> R + 'static) {
        *self.on_suggestion.borrow_mut() = Some(Box::new(move |question| {
            handle(question);
        }));
    }

    /// The chatbot's first words and the questions it suggests.
    pub(super) fn introduce(&self, name: &str, welcome: &str, suggestions: &[String], texts: &Texts) {
        if !name.is_empty() {
            *self.name.borrow_mut() = name.to_owned();
        }
        dom::clear(&self.welcome);
        if !welcome.is_empty() {
            let (message, bubble) = self.message("svc-message", "svc-bubble svc-prose", &self.author(texts));
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

    /// Shows a question and that an answer is on its way.
    pub(crate) fn ask(&self, question: &str, texts: &Texts) {
        let message = self.question(question, texts);
        let waiting = dom::element("div", "svc-waiting");
        dom::attribute(&waiting, "aria-hidden", "true");
        dom::append(&waiting, &[&dom::element("i", ""), &dom::element("i", ""), &dom::element("i", "")]);
        dom::append(&self.current, &[&message, &waiting]);
        *self.open.borrow_mut() = Some((message, question.to_owned(), waiting));
        self.offer_suggestions();
        self.scroll_to_last();
    }

    /// Says beside the waiting sign that it takes longer.
    pub(crate) fn say_slow(&self, texts: &Texts) {
        if let Some((_, _, waiting)) = self.open.borrow().as_ref() {
            dom::append(waiting, &[&dom::labelled("span", "svc-slow", texts.slow)]);
        }
    }

    /// Shows the answer to the open question.
    pub(crate) fn answer(&self, reply: &Answer<'_>, texts: &Texts) {
        let message = self.reply(reply, texts);
        let open = self.open.borrow_mut().take();
        if let Some((_, _, waiting)) = &open {
            dom::remove(waiting);
        }
        dom::append(&self.current, &[&message]);
        // A long answer is read from its beginning: the question moves to the top.
        let top = open.map_or_else(|| message.offset_top(), |(question, _, _)| question.offset_top());
        self.element.set_scroll_top(top - 12);
    }

    /// Takes the open question away and returns it.
    pub(crate) fn withdraw(&self) -> Option<String> {
        let (message, question, waiting) = self.open.borrow_mut().take()?;
        dom::remove(&message);
        dom::remove(&waiting);
        self.offer_suggestions();
        Some(question)
    }

    /// Shows an earlier conversation without speaking it; scrolls to its end when asked to.
    pub(crate) async fn restore(&self, turns: &[Turn], texts: &Texts, scroll: bool) {
        dom::attribute(&self.element, "aria-live", "off");
        for turn in turns {
            let message = match turn.role {
                MessageRole::User => self.question(&turn.content, texts),
                MessageRole::Assistant => self.reply(&Answer::of_turn(turn), texts),
            };
            dom::append(&self.earlier, &[&message]);
        }
        self.offer_suggestions();
        if scroll {
            self.scroll_to_last();
        }
        dom::pause(300).await;
        let _ = self.element.remove_attribute("aria-live");
    }

    /// Empties everything but the welcome.
    pub(crate) fn reset(&self) {
        self.open.borrow_mut().take();
        dom::clear(&self.earlier);
        dom::clear(&self.current);
        self.offer_suggestions();
    }

    /// Scrolls to the last message.
    pub(crate) fn scroll_to_last(&self) {
        self.element.set_scroll_top(self.element.scroll_height());
    }

    /// Suggestions are there while nothing has been said.
    fn offer_suggestions(&self) {
        let said = self.earlier.has_child_nodes() || self.current.has_child_nodes();
        self.suggestions.set_hidden(said || !self.suggestions.has_child_nodes());
    }

    fn question(&self, text: &str, texts: &Texts) -> HtmlElement {
        let (message, bubble) = self.message("svc-message svc-message--own", "svc-bubble", texts.you);
        bubble.set_text_content(Some(text));
        message
    }

    fn reply(&self, reply: &Answer<'_>, texts: &Texts) -> HtmlElement {
        let (message, bubble) = self.message("svc-message", "svc-bubble svc-prose", &self.author(texts));
        let number = self.answers.replace(self.answers.get() + 1);
        answer::fill(&message, &bubble, &self.element, reply, number, texts);
        message
    }

    fn author(&self, texts: &Texts) -> String {
        let name = self.name.borrow();
        [if name.is_empty() { texts.assistant } else { &name }, ":"].concat()
    }

    fn message(&self, class: &str, bubble_class: &str, author: &str) -> (HtmlElement, HtmlElement) {
        let message = dom::element("div", class);
        let bubble = dom::element("div", bubble_class);
        dom::attribute(&bubble, "dir", "auto");
        dom::append(&message, &[&dom::labelled("span", "svc-spoken", author), &bubble]);
        (message, bubble)
    }
}
