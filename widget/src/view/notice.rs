//! The notice between messages and input that shows an error, with a button where a retry makes sense.

use web_sys::HtmlElement;

use crate::dom;
use crate::texts::{Texts, with_number};

/// The notice; `role="alert"` reads it out when it changes.
pub(crate) struct Notice {
    pub(crate) element: HtmlElement,
    /// The button that repeats.
    pub(crate) again: HtmlElement,
    text: HtmlElement,
    texts: &'static Texts,
}

impl Notice {
    pub(super) fn build(texts: &'static Texts) -> Self {
        let element = dom::element("div", "svc-notice");
        let live = dom::element("div", "svc-notice-text");
        dom::attribute(&live, "role", "alert");
        dom::attribute(&live, "dir", "auto");
        let again = dom::button("svc-again");
        dom::append(&element, &[&live, &again]);
        let notice = Self { element, again, text: live, texts };
        notice.hide();
        notice
    }

    /// Shows a text, with the button or without.
    pub(crate) fn show(&self, text: &str, can_repeat: bool) {
        let _ = self.element.class_list().add_1("svc-notice--shown");
        self.text.set_text_content(Some(text));
        self.again.set_hidden(!can_repeat);
        self.count_down(0);
    }

    /// Shows on the button how many seconds are left until it can be pressed, without announcing it; 0: now.
    pub(crate) fn count_down(&self, seconds: u32) {
        if seconds == 0 {
            self.again.set_text_content(Some(self.texts.again()));
            let _ = self.again.remove_attribute("disabled");
        } else {
            self.again.set_text_content(Some(&with_number(self.texts.again_in(), seconds)));
            dom::attribute(&self.again, "disabled", "");
        }
    }

    pub(crate) fn hide(&self) {
        let _ = self.element.class_list().remove_1("svc-notice--shown");
        dom::clear(&self.text);
        self.again.set_hidden(true);
    }
}
