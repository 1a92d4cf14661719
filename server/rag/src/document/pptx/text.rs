//! The text of a shape: paragraphs with the numbers that are drawn in front of them, without struck text.

use roxmltree::Node;

use super::{
    super::{
        Omission,
        numerals::formatted,
        raised::{Height, Runs},
        xml::{attribute, child, is},
    },
    PptxReader,
};

/// Levels of a list.
const LEVELS: usize = 9;

impl PptxReader {
    /// All words of an element on one line.
    pub(super) fn words(&mut self, node: Node<'_, '_>) -> String {
        let paragraphs: Vec<_> = node.descendants().filter(|node| is(*node, "p")).collect();
        let texts: Vec<String> = paragraphs.into_iter().map(|paragraph| self.line(paragraph)).collect();
        texts.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The paragraphs of a shape.
    pub(super) fn paragraphs(&mut self, shape: Node<'_, '_>) {
        let mut numbers = [0; LEVELS];
        let mut depth = 0;
        for paragraph in shape.descendants().filter(|node| is(*node, "p")) {
            let text = self.line(paragraph);
            if text.trim().is_empty() {
                continue;
            }
            let properties = child(paragraph, "pPr");
            let level = properties.and_then(|found| attribute(found, "lvl")).and_then(|level| level.parse().ok());
            let level = level.unwrap_or(0).min(LEVELS - 1);
            numbers[level + 1..].fill(0);
            let numbering = properties.and_then(|found| child(found, "buAutoNum"));
            let wanted = if numbering.is_some() { level + 1 } else { 0 };
            while depth > wanted {
                self.builder.close_list();
                depth -= 1;
            }
            while depth < wanted {
                self.builder.open_list(None);
                depth += 1;
            }
            match numbering {
                Some(numbering) => {
                    let start = attribute(numbering, "startAt").and_then(|start| start.parse().ok()).unwrap_or(1u32);
                    numbers[level] = if numbers[level] == 0 { start } else { numbers[level].saturating_add(1) };
                    let form = attribute(numbering, "type").unwrap_or("arabicPeriod");
                    self.builder.open_labelled_item(&label(numbers[level], form));
                }
                None => numbers[level] = 0,
            }
            self.builder.text(&text);
            self.builder.end_block();
        }
        (0..depth).for_each(|_| self.builder.close_list());
    }

    /// The text of a paragraph.
    fn line(&mut self, paragraph: Node<'_, '_>) -> String {
        let (mut runs, mut was_struck) = (Runs::default(), false);
        for run in paragraph.children().filter(Node::is_element) {
            let properties = child(run, "rPr");
            let property = |name: &str| properties.and_then(|properties| attribute(properties, name));
            if property("strike").is_some_and(|strike| strike != "noStrike") {
                if !was_struck {
                    self.omit(Omission::StruckText);
                }
                was_struck = true;
                continue;
            }
            let height = match property("baseline").and_then(|share| share.trim_end_matches('%').parse::<i32>().ok()) {
                Some(1..) => Height::Raised,
                Some(..=-1) => Height::Lowered,
                _ => Height::Normal,
            };
            was_struck = false;
            match run.tag_name().name() {
                "br" => runs.push(Height::Normal, " "),
                "pPr" | "endParaRPr" => {}
                _ => {
                    let texts = run.descendants().filter(|node| is(*node, "t"));
                    texts.for_each(|text| runs.push(height, text.text().unwrap_or_default()));
                }
            }
        }
        runs.text()
    }
}

/// The number of a paragraph in a form such as `alphaLcParenR`, which is `b)`.
fn label(number: u32, form: &str) -> String {
    let format = match form {
        form if form.starts_with("alphaLc") => "lowerLetter",
        form if form.starts_with("alphaUc") => "upperLetter",
        form if form.starts_with("romanLc") => "lowerRoman",
        form if form.starts_with("romanUc") => "upperRoman",
        _ => "decimal",
    };
    let number = formatted(number, format);
    match form {
        form if form.ends_with("ParenBoth") => format!("({number})"),
        form if form.ends_with("ParenR") => format!("{number})"),
        form if form.ends_with("Plain") => number,
        _ => format!("{number}."),
    }
}
