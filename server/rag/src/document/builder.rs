//! Collects headings, paragraphs, list items, code and tables of a reader into sections of small Markdown.

mod joining;
mod lines;
mod lists;
mod table;
mod titles;

pub(super) use self::joining::{add_line, add_paragraph_to_cell, add_to_cell, join_lines, separate};
pub(super) use self::titles::{Weight, is_bold_weight};
use self::{joining::LINE, lists::List, table::Table};
use super::{Section, is_automatic};

/// How far the levels of headings are apart: the titles of panels have levels between them.
const LEVEL: u8 = 10;
/// Letters of a title from which on it is a sentence.
const SENTENCE: usize = 40;
/// Marks where a word may be divided; invisible within a line.
const SOFT_HYPHEN: char = '\u{ad}';

/// The state of the document so far.
#[derive(Default)]
pub(super) struct Builder {
    /// The headings above the current position, with their levels.
    path: Vec<(u8, String)>,
    anchor: Option<String>,
    sections: Vec<Section>,
    /// Finished blocks of the current section.
    body: String,
    last_was_item: bool,
    /// Running text that is not in a block yet.
    inline: String,
    lists: Vec<List>,
    /// Depth of open links to other pages.
    links: usize,
    /// The marker for the next paragraph of an item.
    marker: Option<String>,
    /// Whether a term was read without its definition.
    after_term: bool,
    table: Table,
    heading: HeadingState,
    /// Headings that are the only text of their sections so far.
    bare: usize,
    /// The levels of open panels.
    panels: Vec<u8>,
    /// Bold lines, which may be titles.
    bold: titles::Bold,
}

/// What was read since the last heading.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum HeadingState {
    /// Nothing.
    Bare,
    /// Nothing that is read, for example navigation or a picture.
    LeftOut,
    /// Text, or another heading below it. Also when there is no heading.
    #[default]
    Filled,
}

impl Builder {
    /// Adds running text without soft hyphens; any white space counts as one space.
    pub(super) fn text(&mut self, text: &str) {
        if text.starts_with(char::is_whitespace) {
            self.space();
        }
        self.after_term &= text.trim().is_empty();
        self.note_weight(text);
        if let Some(list) = self.lists.last_mut() {
            let letters = text.chars().filter(|character| character.is_alphanumeric()).count();
            list.letters += letters;
            list.link_letters += if self.links > 0 { letters } else { 0 };
        }
        for (number, word) in text.split_whitespace().enumerate() {
            if number > 0 {
                self.space();
            }
            self.inline.extend(word.chars().filter(|mark| *mark != SOFT_HYPHEN));
        }
        if text.ends_with(char::is_whitespace) {
            self.space();
        }
    }

    /// Ends a line, which counts within the cell of a table.
    pub(super) fn end_line(&mut self) {
        if self.table.is_empty() { self.space() } else { self.inline.push(LINE) }
    }

    /// Takes the text since the last block, on one line.
    fn take_inline(&mut self) -> String {
        self.bold.weight = Weight::default();
        let text = std::mem::take(&mut self.inline);
        if text.contains(LINE) { join_lines(&text) } else { text }
    }

    /// Notes that something which is no text stands below the last heading.
    pub(super) fn leave_out(&mut self) {
        if self.heading == HeadingState::Bare && self.pending().is_empty() {
            self.heading = HeadingState::LeftOut;
        }
    }

    /// The text since the last block, with the space at its end.
    pub(super) fn inline(&self) -> &str {
        &self.inline
    }

    /// Keeps the parts of a cell apart, unless a mark does so.
    pub(super) fn separate_in_cell(&mut self, mark: &str) {
        separate(&mut self.inline, mark);
    }

    fn space(&mut self) {
        if !self.inline.is_empty() && !self.inline.ends_with(' ') {
            self.inline.push(' ');
        }
    }

    pub(super) fn code_span(&mut self, code: &str) {
        let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
        if !code.is_empty() {
            self.after_term = false;
            self.note_weight("code");
            if let Some(list) = self.lists.last_mut().filter(|_| self.links == 0) {
                list.letters += code.len();
            }
            let fence = if code.contains('`') { "``" } else { "`" };
            self.inline.push_str(&format!("{fence}{code}{fence}"));
        }
    }

    /// Ends the paragraph or item that is being read, if it has text.
    pub(super) fn end_block(&mut self) {
        self.after_term = false;
        let is_bold = self.bold.weight.is_bold();
        let text = self.take_inline();
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        match self.marker.take() {
            Some(marker) => self.push(&format!("{marker}{text}"), true),
            None if is_bold && self.may_be_title(text) => self.hold_title(text.to_owned()),
            None => self.push(text, false),
        }
    }

    /// Ends a term of a definition list: its definition follows on the same line.
    pub(super) fn end_term(&mut self) {
        let term = self.inline.trim_end().to_owned();
        let is_closed = term.is_empty() || term.ends_with([':', '.', '?', '!']);
        self.inline = if is_closed { term } else { format!("{term}:") };
        self.space();
        self.after_term = true;
    }

    /// Whether a term still waits for its definition.
    pub(super) fn awaits_definition(&self) -> bool {
        self.after_term
    }

