//! The numbers and bullets that a word processor draws in front of headings, clauses and list items.

use std::collections::{HashMap, HashSet};

use roxmltree::{Document as Xml, Node};

use super::{
    super::{
        numerals::{Mark, formatted},
        xml::{attribute, child, is},
    },
    styles::{Styles, value},
};

/// Levels of a list.
const LEVELS: usize = 9;

/// One level of a list.
#[derive(Debug, Clone)]
struct Level {
    start: u32,
    format: String,
    /// The text around the numbers, such as `%1.%2`.
    text: String,
    /// Whether all numbers in it are decimal.
    is_decimal: bool,
    /// The level, from 1, after which the numbers restart; 0 for never. By default, they restart after each level above.
    restart: Option<usize>,
    /// The style of paragraphs that stand on this level.
    style: Option<String>,
}

impl Level {
    fn read(node: Node<'_, '_>) -> Option<(usize, Self)> {
        let property = |name: &str| child(node, name).and_then(value);
        let number = property("start").and_then(|start| start.parse().ok());
        // Newer formats stand in alternative content.
        let format = node.descendants().find(|node| is(*node, "numFmt"));
        let custom =
            format.filter(|format| value(*format) == Some("custom")).and_then(|format| attribute(format, "format"));
        let level = Self {
            start: number.unwrap_or(0),
            format: custom.or(format.and_then(value)).unwrap_or("decimal").to_owned(),
            text: property("lvlText").unwrap_or_default().to_owned(),
            is_decimal: child(node, "isLgl").is_some_and(|toggle| !matches!(value(toggle), Some("0" | "false"))),
            restart: property("lvlRestart").and_then(|level| level.parse().ok()),
            style: property("pStyle").map(str::to_owned),
        };
        let at: usize = attribute(node, "ilvl")?.parse().ok()?;
        (at < LEVELS).then_some((at, level))
    }
}

/// A list of the document: the levels of its definition, and where it differs from them.
struct List {
    definition: String,
    starts: HashMap<usize, u32>,
    levels: HashMap<usize, Level>,
}

#[derive(Default)]
pub(super) struct Numbering {
    definitions: HashMap<String, HashMap<usize, Level>>,
    lists: HashMap<u32, List>,
    /// The last number of each level, by definition: lists of one definition go on counting.
    counters: HashMap<String, [Option<u32>; LEVELS]>,
    /// The levels of lists that began with a number of their own.
    own_starts: HashSet<(u32, usize)>,
}

impl Numbering {
    pub(super) fn read(page: &Xml<'_>, styles: &Styles) -> Self {
        let root = page.root_element();
        let ids_of = |parent: Node<'_, '_>, name: &'static str| {
            parent.children().filter(move |node| is(*node, name)).map(|node| node.id()).collect::<Vec<_>>()
        };
        let mut numbering = Self::default();
        let mut links = Vec::new();
        for node in ids_of(root, "abstractNum").into_iter().filter_map(|id| page.get_node(id)) {
            let Some(id) = attribute(node, "abstractNumId") else { continue };
            if let Some(style) = child(node, "numStyleLink").and_then(value) {
                links.push((id.to_owned(), style));
            }
            let levels = node.children().filter(|node| is(*node, "lvl")).filter_map(Level::read).collect();
            numbering.definitions.insert(id.to_owned(), levels);
        }
        for node in ids_of(root, "num").into_iter().filter_map(|id| page.get_node(id)) {
            let id = attribute(node, "numId").and_then(|id| id.parse().ok());
            let definition = child(node, "abstractNumId").and_then(value);
            let (Some(id), Some(definition)) = (id, definition) else { continue };
            let mut list = List { definition: definition.to_owned(), starts: HashMap::new(), levels: HashMap::new() };
            for change in node.children().filter(|node| is(*node, "lvlOverride")) {
                let at: usize = attribute(change, "ilvl").and_then(|at| at.parse().ok()).unwrap_or(LEVELS);
                let start = child(change, "startOverride").and_then(value).and_then(|start| start.parse().ok());
                list.starts.extend(start.map(|start| (at, start)));
                list.levels.extend(child(change, "lvl").and_then(Level::read));
            }
            numbering.lists.insert(id, list);
        }
        // A definition can be that of a style.
        for (id, style) in links {
            let list = styles.get(style).and_then(|style| style.list.list);
            let definition = list.and_then(|list| numbering.lists.get(&list)).map(|list| &list.definition);
            if let Some(levels) = definition.and_then(|id| numbering.definitions.get(id)).cloned() {
                numbering.definitions.insert(id, levels);
            }
        }
        numbering
    }

    fn level(&self, list: u32, at: usize) -> Option<&Level> {
        let list = self.lists.get(&list)?;
        list.levels.get(&at).or_else(|| self.definitions.get(&list.definition)?.get(&at))
    }

    /// The level of paragraphs with this style.
    pub(super) fn level_of_style(&self, list: u32, style: &str) -> Option<usize> {
        (0..LEVELS).find(|at| self.level(list, *at).is_some_and(|level| level.style.as_deref() == Some(style)))
    }

    /// The label of the next paragraph of a list. A list that the file does not define has bullets.
    pub(super) fn next(&mut self, list: u32, at: usize) -> Mark {
        let Some(level) = self.level(list, at).cloned() else { return Mark::Bullet };
        self.count(list, at, level.start);
        match level.format.as_str() {
            "none" => Mark::None,
            "bullet" if level.text.trim().is_empty() => Mark::None,
            "bullet" => Mark::Bullet,
            _ => Mark::number(&self.label_text(list, &level)),
        }
    }

    /// Counts a paragraph, and restarts the levels below it.
    fn count(&mut self, list: u32, at: usize, start: u32) {
        let Some(definition) = self.lists.get(&list).map(|list| list.definition.clone()) else { return };
        let own_start = self.lists.get(&list).and_then(|list| list.starts.get(&at)).copied();
        let own_start = own_start.filter(|_| self.own_starts.insert((list, at)));
        let restarts = |below: usize| match self.level(list, below).and_then(|level| level.restart) {
            Some(0) => false,
            Some(above) => at < above,
            None => true,
        };
        let restarting: Vec<usize> = (at + 1..LEVELS).filter(|below| restarts(*below)).collect();
        let above: Vec<u32> = (0..at).map(|at| self.level(list, at).map_or(1, |level| level.start)).collect();
        let counters = self.counters.entry(definition).or_default();
        for (counter, start) in counters.iter_mut().zip(above) {
            counter.get_or_insert(start);
        }
        let next = counters[at].map_or(start, |number| number.saturating_add(1));
        counters[at] = Some(own_start.unwrap_or(next));
        restarting.into_iter().for_each(|below| counters[below] = None);
    }

    /// The text of a level with its numbers.
    fn label_text(&self, list: u32, level: &Level) -> String {
        let counters = self.lists.get(&list).and_then(|list| self.counters.get(&list.definition));
        let mut text = String::new();
        let mut letters = level.text.chars().peekable();
        while let Some(letter) = letters.next() {
            let at = letters.peek().and_then(|digit| digit.to_digit(10)).filter(|at| letter == '%' && *at > 0);
            let Some(at) = at.map(|at| at as usize - 1) else {
                text.push(letter);
                continue;
            };
            letters.next();
            let number = counters.and_then(|counters| counters[at]).unwrap_or(1);
            let format = self.level(list, at).map_or("decimal", |level| level.format.as_str());
            text.push_str(&formatted(number, if level.is_decimal { "decimal" } else { format }));
        }
        text
    }
}
