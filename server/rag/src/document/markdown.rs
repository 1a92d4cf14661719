//! Markdown to sections, with the anchors that common viewers generate for headings.

use std::collections::HashMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{
    Content, Omission, Omissions,
    builder::Builder,
    html,
    raised::{lowered_text, raised_text},
};

/// Maximum letters of raised text between carets.
const MAX_RAISED: usize = 8;
/// The mark of struck text.
const STRIKETHROUGH: &str = "~~";

/// The first top-level heading as the title, the sections, and what they leave out.
pub(super) fn read(text: &str) -> Content {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_STRIKETHROUGH;
    let mut reader = MarkdownReader::default();
    for event in Parser::new_ext(text, options) {
        reader.event(event);
    }
    reader.end_raised("");
    Content { omissions: reader.omissions, ..Content::from((reader.title, reader.builder.finish())) }
}

#[derive(Default)]
struct MarkdownReader {
    builder: Builder,
    title: Option<String>,
    /// How often each anchor was used.
    anchors: HashMap<String, usize>,
    /// The code block that is being read.
    code: Option<String>,
    in_metadata: bool,
    /// Blocks of HTML that are being read.
    html: Option<String>,
    /// The elements whose text is left out, outermost first, and why.
    left_out: Vec<(String, Omission)>,
    /// Whether the outermost one has text.
    is_counted: bool,
    /// Text of a raised or lowered element, and whether it is closed.
    raised: Option<(Mark, String, bool)>,
    omissions: Omissions,
}

/// The element of raised or lowered text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Sup,
    Sub,
}

