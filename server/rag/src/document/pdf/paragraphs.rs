//! The rows of a column to paragraphs and tables.

use super::{
    glyphs::Rule,
    grid::Grid,
    join,
    lattice::Lattice,
    lines::{Piece, Row, ends_sentence},
    tables::table,
};
use crate::document::label::{Labels, is_label};

/// Lines further apart than this many times their usual distance are of two paragraphs.
const APART: f32 = 1.3;
/// The distance of lines of one paragraph is at most this many sizes, unless a sentence goes on.
const USUAL: f32 = 1.6;
const OPEN: f32 = 2.6;
/// Letters that differ by this factor are of two paragraphs.
const OTHER_SIZE: f32 = 1.15;

/// A space in a line of text is at most so many sizes wide.
const SPACE: f32 = 2.5;
/// A line is short if this share of the column is free behind it, and wide if less than this share is.
const SHORT_LINE: f32 = 0.25;
const WIDE_LINE: f32 = 0.15;
/// Short lines end paragraphs only in columns that are wider than this many sizes.
const MIN_WIDTH: f32 = 15.0;
/// The gap between a label and its text is narrower than this many sizes.
const LABEL_GAP: f32 = 5.0;
/// Pieces of at most so many words with gaps between them are one line, such as a label and its value.
const SHORT: usize = 4;

#[derive(Debug, Clone)]
pub(super) enum Block {
    Text(Paragraph),
    Table(Grid),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Paragraph {
    pub(super) text: String,
    pub(super) size: f32,
    pub(super) is_bold: bool,
    pub(super) lines: usize,
    /// Whether it begins a column, so that it may continue the last paragraph of the one before.
    pub(super) begins_column: bool,
    /// Whether its last line is as long as the column is wide.
    pub(super) ends_wide: bool,
    /// Whether there is more space around it than between lines.
    pub(super) is_apart: bool,
    /// Whether it begins with the label of an item or a clause.
    pub(super) is_item: bool,
    /// The number and the level of the heading that it is, as the tags say.
    pub(super) heading: Option<(u32, u8)>,
}

/// The blocks of a column.
pub(super) fn blocks(rows: &[Row], rules: &[Rule], lattices: &[Lattice], is_sheet: bool) -> Vec<Block> {
    let pieces = || rows.iter().flat_map(|row| &row.pieces);
    let left = pieces().map(|piece| piece.x).fold(f32::MAX, f32::min);
    let right = pieces().map(|piece| piece.end).fold(f32::MIN, f32::max);
    let mut reader = Reader { left, right, usual: usual_distance(rows), ..Reader::default() };
    let mut at = 0;
    while at < rows.len() {
        let end = (at..rows.len()).find(|at| rows[*at].grid.is_some()).unwrap_or(rows.len());
        let tagged_table = rows[at].grid.as_deref().map(|grid| (grid.clone(), 1));
        if let Some((grid, count)) = tagged_table.or_else(|| table(&rows[at..end], rules, lattices, is_sheet)) {
            reader.end(true);
            reader.blocks.push(Block::Table(grid));
            at += count;
            reader.last = None;
            continue;
        }
        let is_left = rows[at].pieces.iter().all(|piece| piece.is_right_to_left);
        let mut row = rows[at].clone();
        let are_short = row.pieces.iter().all(|piece| piece.text.split(' ').count() <= SHORT);
        if !is_left && !are_short {
            join_near(&mut row.pieces);
        }
        let mut in_order: Vec<&Piece> = row.pieces.iter().collect();
        if is_left {
            in_order.reverse();
        }
        for (number, piece) in in_order.into_iter().enumerate() {
            if number > 0 && are_short {
                join(&mut reader.current.text, &piece.text);
                continue;
            }
            if number > 0 {
                reader.end(true);
                reader.last = None;
            }
            reader.line(piece);
        }
        if row.pieces.len() > 1 {
            reader.end(true);
            reader.last = None;
        }
        at += 1;
    }
    reader.end(true);
    reader.blocks
}

/// Joins the pieces of a line of text that has a wide space.
fn join_near(pieces: &mut Vec<Piece>) {
    let mut at = 1;
    while at < pieces.len() {
        let (left, right) = (&pieces[at - 1], &pieces[at]);
        if right.x - left.end < SPACE * left.size.max(right.size) {
            merge(pieces, at - 1, 2);
        } else {
            at += 1;
        }
    }
}

/// The distance of most lines of running text, in sizes.
fn usual_distance(rows: &[Row]) -> f32 {
    let distance = |pair: &[Row]| (pair[1].y() - pair[0].y()) / pair[1].size().max(0.1);
    let mut distances: Vec<f32> = rows.windows(2).map(distance).filter(|distance| *distance < OPEN).collect();
    distances.sort_by(f32::total_cmp);
    distances.get(distances.len() / 4).copied().unwrap_or(1.2).clamp(1.0, USUAL / APART)
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    current: Paragraph,
    labels: Labels,
    last: Option<Piece>,
    /// Edges of the column.
    left: f32,
    right: f32,
    usual: f32,
}

impl Reader {
    fn line(&mut self, line: &Piece) {
        let label = self.labels.clone().read(&line.text);
        let continues = line.heading.is_some() && line.heading == self.current.heading;
        let is_far = !continues && self.last.as_ref().is_some_and(|last| self.is_far(last, line));
        let begins = !continues && self.last.as_ref().is_some_and(|last| is_far || self.begins_paragraph(last, line));
        if begins || label.is_some() && !continues && !self.current.text.is_empty() {
            self.end(is_far);
        }
        let starts = self.last.is_none() || is_far || begins;
        if begins && is_far {
            self.labels.end_paragraph();
        }
        let is_item = self.labels.read(&line.text).is_some();
        if self.current.text.is_empty() {
            let begins_column = self.blocks.is_empty();
            let is_apart = starts && (self.last.is_none() || is_far);
            self.current = Paragraph {
                size: line.size,
                is_bold: line.is_bold,
                begins_column,
                is_apart,
                is_item,
                heading: line.heading,
                ..Paragraph::default()
            };
        }
        join(&mut self.current.text, &line.text);
        self.current.lines += 1;
        self.current.is_bold &= line.is_bold;
        self.current.ends_wide = line.end > self.right - WIDE_LINE * (self.right - self.left);
        self.last = Some(line.clone());
    }

