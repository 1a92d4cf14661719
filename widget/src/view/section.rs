//! The section of a document below the title of its source, where the source has no address to open.

use contract::markdown;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlElement};

use super::prose;
use crate::texts::Texts;
use crate::{dom, json};

/// The attribute of a title with its passage.
const PASSAGE: &str = "data-passage";

/// A title that unfolds a section, which is still empty.
pub(super) fn folded(passage: &str, class: &str, title: &str) -> HtmlElement {
    let (details, summary) = (dom::element("details", class), dom::labelled("summary", "", title));
    dom::attribute(&summary, PASSAGE, passage);
    let section = dom::element("div", "svc-prose");
    // It is read by moving through it, not spoken as a message.
    dom::attribute(&section, "aria-live", "off");
    dom::append(&details, &[&summary, &section]);
    details
}

/// The passage whose section must be fetched, when a click on `target` expands it.
pub(crate) fn passage(target: &Element) -> Option<String> {
    let folded = target.closest("details:not([open])>[data-passage]").ok()??;
    folded.get_attribute(PASSAGE)
}

/// Shows the section below its title. The next time it is unfolded it is fetched again: a link to its file soon ends.
pub(crate) fn fill(title: &Element, body: &JsValue, texts: &Texts) {
    let Some(section) = title.next_element_sibling() else { return };
    dom::clear(&section);
    match json::section(body) {
        Some(text) => prose::render(&section, &markdown::parse(&text), &|_| None),
        None => section.set_text_content(Some(texts.no_section())),
    }
}
