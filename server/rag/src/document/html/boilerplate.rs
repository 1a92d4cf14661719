//! Recognises the elements around a page's own text: navigation, page headers and footers, forms and dialogs.

use ego_tree::NodeRef;
use scraper::{Node, node::Element};

use super::{is_heading, weight::Weight};

/// Elements around a page's own text.
const AROUND_NAMES: &[&str] = &["nav", "footer", "button", "dialog"];
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
    "footer",
    "skip-link",
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

/// Parts of names of boxes that ask for consent to cookies, and beginnings of names that tools for it use.
const COOKIE_BOXES: &[&str] =
    &["banner", "bar", "box", "consent", "dialog", "hint", "law", "modal", "notice", "overlay", "popup"];
const CONSENT_TOOLS: &[&str] =
    &["onetrust", "cybotcookiebot", "usercentrics", "borlabs-cookie", "cmplz-", "cky-consent", "cc-window", "didomi"];
/// Words in classes of boxes that a visitor opens.
const OPENED: &[&str] =
    &["dropdown", "modal", "popup", "popover", "offcanvas", "flyout", "overlay", "drawer", "collapse"];
/// Classes and ids of the end of a page.
const FOOTERS: &[&str] = &["footer", "site-footer", "page-footer", "colophon"];

/// Whether the element is boilerplate: by its name, role, label, class or id, or as a page header without a
/// heading.
pub(super) fn is_around(element: &Element, node: NodeRef<'_, Node>, weight: &Weight) -> bool {
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
    let is_link_box = name == "aside" || is_any(LINK_BOXES);
    (is_banner && weight.link_letters >= weight.letters)
        || (is_link_box && weight.is_mostly_links())
        // A restaurant's menu is text.
        || (is_any(&["menu"]) && !weight.has_own_text())
        || (name == "form" && weight.is_mostly_fields())
        || has_role_around(element)
        || is_breadcrumb(element)
        || is_any(AROUND)
        || AROUND_NAMES.contains(&name)
        || (name == "header" && !has_heading())
}

/// Whether the element is a dialog that is drawn over the page, such as one that asks for consent to cookies.
pub(super) fn is_dialog(element: &Element) -> bool {
    let is_dialog = matches!(element.attr("role"), Some("dialog" | "alertdialog"));
    element.name() == "dialog" || is_dialog || element.attr("aria-modal") == Some("true") || asks_for_cookies(element)
}

/// Whether classes and ids say that the element asks for consent to cookies.
pub(super) fn asks_for_cookies(element: &Element) -> bool {
    let names = element.classes().chain(element.id());
    names.map(str::to_ascii_lowercase).any(|name| {
        name.contains("cookie") && COOKIE_BOXES.iter().any(|part| name.contains(part))
            || CONSENT_TOOLS.iter().any(|tool| name.starts_with(tool))
    })
}

/// Whether the element is a part around the text or one that a visitor has to open.
pub(super) fn is_beside_text(element: &Element) -> bool {
    let opens =
        |class: &str| class.split(['-', '_']).any(|part| OPENED.iter().any(|name| part.eq_ignore_ascii_case(name)));
    let style: String = element.attr("style").unwrap_or_default().split_whitespace().collect();
    matches!(element.name(), "header" | "nav" | "aside" | "footer" | "template")
        || has_role_around(element)
        || is_dialog(element)
        || element.attr("hidden").is_some()
        || element.attr("aria-hidden") == Some("true")
        || style.to_ascii_lowercase().contains("display:none")
        || element.classes().any(opens)
}

/// Whether the element may hold the contact data of the site.
pub(super) fn may_have_contact(element: &Element) -> bool {
    let is_footer = |name: &str| FOOTERS.iter().any(|footer| name.eq_ignore_ascii_case(footer));
    matches!(element.name(), "footer" | "header" | "aside" | "address")
        || matches!(element.attr("role"), Some("contentinfo" | "banner" | "complementary"))
        || element.classes().chain(element.id()).any(is_footer)
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
