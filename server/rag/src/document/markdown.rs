//! Markdown to sections, with the anchors that common viewers generate for headings.

use std::collections::HashMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{Section, builder::Builder};

/// The first top-level heading as the title, and the sections.
pub(super) fn read(text: &str) -> (Option<String>, Vec<Section>) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_STRIKETHROUGH;
    let mut reader = MarkdownReader::default();
    for event in Parser::new_ext(text, options) {
        reader.event(event);
    }
    (reader.title, reader.builder.finish())
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
}

impl MarkdownReader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(tag) => self.close(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None if !self.in_metadata => self.builder.text(&text),
                None => {}
            },
            Event::Code(code) => self.builder.code_span(&code),
            Event::SoftBreak | Event::HardBreak => self.builder.text(" "),
            Event::InlineHtml(tag) if is_line_break(&tag) => self.builder.text(" "),
            Event::Rule => self.builder.end_block(),
            _ => {}
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::Heading { .. } => self.builder.end_block(),
            Tag::CodeBlock(_) => self.code = Some(String::new()),
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
            TagEnd::Paragraph | TagEnd::Item => self.builder.end_block(),
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

/// Whether an element of HTML is `<br>`, by which the cell of a table has several lines.
fn is_line_break(tag: &str) -> bool {
    tag.trim_matches(['<', '>', '/', ' ']).eq_ignore_ascii_case("br")
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
