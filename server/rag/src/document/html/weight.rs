//! How much text each element of a page has, so that no rule about tags or attributes drops most of a page.

use std::collections::HashMap;

use ego_tree::{NodeId, iter::Edge};
use scraper::{Html, Node, node::Element};

use super::leads_away;

/// Letters of one piece of text that is a sentence rather than a label.
const SENTENCE: usize = 30;
/// Letters of short pieces that are text all the same, such as the cells of a table.
const MANY: usize = 200;
/// Letters of text for each field of a form that is more than a form.
const LETTERS_FOR_FIELD: usize = 40;
/// Elements without text of a page.
pub(super) const WITHOUT_TEXT: &[&str] =
    &["script", "style", "svg", "math", "iframe", "object", "select", "textarea", "head", "canvas"];

/// What an element contains, without its inner elements of [`WITHOUT_TEXT`] and those that a browser does not show at first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weight {
    pub letters: usize,
    /// Of these, letters in links to other pages.
    pub link_letters: usize,
    /// Of these, letters of buttons and of the labels of fields.
    pub labels: usize,
    /// Letters of the longest piece of text that is neither link nor label.
    pub longest: usize,
    /// Whether a text that is neither link nor label has a digit.
    pub has_digit: bool,
    /// Fields that a visitor fills in.
    pub fields: usize,
}

impl Weight {
    /// Letters of its own text, which is neither link nor label.
    pub(super) fn text(&self) -> usize {
        self.letters.saturating_sub(self.link_letters + self.labels)
    }

    /// Whether it has more than labels and a few words.
    pub(super) fn has_sentences(&self) -> bool {
        self.longest >= SENTENCE || self.text() >= MANY
    }

    /// Whether it has text besides links, and more than a label.
    pub(super) fn has_own_text(&self) -> bool {
        !self.is_mostly_links() && (self.has_sentences() || self.has_digit)
    }

    /// Whether it has more than half of the text of `page`.
    pub(super) fn is_most_of(&self, page: &Self) -> bool {
        self.has_sentences() && self.text() * 2 > page.text()
    }

    /// Whether at least half of its letters are in links.
    pub(super) fn is_mostly_links(&self) -> bool {
        self.link_letters * 2 >= self.letters
    }

    /// Whether it is a form that has little more than its fields. A number, such as a price, is more.
    pub(super) fn is_mostly_fields(&self) -> bool {
        self.text() == 0 || (!self.has_digit && self.fields > 0 && self.text() < self.fields * LETTERS_FOR_FIELD)
    }

    fn add(&mut self, inner: &Self) {
        self.letters += inner.letters;
        self.link_letters += inner.link_letters;
        self.labels += inner.labels;
        self.longest = self.longest.max(inner.longest);
        self.has_digit |= inner.has_digit;
        self.fields += inner.fields;
    }
}

/// The weight of each element of a page.
pub(super) fn of(page: &Html) -> HashMap<NodeId, Weight> {
    let mut weights = HashMap::new();
    let mut open: Vec<Weight> = vec![Weight::default()];
    let (mut links, mut labels) = (0_usize, 0_usize);
    let mut skip_end = None;
    for edge in page.tree.root().traverse() {
        match edge {
            Edge::Open(node) if skip_end.is_none() => match node.value() {
                Node::Element(element) if WITHOUT_TEXT.contains(&element.name()) => {
                    if let Some(outer) = open.last_mut() {
                        outer.fields += usize::from(is_field(element));
                    }
                    skip_end = Some(node.id());
                }
                Node::Element(element) => {
                    links += usize::from(is_link(element));
                    labels += usize::from(is_label(element));
                    open.push(Weight { fields: usize::from(is_field(element)), ..Weight::default() });
                }
                Node::Text(text) => {
                    if let Some(weight) = open.last_mut() {
                        weight.add(&of_text(text, links > 0, labels > 0));
                    }
                }
                _ => {}
            },
            Edge::Close(node) if skip_end == Some(node.id()) => skip_end = None,
            Edge::Close(node) if skip_end.is_none() => {
                let Node::Element(element) = node.value() else { continue };
                links -= usize::from(is_link(element));
                labels -= usize::from(is_label(element));
                let weight = open.pop().unwrap_or_default();
                if let Some(outer) = open.last_mut().filter(|_| !is_inert(element)) {
                    outer.add(&weight);
                }
                weights.insert(node.id(), weight);
            }
            _ => {}
        }
    }
    weights
}

fn of_text(text: &str, is_linked: bool, is_label: bool) -> Weight {
    let text = text.trim();
    let letters = text.chars().count();
    let own = if is_linked || is_label { "" } else { text };
    Weight {
        letters,
        link_letters: if is_linked { letters } else { 0 },
        labels: if is_label && !is_linked { letters } else { 0 },
        longest: if own.is_empty() { 0 } else { letters },
        has_digit: own.contains(|mark: char| mark.is_ascii_digit()),
        fields: 0,
    }
}

/// Whether a browser with scripts does not show its content: it belongs to no element around it.
pub(super) fn is_inert(element: &Element) -> bool {
    element.name() == super::NOSCRIPT || (element.name() == "template" && !is_shadow_root(element))
}

/// Whether the browser shows the content of the template in the element that it is in.
pub(super) fn is_shadow_root(element: &Element) -> bool {
    element.attr("shadowrootmode").is_some()
}

fn is_link(element: &Element) -> bool {
    element.name() == "a" && leads_away(element)
}

fn is_label(element: &Element) -> bool {
    matches!(element.name(), "label" | "legend" | "button" | "option")
}

fn is_field(element: &Element) -> bool {
    let is_input = || {
        let kind = element.attr("type").unwrap_or("text").to_ascii_lowercase();
        !["hidden", "submit", "button", "image", "reset"].contains(&kind.as_str())
    };
    matches!(element.name(), "select" | "textarea") || (element.name() == "input" && is_input())
}
