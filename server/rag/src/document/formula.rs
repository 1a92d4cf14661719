//! Formulas in MathML as text.

use roxmltree::{Document as Xml, Node};

use super::{
    raised::{Height, Runs},
    xml::is,
};

/// The formula of an element of HTML on one line.
pub(super) fn of_element(element: &str) -> Option<String> {
    text(&Xml::parse(&element.replace("&nbsp;", " ")).ok()?)
}

/// The formula of a part on one line; `None` if it has none.
pub(super) fn text(page: &Xml<'_>) -> Option<String> {
    let formula = page.descendants().find(|node| is(*node, "math"))?;
    let mut runs = Runs::default();
    add(formula, Height::Normal, &mut runs);
    Some(runs.text().trim().to_owned()).filter(|text| !text.is_empty())
}

fn add(node: Node<'_, '_>, height: Height, runs: &mut Runs) {
    if node.is_text() {
        return runs.push(height, node.text().unwrap_or_default().trim());
    }
    let parts = || node.children().filter(Node::is_element).zip(0..);
    match node.tag_name().name() {
        // How a program writes the formula.
        "annotation" | "annotation-xml" => {}
        "mfrac" => {
            for (part, at) in parts() {
                runs.push(height, if at == 0 { "" } else { "/" });
                add(part, height, runs);
            }
        }
        name @ ("msup" | "msub" | "msubsup") => {
            for (part, at) in parts() {
                let height = match (name, at) {
                    (_, 0) => height,
                    ("msup", _) | ("msubsup", 2) => Height::Raised,
                    _ => Height::Lowered,
                };
                add(part, height, runs);
            }
        }
        _ => node.children().for_each(|part| add(part, height, runs)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_stands_on_one_line() {
        let formula = "<math><semantics><mrow><mi>V</mi><mo>=</mo><mfrac><mn>4</mn><mn>3</mn></mfrac><mo>&nbsp;</mo>\
            <msup><mi>r</mi><mn>3</mn></msup><mo>+</mo><msub><mi>x</mi><mi>n</mi></msub></mrow>\
            <annotation>V = {4 over 3}</annotation></semantics></math>";
        assert_eq!(of_element(formula).as_deref(), Some("V=4/3r³+xn"));
        assert_eq!(of_element("<p/>"), None);
    }
}
