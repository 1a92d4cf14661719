//! The numbers and bullets of lists and headings of an ODT.

use std::collections::HashMap;

use roxmltree::{Document as Xml, Node};

use super::super::{
    numerals::{Mark, formatted},
    xml::{attribute, is},
};

/// Levels of a list.
pub(super) const LEVELS: usize = 10;
/// The name of the list of all headings.
pub(super) const OUTLINE: &str = "\0outline";

/// One level of a list style.
#[derive(Debug, Clone, Default)]
struct Level {
    is_bullet: bool,
    format: String,
    before: String,
    after: String,
    /// The levels whose numbers are shown.
    levels: usize,
    start: u32,
    /// Newer files have the whole text, such as `%1%.%2%`.
    text: Option<String>,
}

impl Level {
    fn read(node: Node<'_, '_>) -> Option<(usize, Self)> {
        let is_bullet = match node.tag_name().name() {
            "list-level-style-bullet" | "list-level-style-image" => true,
            "list-level-style-number" | "outline-level-style" => false,
            _ => return None,
        };
        let text = |name: &str| attribute(node, name).unwrap_or_default().to_owned();
        let number = |name: &str| attribute(node, name).and_then(|number| number.parse::<u32>().ok()).unwrap_or(1);
        let level = Self {
            is_bullet,
            format: text("num-format"),
            before: text("num-prefix"),
            after: text("num-suffix"),
            levels: number("display-levels") as usize,
            start: number("start-value"),
            text: attribute(node, "num-list-format").map(str::to_owned),
        };
        let at = number("level") as usize;
        (1..=LEVELS).contains(&at).then(|| (at - 1, level))
    }
}

/// The last numbers of a list.
pub(super) type Numbers = [Option<u32>; LEVELS];

/// The list styles by their names.
#[derive(Default)]
pub(super) struct Lists(HashMap<String, HashMap<usize, Level>>);

impl Lists {
    /// Adds the list styles of a part.
    pub(super) fn add(&mut self, page: &Xml<'_>) {
        for node in page.descendants().filter(|node| is(*node, "list-style") || is(*node, "outline-style")) {
            let name = if is(node, "outline-style") { Some(OUTLINE) } else { attribute(node, "name") };
            if let Some(name) = name {
                self.0.insert(name.to_owned(), node.children().filter_map(Level::read).collect());
            }
        }
    }

    /// The mark of the next paragraph of a list. `start` is its own number. A list without a style has bullets.
    pub(super) fn next(&self, style: Option<&str>, at: usize, numbers: &mut Numbers, start: Option<u32>) -> Mark {
        let at = at.min(LEVELS - 1);
        let levels = style.and_then(|style| self.0.get(style));
        let begin = |at: usize| levels.and_then(|levels| levels.get(&at)).map_or(1, |level| level.start);
        for (above, number) in numbers[..at].iter_mut().enumerate() {
            number.get_or_insert(begin(above));
        }
        let next = numbers[at].map_or(begin(at), |number| number.saturating_add(1));
        numbers[at] = Some(start.unwrap_or(next));
        numbers[at + 1..].fill(None);
        let Some(levels) = levels else { return Mark::Bullet };
        let Some(level) = levels.get(&at) else {
            return if style == Some(OUTLINE) { Mark::None } else { Mark::Bullet };
        };
        if level.is_bullet {
            return Mark::Bullet;
        }
        if level.format.is_empty() {
            return Mark::number(&format!("{}{}", level.before, level.after));
        }
        let number = |at: usize| {
            let format = levels.get(&at).map_or("1", |level| level.format.as_str());
            formatted(numbers[at].unwrap_or(1), office_format(format))
        };
        if let Some(text) = &level.text {
            let label = (0..LEVELS).fold(text.clone(), |text, at| text.replace(&format!("%{}%", at + 1), &number(at)));
            return Mark::number(&label);
        }
        let texts = (at + 1).saturating_sub(level.levels.max(1))..=at;
        let texts: Vec<String> = texts.map(number).filter(|number| !number.is_empty()).collect();
        Mark::number(&format!("{}{}{}", level.before, texts.join("."), level.after))
    }
}

/// The name of a format in Office files.
fn office_format(format: &str) -> &str {
    match format {
        "" => "none",
        "a" => "lowerLetter",
        "A" => "upperLetter",
        "i" => "lowerRoman",
        "I" => "upperRoman",
        other => other,
    }
}
