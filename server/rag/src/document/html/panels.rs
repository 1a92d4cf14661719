//! Panels of accordions and tabs: text that a browser shows when a visitor opens it with a button, whose text is the panel's
//! title.

use std::collections::{HashMap, HashSet};

use ego_tree::{NodeId, NodeRef};
use scraper::{ElementRef, Html, Node, Selector, node::Element};

use super::is_heading;

/// Words in classes of panels and of what opens them.
const PANEL: &[&str] = &[
    "tab",
    "tabs",
    "accordion",
    "collapse",
    "collapsible",
    "collapsed",
    "panel",
    "toggle",
    "faq",
    "spoiler",
    "answer",
];
/// Kinds of Bootstrap's toggles that open no panel of the text.
const OTHER_TOGGLES: &[&str] = &["modal", "dropdown", "offcanvas", "tooltip", "popover", "button", "buttons"];
/// Words of buttons that are no title of what they open.
const NO_TITLES: &[&str] = &[
    "more",
    "less",
    "mehr",
    "weniger",
    "weiter",
    "weiterlesen",
    "menu",
    "menü",
    "show",
    "open",
    "close",
    "toggle",
    "plus",
];
/// Maximum bytes of scripts that are searched for the names of elements.
const MAX_SCRIPTS: usize = 256 * 1024;
/// Maximum letters of a question before its answer, and of a button's title.
const TITLE: usize = 200;

/// What a page says about its panels.
#[derive(Debug, Default)]
pub(super) struct Panels {
    /// The titles of panels whose buttons are in no heading.
    titles: HashMap<NodeId, String>,
    /// Buttons whose text is the title of a panel.
    controls: HashSet<NodeId>,
    /// Panels that a button opens.
    openable: HashSet<NodeId>,
    /// The scripts of the page, which may name what they show.
    scripts: String,
}

impl Panels {
    pub(super) fn of(page: &Html) -> Self {
        let mut panels = Self::default();
        let Ok(selector) = Selector::parse(
            "button, summary, [role=button], [role=tab], [aria-controls], [aria-expanded], a[href^='#'], label[for], [data-target], \
             [data-bs-target]",
        ) else {
            return panels;
        };
        let controls: Vec<ElementRef<'_>> = page.select(&selector).collect();
        if let Ok(scripts) = Selector::parse("script:not([src]), [onclick]") {
            for element in page.select(&scripts) {
                panels.scripts.extend(element.attr("onclick"));
                panels.scripts.extend(element.text().filter(|_| element.value().name() == "script"));
            }
        }
        if panels.scripts.len() > MAX_SCRIPTS {
            let end = (0..=MAX_SCRIPTS).rev().find(|at| panels.scripts.is_char_boundary(*at));
            panels.scripts.truncate(end.unwrap_or_default());
        }
        if controls.is_empty() {
            return panels;
        }
        let mut ids: HashMap<&str, NodeId> = HashMap::new();
        for node in page.tree.nodes() {
            if let Some(id) = node.value().as_element().and_then(Element::id) {
                ids.entry(id).or_insert(node.id());
            }
        }
        for control in controls {
            panels.add(control, &ids);
        }
        panels
    }

    fn add(&mut self, control: ElementRef<'_>, ids: &HashMap<&str, NodeId>) {
        let element = control.value();
        let toggle = element.attr("data-bs-toggle").or_else(|| element.attr("data-toggle"));
        if toggle.is_some_and(|kind| OTHER_TOGGLES.contains(&kind)) {
            return;
        }
        let targets = ["aria-controls", "data-bs-target", "data-target", "href", "for"].into_iter().find_map(|name| {
            let ids = element.attr(name)?.split_whitespace().map(|id| id.trim_start_matches('#'));
            Some(ids.collect::<Vec<_>>())
        });
        let elements = targets.into_iter().flatten().filter_map(|id| ids.get(id).copied());
        let mut panels: Vec<NodeId> = elements.filter(|id| *id != control.id()).collect();
        let is_toggle = element.attr("aria-expanded").is_some() || has_class(element, PANEL);
        if panels.is_empty() && is_toggle {
            panels.extend(after(*control).map(|next| next.id()));
        }
        self.openable.extend(&panels);
        // A link to a place in the text is no button.
        let is_button =
            toggle.is_some() || is_toggle || ["button", "tab"].contains(&element.attr("role").unwrap_or_default());
        let is_button = is_button || (element.name() == "button" && !panels.is_empty());
        let has_title = control
            .ancestors()
            .take(4)
            .filter_map(|node| node.value().as_element())
            .any(|outer| is_heading(outer.name()) || outer.name() == "summary");
        let title = control.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
        if !is_button || has_title || !is_title(&title) || element.name() == "summary" {
            return;
        }
        if let [panel] = panels[..] {
            self.titles.entry(panel).or_insert(title);
            self.controls.insert(control.id());
        }
    }

