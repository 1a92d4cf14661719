//! Decides which elements of a page are its text. Tags, attributes and classes say what is around the text, but no element
//! is dropped for them that has most of the page's text.

use std::collections::{HashMap, HashSet};

use ego_tree::{NodeId, NodeRef, iter::Edge};
use scraper::{Html, Node, node::Element};

use super::{
    BLOCKS, boilerplate, has_contact, navigation,
    panels::Panels,
    style::ElementStyles,
    weight::{self, WITHOUT_TEXT, Weight, is_inert},
};
use crate::document::Omission;

/// Letters of a part that is hidden from programs for blind people, above which it is text and not decoration.
const DECORATION: usize = 25;
/// Beginnings of text that belongs to no page: parts that a script fills in, and requests to allow scripts.
const PLACEHOLDERS: &[&str] = &["{{", "${", "<%", "{%"];
const NEEDS_SCRIPTS: &[&str] = &["javascript", "java script"];

/// Why an element is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SkipReason {
    /// It never has text, or it is around the text.
    Around,
    /// It has links between the pages of a document.
    Navigation,
    /// Its author has struck it through or hidden it.
    Omitted(Omission),
}

/// A page with what its elements say about each other.
pub(super) struct Page<'a> {
    html: &'a Html,
    weights: HashMap<NodeId, Weight>,
    styles: ElementStyles,
    panels: Panels,
    navigation: HashSet<NodeId>,
    /// The weight of its body.
    body: Weight,
}

impl<'a> Page<'a> {
    pub(super) fn of(html: &'a Html) -> Self {
        let weights = weight::of(html);
        let body = elements(html, |element| element.name() == "body").next();
        let body = body.and_then(|body| weights.get(&body.id())).copied().unwrap_or_default();
        let (styles, panels) = (ElementStyles::of(html), Panels::of(html));
        Self { html, weights, styles, panels, navigation: navigation::find(html), body }
    }

    pub(super) fn panels(&self) -> &Panels {
        &self.panels
    }

    pub(super) fn weight(&self, node: NodeRef<'_, Node>) -> Weight {
        self.weights.get(&node.id()).copied().unwrap_or_default()
    }

    /// Why the element is not read; `None` if it is read. The elements around it do not count.
    pub(super) fn leaves_out(&self, element: &Element, node: NodeRef<'_, Node>) -> Option<SkipReason> {
        if WITHOUT_TEXT.contains(&element.name()) {
            return Some(SkipReason::Around);
        }
        let weight = self.weight(node);
        if is_inert(element) {
            return (!self.is_text_without_scripts(node, &weight)).then_some(SkipReason::Around);
        }
        if self.styles.is_struck(node.id(), element) {
            return Some(SkipReason::Omitted(Omission::StruckText));
        }
        let is_most = weight.is_most_of(&self.body);
        if boilerplate::is_dialog(element)
            && (!is_most || boilerplate::asks_for_cookies(element) || mentions_cookies(node))
        {
            return Some(SkipReason::Around);
        }
        if is_most {
            return None;
        }
        if self.styles.is_hidden(node.id(), element) && !self.panels.can_open(node, element) {
            return Some(SkipReason::Omitted(Omission::HiddenText));
        }
        if self.navigation.contains(&node.id()) {
            return Some(SkipReason::Navigation);
        }
        let is_decoration = element.attr("aria-hidden") == Some("true") && self.is_decoration(element, node, &weight);
        (is_decoration || boilerplate::is_around(element, node, &weight)).then_some(SkipReason::Around)
    }

    /// Whether a part that is hidden from programs for blind people says nothing to others either: an icon, or the copy of
    /// another part. Panels of accordions and tabs are hidden from them as long as they are closed.
    fn is_decoration(&self, element: &Element, node: NodeRef<'_, Node>, weight: &Weight) -> bool {
        let is_copy = element.classes().any(|class| class.contains("clone") || class.contains("duplicate"));
        let is_block =
            BLOCKS.contains(&element.name()) || matches!(element.name(), "ul" | "ol" | "table" | "li" | "dd");
        let is_text = is_block && weight.text() >= DECORATION && !weight.is_mostly_links();
        is_copy || !(is_text || self.panels.can_open(node, element))
    }

    /// Whether a template or the content of a `noscript` is text: sentences that ask for no scripts and have no
    /// placeholders.
    fn is_text_without_scripts(&self, node: NodeRef<'_, Node>, weight: &Weight) -> bool {
        let says = |words: &[&str]| {
            let mut texts = node.descendants().filter_map(|inner| inner.value().as_text());
            texts.any(|text| words.iter().any(|word| text.to_lowercase().contains(word)))
        };
        weight.has_sentences()
            && !says(PLACEHOLDERS)
            && (!says(NEEDS_SCRIPTS) || weight.text() > self.body.text().max(MUCH_TEXT))
    }

    /// Whether a part outside the text is an `aside` with sentences, and not one with contact data.
    pub(super) fn is_text_aside(&self, part: NodeRef<'_, Node>) -> bool {
        let weight = self.weight(part);
        let is_aside = part.value().as_element().is_some_and(|element| element.name() == "aside");
        let text = || {
            part.descendants().filter_map(|inner| inner.value().as_text()).fold(String::new(), |all, text| all + text)
        };
        is_aside && weight.has_sentences() && !weight.is_mostly_links() && !has_contact(&text())
    }

