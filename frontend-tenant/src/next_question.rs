//! The question for the playground when it is opened next. It is not in the URL, because URLs are logged.

use std::cell::RefCell;

thread_local! {
    static NEXT: RefCell<Option<NextQuestion>> = const { RefCell::new(None) };
}

/// A question from another page.
pub(crate) struct NextQuestion {
    pub question: String,
    /// Whether it is sent immediately, or only filled into the field.
    pub is_asked: bool,
}

/// Passes a question to the playground, which is opened next.
pub(crate) fn ask_next(question: String) {
    NEXT.set(Some(NextQuestion { question, is_asked: true }));
}

/// Writes the beginning of a question into the playground's field when it is opened next.
pub(crate) fn begin_next(question: String) {
    NEXT.set(Some(NextQuestion { question, is_asked: false }));
}

/// The question that was passed, once.
pub(crate) fn take() -> Option<NextQuestion> {
    NEXT.take()
}
