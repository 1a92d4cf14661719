//! The signs of formulas that are properties and no text: roots, sums and brackets.

use roxmltree::Node;

use super::{child, value};

/// The signs before and behind a part of a formula.
pub(super) fn signs<'a>(part: Node<'a, '_>) -> (&'a str, &'a str) {
    let properties = part.children().find(|node| node.tag_name().name().ends_with("Pr"));
    let sign = |name: &str, usual: &'a str| {
        let own = properties.and_then(|properties| child(properties, name));
        own.map_or(usual, |own| value(own).unwrap_or_default())
    };
    match part.tag_name().name() {
        "rad" => ("√", ""),
        "nary" => (sign("chr", "∫"), ""),
        _ => (sign("begChr", "("), sign("endChr", ")")),
    }
}
