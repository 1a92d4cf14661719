//! The cells of a workbook as they are shown: shared texts, number formats, struck text, formulas without a stored value.

use std::collections::HashMap;

use roxmltree::{Document as Xml, Node};

use super::{
    super::{
        Omission, Omissions, Unreadable,
        number_format::NumberFormat,
        raised::{Height, Runs},
        xml::{attribute, child, is},
    },
    FORMAT,
};

/// Maximum bytes of the texts of all cells; shared ones count in each cell.
const MAX_TEXT: usize = 64 * 1024 * 1024;
/// Stands for a value that the file does not have.
const MISSING: &str = "?";

/// A cell as it is shown.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    /// Whether it is a number, a day or a truth value, and no text.
    pub(super) is_value: bool,
    pub(super) is_bold: bool,
}

impl Cell {
    pub(super) fn is_filled(&self) -> bool {
        !self.text.trim().is_empty()
    }
}

/// A text, and how many parts of it are struck and left out.
#[derive(Clone, Default)]
struct Text {
    text: String,
    struck: u32,
}

impl Text {
    /// The text of a cell or a shared text, without its phonetic hints.
    fn read(node: Node<'_, '_>) -> Self {
        let (mut runs, mut struck) = (Runs::default(), 0);
        for part in node.children().filter(Node::is_element) {
            let properties = child(part, "rPr");
            let property = |name: &str| properties.and_then(|properties| child(properties, name));
            let text = || child(part, "t").and_then(|text| text.text()).unwrap_or_default();
            match part.tag_name().name() {
                "t" => runs.push(Height::Normal, part.text().unwrap_or_default()),
                "r" if property("strike").is_some_and(is_on) => struck += u32::from(!text().trim().is_empty()),
                "r" => {
                    let height = match property("vertAlign").and_then(|align| attribute(align, "val")) {
                        Some("superscript") => Height::Raised,
                        Some("subscript") => Height::Lowered,
                        _ => Height::Normal,
                    };
                    runs.push(height, text());
                }
                _ => {}
            }
        }
        Self { text: runs.text(), struck }
    }
}

fn is_on(toggle: Node<'_, '_>) -> bool {
    !matches!(attribute(toggle, "val"), Some("0" | "false"))
}

/// How the cells of a style look.
#[derive(Clone, Default)]
struct Style {
    format: NumberFormat,
    is_struck: bool,
    is_bold: bool,
    /// Whether its text is white and stands on no color.
    is_white: bool,
}

/// What the cells of all sheets share.
#[derive(Default)]
pub(super) struct Book {
    texts: Vec<Text>,
    styles: Vec<Style>,
    /// Whether days are counted from 1904.
    from_1904: bool,
    /// Whether something other than their own style may color cells of the current sheet.
    pub(super) has_colors: bool,
    /// Bytes of shared texts in cells so far.
    shared_bytes: usize,
    pub(super) omissions: Omissions,
}

impl Book {
    pub(super) fn read(
        workbook: &Xml<'_>,
        texts: Option<Vec<u8>>,
        styles: Option<Vec<u8>>,
    ) -> Result<Self, Unreadable> {
        let properties = workbook.descendants().find(|node| is(*node, "workbookPr"));
        let from_1904 = properties
            .and_then(|node| attribute(node, "date1904"))
            .is_some_and(|value| value != "0" && value != "false");
        let mut book = Self { from_1904, ..Self::default() };
        if let Some(texts) = texts {
            let texts = FORMAT.text(Some(texts), "texts")?;
            let page = FORMAT.parse(&texts)?;
            let items = page.root_element().children().filter(|node| is(*node, "si"));
            book.texts = items.map(Text::read).collect();
        }
        if let Some(styles) = styles {
            let styles = FORMAT.text(Some(styles), "styles")?;
            book.styles = read_styles(&FORMAT.parse(&styles)?);
        }
        Ok(book)
    }

    /// Whether the cells have more text than is read.
    pub(super) fn is_full(&self) -> bool {
        self.shared_bytes > MAX_TEXT
    }

    pub(super) fn omit(&mut self, kind: Omission, count: usize) {
        if count > 0 {
            *self.omissions.entry(kind).or_default() += u32::try_from(count).unwrap_or(u32::MAX);
        }
    }