    /// Ends the paragraph.
    fn end(&mut self, is_far: bool) {
        let mut paragraph = std::mem::take(&mut self.current);
        if !paragraph.text.is_empty() {
            paragraph.is_apart &= is_far;
            self.blocks.push(Block::Text(paragraph));
        }
    }

    /// Whether a line is further from the last one than lines of a paragraph are.
    fn is_far(&self, last: &Piece, line: &Piece) -> bool {
        let (distance, size) = (line.y - last.y, line.size.min(last.size).max(0.1));
        let is_open = !ends_sentence(&last.text) && line.text.starts_with(char::is_lowercase);
        let most = if is_open && last.end > self.right - SHORT_LINE * (self.right - self.left) {
            OPEN
        } else {
            self.usual * APART
        };
        distance < -0.1 * size || distance > most * size
    }

    /// Whether a near line begins a paragraph: by another size or weight, or behind the short last line of one.
    fn begins_paragraph(&self, last: &Piece, line: &Piece) -> bool {
        let factor = line.size.max(last.size) / line.size.min(last.size).max(0.1);
        let width = self.right - self.left;
        let is_short = last.end < self.right - SHORT_LINE * width;
        let is_indented = line.x > self.left + 0.8 * line.size && last.x < self.left + 0.3 * line.size;
        line.heading != last.heading
            || factor > OTHER_SIZE
            || last.is_entry && line.is_entry
            || self.current.is_bold != line.is_bold && (self.current.is_bold || line.is_bold && is_short)
            || ends_sentence(&last.text)
                && (is_short || is_indented)
                && !line.text.starts_with(char::is_lowercase)
                && width > MIN_WIDTH * line.size
    }
}

/// Joins the pieces of rows that are one line: a label with a gap behind it, and words of a line with wide spaces. A number
/// in a cell of its own is no label.
pub(super) fn join_pieces(rows: &mut [Row], rules: &[Rule]) {
    let is_parted = |left: &Piece, right: &Piece| {
        let y = left.middle();
        let is_between = |rule: &Rule| (left.end - 1.0..=right.x + 1.0).contains(&rule.x.0);
        rules.iter().any(|rule| rule.is_vertical() && is_between(rule) && (rule.y.0..=rule.y.1).contains(&y))
    };
    let edges = |row: Option<&Row>| {
        let piece = row.filter(|row| row.pieces.len() == 1)?.pieces.first()?;
        Some((piece.x, piece.end, piece.y))
    };
    for at in 0..rows.len() {
        if let [label, text, ..] = rows[at].pieces.as_slice()
            && is_label(&label.text)
            && text.x - label.end < LABEL_GAP * text.size
            && !label.is_right_to_left
            && !is_parted(label, text)
        {
            merge(&mut rows[at].pieces, 0, 2);
        }
        let [first, .., last] = rows[at].pieces.as_slice() else { continue };
        let (x, end, y, size) = (first.x, last.end, first.y, first.size);
        let is_same = |edges: Option<(f32, f32, f32)>| {
            edges.is_some_and(|(from, to, at)| {
                (from - x).abs() < 2.5 * size && (to - end).abs() < 0.5 * size && (at - y).abs() < 2.0 * size
            })
        };
        let (above, below) = (edges(at.checked_sub(1).and_then(|above| rows.get(above))), edges(rows.get(at + 1)));
        let widest = rows[at].pieces.windows(2).map(|pair| pair[1].x - pair[0].end).fold(0.0, f32::max);
        let reach = if is_same(above) && is_same(below) {
            3.0
        } else if is_same(above) || is_same(below) {
            1.6
        } else {
            0.0
        };
        if widest < reach * size {
            let count = rows[at].pieces.len();
            merge(&mut rows[at].pieces, 0, count);
        }
    }
}

pub(super) fn merge(pieces: &mut Vec<Piece>, first: usize, count: usize) {
    let rest = pieces.split_off(first + count);
    let mut parts = pieces.split_off(first).into_iter();
    if let Some(mut whole) = parts.next() {
        for piece in parts {
            whole.text = format!("{} {}", whole.text, piece.text);
            whole.end = piece.end;
            whole.is_bold &= piece.is_bold;
            whole.heading = whole.heading.filter(|heading| piece.heading == Some(*heading));
        }
        pieces.push(whole);
    }
    pieces.extend(rest);
}
