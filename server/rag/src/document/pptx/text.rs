//! The text of a shape: paragraphs with the numbers that are drawn in front of them, without struck text.

use roxmltree::Node;

use super::{
    super::{
        Omission,
        builder::{add_paragraph_to_cell, separate},
        numerals::{Mark, formatted},
        ooxml::choice,
        raised::{Height, Runs},
        symbols,
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

    /// The paragraphs of a cell with their lines.
    pub(super) fn cell_text(&mut self, body: Node<'_, '_>) -> String {
        let (mut numbers, mut text) = (Numbers::default(), String::new());
        for paragraph in body.descendants().filter(|node| is(*node, "p")) {
            let words = self.line(paragraph);
            let mark = match numbers.next(child(paragraph, "pPr")).1 {
                Some(number) if !words.trim().is_empty() => Mark::Number(number),
                _ if has_bullet(paragraph) => Mark::Bullet,
                _ => Mark::None,
            };
            add_paragraph_to_cell(&mut text, &words, &mark);
        }
        separate(&mut text, "");
        text
    }

    /// The paragraphs of a shape.
    pub(super) fn paragraphs(&mut self, shape: Node<'_, '_>) {
        let (mut numbers, mut depth) = (Numbers::default(), 0);
        for paragraph in shape.descendants().filter(|node| is(*node, "p")) {
            let text = self.line(paragraph);
            if text.trim().is_empty() {
                continue;
            }
            let (level, number) = numbers.next(child(paragraph, "pPr"));
            self.builder.set_list_depth(&mut depth, if number.is_some() { level + 1 } else { 0 });
            if let Some(number) = number {
                self.builder.open_labelled_item(&number);
            }
            self.builder.text(&text);
            self.builder.end_block();
        }
        self.builder.set_list_depth(&mut depth, 0);
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
                "br" => runs.push(Height::Normal, "\n"),
                "pPr" | "endParaRPr" => {}
                "AlternateContent" => choice(run).into_iter().for_each(|branch| push_texts(branch, height, &mut runs)),
                _ => push_texts(run, height, &mut runs),
            }
        }
        runs.text()
    }
}

/// The last numbers of the levels of a list.
#[derive(Default)]
struct Numbers([u32; LEVELS]);

impl Numbers {
    /// The level of the next paragraph with these properties, and its number.
    fn next(&mut self, properties: Option<Node<'_, '_>>) -> (usize, Option<String>) {
        let level = properties.and_then(|properties| attribute(properties, "lvl")).and_then(|level| level.parse().ok());
        let level = level.unwrap_or(0).min(LEVELS - 1);
        self.0[level + 1..].fill(0);
        let Some(numbering) = properties.and_then(|properties| child(properties, "buAutoNum")) else {
            self.0[level] = 0;
            return (level, None);
        };
        let start = attribute(numbering, "startAt").and_then(|start| start.parse().ok()).unwrap_or(1);
        self.0[level] = if self.0[level] == 0 { start } else { self.0[level].saturating_add(1) };
        (level, Some(label(self.0[level], attribute(numbering, "type").unwrap_or("arabicPeriod"))))
    }
}

/// Whether a paragraph of a cell has a bullet.
fn has_bullet(paragraph: Node<'_, '_>) -> bool {
    let properties = child(paragraph, "pPr");
    properties.is_some_and(|properties| child(properties, "buChar").is_some() || child(properties, "buBlip").is_some())
}

/// Adds the texts of a run, which shows other signs in a font of signs.
fn push_texts(run: Node<'_, '_>, height: Height, runs: &mut Runs) {
    let font = child(run, "rPr").and_then(|properties| child(properties, "sym"));
    let font = font.and_then(|font| attribute(font, "typeface")).unwrap_or_default();
    for text in run.descendants().filter(|node| is(*node, "t")).filter_map(|node| node.text()) {
        let is_sign = text.chars().all(|letter| matches!(letter, '\u{a0}'..='\u{ff}' | '\u{f000}'..='\u{f0ff}'));
        match symbols::signs(font, text).filter(|_| is_sign) {
            Some(signs) => runs.push(height, &signs),
            None => runs.push(height, &text.replace('\n', " ")),
        }
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
