//! Plain text: paragraphs separated by empty lines, list items, clauses and headings; a short first line is the title.

use std::str::Lines;

use super::{
    Section,
    builder::Builder,
    label::{Form, Label, Labels},
};

/// Maximum characters of a line that is a title or a heading.
const MAX_TITLE: usize = 80;

/// Returns the title, if the first line looks like one, and the sections.
pub(super) fn read(text: &str) -> (Option<String>, Vec<Section>) {
    let title = title(text);
    let mut reader = PlainReader { begins_with_title: title.is_some(), ..PlainReader::default() };
    let mut lines = text.trim().lines();
    while let Some(line) = lines.next() {
        reader.line(line.trim(), &lines);
    }
    reader.end_block();
    reader.keep_heading(0);
    (title, reader.builder.finish())
}

#[derive(Default)]
struct PlainReader {
    builder: Builder,
    labels: Labels,
    /// Whether the next line is the title of the document.
    begins_with_title: bool,
    /// Whether the line before has text.
    in_paragraph: bool,
    /// Whether the current block has a line.
    has_line: bool,
    in_item: bool,
    /// The last heading with its level, as long as it has no text below it.
    bare: Option<(u8, String)>,
}

impl PlainReader {
    /// Reads a trimmed line; `next` are the lines after it.
    fn line(&mut self, line: &str, next: &Lines<'_>) {
        if line.is_empty() || is_rule(line) {
            // Only the first of many empty lines ends something.
            if std::mem::take(&mut self.in_paragraph) {
                self.end_block();
                self.labels.end_paragraph();
            }
            return;
        }
        self.in_paragraph = true;
        let mut after = next.clone().map(str::trim);
        let is_title = std::mem::take(&mut self.begins_with_title) && after.clone().any(is_text);
        let rule = after.next().filter(|after| !self.has_line && is_rule(after));
        let label = self.labels.read(line);
        if label.is_some() {
            self.end_block();
        }
        let level = match (is_title, rule, &label) {
            (true, ..) => Some(1),
            (_, Some(rule), _) => Some(if rule.starts_with('=') { 2 } else { 3 }),
            (_, None, Some(label)) => level(label, next),
            _ => None,
        };
        if let Some(level) = level.filter(|_| is_title || is_short(line)) {
            self.keep_heading(level);
            self.builder.text(line);
            self.builder.heading(level, None);
            self.bare = Some((level, line.to_owned()));
            self.has_line = false;
            return;
        }
        self.has_line = true;
        self.bare = None;
        match label {
            Some(Label { form: Form::Bullet, rest, .. }) => self.item(None, rest),
            Some(Label { form: Form::Dotted, numbers, rest }) if numbers.len() == 1 => {
                self.item(Some(u64::from(numbers[0])), rest);
            }
            _ => self.builder.text(line),
        }
        self.builder.text("\n");
    }

    /// Adds the last heading as text if it has none and a heading of this level ends its section.
    fn keep_heading(&mut self, level: u8) {
        if let Some((_, heading)) = self.bare.take().filter(|(above, _)| level <= *above) {
            self.builder.text(&heading);
            self.builder.end_block();
        }
    }

    /// Begins an item of a list, with its number or with a bullet.
    fn item(&mut self, number: Option<u64>, text: &str) {
        self.builder.open_list(number);
        self.builder.open_item();
        self.builder.text(text);
        self.in_item = true;
    }

    fn end_block(&mut self) {
        match std::mem::take(&mut self.in_item) {
            true => self.builder.close_list(),
            false => self.builder.end_block(),
        }
        self.has_line = false;
    }
}

/// The level of a line with this label as the heading of the lines after it: of a section, or of clauses with other labels;
/// `None` if it heads none.
fn level(label: &Label<'_>, next: &Lines<'_>) -> Option<u8> {
    let below = next.clone().map(str::trim).find(|line| is_text(line))?;
    let goes_on = next.clone().next().is_some_and(|line| line.trim().starts_with(char::is_lowercase));
    let heads = match (label.form, Label::of(below)) {
        (Form::Section, None) => !goes_on && !refers(label.rest),
        (Form::Section, Some(below)) => below.form != Form::Section && !refers(label.rest),
        (Form::Dotted, Some(Label { form: Form::Dotted, numbers, .. })) => {
            numbers.len() > label.numbers.len() && numbers.starts_with(&label.numbers)
        }
        (Form::Dotted, Some(below)) => below.form != Form::Bullet,
        _ => false,
    };
    let depth = u8::try_from(label.numbers.len()).unwrap_or(u8::MAX);
    heads.then_some(depth.saturating_add(3))
}