    /// A cell of a sheet.
    pub(super) fn cell(&mut self, node: Node<'_, '_>) -> Cell {
        let raw = child(node, "v").and_then(|value| value.text()).unwrap_or_default();
        let kind = attribute(node, "t").unwrap_or("n");
        if raw.is_empty() && kind != "str" && child(node, "f").is_some() {
            self.omit(Omission::MissingValues, 1);
            return Cell { text: MISSING.to_owned(), is_value: true, is_bold: false };
        }
        let style = attribute(node, "s").and_then(|style| style.parse().ok()).unwrap_or(0);
        let style = self.styles.get::<usize>(style).cloned().unwrap_or_default();
        let cell = self.shown_text(node, kind, raw, &style);
        let is_text = matches!(kind, "s" | "inlineStr" | "str");
        let text = cell.filter(|_| !(is_text && style.format.hides_text()));
        let is_shown = text.is_some() || raw.is_empty() && !is_text;
        let text = text.unwrap_or_default();
        if !is_shown {
            self.omit(Omission::HiddenText, 1);
        } else if style.is_struck && !text.trim().is_empty() {
            self.omit(Omission::StruckText, 1);
            return Cell::default();
        } else if style.is_white && !self.has_colors && !text.trim().is_empty() {
            self.omit(Omission::HiddenText, 1);
            return Cell::default();
        }
        Cell { text, is_value: matches!(kind, "n" | "d" | "b"), is_bold: style.is_bold }
    }

    /// The text that a cell shows; `None` when its format hides it.
    fn shown_text(&mut self, node: Node<'_, '_>, kind: &str, raw: &str, style: &Style) -> Option<String> {
        Some(match kind {
            "s" => {
                let text = raw.trim().parse().ok().and_then(|number: usize| self.texts.get(number));
                self.shared_bytes += text.map_or(0, |text| text.text.len());
                let text = text.filter(|_| self.shared_bytes <= MAX_TEXT).cloned().unwrap_or_default();
                self.omit(Omission::StruckText, text.struck as usize);
                text.text
            }
            "inlineStr" => {
                let text = child(node, "is").map(Text::read).unwrap_or_default();
                self.omit(Omission::StruckText, text.struck as usize);
                text.text
            }
            "b" if raw == "1" => "TRUE".to_owned(),
            "b" => "FALSE".to_owned(),
            // The value of a broken formula.
            "e" => String::new(),
            "n" if raw.is_empty() => String::new(),
            "n" => style.format.apply(raw, self.from_1904)?,
            _ => raw.to_owned(),
        })
    }
}

/// Whether a color is white. The first one of a theme is that of the sheet.
fn is_white(color: Node<'_, '_>) -> bool {
    let is_plain = attribute(color, "tint").is_none_or(|tint| tint.parse().is_ok_and(|tint: f64| tint == 0.0));
    let is_rgb = attribute(color, "rgb").is_some_and(|rgb| rgb.to_ascii_uppercase().ends_with("FFFFFF"));
    is_plain && (is_rgb || attribute(color, "theme") == Some("0") || attribute(color, "indexed") == Some("9"))
}

/// Whether a fill has another color than white.
fn has_color(fill: Node<'_, '_>) -> bool {
    match child(fill, "patternFill") {
        Some(pattern) => {
            !matches!(attribute(pattern, "patternType"), None | Some("none"))
                && !child(pattern, "fgColor").is_some_and(is_white)
        }
        None => true,
    }
}

fn read_styles(page: &Xml<'_>) -> Vec<Style> {
    let part = |name: &'static str| page.root_element().children().find(move |node| is(*node, name));
    let own = |node: Node<'_, '_>| {
        let id: u32 = attribute(node, "numFmtId")?.parse().ok()?;
        Some((id, NumberFormat::read(attribute(node, "formatCode")?)))
    };
    let formats: HashMap<u32, NumberFormat> =
        part("numFmts").into_iter().flat_map(|formats| formats.children()).filter_map(own).collect();
    let all = |list: &'static str, name: &'static str| {
        part(list).into_iter().flat_map(|list| list.children()).filter(move |node| is(*node, name))
    };
    let has = |font: Node<'_, '_>, name: &str| child(font, name).is_some_and(is_on);
    let look = |font: Node<'_, '_>| (has(font, "strike"), has(font, "b"), child(font, "color").is_some_and(is_white));
    let fonts: Vec<(bool, bool, bool)> = all("fonts", "font").map(look).collect();
    let fills: Vec<bool> = all("fills", "fill").map(has_color).collect();
    let style = |node: Node<'_, '_>| {
        let id: u32 = attribute(node, "numFmtId").and_then(|id| id.parse().ok()).unwrap_or(0);
        let number = |name: &str| attribute(node, name).and_then(|id| id.parse::<usize>().ok());
        let (is_struck, is_bold, is_white) = number("fontId").and_then(|id| fonts.get(id)).copied().unwrap_or_default();
        let has_color = number("fillId").and_then(|id| fills.get(id)).copied().unwrap_or(false);
        Style {
            format: formats.get(&id).cloned().unwrap_or_else(|| NumberFormat::built_in(id)),
            is_struck,
            is_bold,
            is_white: is_white && !has_color,
        }
    };
    let cells = part("cellXfs").into_iter().flat_map(|cells| cells.children());
    cells.filter(|node| is(*node, "xf")).map(style).collect()
}
