//! The blocks of all pages to sections: paragraphs, steps and tables that go on over a page, and headings.

use std::collections::HashMap;

use super::{
    continued::{PageBlock, continue_paragraphs, continue_tables},
    grid::Grid,
    lines::ends_sentence,
    paragraphs::{Block, Paragraph},
};
use crate::document::{
    Section,
    builder::Builder,
    label::{Form, Label},
    page_heading,
};

/// Letters that are larger than most by this factor are those of a heading.
const LARGE: f32 = 1.15;
/// Maximum letters and lines of a heading.
const MAX_LETTERS: usize = 140;
const MAX_LINES: usize = 3;
/// Maximum letters of a heading that only its place shows.
const MAX_PLAIN: usize = 60;

/// The sections of a document, and its first large line.
pub(super) fn sections(mut blocks: Vec<PageBlock>, several: bool) -> (Option<String>, Vec<Section>) {
    continue_paragraphs(&mut blocks);
    continue_tables(&mut blocks);
    let levels = levels(&blocks);
    let body = body_size(&blocks);
    let first = blocks.iter().zip(&levels).find(|((_, block), level)| level.is_some() && is_large(block, body));
    let title = first.and_then(|((_, block), _)| text_of(block)).map(|text| text.text.clone());
    let mut outline = Outline { several, ..Outline::default() };
    for ((page, block), level) in blocks.into_iter().zip(levels) {
        match (block, level) {
            (Block::Text(paragraph), Some(level)) => outline.heading(level, paragraph.text, page),
            (Block::Text(paragraph), None) => outline.text(&paragraph.text, page),
            (Block::Table(grid), _) => outline.table(&grid, page),
        }
    }
    outline.headings_to_text(0);
    outline.flush();
    (title, outline.sections)
}

fn text_of(block: &Block) -> Option<&Paragraph> {
    match block {
        Block::Text(paragraph) => Some(paragraph),
        Block::Table(_) => None,
    }
}

/// The size of most letters.
fn body_size(blocks: &[PageBlock]) -> f32 {
    let mut sizes: HashMap<i32, usize> = HashMap::new();
    for paragraph in blocks.iter().filter_map(|(_, block)| text_of(block)) {
        *sizes.entry(rounded(paragraph.size)).or_default() += paragraph.text.len();
    }
    let most = sizes.into_iter().max_by_key(|(size, letters)| (*letters, *size));
    #[allow(clippy::cast_precision_loss, reason = "a small number")]
    most.map_or(0.0, |(size, _)| size as f32 / 2.0)
}

/// A size in half points.
#[allow(clippy::cast_possible_truncation, reason = "a size of letters")]
fn rounded(size: f32) -> i32 {
    (size * 2.0).round() as i32
}

fn is_large(block: &Block, body: f32) -> bool {
    text_of(block).is_some_and(|paragraph| paragraph.size > LARGE * body)
}

/// The level of each heading, from 1; none for other blocks.
fn levels(blocks: &[PageBlock]) -> Vec<Option<u8>> {
    let body = body_size(blocks);
    let letters = |is_one: &dyn Fn(&Paragraph) -> bool| -> usize {
        blocks
            .iter()
            .filter_map(|(_, block)| text_of(block))
            .filter(|text| is_one(text))
            .map(|text| text.text.len())
            .sum()
    };
    let is_tagged = letters(&|text| text.heading.is_some()) * 2 < letters(&|_| true);
    let tagged_level = |text: &Paragraph| {
        let is_short = text.lines <= MAX_LINES && text.text.chars().count() <= MAX_LETTERS;
        let level = text.heading.filter(|_| is_tagged && is_short && text.text.chars().any(char::is_alphabetic))?.1;
        Some(level.clamp(1, 6))
    };
    let is_bold_special = letters(&|text| text.is_bold) * 3 < letters(&|_| true);
    let looks_like_heading = |paragraph: &Paragraph| {
        tagged_level(paragraph).is_some()
            || may_be_heading(paragraph)
                && (paragraph.size > LARGE * body && paragraph.text.chars().any(char::is_alphabetic)
                    || is_bold_special
                        && paragraph.is_bold
                        && paragraph.size > 0.94 * body
                        && !paragraph.text.ends_with(':'))
    };
    let mut are_headings: Vec<bool> =
        blocks.iter().map(|(_, block)| text_of(block).is_some_and(looks_like_heading)).collect();
    let is_marked = are_headings.contains(&true);
    for at in 0..blocks.len() {
        let Some(paragraph) = text_of(&blocks[at].1).filter(|_| !are_headings[at]) else { continue };
        let next = blocks.get(at + 1).map(|(_, block)| block);
        are_headings[at] = is_numbered(paragraph, next) || !is_marked && is_plain(paragraph, next);
    }
    let mut styles: Vec<(i32, bool)> = blocks
        .iter()
        .zip(&are_headings)
        .filter(|(_, is_heading)| **is_heading)
        .filter_map(|((_, block), _)| text_of(block))
        .filter(|text| tagged_level(text).is_none())
        .map(style)
        .collect();
    styles.sort_unstable_by(|one, other| other.cmp(one));
    styles.dedup();
    // Other headings are below the tagged ones.
    let lowest = blocks.iter().filter_map(|(_, block)| tagged_level(text_of(block)?)).max().unwrap_or(0);
    let level = |paragraph: &Paragraph| {
        if let Some(level) = tagged_level(paragraph) {
            return level;
        }
        let rank = styles.iter().position(|other| *other == style(paragraph)).unwrap_or(0);
        let depth = Label::of(&paragraph.text).map_or(0, |label| label.numbers.len().saturating_sub(1));
        u8::try_from(usize::from(lowest) + rank + depth + 1).unwrap_or(u8::MAX).min(6)
    };
    let levels = blocks
        .iter()
        .zip(are_headings)
        .map(|((_, block), is_heading)| text_of(block).filter(|_| is_heading).map(level));
    levels.collect()
}

