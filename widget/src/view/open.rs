//! The pending question and the part of its answer that has arrived.

use web_sys::{Element, HtmlElement};

use super::prose;
use crate::dom;
use contract::markdown;

/// An exchange under way, or one that broke off.
pub(super) struct Open {
    question: HtmlElement,
    /// The question.
    pub(super) text: String,
    pub(super) received: String,
    /// The number of sources that the answer will have.
    pub(super) sources: u32,
    /// The sign that something is coming, then the unfinished message, then the message that took its place.
    pub(super) coming: HtmlElement,
    /// Next to the sign: why it takes longer.
    reason: HtmlElement,
    bubble: Option<HtmlElement>,
    /// The blocks in the unfinished message.
    drawn: usize,
    /// Whether a rendering is scheduled.
    is_due: bool,
}

impl Open {
    /// An exchange without an answer yet.
    pub(super) fn new(question: HtmlElement, text: &str) -> Self {
        let coming = dom::element("div", "svc-waiting");
        dom::attribute(&coming, "aria-hidden", "true");
        for _ in 0..3 {
            dom::append(&coming, &[&dom::element("i", "")]);
        }
        let reason = dom::element("span", "svc-slow");
        dom::append(&coming, &[&reason]);
        let text = text.to_owned();
        Self {
            question,
            text,
            received: String::new(),
            sources: 0,
            coming,
            reason,
            bubble: None,
            drawn: 0,
            is_due: false,
        }
    }

    /// Shows a text next to the sign, with `may_replace` instead of another one; false when it is not shown.
    pub(super) fn explain_wait(&self, text: &str, may_replace: bool) -> bool {
        let is_shown = self.bubble.is_none() && (may_replace || !self.reason.has_child_nodes());
        if is_shown {
            self.reason.set_text_content(Some(text));
        }
        is_shown
    }

    /// Adds a piece of the answer; true when the caller must schedule a rendering.
    pub(super) fn hear(&mut self, text: &str) -> bool {
        self.received.push_str(text);
        !std::mem::replace(&mut self.is_due, true)
    }

    /// Draws the unfinished message, which `message` makes. It is inert: it is spoken when it is complete.
    pub(super) fn show(&mut self, message: impl FnOnce() -> (HtmlElement, HtmlElement)) {
        if !std::mem::take(&mut self.is_due) {
            return;
        }
        if self.bubble.is_none() {
            let (element, bubble) = message();
            dom::attribute(&element, "inert", "");
            self.make_room_for(element);
            self.bubble = Some(bubble);
        }
        if let Some(bubble) = &self.bubble {
            self.drawn = self.draw(bubble, self.drawn);
        }
    }

    /// Renders the received text into a bubble that already has `drawn` of its blocks, and returns its new number of
    /// blocks. Citation marks look final but are inactive.
    pub(super) fn draw(&self, bubble: &HtmlElement, drawn: usize) -> usize {
        let blocks = markdown::parse(&self.received);
        // New text can change the last block, and join it with the one before.
        let unchanged = drawn.min(blocks.len()).saturating_sub(2);
        for _ in unchanged..drawn {
            if let Some(last) = bubble.last_element_child() {
                dom::remove(&last);
            }
        }
        prose::render(bubble, &blocks[unchanged..], &|marker| {
            let mark = || Element::from(dom::labelled("span", "svc-citation", &crate::plain::decimal(marker)));
            (marker <= self.sources).then(mark)
        });
        blocks.len()
    }

    /// Replaces the content by a message.
    pub(super) fn make_room_for(&mut self, message: HtmlElement) {
        let _ = self.coming.replace_with_with_node_1(&message);
        self.coming = message;
    }

    /// Removes the whole exchange.
    pub(super) fn remove(&self) {
        dom::remove(&self.question);
        dom::remove(&self.coming);
    }
}
