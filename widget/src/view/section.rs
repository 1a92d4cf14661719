//! The section of a document below the title of its source, where the source has no address to open.

use contract::markdown;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::{answer, prose};
use crate::dom;
use crate::json::Source;
use crate::texts::Texts;

/// The attribute of a title's button that names its passage.
const PASSAGE: &str = "data-passage";
const EXPANDED: &str = "aria-expanded";

/// The button that is the title of a source whose section can be read.
pub(super) fn title(source: &Source, class: &str) -> Option<HtmlElement> {
    let passage = source.passage_id.as_deref()?;
    let button = dom::button(class);
    button.set_text_content(Some(&source.source_title));
    dom::attribute(&button, PASSAGE, passage);
    dom::attribute(&button, EXPANDED, "false");
    Some(button)
}

/// A source whose section is shown or hidden.
pub(crate) struct Section {
    button: Element,
    item: HtmlElement,
}

impl Section {
    /// The source whose title a click on `target` means; none while its section is fetched.
    pub(crate) fn of(target: &Element) -> Option<Self> {
        let button = target.closest("[data-passage]:not([aria-busy])").ok()??;
        let item = button.closest("li").ok()??.unchecked_into();
        Some(Self { button, item })
    }

    /// Shows the section in place of the snippet, or hides it again; gives the passage when its text is to be fetched first.
    pub(crate) fn toggle(self) -> Option<(Self, String)> {
        let is_shown = self.button.get_attribute(EXPANDED).as_deref() == Some("true");
        let Some(text) = self.find(".svc-source-section") else {
            dom::attribute(&self.button, "aria-busy", "true");
            let passage = self.button.get_attribute(PASSAGE)?;
            return Some((self, passage));
        };
        self.swap(text.unchecked_ref(), !is_shown);
        None
    }

    /// Shows the text that was fetched. Without one, it says so below the snippet, and the next click fetches again.
    pub(crate) fn fill(&self, text: Option<String>, log: &HtmlElement, texts: &Texts) {
        let _ = self.button.remove_attribute("aria-busy");
        if let Some(former) = self.find("[role=status]") {
            dom::remove(&former);
        }
        let Some(text) = text else {
            let note = dom::labelled("span", "svc-source-snippet", texts.no_section());
            dom::attribute(&note, "role", "status");
            dom::append(&self.item, &[&note]);
            return;
        };
        let section = dom::element("div", "svc-source-section svc-prose");
        // It is read by moving through it, not spoken as a message.
        dom::attribute(&section, "aria-live", "off");
        prose::render(&section, &markdown::parse(&text), &|_| None);
        dom::append(&self.item, &[&section]);
        self.swap(&section, true);
        answer::show(&self.item, log);
    }

    fn swap(&self, section: &HtmlElement, is_shown: bool) {
        section.set_hidden(!is_shown);
        if let Some(snippet) = self.find(".svc-source-snippet") {
            snippet.unchecked_ref::<HtmlElement>().set_hidden(is_shown);
        }
        dom::attribute(&self.button, EXPANDED, if is_shown { "true" } else { "false" });
    }

    fn find(&self, selector: &str) -> Option<Element> {
        self.item.query_selector(selector).ok()?
    }
}
