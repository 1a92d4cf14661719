//! The user interface: the loader's launcher and, behind it, the panel with log, notice and input.

mod answer;
mod composer;
mod feedback;
mod log;
mod notice;
mod open;
mod panel;
mod prose;
mod scroll;
pub(crate) mod section;

use contract::widget::WidgetConfig;
use wasm_bindgen::JsCast;
use web_sys::{EventTarget, HtmlButtonElement, HtmlElement};

use crate::dom;
use crate::texts::Texts;

use composer::Composer;
pub(crate) use feedback::Press;
use log::Log;
use notice::Notice;
use panel::Panel;

/// All parts of the widget on the page.
pub(crate) struct View {
    /// The outermost element inside the shadow root.
    pub(crate) frame: HtmlElement,
    /// The loader's button.
    pub(crate) launcher: HtmlElement,
    pub(crate) panel: Panel,
    pub(crate) log: Log,
    pub(crate) notice: Notice,
    pub(crate) composer: Composer,
    status: HtmlElement,
}

impl View {
    /// Creates the parts; `attach` adds them to the page.
    pub(crate) fn build(frame: HtmlElement, launcher: HtmlButtonElement, texts: &'static Texts) -> Self {
        let launcher: HtmlElement = launcher.unchecked_into();
        let panel = Panel::build(texts);
        let log = Log::build(texts);
        let notice = Notice::build(texts);
        let composer = Composer::build();
        let status = dom::element("p", "svc-spoken");
        dom::attribute(&status, "role", "status");
        dom::attribute(&frame, "lang", texts.tag);
        dom::attribute(&launcher, "aria-label", texts.open());
        Self { frame, launcher, panel, log, notice, composer, status }
    }

    /// Runs step `step` (from 0) of populating and attaching the parts: the hidden panel next to the launcher, then its
    /// contents. False after the last.
    pub(crate) fn attach(&self, step: u32, texts: &Texts) -> bool {
        let panel = &self.panel.element;
        match step {
            0 => self.panel.populate(texts),
            1 => drop(self.frame.insert_before(panel, Some(&self.launcher))),
            2 => dom::append(panel, &[&self.log.element, &self.notice.element]),
            3 => {
                self.composer.populate(texts);
                self.panel.populate_footer();
            }
            4 => dom::append(panel, &[&self.composer.form]),
            5 => dom::append(panel, &[&self.panel.footer, &self.status]),
            _ => return false,
        }
        true
    }

    /// Opens or closes the panel, and moves the focus in when it opens.
    pub(crate) fn show(&self, open: bool, texts: &Texts) {
        self.panel.show(open);
        dom::attribute(&self.launcher, "aria-expanded", if open { "true" } else { "false" });
        dom::attribute(&self.launcher, "aria-label", if open { texts.close() } else { texts.open() });
        let _ = self.launcher.class_list().remove_1("svc-launcher--unread");
        if open {
            self.log.scroll_to_last();
            self.focus();
        }
    }

    /// Moves the focus into the input, or to the panel on phones, where the keyboard would cover what there is to read.
    /// Pressed buttons that disappear call it too, because the focus would leave the panel with them.
    pub(crate) fn focus(&self) {
        if self.panel.is_modal() { dom::focus(&self.panel.element) } else { self.composer.focus() }
    }

    /// Shows names, pictures, welcome and suggestions.
    pub(crate) fn apply(&self, config: &WidgetConfig, texts: &'static Texts) {
        let branding = &config.branding.fields;
        let name = branding.display_name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&config.name);
        let title = branding.header_title.as_deref().unwrap_or(name);
        self.panel.set_title(if title.is_empty() { texts.chat() } else { title });
        self.panel.set_picture(branding.avatar_url.as_deref().or(branding.logo_url.as_deref()));
        self.panel.set_notice(branding.notice_text.as_deref(), texts);
        self.panel.set_privacy(branding.privacy_url.as_deref(), texts);
        self.composer.set_placeholder(branding.input_placeholder.as_deref().unwrap_or(texts.placeholder()));
        self.log.render_welcome(name, &config.welcome_message, &config.suggested_questions, texts);
    }

    /// Speaks a short state to assistive technology.
    pub(crate) fn say(&self, text: &str) {
        self.status.set_text_content(Some(text));
    }

    /// Marks the launcher: an answer waits.
    pub(crate) fn mark_unread(&self, texts: &Texts) {
        let _ = self.launcher.class_list().add_1("svc-launcher--unread");
        dom::attribute(&self.launcher, "aria-label", texts.unread());
    }
}

/// Calls `handle` on each click.
pub(crate) fn on_click(target: &EventTarget, mut handle: impl FnMut() + 'static) {
    dom::on(target, "click", move |_| handle());
}
