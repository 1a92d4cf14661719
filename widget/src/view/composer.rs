//! The input and its button, which sends a question or, while an answer is generated, stops it.

use contract::widget::MAX_QUESTION;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlTextAreaElement};

use super::panel::draw_icon;
use crate::plain::decimal;
use crate::texts::Texts;
use crate::{dom, icons};

/// The form under the messages.
pub(crate) struct Composer {
    /// The form; its submit event is the button's click.
    pub(crate) form: HtmlElement,
    input: HtmlTextAreaElement,
    button: HtmlElement,
}

impl Composer {
    /// Creates the parts, empty.
    pub(super) fn build() -> Self {
        let input = dom::element("textarea", "svc-input").unchecked_into();
        Self { form: dom::element("form", "svc-composer"), input, button: dom::element("button", "svc-send") }
    }

    /// Joins the parts into the form, with texts and attributes.
    pub(super) fn populate(&self, texts: &Texts) {
        let label = dom::labelled("label", "svc-spoken", texts.question());
        dom::attribute(&label, "for", "svc-input");
        let limit = decimal(MAX_QUESTION as u32);
        for (name, value) in [
            ("id", "svc-input"),
            ("aria-describedby", "svc-caution"),
            ("rows", "1"),
            ("dir", "auto"),
            ("maxlength", limit.as_str()),
            ("enterkeyhint", "send"),
            ("autocomplete", "off"),
            ("placeholder", texts.placeholder()),
        ] {
            dom::attribute(&self.input, name, value);
        }
        dom::attribute(&self.button, "type", "submit");
        dom::append(&self.form, &[&label, &self.input, &self.button]);
        self.set_busy(false, texts);
        let grown = self.input.clone();
        dom::on(&self.input, "input", move |_| grow(&grown));
    }

    /// The trimmed text.
    pub(crate) fn text(&self) -> String {
        self.input.value().trim().to_owned()
    }

    pub(crate) fn clear(&self) {
        self.input.set_value("");
        grow(&self.input);
    }

    /// Puts a question back, before whatever was typed meanwhile.
    pub(crate) fn restore(&self, question: &str) {
        let typed = self.text();
        let both =
            if typed.is_empty() || typed == question { question.to_owned() } else { [question, "\n", &typed].concat() };
        self.input.set_value(&both);
        grow(&self.input);
    }

    /// Moves the focus into the input.
    pub(crate) fn focus(&self) {
        dom::focus(&self.input);
    }

    /// Whether an event comes from the input.
    pub(crate) fn is_target(&self, event: &Event) -> bool {
        event.target().as_ref() == Some(self.input.as_ref())
    }

    /// Turns the button into one that stops, or back.
    pub(crate) fn set_busy(&self, busy: bool, texts: &Texts) {
        let (path, label) = if busy { (icons::STOP, texts.stop()) } else { (icons::SEND, texts.send()) };
        draw_icon(&self.button, path, label);
    }

    pub(super) fn set_placeholder(&self, text: &str) {
        self.input.set_placeholder(text);
    }
}

/// Sets the rows to the number of lines, where the browser cannot size the input by its content.
fn grow(input: &HtmlTextAreaElement) {
    let lines = input.value().split('\n').count().clamp(1, 5);
    input.set_rows(lines as u32);
}
