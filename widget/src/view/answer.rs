//! An answer: its text, its citations as buttons that jump to their source, and the collapsed list of sources.

use contract::markdown;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDetailsElement, HtmlElement};

use super::{feedback, on_click, prose, scroll, section};
use crate::api::write_date;
use crate::dom;
use crate::json::Reply;
use crate::plain::decimal;
use crate::texts::Texts;

/// Fills a message: prose into its bubble, sources under it. `number` makes ids unique in the shadow root.
pub(super) fn fill(
    message: &HtmlElement,
    bubble: &HtmlElement,
    log: &HtmlElement,
    answer: &Reply,
    number: u32,
    texts: &'static Texts,
) {
    // The visitor may rate the answer after another tab has started a new conversation.
    dom::attribute(message, "data-session-id", &answer.session_id);
    if let Some(id) = &answer.message_id {
        dom::attribute(message, "data-message-id", id);
    }
    let sources = (!answer.sources.is_empty()).then(|| Sources::build(answer, log, number, texts));
    prose::render(bubble, &markdown::parse(&answer.text), &|marker| {
        let index = answer.cited(marker)?;
        Some(sources.as_ref()?.citation(answer, index, texts))
    });
    if answer.is_generated {
        dom::append(message, &[&dom::labelled("p", "svc-note", texts.generated())]);
    }
    if let Some(link) =
        answer.contact_url.as_deref().and_then(|address| link(address, "svc-suggestion", texts.contact()))
    {
        dom::append(message, &[&link]);
    }
    let row = feedback::actions(&answer.text, answer.rating.as_deref(), texts);
    if let Some(sources) = sources {
        let _ = row.prepend_with_node_1(&sources.details);
    }
    dom::append(message, &[&row]);
}

/// The folded list of sources.
struct Sources {
    details: HtmlElement,
    items: Vec<HtmlElement>,
    log: HtmlElement,
}

impl Sources {
    fn build(answer: &Reply, log: &HtmlElement, number: u32, texts: &Texts) -> Self {
        let details = dom::element("details", "svc-sources");
        let count = [texts.sources(), " (", &decimal(answer.sources.len() as u32), ")"].concat();
        let list = dom::element("ol", "svc-source-list");
        let mut items = Vec::new();
        for (index, source) in answer.sources.iter().enumerate() {
            let item = dom::element("li", "svc-source");
            let id = ["svc-source-", &decimal(number), "-", &decimal(index as u32)].concat();
            dom::attribute(&item, "id", &id);
            dom::attribute(&item, "tabindex", "-1");
            dom::attribute(&item, "dir", "auto");
            let (title, class) = (source.source_title.as_str(), "svc-source-title");
            let link = source.url.as_deref().and_then(|address| link(address, class, title));
            let folded = || source.passage_id.as_deref().map(|passage| section::folded(passage, class, title));
            let heading = link.or_else(folded);
            dom::append(
                &item,
                &[
                    &dom::labelled("span", "svc-source-number", &answer.label(index)),
                    &heading.unwrap_or_else(|| dom::labelled("strong", class, title)),
                    &dom::labelled("span", "svc-source-snippet", &source.content_snippet),
                ],
            );
            if let Some(moment) = &source.as_of {
                let date = dom::element("span", "svc-source-date");
                write_date(&date, texts.as_of(), moment, texts.tag);
                dom::append(&item, &[&date]);
            }
            dom::append(&list, &[&item]);
            items.push(item);
        }
        dom::append(&details, &[&dom::labelled("summary", "svc-sources-label", &count), &list]);
        let (unfolded, within) = (details.clone(), log.clone());
        dom::on(&details, "toggle", move |_| {
            // A citation that unfolds the list has put the focus on its source, and the view with it.
            if unfolded.query_selector("li:focus").ok().flatten().is_none() {
                scroll::into_view(&unfolded, &within);
            }
        });
        Self { details, items, log: log.clone() }
    }

    /// The button in the text that opens the list and jumps to one of its sources.
    fn citation(&self, answer: &Reply, index: usize, texts: &Texts) -> Element {
        let button = dom::button("svc-citation");
        let label = answer.label(index);
        button.set_text_content(Some(&label));
        if let (Some(source), Some(item)) = (answer.sources.get(index), self.items.get(index)) {
            let spoken = [texts.source(), " ", &label, ": ", &source.source_title].concat();
            dom::attribute(&button, "aria-label", &spoken);
            dom::attribute(&button, "title", &source.source_title);
            let (details, item, log) = (self.details.clone(), item.clone(), self.log.clone());
            on_click(&button, move || jump(&details, &item, &log));
        }
        button.unchecked_into()
    }
}

/// A link that opens in a new tab, if its address is safe to follow.
fn link(address: &str, class: &str, label: &str) -> Option<HtmlElement> {
    if !["https:", "http:", "mailto:", "tel:"].iter().any(|scheme| address.starts_with(scheme)) {
        return None;
    }
    let link = dom::labelled("a", class, label);
    prose::lead(&link, address);
    Some(link)
}

/// Opens the list and moves view and focus to a source. Scrolls the log only, never the page.
fn jump(details: &HtmlElement, item: &HtmlElement, log: &HtmlElement) {
    details.unchecked_ref::<HtmlDetailsElement>().set_open(true);
    scroll::into_view(item, log);
    dom::focus(item);
}