fn style(paragraph: &Paragraph) -> (i32, bool) {
    (rounded(paragraph.size), paragraph.is_bold)
}

fn may_be_heading(paragraph: &Paragraph) -> bool {
    let text = paragraph.text.as_str();
    let is_bullet = Label::of(text).is_some_and(|label| label.form == Form::Bullet);
    paragraph.lines <= MAX_LINES
        && text.chars().count() <= MAX_LETTERS
        && !is_bullet
        && !text.ends_with([',', ';', '.', '-'])
        && text.chars().filter(|letter| letter.is_alphabetic()).count() > 1
        && !text.starts_with(char::is_lowercase)
}

/// Whether a number makes a line a heading: `2.3 Terms`, with text, a table or items of a deeper level below it.
fn is_numbered(paragraph: &Paragraph, next: Option<&Block>) -> bool {
    let Some(label) = Label::of(&paragraph.text) else { return false };
    let is_number = matches!(label.form, Form::Dotted | Form::Section);
    let is_text = next.is_some_and(|block| match block {
        Block::Text(next) => {
            !next.is_item || Label::of(&next.text).is_some_and(|next| next.numbers.len() > label.numbers.len())
        }
        Block::Table(_) => true,
    });
    is_number
        && is_text
        && paragraph.is_apart
        && paragraph.lines == 1
        && label.rest.starts_with(char::is_uppercase)
        && label.rest.chars().count() <= MAX_PLAIN
        && !paragraph.text.ends_with(['.', ':', ',', ';', '!', '?'])
}

/// Whether only its place makes a line a heading: a short line apart, with text or a table below it.
fn is_plain(paragraph: &Paragraph, next: Option<&Block>) -> bool {
    let is_body = next.is_some_and(|block| match block {
        Block::Text(next) => next.lines > 1 || ends_sentence(&next.text),
        Block::Table(_) => true,
    });
    is_body
        && paragraph.is_apart
        && paragraph.lines == 1
        && may_be_heading(paragraph)
        && paragraph.text.starts_with(char::is_uppercase)
        && !paragraph.ends_wide
        && !paragraph.text.contains(": ")
        && !paragraph.text.ends_with([':', '!', '?'])
        && paragraph.text.chars().count() <= MAX_PLAIN
}

/// Numbered steps, with the headings and the paragraph above them.
struct Steps {
    form: Form,
    last: u32,
    page: u32,
    path: Vec<(u8, String)>,
    introduction: Option<String>,
}

#[derive(Default)]
struct Outline {
    several: bool,
    sections: Vec<Section>,
    path: Vec<(u8, String)>,
    /// Headings without text so far.
    open: Vec<(u8, String)>,
    page: u32,
    builder: Builder,
    steps: Option<Steps>,
    /// The paragraph before, if it may introduce steps.
    introduction: Option<String>,
}

