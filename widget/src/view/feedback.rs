//! The row under an answer: copy, thumbs, and after a thumb down the reasons with a comment. The state is in the
//! elements themselves.

use contract::feedback::{FeedbackCategory, MAX_COMMENT, Rating};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, HtmlElement, HtmlTextAreaElement};

use super::{on_click, panel, scroll};
use crate::plain::decimal;
use crate::texts::Texts;
use crate::{dom, icons};

/// The attribute with a button's action, read by the log's listener. An answer has it while its rating is sent.
const ACT: &str = "data-act";

/// The row of buttons, the thumb of an earlier `rating` pressed. What is copied is the answer as it was written.
pub(super) fn actions(text: &str, rating: Option<&str>, texts: &'static Texts) -> HtmlElement {
    let row = dom::element("div", "svc-actions");
    if dom::window().is_secure_context() {
        let copy = panel::icon_button(icons::COPY, texts.copy());
        let (text, below) = (text.to_owned(), row.clone());
        on_click(&copy, move || {
            let copied = dom::window().navigator().clipboard().write_text(&text);
            let below = below.clone();
            dom::spawn(async move {
                if JsFuture::from(copied).await.is_ok() {
                    note(&below, texts.copied());
                }
            });
        });
        dom::append(&row, &[&copy]);
    }
    for (act, label) in [(Rating::Up.as_str(), texts.helpful()), (Rating::Down.as_str(), texts.unhelpful())] {
        let thumb = panel::icon_button(icons::THUMB, label);
        dom::attribute(&thumb, ACT, act);
        press(&thumb, rating == Some(act));
        dom::append(&row, &[&thumb]);
    }
    row
}

/// A press of one of these buttons, or of one in the form.
pub(crate) struct Press {
    button: Element,
    message: HtmlElement,
}

impl Press {
    /// The button of a click on `target`; `None` while a rating of the same answer is sent, and for a pressed thumb,
    /// whose rating would count again.
    pub(crate) fn of(target: &Element) -> Option<Self> {
        let button = target.closest("[data-act]:not([aria-pressed=true]),[data-reason]").ok()??;
        let message = button.closest(".svc-message:not([data-act])").ok()??.unchecked_into();
        Some(Self { button, message })
    }

    /// The button's action: `up`, `down`, `reason`, `send` or `cancel`.
    pub(crate) fn act(&self) -> String {
        self.button.get_attribute(ACT).unwrap_or_default()
    }

    /// The session of the answer.
    pub(crate) fn session_id(&self) -> Option<String> {
        self.message.get_attribute("data-session-id")
    }

    pub(crate) fn message_id(&self) -> Option<String> {
        self.message.get_attribute("data-message-id")
    }

    /// Unfolds the form, or folds it again.
    pub(crate) fn toggle_form(&self, log: &HtmlElement, texts: &Texts) {
        if let Some(form) = self.find(".svc-feedback") {
            dom::remove(&form);
            self.return_focus();
            return;
        }
        let form = form(texts);
        dom::append(&self.message, &[&form]);
        scroll::into_view(&form, log);
        if let Some(first) = self.find("[aria-pressed][data-reason]") {
            dom::focus(first.unchecked_ref());
        }
    }

    /// Chooses a reason, or clears the choice.
    pub(crate) fn choose(&self) {
        let was_chosen = is_pressed(&self.button);
        if let Some(other) = self.find("[data-reason][aria-pressed=true]") {
            press(&other, false);
        }
        press(&self.button, !was_chosen);
    }

    /// The chosen reason.
    pub(crate) fn category(&self) -> Option<String> {
        self.find("[data-reason][aria-pressed=true]")?.get_attribute("data-reason")
    }

    pub(crate) fn comment(&self) -> Option<String> {
        let comment = self.find("textarea")?.unchecked_into::<HtmlTextAreaElement>().value();
        Some(comment).filter(|comment| !comment.trim().is_empty())
    }

    /// Ignores further presses until [`Press::settle`].
    pub(crate) fn hold(&self) {
        dom::attribute(&self.message, ACT, "");
    }

    /// Shows that a rating arrived, or that it did not: then everything stays as it was.
    pub(crate) fn settle(&self, rating: Rating, is_sent: bool, texts: &Texts) {
        let _ = self.message.remove_attribute(ACT);
        if is_sent {
            if let Some(other) = self.find(".svc-actions [aria-pressed=true]") {
                press(&other, false);
            }
            if let Some(thumb) = self.find(if rating == Rating::Up { "[data-act=up]" } else { "[data-act=down]" }) {
                press(&thumb, true);
            }
            // The visitor may already be typing the next question.
            let has_focus = self.find(":focus").is_some();
            if let Some(form) = self.find(".svc-feedback") {
                dom::remove(&form);
                if has_focus {
                    self.return_focus();
                }
            }
        }
        if let Some(row) = self.find(".svc-actions") {
            note(&row, if is_sent { texts.thanks() } else { texts.feedback_failed() });
        }
    }

    fn return_focus(&self) {
        if let Some(thumb) = self.find("[data-act=down]") {
            dom::focus(thumb.unchecked_ref());
        }
    }

    fn find(&self, selector: &str) -> Option<Element> {
        self.message.query_selector(selector).ok()?
    }
}

fn form(texts: &Texts) -> HtmlElement {
    let form = dom::element("div", "svc-feedback");
    dom::attribute(&form, "role", "group");
    // Its words are read by moving through it, not spoken as a message.
    dom::attribute(&form, "aria-live", "off");
    dom::attribute(&form, "aria-label", texts.reason());
    let reasons = dom::element("div", "svc-reasons");
    for (category, label) in FeedbackCategory::ALL.iter().zip(texts.reasons()) {
        let reason = act_button("svc-reason", "reason", label);
        dom::attribute(&reason, "data-reason", category.as_str());
        press(&reason, false);
        dom::append(&reasons, &[&reason]);
    }
    let comment = dom::element("textarea", "svc-comment");
    let limit = decimal(MAX_COMMENT as u32);
    for (name, value) in [
        ("rows", "2"),
        ("dir", "auto"),
        ("maxlength", &limit),
        ("aria-label", texts.comment()),
        ("placeholder", texts.comment()),
    ] {
        dom::attribute(&comment, name, value);
    }
    let buttons = dom::element("div", "svc-reasons");
    let send = act_button("svc-reason svc-reason--main", "send", texts.send_feedback());
    dom::append(&buttons, &[&send, &act_button("svc-reason", "cancel", texts.cancel())]);
    dom::append(&form, &[&dom::labelled("p", "svc-note", texts.reason()), &reasons, &comment, &buttons]);
    form
}

fn act_button(class: &str, act: &str, label: &str) -> HtmlElement {
    let button = dom::button(class);
    dom::attribute(&button, ACT, act);
    button.set_text_content(Some(label));
    button
}

fn is_pressed(button: &Element) -> bool {
    button.get_attribute("aria-pressed").as_deref() == Some("true")
}

fn press(button: &Element, pressed: bool) {
    dom::attribute(button, "aria-pressed", if pressed { "true" } else { "false" });
}

/// Shows a note at the end of the row and replaces the previous one.
fn note(row: &Element, text: &str) {
    if let Ok(Some(old)) = row.query_selector(".svc-note") {
        dom::remove(&old);
    }
    dom::append(row, &[&dom::labelled("span", "svc-note", text)]);
}
