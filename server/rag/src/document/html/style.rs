//! The elements whose text a page's author has struck through or hidden, by attributes and by the page's own style sheets.

use std::collections::HashSet;

use ego_tree::NodeId;
use scraper::{Html, Selector, node::Element};

use super::super::builder::is_bold_weight;

/// Maximum bytes of style sheets, and selectors, that are read.
const MAX_BYTES: usize = 512 * 1024;
const MAX_SELECTORS: usize = 100;
/// Maximum comparisons of an element with a selector.
const MAX_COMPARISONS: usize = 1_000_000;
/// Pseudo-classes that say where an element is. Others say what a visitor does, or are no element.
const STRUCTURAL: &[&str] = &["not(", "is(", "where(", "nth-", "first-", "last-", "only-", "root", "empty"];

/// Classes of frameworks that hide an element.
const HIDING_CLASSES: &[&str] = &["d-none", "hidden", "is-hidden", "hide"];

/// Elements that style sheets strike through or hide.
#[derive(Debug, Default)]
pub(super) struct ElementStyles {
    struck: HashSet<NodeId>,
    hidden: HashSet<NodeId>,
}

impl ElementStyles {
    pub(super) fn of(page: &Html) -> Self {
        let mut styles = Self::default();
        let Ok(sheets) = Selector::parse("style") else { return styles };
        let sheets: String = page.select(&sheets).flat_map(|sheet| sheet.text()).collect();
        if sheets.len() > MAX_BYTES {
            return styles;
        }
        let mut budget = MAX_SELECTORS.min(MAX_COMPARISONS / page.tree.nodes().count().max(1));
        for (selectors, declarations) in rules(&without_comments(&sheets)) {
            // A later rule may show again what an earlier one hides.
            let strikes = strikes(declarations).filter(|strikes| *strikes || !styles.struck.is_empty());
            let hides = hides(declarations).filter(|hides| *hides || !styles.hidden.is_empty());
            if strikes.is_none() && hides.is_none() {
                continue;
            }
            for selector in selectors.split(',').filter(|selector| is_structural(selector)) {
                let Some(next) = budget.checked_sub(1) else { return styles };
                budget = next;
                let Ok(selector) = Selector::parse(selector.trim()) else { continue };
                for element in page.select(&selector) {
                    set(&mut styles.struck, element.id(), strikes);
                    set(&mut styles.hidden, element.id(), hides);
                }
            }
        }
        styles
    }

    /// Whether the author has struck the element's text through. Its own style overrides a style sheet.
    pub(super) fn is_struck(&self, id: NodeId, element: &Element) -> bool {
        let is_struck = || matches!(element.name(), "del" | "s" | "strike") || self.struck.contains(&id);
        strikes(inline(element)).unwrap_or_else(is_struck)
    }

