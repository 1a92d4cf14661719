//! The position of the log. It follows a growing answer until its question reaches the top, so that a long answer is read from
//! its beginning. It does not move after the visitor has scrolled up.

use std::cell::{Cell, RefCell};

use web_sys::HtmlElement;

/// Room above the question, in pixels.
const MARGIN: i32 = 12;

/// The scroll target of the log, and its position after the last scroll.
#[derive(Debug, Default)]
pub(super) struct Scroll {
    last: RefCell<Option<HtmlElement>>,
    top: Cell<i32>,
}

impl Scroll {
    /// From now on the log belongs to this question.
    pub(super) fn begin(&self, log: &HtmlElement, question: HtmlElement) {
        *self.last.borrow_mut() = Some(question);
        self.show(log);
    }

    /// Forgets the question.
    pub(super) fn reset(&self) {
        self.last.borrow_mut().take();
    }

    /// Scrolls to the last exchange: its question to the top, as far as possible.
    pub(super) fn show(&self, log: &HtmlElement) {
        if let Some(question) = self.last.borrow().as_ref() {
            log.set_scroll_top(question.offset_top() - MARGIN);
            self.top.set(log.scroll_top());
        }
    }

    /// Does something that makes the log longer above what is in view, which stays where it is.
    pub(super) fn lengthen_above(&self, log: &HtmlElement, lengthen: impl FnOnce()) {
        let (top, height) = (log.scroll_top(), log.scroll_height());
        let is_followed = top == self.top.get();
        lengthen();
        log.set_scroll_top(top + log.scroll_height() - height);
        if is_followed {
            self.top.set(log.scroll_top());
        }
    }

    /// Runs something that lengthens the log, and scrolls along unless the visitor has scrolled away.
    pub(super) fn follow(&self, log: &HtmlElement, lengthen: impl FnOnce()) {
        let before = log.scroll_top();
        let is_followed = before == self.top.get() || before + log.client_height() + 4 >= log.scroll_height();
        lengthen();
        if is_followed {
            self.show(log);
            if log.scroll_top() < before {
                log.set_scroll_top(before);
            }
        }
    }
}

/// Scrolls the log as little as possible to show an element: all of it, or its beginning where it is taller.
pub(super) fn into_view(element: &HtmlElement, log: &HtmlElement) {
    let top = element.offset_top() - 16;
    let bottom = top + element.offset_height() + 32 - log.client_height();
    log.set_scroll_top(log.scroll_top().max(bottom).min(top));
}