    /// Ends the text since the last block as a heading. Cells of a table before it belong to the section before it.
    pub(super) fn heading(&mut self, level: u8, anchor: Option<String>) {
        let title = self.take_inline().trim().to_owned();
        if title.is_empty() {
            return;
        }
        if !self.table.is_empty() {
            self.close_table();
            // For the next cells of the same row.
            self.table.open_row();
        }
        self.begin_section(level.saturating_mul(LEVEL), title, anchor);
    }

    /// Ends the text since the last block as the title of a panel, below the last heading.
    pub(super) fn open_panel(&mut self, anchor: Option<String>) {
        let title = self.take_inline().trim().to_owned();
        let level = self.path.last().map_or(0, |(level, _)| *level).saturating_add(1);
        self.panels.push(level);
        self.begin_section(level, title, anchor);
    }

    /// Ends the panel that was opened last. Text behind it belongs to the heading above the panel.
    pub(super) fn close_panel(&mut self) {
        let Some(level) = self.panels.pop() else { return };
        self.end_section(Some(level));
        self.path.retain(|(above, _)| *above < level);
        self.anchor = None;
        self.heading = HeadingState::Filled;
    }

    fn begin_section(&mut self, level: u8, title: String, anchor: Option<String>) {
        self.end_section(Some(level));
        self.end_title();
        self.path.retain(|(above, _)| *above < level);
        self.path.push((level, title));
        self.anchor = anchor;
        self.heading = HeadingState::Bare;
    }

    /// The text since the last block.
    pub(super) fn pending(&self) -> &str {
        self.inline.trim()
    }

    /// Begins a link to another page.
    pub(super) fn open_link(&mut self) {
        self.links += 1;
    }

    pub(super) fn close_link(&mut self) {
        self.links = self.links.saturating_sub(1);
    }

    /// Adds a code block unchanged.
    pub(super) fn code(&mut self, code: &str) {
        self.end_block();
        // An item that begins with code: the code becomes its own block.
        self.marker = None;
        let code = code.trim_matches('\n').trim_end();
        if let Some(list) = self.lists.last_mut() {
            list.letters += code.len();
        }
        if code.trim().is_empty() {
            return;
        }
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(3.max(longest + 1));
        self.push(&format!("{fence}\n{code}\n{fence}"), false);
    }

    /// Adds blocks of Markdown unchanged.
    pub(super) fn block(&mut self, block: &str) {
        self.end_block();
        self.push(block, false);
    }

    pub(super) fn open_row(&mut self) {
        self.end_block();
        self.table.open_row();
    }

    /// Begins a group of rows. No cell above covers a part of it.
    pub(super) fn open_rows(&mut self) {
        self.table.open_rows();
    }

    pub(super) fn close_cell(&mut self) {
        self.close_cell_over(1, 1);
    }

    /// Ends a cell that covers several columns and rows.
    pub(super) fn close_cell_over(&mut self, columns: usize, rows: usize) {
        if self.table.is_empty() {
            self.inline = self.take_inline().trim().replace('|', "\\|");
        } else {
            let text = std::mem::take(&mut self.inline).trim().replace('|', "\\|");
            self.table.add(text, columns, rows);
        }
    }

    /// Ends a cell that continues the one above it.
    pub(super) fn close_continued(&mut self, columns: usize) {
        self.inline.clear();
        self.table.continue_above(columns);
    }

    /// Ends a table.
    pub(super) fn close_table(&mut self) {
        for block in self.table.close() {
            self.push(&block, false);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Section> {
        self.end_section(None);
        // A title alone is no document, unless it states a number or is as long as a sentence.
        let is_title_only = |section: &Section| {
            !section.text.contains(|mark: char| mark.is_ascii_digit()) && section.text.chars().count() < SENTENCE
        };
        if self.bare == 1 && self.sections.len() == 1 && is_title_only(&self.sections[0]) {
            self.sections.clear();
        }
        self.sections
    }

    fn push(&mut self, block: &str, is_item: bool) {
        self.decide_title(block, is_item);
        if !self.body.is_empty() {
            self.body.push_str(if is_item && self.last_was_item { "\n" } else { "\n\n" });
        }
        self.body.push_str(block);
        self.last_was_item = is_item;
    }

    /// Ends the section before a heading of the level `next`. A heading without text below it, and without a heading of a
    /// lower level, is the text of its section.
    fn end_section(&mut self, next: Option<u8>) {
        self.end_block();
        self.release_title();
        // A heading inside a list: the text before it belongs to another section.
        self.lists.iter_mut().for_each(|list| list.has_headings = true);
        let text = std::mem::take(&mut self.body);
        self.last_was_item = false;
        let headings = |path: &[(u8, String)]| path.iter().map(|(_, title)| title.clone()).collect();
        if !text.is_empty() {
            let heading_path = headings(&self.path);
            self.sections.push(Section { heading_path, anchor: self.anchor.clone(), text });
            self.heading = HeadingState::Filled;
        } else if let Some(((level, title), above)) = self.path.split_last()
            && self.heading == HeadingState::Bare
            && next.is_none_or(|next| next <= *level)
            && !is_automatic(title)
        {
            self.sections.push(Section {
                heading_path: headings(above),
                anchor: self.anchor.clone(),
                text: title.clone(),
            });
            self.bare += 1;
        }
    }
}