    /// Whether a browser does not show the element at first.
    pub(super) fn is_hidden(&self, id: NodeId, element: &Element) -> bool {
        let is_hidden = || {
            element.attr("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
                || self.hidden.contains(&id)
                || has_hiding_class(element)
        };
        hides(inline(element)).unwrap_or_else(is_hidden)
    }
}

/// Whether the element's own text is bold.
pub(super) fn is_bold(element: &Element) -> bool {
    let own = values(inline(element), &["font-weight"]);
    own.last().map_or(matches!(element.name(), "b" | "strong"), |weight| is_bold_weight(weight))
}

/// Whether a class hides the element in Bootstrap, Tailwind, Bulma or Foundation, whose style sheets are in other files. A
/// second class may show it on some screens: `d-none d-md-block`, `hidden md:flex`.
fn has_hiding_class(element: &Element) -> bool {
    let shows = |class: &str| {
        let value = class.strip_prefix("d-").or(class.split_once(':').map(|(_, value)| value)).unwrap_or_default();
        let value = value.rsplit('-').next().unwrap_or_default();
        ["block", "flex", "grid", "inline", "table", "cell", "row", "contents"].contains(&value)
    };
    element.classes().any(|class| HIDING_CLASSES.contains(&class)) && !element.classes().any(shows)
}

/// The selectors of a style sheet in order, and whether their rules strike or hide text; `None` when they say nothing about it.
pub(in super::super) fn looks(sheet: &str) -> Vec<(String, [Option<bool>; 2])> {
    let sheet = without_comments(&sheet[..sheet.floor_char_boundary(MAX_BYTES)]);
    let rules = rules(&sheet).into_iter().map(|(selectors, style)| (selectors, [strikes(style), hides(style)]));
    let rules = rules.filter(|(_, look)| *look != [None, None]);
    let selectors = rules.flat_map(|(all, look)| all.split(',').map(move |one| (one.trim().to_owned(), look)));
    selectors.take(MAX_SELECTORS).collect()
}

fn set(elements: &mut HashSet<NodeId>, id: NodeId, is_one: Option<bool>) {
    match is_one {
        Some(true) => _ = elements.insert(id),
        Some(false) => _ = elements.remove(&id),
        None => {}
    }
}

fn inline(element: &Element) -> &str {
    element.attr("style").unwrap_or_default()
}

/// The values of the properties with these names, in lower case.
fn values(style: &str, names: &[&str]) -> Vec<String> {
    let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    let matching = declarations.filter(|(name, _)| names.iter().any(|other| name.trim().eq_ignore_ascii_case(other)));
    matching.map(|(_, value)| value.trim().to_ascii_lowercase()).collect()
}

/// Whether declarations strike text through; `None` when they say nothing about it.
fn strikes(style: &str) -> Option<bool> {
    let lines = values(style, &["text-decoration", "text-decoration-line"]);
    lines.last().map(|value| value.contains("line-through"))
}

/// Whether declarations hide an element; `None` when they say nothing about it.
fn hides(style: &str) -> Option<bool> {
    let values_of_style = values(style, &["display", "visibility"]);
    let is_none = |value: &String| ["none", "hidden", "collapse"].iter().any(|none| value.starts_with(none));
    (!values_of_style.is_empty()).then(|| values_of_style.iter().any(is_none))
}

/// Whether the selector names elements by what they are, and not by what a visitor does.
fn is_structural(selector: &str) -> bool {
    selector.split(':').skip(1).all(|pseudo| STRUCTURAL.iter().any(|name| pseudo.starts_with(name)))
}

fn without_comments(sheet: &str) -> String {
    let mut parts = sheet.split("/*");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once("*/").map_or("", |(_, after)| after));
    }
    text
}

/// The selectors and declarations of the rules that hold on a screen of any size.
fn rules(sheet: &str) -> Vec<(&str, &str)> {
    let mut rules = Vec::new();
    let mut rest = sheet;
    while let Some(open) = rest.find('{') {
        let head = rest[..open].rsplit([';', '}']).next().unwrap_or_default().trim();
        let body = &rest[open + 1..];
        if let Some(condition) = head.strip_prefix('@') {
            let condition = condition.to_ascii_lowercase();
            let always = matches!(condition.as_str(), "media screen" | "media all" | "media only screen")
                || ["layer", "supports"].iter().any(|name| condition.starts_with(name));
            rest = if always { body } else { &body[closing(body)..] };
            continue;
        }
        let end = body.find('}').unwrap_or(body.len());
        rules.push((head, &body[..end]));
        rest = body.get(end + 1..).unwrap_or_default();
    }
    rules
}

/// Where the block ends whose opening brace stands before `body`.
fn closing(body: &str) -> usize {
    let mut depth = 1_usize;
    for (at, mark) in body.bytes().enumerate() {
        match mark {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    body.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_a_screen_are_read() {
        let sheet = without_comments(
            "@charset 'utf-8'; .a , .b{x:1}/* .c{} */@media print{.d{x:2} .e{x:3}} @media screen { .f { x:4 } } .g{x:5",
        );
        assert_eq!(rules(&sheet), [(".a , .b", "x:1"), (".f", " x:4 "), (".g", "x:5")]);
        assert!(is_structural("p.old:not(.new)") && !is_structural("a:hover") && !is_structural("p::before"));
    }

    #[test]
    fn a_sheet_has_a_maximum_of_selectors() {
        let selectors: Vec<String> = (0..2 * MAX_SELECTORS).map(|number| format!(".c{number}")).collect();
        let all = looks(&format!("p{{color:red}} {}{{display:none}}", selectors.join(", ")));
        assert_eq!(all.len(), MAX_SELECTORS);
        assert_eq!(all[1], (".c1".to_owned(), [None, Some(true)]));
    }
}
