//! Recognises the elements around a page's own text: navigation, page headers and footers, scripts and forms.

use ego_tree::NodeRef;
use scraper::{Node, node::Element};

use super::{is_heading, leads_away};

/// Elements whose contents never belong to the text.
pub(super) const DROPPED: &[&str] = &[
    "script", "style", "noscript", "template", "svg", "math", "nav", "footer", "aside", "iframe", "object", "form",
    "button", "select", "textarea", "dialog", "head",
];
/// Classes and ids of boilerplate around a page's text.
const AROUND: &[&str] = &[
    "nav",
    "navbar",
    "navheader",
    "navfooter",
    "navigation",
    "toc",
    "table-of-contents",
    "breadcrumb",
    "breadcrumbs",
    "menu",
    "footer",
    "footnotes",
    "footnote",
    "skip-link",
    "cookie-banner",
    "indexterm",
    // Footers of the pages of a manual.
    "pagination",
    "prev-next",
    "prev-next-area",
    "page-nav",
    "post-navigation",
    "nav-wrapper",
    "nav-chapters",
    "nav-panel",
    "rst-footer-buttons",
    // Its sidebars and paths.
    "sphinxsidebar",
    "side-nav",
    "nav-path",
    "navpath",
    "wy-breadcrumbs",
    "edit-this-page",
    "theme-edit-this-page",
    // Links of headings to themselves.
    "headerlink",
    "header-anchor",
    "hash-link",
    "anchorjs-link",
    "copiable-link",
    "copiable-anchor",
];
/// Classes and ids of boxes that are boilerplate if they hold mostly links. Manuals also call boxes in the text sidebars.
const LINK_BOXES: &[&str] = &["sidebar", "related", "related-links", "related-articles", "related-posts"];

/// Whether the element is boilerplate: by its name, role, label, class or id, because it is decoration, or as a page
/// header without a heading. `hidden` elements count as text, because scripts often reveal them.
pub(super) fn is_around(element: &Element, node: NodeRef<'_, Node>) -> bool {
    let name = element.name();
    let has_heading = || node.descendants().filter_map(|n| n.value().as_element()).any(|e| is_heading(e.name()));
    // Generators make the ids of sections from their titles: the section "Pagination" has the id `pagination`.
    let is_section = || name == "section" || element.classes().any(|class| class == "section");
    let is_anchor = || name == "a" && element.attr("href").is_none();
    let is_titled = || is_heading(name) || is_anchor() || (is_section() && has_heading());
    let is_any = |names: &[&str]| {
        let is_one = |name: &str| names.contains(&name.to_ascii_lowercase().as_str());
        element.classes().any(is_one) || (element.id().is_some_and(is_one) && !is_titled())
    };
    let is_banner = element.id() == Some("banner") && !is_titled();
    if is_banner || is_any(LINK_BOXES) {
        let (linked, letters) = linked_letters(node);
        let min_linked = if is_banner { letters } else { letters.div_ceil(2) };
        if linked >= min_linked {
            return true;
        }
    }
    let hidden = element.attr("aria-hidden") == Some("true");
    hidden
        || has_role_around(element)
        || is_breadcrumb(element)
        || is_any(AROUND)
        || DROPPED.contains(&name)
        || (name == "header" && !has_heading())
}

fn has_role_around(element: &Element) -> bool {
    let role = element.attr("role");
    matches!(
        role,
        Some("navigation" | "banner" | "contentinfo" | "search" | "menu" | "menubar" | "doc-toc" | "doc-pagelist")
    )
}

/// Whether the element is the path to the page, as WAI-ARIA and schema.org mark it.
fn is_breadcrumb(element: &Element) -> bool {
    let label = element.attr("aria-label").unwrap_or_default();
    let item_type = element.attr("itemtype").unwrap_or_default();
    ["breadcrumb", "breadcrumbs"].iter().any(|name| label.eq_ignore_ascii_case(name))
        || item_type.ends_with("schema.org/BreadcrumbList")
}

/// The letters in links to other pages, and all letters.
fn linked_letters(node: NodeRef<'_, Node>) -> (usize, usize) {
    let letters = |node: NodeRef<'_, Node>| -> usize {
        let texts =
            node.descendants().filter_map(|inner| inner.value().as_text().map(|text| text.trim().chars().count()));
        texts.sum()
    };
    let links = node.descendants().filter(|inner| inner.value().as_element().is_some_and(leads_away));
    let linked = links.filter(|link| link.value().as_element().is_some_and(|a| a.name() == "a")).map(letters).sum();
    (linked, letters(node))
}