/// Whether the text behind `§ 5` shows that a sentence refers to the section: "of the law", "Abs. 2".
fn refers(rest: &str) -> bool {
    let second = rest.split(' ').nth(1).unwrap_or_default();
    rest.starts_with(char::is_lowercase) || second.starts_with(|letter: char| letter.is_ascii_digit())
}

fn is_text(line: &str) -> bool {
    !line.is_empty() && !is_rule(line)
}

/// Whether a line only draws a line.
fn is_rule(line: &str) -> bool {
    line.len() > 2 && ['=', '-', '~', '_', '*', '#'].iter().any(|mark| line.trim_start_matches(*mark).is_empty())
}

/// Whether a line is short and does not end like a sentence. The dots of a table of contents are in no title.
fn is_short(line: &str) -> bool {
    line.chars().count() <= MAX_TITLE && !line.ends_with(['.', ',', ';', ':']) && !line.contains("....")
}

/// The first line if an empty or a drawn line follows it, it is short, and it does not end like a sentence.
fn title(text: &str) -> Option<String> {
    let mut lines = text.trim_start().lines();
    let first = lines.next()?.trim();
    let alone = lines.next().is_some_and(|line| line.trim().is_empty() || is_rule(line.trim()));
    (alone && is_short(first)).then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sections of a text, as their headings and texts.
    fn sections(text: &str) -> Vec<(String, String)> {
        read(text).1.into_iter().map(|section| (section.heading_path.concat(), section.text)).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(heading, text)| ((*heading).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn items_and_clauses_are_blocks_of_their_own() {
        let list =
            "Bring with you:\n- the card\n- a coat that\n  is warm\n\nThen:\n1. Ring.\n2. Wait.\n4. Enter.\nThank you.";
        let text =
            "Bring with you:\n\n- the card\n- a coat that is warm\n\nThen:\n\n1. Ring.\n2. Wait.\n4. Enter. Thank you.";
        assert_eq!(sections(list), pairs(&[("", text)]));
        let prose = "We open on\n12. May. Tickets\ncost 5 euros.";
        assert_eq!(sections(prose), pairs(&[("", "We open on 12. May. Tickets cost 5 euros.")]));
    }

    #[test]
    fn numbered_and_underlined_headings_begin_sections() {
        let terms = "Terms\n\n1. Scope\n1.1 These terms\napply.\n1.2 Others do not.\n\n2. Users\n\na) One person.\nb) One company.";
        let expected = [
            ("Terms1. Scope", "1.1 These terms apply.\n\n1.2 Others do not."),
            ("Terms2. Users", "a) One person.\n\nb) One company."),
        ];
        assert_eq!(sections(terms), pairs(&expected));
        let contents = "Terms\n\n1. Scope ..... 2\n1.1 Users ..... 3\n\n1. Scope\n1.1 All.";
        let expected = [("Terms", "1. Scope ..... 2\n\n1.1 Users ..... 3"), ("Terms1. Scope", "1.1 All.")];
        assert_eq!(sections(contents), pairs(&expected));
        let rules = "§ 1 Entry\n(1) Show the card.\n(2) Wait.\n§ 2 Fees\nEntry is free.\n§ 3 applies to all.";
        let expected =
            [("§ 1 Entry", "(1) Show the card.\n\n(2) Wait."), ("§ 2 Fees", "Entry is free.\n\n§ 3 applies to all.")];
        assert_eq!(sections(rules), pairs(&expected));
        assert_eq!(read(terms).0.as_deref(), Some("Terms"));
        let rules = "Rules\n\nThis holds.\n§ 2 of the law\nalso.\n§ 3 Abs. 2 holds\nToday.\n§ 4 Members who\nleave pay.\n\
                     § 5 Dogs stay out\n§ 6 Ring twice";
        let text = "This holds.\n\n§ 2 of the law also.\n\n§ 3 Abs. 2 holds Today.\n\n§ 4 Members who leave pay.\n\n\
                    § 5 Dogs stay out\n\n§ 6 Ring twice";
        assert_eq!(sections(rules), pairs(&[("Rules", text)]), "sentences are no headings");
        let underlined = "Hours\n=====\n\nWe open at nine.\n\nFees\n----\nNone.\n----\nEnd.";
        let expected = [("Hours", "We open at nine."), ("HoursFees", "None.\n\nEnd.")];
        assert_eq!(sections(underlined), pairs(&expected));
        assert_eq!(read(underlined).0.as_deref(), Some("Hours"));
        let bare = "News\n\nWe close early\n--------------\nTea is free\n--------------\n";
        let expected = [("NewsWe close early", "We close early"), ("NewsTea is free", "Tea is free")];
        assert_eq!(sections(bare), pairs(&expected), "lines between drawn lines stay");
    }
}