    /// The element that holds the page's own text: the `main` or the only `article`, if it has at least half of the text that
    /// is read and no other has much text, or else the body.
    pub(super) fn root(&self) -> Option<NodeRef<'a, Node>> {
        let body = elements(self.html, |element| element.name() == "body").next()?;
        let is_main = |element: &Element| element.name() == "main" || element.attr("role") == Some("main");
        let mut roots: Vec<NodeRef<'_, Node>> = elements(self.html, is_main).collect();
        let mut articles = elements(self.html, |element| element.name() == "article");
        // Several articles on one page: use the body, which contains them all.
        if let (Some(article), None) = (articles.next(), articles.next()) {
            roots.push(article);
        }
        let letters = self.read_letters(body);
        let all = letters.get(&body.id()).copied().unwrap_or_default();
        let mut best = None;
        let own = |root: &NodeRef<'_, Node>| letters.get(&root.id()).copied().unwrap_or_default();
        for root in &roots {
            if own(root) > best.map_or(0, |(_, most)| most) && own(root) * 2 >= all {
                best = Some((*root, own(root)));
            }
        }
        let Some((best, _)) = best else { return Some(body) };
        let is_apart = |root: &NodeRef<'_, Node>| {
            root.id() != best.id()
                && root.ancestors().all(|outer| outer.id() != best.id())
                && best.ancestors().all(|outer| outer.id() != root.id())
        };
        // Another part with text, such as an article above a list of others, is text as well.
        let is_second = |root: &NodeRef<'_, Node>| own(root) >= SECOND && is_apart(root) && !mentions_cookies(*root);
        Some(if roots.iter().any(is_second) { body } else { best })
    }

    /// The letters that are read of each `main`, `article` and of the body.
    fn read_letters(&self, body: NodeRef<'_, Node>) -> HashMap<NodeId, usize> {
        let mut letters = HashMap::new();
        let mut open: Vec<(NodeId, usize)> = Vec::new();
        let mut skip_end = None;
        for edge in body.traverse() {
            match edge {
                Edge::Open(node) if skip_end.is_none() => match node.value() {
                    Node::Element(element) => {
                        if node.id() != body.id() && self.leaves_out(element, node).is_some() {
                            skip_end = Some(node.id());
                        } else if is_root(element) {
                            open.push((node.id(), 0));
                        }
                    }
                    Node::Text(text) => {
                        if let Some((_, count)) = open.last_mut() {
                            *count += text.trim().chars().count();
                        }
                    }
                    _ => {}
                },
                Edge::Close(node) if skip_end == Some(node.id()) => skip_end = None,
                Edge::Close(node) if open.last().is_some_and(|(id, _)| *id == node.id()) => {
                    let Some((id, count)) = open.pop() else { continue };
                    letters.insert(id, count);
                    if let Some((_, outer)) = open.last_mut() {
                        *outer += count;
                    }
                }
                _ => {}
            }
        }
        letters
    }

    /// The parts outside `root` that may hold the contact data of the site, without those inside another.
    pub(super) fn contacts_outside(&self, root: NodeRef<'_, Node>) -> Vec<NodeRef<'a, Node>> {
        let mut contacts: Vec<NodeRef<'a, Node>> = Vec::new();
        for node in elements(self.html, boilerplate::may_have_contact) {
            let mut outer = node.ancestors();
            if node.id() != root.id()
                && outer.all(|outer| outer.id() != root.id() && contacts.iter().all(|other| other.id() != outer.id()))
                && node.descendants().all(|inner| inner.id() != root.id())
            {
                contacts.push(node);
            }
        }
        contacts
    }
}

/// Letters of a second `main` from which on it is text.
const SECOND: usize = 200;
/// Letters of a `noscript` that asks for scripts and is the page's text all the same.
const MUCH_TEXT: usize = 400;

fn is_root(element: &Element) -> bool {
    matches!(element.name(), "body" | "main" | "article") || element.attr("role") == Some("main")
}

fn elements<'a>(html: &'a Html, is_one: impl Fn(&Element) -> bool) -> impl Iterator<Item = NodeRef<'a, Node>> {
    html.tree.root().descendants().filter(move |node| node.value().as_element().is_some_and(&is_one))
}

fn mentions_cookies(node: NodeRef<'_, Node>) -> bool {
    let mut texts = node.descendants().filter_map(|inner| inner.value().as_text());
    texts.any(|text| text.to_lowercase().contains("cookie"))
}

/// The beginning of the text behind an element on the same line.
pub(super) fn text_after(node: NodeRef<'_, Node>) -> String {
    const LETTERS: usize = 24;
    let mut text = String::new();
    for around in std::iter::once(node).chain(node.ancestors()) {
        for next in around.next_siblings() {
            let is_end = next.value().as_element().is_some_and(|element| {
                BLOCKS.contains(&element.name())
                    || matches!(element.name(), "br" | "table" | "ul" | "ol" | "script" | "style")
            });
            if is_end {
                return text;
            }
            text.extend(
                next.descendants().filter_map(|inner| inner.value().as_text().map(|text| &**text)).take(LETTERS),
            );
            if text.len() > LETTERS {
                return text;
            }
        }
        let is_inline = |element: &Element| {
            matches!(element.name(), "a" | "b" | "strong" | "span" | "em" | "i" | "small" | "font" | "sup" | "sub")
        };
        if !around.parent().and_then(|outer| outer.value().as_element()).is_some_and(is_inline) {
            break;
        }
    }
    text
}
