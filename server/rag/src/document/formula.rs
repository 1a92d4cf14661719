//! Formulas in MathML as text.

use roxmltree::{Document as Xml, Node};

use super::{
    raised::{Height, Runs},
    xml::{attribute, is},
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
    if let Some(text) = node.text().filter(|_| node.is_text()) {
        let is_words = node.parent().is_some_and(|outer| is(outer, "mtext"));
        return runs.push(height, if is_words { text } else { text.trim() });
    }
    let name = node.tag_name().name();
    // What stands between the parts.
    let between = match name {
        // How a program writes the formula.
        "annotation" | "annotation-xml" => return,
        "mspace" => return runs.push(height, " "),
        "mfrac" => "/",
        "mtable" => "; ",
        "mtr" => " ",
        "mfenced" => attribute(node, "separators").unwrap_or(",").get(..1).unwrap_or_default(),
        _ => "",
    };
    let fence = |name: &str, usual| if is(node, "mfenced") { attribute(node, name).unwrap_or(usual) } else { "" };
    runs.push(height, if name == "msqrt" { "√" } else { fence("open", "(") });
    // Between elements, there is white space only.
    let has_elements = node.children().any(|part| part.is_element());
    for (part, at) in node.children().filter(|part| part.is_element() || !has_elements).zip(0..) {
        runs.push(height, if at > 0 { between } else { "" });
        let height = match (name, at) {
            (_, 0) => height,
            ("msup", _) | ("msubsup", 2) => Height::Raised,
            ("msub" | "msubsup", _) => Height::Lowered,
            _ => height,
        };
        add(part, height, runs);
    }
    runs.push(height, fence("close", ")"));
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
        let matrix = "<math><mfenced open=\"[\" close=\"]\"><mtable><mtr> <mtd><mn>-6</mn></mtd><mtd><mn>1</mn></mtd></mtr>\
            <mtr><mtd><mn>0</mn></mtd> <mtd><mn>12</mn></mtd></mtr></mtable></mfenced><mtext> if </mtext><msqrt><mi>x</mi></msqrt>\
            <mfenced><mi>a</mi><mi>b</mi></mfenced></math>";
        assert_eq!(of_element(matrix).as_deref(), Some("[-6 1; 0 12] if √x(a,b)"));
        assert_eq!(of_element("<p/>"), None);
    }
}
