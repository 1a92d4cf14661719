//! The styles of a DOCX: heading levels, lists, and how runs of text look.

use std::collections::HashMap;

use roxmltree::{Document as Xml, Node};

use super::super::{
    raised::Height,
    xml::{attribute, child, is},
};

/// Styles that are based on each other, at most.
const MAX_BASES: usize = 20;

/// The attribute `val`.
pub(super) fn value<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    attribute(node, "val")
}

/// How a run of text looks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look {
    pub(super) is_hidden: bool,
    pub(super) is_struck: bool,
    pub(super) is_white: bool,
    pub(super) is_bold: bool,
    /// Whether it has a ground of its own.
    pub(super) is_shaded: bool,
    pub(super) height: Height,
}

/// What properties say of a run's look.
#[derive(Debug, Clone, Copy, Default)]
struct LookChange {
    hidden: Option<bool>,
    struck: Option<bool>,
    white: Option<bool>,
    bold: Option<bool>,
    shaded: Option<bool>,
    height: Option<Height>,
}

impl LookChange {
    fn read(properties: Node<'_, '_>) -> Self {
        let mut change = Self::default();
        for node in properties.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "b" => change.bold = Some(is_on(node)),
                "vanish" => change.hidden = Some(is_on(node)),
                "strike" | "dstrike" => change.struck = Some(is_on(node) || change.struck == Some(true)),
                "color" => change.white = Some(value(node).is_some_and(|color| color.eq_ignore_ascii_case("FFFFFF"))),
                "shd" | "highlight" => change.shaded = Some(has_color(node)),
                "vertAlign" => {
                    change.height = Some(match value(node) {
                        Some("superscript") => Height::Raised,
                        Some("subscript") => Height::Lowered,
                        _ => Height::Normal,
                    });
                }
                // Half points. A shift of less than two points aligns a sign and does not raise it.
                "position" => match value(node).and_then(|height| height.parse::<i32>().ok()) {
                    Some(4..) => change.height = Some(Height::Raised),
                    Some(..=-4) => change.height = Some(Height::Lowered),
                    _ => {}
                },
                _ => {}
            }
        }
        change
    }

    fn apply(self, look: Look) -> Look {
        Look {
            is_hidden: self.hidden.unwrap_or(look.is_hidden),
            is_struck: self.struck.unwrap_or(look.is_struck),
            is_bold: self.bold.unwrap_or(look.is_bold),
            is_white: self.white.unwrap_or(look.is_white),
            is_shaded: self.shaded.unwrap_or(look.is_shaded),
            height: self.height.unwrap_or(look.height),
        }
    }

    fn or(self, base: Self) -> Self {
        Self {
            hidden: self.hidden.or(base.hidden),
            struck: self.struck.or(base.struck),
            bold: self.bold.or(base.bold),
            white: self.white.or(base.white),
            shaded: self.shaded.or(base.shaded),
            height: self.height.or(base.height),
        }
    }
}

fn is_on(toggle: Node<'_, '_>) -> bool {
    !matches!(value(toggle), Some("0" | "false" | "off"))
}

/// The list of a paragraph: its number and level, as far as they are given. Number 0 is no list.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InList {
    pub(super) list: Option<u32>,
    pub(super) level: Option<usize>,
}

impl InList {
    /// Reads paragraph properties.
    pub(super) fn read(properties: Node<'_, '_>) -> Self {
        let Some(numbering) = child(properties, "numPr") else { return Self::default() };
        let number = |name: &str| child(numbering, name).and_then(value).and_then(|number| number.parse::<u32>().ok());
        Self { list: number("numId"), level: number("ilvl").map(|level| level.min(8) as usize) }
    }

    pub(super) fn or(self, base: Self) -> Self {
        Self { list: self.list.or(base.list), level: self.level.or(base.level) }
    }
}

/// A style with what it inherits.
#[derive(Debug, Clone, Default)]
pub(super) struct Style {
    base: Option<String>,
    /// The level of its headings; the title of the document is level 0. `Some(None)` is running text.
    level: Option<Option<u8>>,
    pub(super) list: InList,
    look: LookChange,
}

#[derive(Default)]
pub(super) struct Styles(HashMap<String, Style>);

impl Styles {
    pub(super) fn read(page: &Xml<'_>) -> Self {
        let style = |node: Node<'_, '_>| {
            let name = child(node, "name").and_then(value).unwrap_or_default().to_lowercase();
            let properties = child(node, "pPr");
            // Ids depend on the language, names do not.
            let level = match name.as_str() {
                "title" => Some(Some(0)),
                name => name.strip_prefix("heading ").and_then(|level| level.parse().ok()).map(Some),
            };
            let mut look = child(node, "rPr").map(LookChange::read).unwrap_or_default();
            look.shaded = properties.and_then(|properties| child(properties, "shd")).map(has_color).or(look.shaded);
            let style = Style {
                base: child(node, "basedOn").and_then(value).map(str::to_owned),
                level: level.or(properties.and_then(outline_level)),
                list: properties.map(InList::read).unwrap_or_default(),
                look,
            };
            Some((attribute(node, "styleId")?.to_owned(), style))
        };
        let own: HashMap<_, _> = page.descendants().filter(|node| is(*node, "style")).filter_map(style).collect();
        let inherited = own.iter().map(|(id, style)| {
            let (mut full, mut base) = (style.clone(), style.base.as_ref());
            for _ in 0..MAX_BASES {
                let Some(above) = base.and_then(|id| own.get(id)) else { break };
                full.level = full.level.or(above.level);
                full.list = full.list.or(above.list);
                full.look = full.look.or(above.look);
                base = above.base.as_ref();
            }
            (id.clone(), full)
        });
        Self(inherited.collect())
    }

    pub(super) fn get(&self, id: &str) -> Option<&Style> {
        self.0.get(id)
    }

    /// The look of a run with these properties in a paragraph whose text has the look `base`.
    pub(super) fn look(&self, properties: Option<Node<'_, '_>>, base: Look) -> Look {
        let Some(properties) = properties else { return base };
        let style = child(properties, "rStyle").and_then(value).and_then(|id| self.get(id));
        let base = style.map_or(base, |style| style.look.apply(base));
        LookChange::read(properties).apply(base)
    }
}

impl Style {
    pub(super) fn level(&self) -> Option<u8> {
        self.level.flatten()
    }

    pub(super) fn look(&self) -> Look {
        self.look.apply(Look::default())
    }
}

/// Whether a shading or a marker has another color than white.
fn has_color(ground: Node<'_, '_>) -> bool {
    let color = attribute(ground, "fill").or(value(ground)).unwrap_or_default();
    !["auto", "none", "white", "FFFFFF"].iter().any(|none| color.eq_ignore_ascii_case(none))
}

/// Whether a paragraph has a ground of its own, or stands where a table or a shape may have one.
pub(super) fn has_ground(node: Node<'_, '_>) -> bool {
    let is_shaded = || child(node, "pPr").and_then(|properties| child(properties, "shd")).is_some_and(has_color);
    matches!(node.tag_name().name(), "tc" | "txbxContent") || is_shaded()
}

/// Outline levels count from 0; 9 is running text.
pub(super) fn outline_level(properties: Node<'_, '_>) -> Option<Option<u8>> {
    let level: u8 = child(properties, "outlineLvl").and_then(value)?.parse().ok()?;
    Some((level < 9).then_some(level + 1))
}