impl Outline {
    fn heading(&mut self, level: u8, title: String, page: u32) {
        self.headings_to_text(level);
        self.introduction = None;
        if self.open.is_empty() {
            self.flush();
            self.path.retain(|(above, _)| *above < level);
            self.page = page;
        }
        self.open.push((level, title));
    }

    /// Makes headings of this level or below, which have no text, paragraphs.
    fn headings_to_text(&mut self, level: u8) {
        if self.open.iter().any(|(above, _)| *above >= level) {
            let parents: Vec<_> = self.open.iter().filter(|(above, _)| *above < level).cloned().collect();
            let rest: Vec<_> = self.open.drain(..).filter(|(above, _)| *above >= level).collect();
            self.path.extend(parents);
            for (_, title) in rest {
                add(&mut self.builder, &title);
            }
        }
    }

    fn text(&mut self, text: &str, page: u32) {
        let step = Label::of(text).and_then(|label| match label.numbers[..] {
            [number] if matches!(label.form, Form::Dotted | Form::Closed | Form::Bracketed) => {
                Some((label.form, number))
            }
            _ => None,
        });
        let earlier = self.steps.as_ref().filter(|steps| {
            step.is_some_and(|(form, number)| {
                form == steps.form && number == steps.last + 1 && number > 1 && page > steps.page
            })
        });
        if let Some((path, introduction)) = earlier.map(|steps| (steps.path.clone(), steps.introduction.clone())) {
            let open: Vec<_> = self.open.drain(..).collect();
            self.begin_text(page, Some(path));
            for (_, title) in open {
                add(&mut self.builder, &title);
            }
            introduction.into_iter().for_each(|text| add(&mut self.builder, &text));
        }
        self.begin_text(page, None);
        if let Some((form, number)) = step {
            self.note_step(form, number, page);
        } else {
            self.introduction = Some(text.to_owned());
        }
        add(&mut self.builder, text);
    }

    /// Notes a step.
    fn note_step(&mut self, form: Form, last: u32, page: u32) {
        match self.steps.as_mut().filter(|steps| steps.form == form && steps.last + 1 == last) {
            Some(steps) => (steps.last, steps.page) = (last, page),
            None => {
                let introduction = self.introduction.take().filter(|_| last == 1);
                self.steps = Some(Steps { form, last, page, path: self.path.clone(), introduction });
            }
        }
        self.introduction = None;
    }

    fn table(&mut self, grid: &Grid, page: u32) {
        if grid.rows.is_empty() {
            return;
        }
        self.begin_text(page, None);
        self.introduction = None;
        let builder = &mut self.builder;
        if grid.has_header || grid.columns.len() > 2 {
            if !grid.has_header {
                builder.open_row();
                grid.columns.iter().for_each(|_| builder.close_cell());
            }
            for row in &grid.rows {
                builder.open_row();
                for cell in row {
                    builder.text(cell);
                    builder.close_cell();
                }
            }
            builder.close_table();
            return;
        }
        for row in &grid.rows {
            let cells: Vec<&str> =
                row.iter().map(|cell| cell.trim_end_matches(':')).filter(|cell| !cell.is_empty()).collect();
            let is_box = cells.first().is_some_and(|cell| matches!(*cell, "☐" | "☒"));
            add(builder, &cells.join(if is_box { " " } else { ": " }));
        }
    }

    /// Makes the open headings those of the text that follows, and begins a section on a new page.
    fn begin_text(&mut self, page: u32, path: Option<Vec<(u8, String)>>) {
        if page != self.page || path.is_some() {
            self.flush();
            self.page = page;
        }
        self.path.append(&mut self.open);
        self.path = path.unwrap_or(std::mem::take(&mut self.path));
    }

    fn flush(&mut self) {
        for mut section in std::mem::take(&mut self.builder).finish() {
            section.heading_path = self.path.iter().map(|(_, title)| title.clone()).collect();
            if section.heading_path.is_empty() && self.several {
                section.heading_path = vec![page_heading(self.page)];
            }
            section.anchor = Some(format!("page={}", self.page));
            self.sections.push(section);
        }
    }
}

/// Adds a paragraph, or an item of a list.
fn add(builder: &mut Builder, paragraph: &str) {
    match Label::of(paragraph) {
        Some(Label { form: Form::Bullet, rest, .. }) => {
            builder.open_list(None);
            builder.open_item();
            builder.text(rest);
            builder.close_list();
        }
        _ => {
            builder.text(paragraph);
            builder.end_block();
        }
    }
}
