//! The styles of an ODT: how text looks, and the list of paragraphs.

use std::collections::HashMap;

use roxmltree::{Document as Xml, Node};

use super::super::{
    builder::is_bold_weight,
    raised::Height,
    xml::{attribute, child, is},
};

/// Styles that are based on each other, at most.
const MAX_BASES: usize = 20;

/// How text looks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look {
    pub(super) is_hidden: bool,
    pub(super) is_struck: bool,
    pub(super) is_bold: bool,
    pub(super) is_white: bool,
    /// Whether it has a ground of its own.
    pub(super) is_shaded: bool,
    pub(super) height: Height,
}

#[derive(Debug, Clone, Default)]
struct Style {
    base: Option<String>,
    hidden: Option<bool>,
    struck: Option<bool>,
    bold: Option<bool>,
    white: Option<bool>,
    shaded: Option<bool>,
    height: Option<Height>,
    list: Option<String>,
}

/// The styles of text (`true`) and paragraphs by their names.
#[derive(Default)]
pub(super) struct Styles {
    styles: HashMap<(bool, String), Style>,
    has_page_ground: bool,
}

impl Styles {
    /// Adds the styles of a part. Those of the text itself come last.
    pub(super) fn add(&mut self, page: &Xml<'_>) {
        let is_ground = |node: Node<'_, '_>| {
            is(node, "page-layout-properties")
                && (ground(node) == Some(true) || attribute(node, "fill").is_some_and(|fill| fill != "none"))
        };
        self.has_page_ground |= page.descendants().any(is_ground);
        for node in page.descendants().filter(|node| is(*node, "style")) {
            let is_text = match attribute(node, "family") {
                Some("text") => true,
                Some("paragraph") => false,
                _ => continue,
            };
            let Some(name) = attribute(node, "name") else { continue };
            let mut style = Style {
                base: attribute(node, "parent-style-name").map(str::to_owned),
                list: attribute(node, "list-style-name").map(str::to_owned),
                ..Style::default()
            };
            if let Some(properties) = child(node, "text-properties") {
                style.read(properties);
            }
            let paragraph = child(node, "paragraph-properties").and_then(ground);
            style.shaded = paragraph.filter(|is_shaded| *is_shaded).or(style.shaded);
            self.styles.insert((is_text, name.to_owned()), style);
        }
    }

    /// The look of text with a style, in surroundings with the look `base`.
    pub(super) fn look(&self, is_text: bool, name: Option<&str>, base: Look) -> Look {
        let mut full = Style::default();
        for style in self.chain(is_text, name) {
            full.hidden = full.hidden.or(style.hidden);
            full.struck = full.struck.or(style.struck);
            full.bold = full.bold.or(style.bold);
            full.white = full.white.or(style.white);
            full.shaded = full.shaded.or(style.shaded);
            full.height = full.height.or(style.height);
        }
        Look {
            is_hidden: full.hidden.unwrap_or(base.is_hidden),
            is_struck: full.struck.unwrap_or(base.is_struck),
            is_bold: full.bold.unwrap_or(base.is_bold),
            is_white: full.white.unwrap_or(base.is_white),
            is_shaded: full.shaded.unwrap_or(base.is_shaded),
            height: full.height.unwrap_or(base.height),
        }
    }

    /// Whether a page has a ground of its own.
    pub(super) fn has_page_ground(&self) -> bool {
        self.has_page_ground
    }

    /// The name of the list style of a paragraph.
    pub(super) fn list(&self, name: Option<&str>) -> Option<&str> {
        self.chain(false, name).find_map(|style| style.list.as_deref())
    }

    /// A style and those that it is based on.
    fn chain(&self, is_text: bool, name: Option<&str>) -> impl Iterator<Item = &Style> {
        let get = move |name: &str| self.styles.get(&(is_text, name.to_owned()));
        std::iter::successors(name.and_then(get), move |style| style.base.as_deref().and_then(get)).take(MAX_BASES)
    }
}

impl Style {
    fn read(&mut self, properties: Node<'_, '_>) {
        self.hidden = attribute(properties, "display").map(|display| display == "none");
        self.bold = attribute(properties, "font-weight").map(is_bold_weight);
        self.white = attribute(properties, "color").map(|color| color.eq_ignore_ascii_case("#ffffff"));
        self.shaded = ground(properties);
        let line = ["text-line-through-style", "text-line-through-type"].map(|name| attribute(properties, name));
        self.struck = match line {
            [None, None] => None,
            line => Some(line.into_iter().flatten().all(|line| line != "none")),
        };
        self.height = attribute(properties, "text-position").map(|position| {
            let first = position.split(' ').next().unwrap_or_default();
            match first.trim_end_matches('%').parse::<f64>() {
                Ok(share) if share > 0.0 => Height::Raised,
                Ok(share) if share < 0.0 => Height::Lowered,
                _ if first == "super" => Height::Raised,
                _ if first == "sub" => Height::Lowered,
                _ => Height::Normal,
            }
        });
    }
}

/// Whether properties give a ground of another color than white; `None` when they say nothing about it.
pub(super) fn ground(properties: Node<'_, '_>) -> Option<bool> {
    let color = attribute(properties, "background-color")?;
    Some(!["transparent", "#ffffff"].iter().any(|none| color.eq_ignore_ascii_case(none)))
}
