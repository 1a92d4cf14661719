//! The style sheets of a book, as far as they strike or hide text: rules for elements by their names, classes and ids alone.

use std::collections::HashMap;

use super::super::{html, zip};

/// The rules of some sheets, in order.
#[derive(Default, Clone)]
pub(super) struct Rules(Vec<Rule>);

#[derive(Clone)]
struct Rule {
    name: String,
    ids: Vec<String>,
    classes: Vec<String>,
    strikes: Option<bool>,
    hides: Option<bool>,
}

impl Rule {
    fn read(selector: &str, [strikes, hides]: [Option<bool>; 2]) -> Option<Self> {
        let is_mark = |mark: char| matches!(mark, '.' | '#');
        let is_part = |mark: char| mark.is_alphanumeric() || is_mark(mark) || matches!(mark, '-' | '_');
        if selector.is_empty() || !selector.chars().all(is_part) {
            return None;
        }
        let (name, mut rest) = selector.split_at(selector.find(is_mark).unwrap_or(selector.len()));
        let mut rule = Self { name: name.to_owned(), ids: Vec::new(), classes: Vec::new(), strikes, hides };
        while !rest.is_empty() {
            let end = rest[1..].find(is_mark).map_or(rest.len(), |end| end + 1);
            let names = if rest.starts_with('#') { &mut rule.ids } else { &mut rule.classes };
            names.push(rest[1..end].to_owned());
            rest = &rest[end..];
        }
        Some(rule)
    }

    fn is_for(&self, name: &str, classes: &str, id: &str) -> bool {
        (self.name.is_empty() || self.name.eq_ignore_ascii_case(name))
            && self.ids.iter().all(|own| own == id)
            && self.classes.iter().all(|own| classes.split_whitespace().any(|class| class == own))
    }
}

/// The sheets of a book by their paths.
#[derive(Default)]
pub(super) struct Sheets(HashMap<String, Rules>);

impl Sheets {
    pub(super) fn add(&mut self, path: String, sheet: &str) {
        self.0.insert(path, Rules::read(sheet));
    }

    /// The rules of the sheet that a chapter links to.
    pub(super) fn rules(&self, chapter: &str, link: &str) -> Rules {
        let folder = chapter.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.0.get(&zip::resolve_path(folder, link)).cloned().unwrap_or_default()
    }
}

impl Rules {
    pub(super) fn read(sheet: &str) -> Self {
        Self(html::looks(sheet).into_iter().filter_map(|(selector, look)| Rule::read(&selector, look)).collect())
    }

    pub(super) fn extend(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    /// The style that the rules give to an element, in front of its own one.
    pub(super) fn style(&self, name: &str, classes: &str, id: &str) -> &'static str {
        let (mut strikes, mut hides) = (None, None);
        for rule in self.0.iter().filter(|rule| rule.is_for(name, classes, id)) {
            (strikes, hides) = (rule.strikes.or(strikes), rule.hides.or(hides));
        }
        match (hides, strikes) {
            (Some(true), _) => "display:none;",
            (_, Some(true)) => "text-decoration:line-through;",
            _ => "",
        }
    }
}