impl MarkdownReader {
    fn event(&mut self, event: Event<'_>) {
        if matches!(self.raised, Some((.., true))) {
            self.end_raised(if let Event::Text(text) = &event { text } else { "" });
        }
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(tag) => self.close(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(_) if !self.left_out.is_empty() => self.count(),
            Event::Code(code) => self.builder.code_span(&code),
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::Html(html) => _ = self.html.as_mut().map(|block| block.push_str(&html)),
            Event::InlineHtml(tag) => self.element(&tag),
            Event::Rule => self.builder.end_block(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        match (&mut self.code, &mut self.raised) {
            (Some(code), _) => code.push_str(text),
            _ if self.in_metadata => {}
            _ if !self.left_out.is_empty() => self.count(),
            (None, Some((_, raised, _))) => raised.push_str(text),
            (None, None) => self.own_text(text),
        }
    }

    /// Text in which `^99^` behind a letter or digit is raised.
    fn own_text(&mut self, mut text: &str) {
        while let Some((before, raised_part, after)) = with_raised(text) {
            self.builder.text(before);
            let whole = raised_text(self.builder.inline(), raised_part, after);
            self.builder.text(&whole);
            text = after;
        }
        self.builder.text(text);
    }

    fn count(&mut self) {
        if let Some((_, kind)) = self.left_out.first().filter(|_| !self.is_counted) {
            *self.omissions.entry(*kind).or_default() += 1;
            self.is_counted = true;
        }
    }

    /// An element of HTML within a paragraph.
    fn element(&mut self, tag: &str) {
        let name = tag.trim_matches(['<', '>', '/', ' ']).split(char::is_whitespace).next().unwrap_or_default();
        let is_end = tag.starts_with("</");
        let name = name.to_ascii_lowercase();
        match (name.as_str(), is_end) {
            // The cell of a table has several lines by it.
            ("br", _) => self.text(" "),
            (_, true) if self.left_out.iter().any(|(open, _)| *open == name) => self.close_left_out(&name),
            ("del" | "s" | "strike", false) => self.open_left_out(name, Omission::StruckText),
            (_, false) if html::hides(tag) => self.open_left_out(name, Omission::HiddenText),
            ("sup", false) => self.open_raised(Mark::Sup),
            ("sub", false) => self.open_raised(Mark::Sub),
            ("sup" | "sub", true) => self.close_raised(),
            _ => {}
        }
    }

    fn open_left_out(&mut self, name: String, kind: Omission) {
        self.is_counted &= !self.left_out.is_empty();
        self.left_out.push((name, kind));
    }

    fn close_left_out(&mut self, name: &str) {
        if let Some(at) = self.left_out.iter().rposition(|(open, _)| open == name) {
            self.left_out.truncate(at);
        }
    }

    fn open_raised(&mut self, mark: Mark) {
        if self.raised.is_none() {
            self.raised = Some((mark, String::new(), false));
        }
    }

    fn close_raised(&mut self) {
        if let Some((.., is_closed)) = &mut self.raised {
            *is_closed = true;
        }
    }

    /// Adds raised or lowered text, when the text behind it is known.
    fn end_raised(&mut self, after: &str) {
        let Some((mark, text, _)) = self.raised.take() else { return };
        let before = self.builder.inline();
        let text = match mark {
            Mark::Sup => raised_text(before, &text, after),
            Mark::Sub => lowered_text(before, &text, after),
        };
        self.builder.text(&text);
    }

    /// Ends what an author has not closed within a paragraph.
    fn end_paragraph(&mut self) {
        self.left_out.clear();
        self.end_raised("");
        self.builder.end_block();
    }

    /// Adds a block of HTML.
    fn end_html(&mut self) {
        let content = html::content(&self.html.take().unwrap_or_default());
        for (kind, count) in content.omissions {
            *self.omissions.entry(kind).or_default() += count;
        }
        for section in content.sections {
            section.heading_path.last().into_iter().chain([&section.text]).for_each(|block| self.builder.block(block));
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::Heading { .. } => self.builder.end_block(),
            Tag::CodeBlock(_) => self.code = Some(String::new()),
            Tag::HtmlBlock => self.html = Some(String::new()),
            Tag::Strikethrough => self.open_left_out(STRIKETHROUGH.to_owned(), Omission::StruckText),
            Tag::Strong => self.builder.open_bold(),
            Tag::Link { .. } => self.builder.open_link(),
            Tag::List(first) => self.builder.open_list(first),
            Tag::Item => self.builder.open_item(),
            Tag::TableHead | Tag::TableRow => self.builder.open_row(),
            Tag::MetadataBlock(_) => self.in_metadata = true,
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Item => self.end_paragraph(),
            TagEnd::HtmlBlock => self.end_html(),
            TagEnd::Strong => self.builder.close_bold(),
            TagEnd::Strikethrough => self.close_left_out(STRIKETHROUGH),
            TagEnd::Heading(level) => self.heading(level as u8),
            TagEnd::CodeBlock => self.builder.code(&self.code.take().unwrap_or_default()),
            TagEnd::Link => self.builder.close_link(),
            TagEnd::List(_) => self.builder.close_list(),
            TagEnd::TableCell => self.builder.close_cell(),
            TagEnd::Table => self.builder.close_table(),
            TagEnd::MetadataBlock(_) => self.in_metadata = false,
            _ => {}
        }
    }

    fn heading(&mut self, level: u8) {
        let text = self.builder.pending().to_owned();
        if level == 1 && self.title.is_none() && !text.is_empty() {
            self.title = Some(text.replace('`', ""));
        }
        let anchor = self.anchor(&text);
        self.builder.heading(level, anchor);
    }

    /// The anchor of a heading: lower case, hyphens for spaces, no other marks, and a number after a repetition.
    fn anchor(&mut self, heading: &str) -> Option<String> {
        let base: String = heading
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        if base.is_empty() {
            return None;
        }
        let times = self.anchors.entry(base.clone()).or_default();
        *times += 1;
        Some(if *times == 1 { base } else { format!("{base}-{}", *times - 1) })
    }
}

/// The text before raised text between carets, that text, and the text after it. "2^3 and 4^5" has none.
fn with_raised(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('^').find_map(|(at, _)| {
        let (raised_part, after) = text[at + 1..].split_once('^')?;
        let is_short = !raised_part.is_empty()
            && raised_part.chars().count() <= MAX_RAISED
            && !raised_part.contains(char::is_whitespace);
        (text[..at].ends_with(char::is_alphanumeric) && is_short).then(|| (&text[..at], raised_part, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Section;

    fn read(text: &str) -> (Option<String>, Vec<Section>) {
        let content = super::read(text);
        (content.title, content.sections)
    }

    const PAGE: &str = "---\nauthor: nobody\n---\n# The `make` guide\n\nIntro *text*,\nwrapped.\n\n## Set-up\n\n- one\n- two:\n\n  ```sh\n  make\n\n  make run\n  ```\n\n1. first\n2. second\n\n## Set-up\n\n| key | value |\n|---|---|\n| `a|b` | 1 |\n";

    #[test]
    fn headings_lists_code_and_tables_survive() {
        let (title, sections) = read(PAGE);
        assert_eq!(title.as_deref(), Some("The make guide"));
        assert_eq!(sections[0].text, "Intro text, wrapped.");
        assert_eq!(sections[1].heading_path, ["The `make` guide", "Set-up"]);
        assert_eq!(sections[1].text, "- one\n- two:\n\n```\nmake\n\nmake run\n```\n\n1. first\n2. second");
        assert_eq!(sections[2].anchor.as_deref(), Some("set-up-1"));
    }

    #[test]
    fn a_line_break_of_html_separates_words() {
        let (_, sections) =
            read("Call us.<br/>Or <b>write</b>.\n\n| Day | Hours |\n|---|---|\n| Mon<br>Tue | 9<BR />5 |");
        assert_eq!(sections[0].text, "Call us. Or write.\n\n| Day | Hours |\n|---|---|\n| Mon Tue | 9 5 |");
    }

    #[test]
    fn a_deeper_heading_after_a_higher_one_starts_its_own_path() {
        let (_, sections) = read("# A\n\n### B\n\nb\n\n## C\n\nc");
        assert_eq!(sections[0].heading_path, ["A", "B"]);
        assert_eq!(sections[1].heading_path, ["A", "C"]);
    }

    #[test]
    fn struck_text_is_left_out_and_counted() {
        for (text, expected, count) in [
            ("It costs ~~24 €~~ **18 €**.", "It costs 18 €.", 1),
            ("A <del>b `c`</del> d <s></s><strike>e</strike>.", "A d .", 2),
            ("It costs <s>24 €.\n\nAsk us.", "It costs\n\nAsk us.", 1),
            ("| A | B |\n|---|---|\n| ~~1~~ 2 | 3 |", "| A | B |\n|---|---|\n| 2 | 3 |", 1),
            ("<p>It costs <del>9</del> 8.</p>", "It costs 8.", 1),
        ] {
            let content = super::read(text);
            assert_eq!(content.sections[0].text, expected);
            assert_eq!(content.omissions, Omissions::from([(Omission::StruckText, count)]), "{text}");
        }
    }

    #[test]
    fn hidden_text_is_left_out_and_counted() {
        for (text, expected) in [
            ("Open daily <span hidden>until 2019</span> from nine.", "Open daily from nine."),
            ("Ask <span style=\"display: none\">nobody <b>at all</b></span>us.", "Ask us."),
            ("Ask <span class=\"price\">us</span>.<br hidden> Now.", "Ask us. Now."),
        ] {
            let content = super::read(text);
            assert_eq!(content.sections[0].text, expected);
            assert_eq!(content.omissions.contains_key(&Omission::HiddenText), !text.contains("price"), "{text}");
        }
    }

    #[test]
    fn raised_and_lowered_text_is_no_part_of_a_number() {
        for (text, expected) in [
            ("It costs 19^99^ €.", "It costs 19.99 €."),
            ("It costs 19<sup>99</sup> €.", "It costs 19.99 €."),
            ("120 m<sup>2</sup>, 120 m^2^ and 10^5^ screws", "120 m², 120 m² and 10^5 screws"),
            ("It costs 49<sup>1)</sup> €.", "It costs 49 1) €."),
            ("H<sub>2</sub>O", "H2O"),
            ("2^3 and 4^5", "2^3 and 4^5"),
        ] {
            assert_eq!(read(text).1[0].text, expected, "{text}");
        }
    }

    #[test]
    fn blocks_of_html_and_documents_of_headings_are_read() {
        let (_, sections) = read("# Fees\n\n<div align=\"center\">\n<p>A bike costs 4 €.</p>\n</div>\n\nAsk us.");
        assert_eq!(sections[0].text, "A bike costs 4 €.\n\nAsk us.");
        let (_, sections) = read("# Contact\n\n## Phone: 030 1234\n\n## Mail: a@b.example\n");
        let texts: Vec<&str> = sections.iter().map(|section| section.text.as_str()).collect();
        assert_eq!(
            (texts, sections[0].heading_path[0].as_str()),
            (vec!["Phone: 030 1234", "Mail: a@b.example"], "Contact")
        );
    }
}