    /// The title of a panel, unless a heading is its title.
    pub(super) fn title(&self, id: NodeId) -> Option<&str> {
        self.titles.get(&id).map(String::as_str)
    }

    /// Whether the element is a button whose text is the title of a panel.
    pub(super) fn is_control(&self, id: NodeId) -> bool {
        self.controls.contains(&id)
    }

    /// Whether a visitor can make the browser show a hidden element: a button or a script names it, or it follows a heading,
    /// a question or a button.
    pub(super) fn can_open(&self, node: NodeRef<'_, Node>, element: &Element) -> bool {
        let is_named = |id: &str| id.len() > 2 && self.scripts.contains(id);
        self.openable.contains(&node.id())
            || has_class(element, PANEL)
            || element.attr("role") == Some("tabpanel")
            || element.id().is_some_and(is_named)
            || is_beside_control(node)
    }
}

fn is_title(text: &str) -> bool {
    let mut words = text.split(|mark: char| !mark.is_alphanumeric());
    text.contains(char::is_alphabetic)
        && text.chars().count() <= TITLE
        && !words.any(|word| NO_TITLES.contains(&word.to_lowercase().as_str()))
}

/// Whether one of the words between hyphens, or at capital letters, of a class is one of these.
fn has_class(element: &Element, words: &[&str]) -> bool {
    element.classes().any(|class| {
        let class = class.to_ascii_lowercase();
        class.split(['-', '_']).any(|part| words.contains(&part))
    })
}

/// The element after the node, or after its parents that end with it.
fn after(node: NodeRef<'_, Node>) -> Option<NodeRef<'_, Node>> {
    let chain = std::iter::once(node).chain(node.ancestors().take(2));
    chain.take_while(|node| node.value().as_element().is_none_or(|it| it.name() != "body")).find_map(|node| {
        let mut next = node.next_siblings();
        next.find(|next| next.value().is_element())
    })
}

/// Whether the element stands directly behind a heading, a question or a button, or before a button. The same holds for a
/// parent that has nothing else.
fn is_beside_control(node: NodeRef<'_, Node>) -> bool {
    let is_element = |node: &NodeRef<'_, Node>| node.value().is_element();
    let (mut inner, mut is_only) = (node, true);
    for _ in 0..3 {
        let before = inner.prev_siblings().find(is_element);
        let next = inner.next_siblings().find(is_element);
        if next.is_some_and(is_opener)
            || (is_only && before.is_some_and(|before| is_opener(before) || is_title_of_next(before)))
        {
            return true;
        }
        is_only &= before.is_none();
        let Some(parent) = inner.parent().filter(|_| next.is_none()) else { return false };
        inner = parent;
    }
    false
}

/// Whether the element is little more than a button.
fn is_opener(node: NodeRef<'_, Node>) -> bool {
    let is_control = |element: &Element| {
        matches!(element.name(), "button" | "summary" | "label" | "dt")
            || matches!(element.attr("role"), Some("button" | "tab"))
            || element.attr("onclick").is_some()
            || element.attr("aria-expanded").is_some()
    };
    let has_control = node.descendants().filter_map(|inner| inner.value().as_element()).take(8).any(is_control);
    has_control && letters(node, TITLE + 1) <= TITLE
}

/// Whether the element is a heading, holds nothing else, or is a question.
fn is_title_of_next(node: NodeRef<'_, Node>) -> bool {
    let is_heading = |inner: &NodeRef<'_, Node>| inner.value().as_element().is_some_and(|it| is_heading(it.name()));
    let all = letters(node, TITLE + 1);
    let ends_with_mark = || {
        let texts = node.descendants().filter_map(|inner| inner.value().as_text());
        texts.map(|text| text.trim_end()).filter(|text| !text.is_empty()).last().is_some_and(|last| last.ends_with('?'))
    };
    all <= TITLE
        && (node.descendants().find(is_heading).is_some_and(|title| letters(title, all) == all) || ends_with_mark())
}

/// The letters of an element, counted up to about `most`.
fn letters(node: NodeRef<'_, Node>, most: usize) -> usize {
    let mut count = 0;
    for text in node.descendants().filter_map(|inner| inner.value().as_text()) {
        count += text.trim().chars().count();
        if count > most {
            break;
        }
    }
    count
}
