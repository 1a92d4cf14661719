//! Columns of a page: parts it at the vertical gaps that many lines share, and gives the parts in reading order.

use std::collections::HashMap;

use super::{
    lattice::{Frame, Lattice},
    lines::{Piece, Row},
};
use crate::document::label::{Form, Label};

/// Maximum nesting of columns.
const MAX_DEPTH: usize = 6;
/// Minimum lines on each side of a gap.
const MIN_LINES: usize = 3;
/// Places of gaps that are tried.
const TRIES: usize = 8;
/// Left edges closer than this are one.
const EDGE: f32 = 4.0;
/// A line further above the columns than this many sizes is not in one of them.
const APART: f32 = 1.8;
/// Minimum share of lines of running text that begin in the middle of a sentence, in tenths.
const CONTINUED: usize = 3;

/// The rows of a page in reading order, one list for each column or part between columns. Nothing parts the `tables`, but
/// tables whose `frames` are drawn beside each other are parted.
pub(super) fn columns(rows: Vec<Row>, tables: &[Lattice], frames: &[Frame]) -> Vec<Vec<Row>> {
    let mut blocks = Vec::new();
    part(rows, (tables, frames), 0, &mut blocks);
    blocks
}

/// The tables that nothing parts, and the frames of all.
type DrawnTables<'a> = (&'a [Lattice], &'a [Frame]);

fn part(rows: Vec<Row>, tables: DrawnTables<'_>, depth: usize, blocks: &mut Vec<Vec<Row>>) {
    let Some(band) = (if depth < MAX_DEPTH { best_band(&rows, tables) } else { None }) else {
        if !rows.is_empty() {
            blocks.push(rows);
        }
        return;
    };
    let mut above = rows;
    let mut inside = above.split_off(band.first);
    let below = inside.split_off(band.end - band.first);
    part(above, tables, depth + 1, blocks);
    let is_left = |row: &Row| row.pieces.iter().filter(|piece| piece.is_right_to_left).count() * 2 > row.pieces.len();
    let runs_left = inside.iter().filter(|row| is_left(row)).count() * 2 > inside.len();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for row in inside {
        let Row { pieces, is_framed, mut grid } = row;
        let (before, after): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|piece| piece.x < band.x);
        [(before, &mut left), (after, &mut right)].into_iter().filter(|(pieces, _)| !pieces.is_empty()).for_each(
            |(pieces, side)| {
                side.push(Row { pieces, is_framed, grid: grid.take() });
            },
        );
    }
    let (first, second) = if runs_left { (right, left) } else { (left, right) };
    part(first, tables, depth + 1, blocks);
    part(second, tables, depth + 1, blocks);
    part(below, tables, depth + 1, blocks);
}

/// Rows that a vertical gap divides.
struct Band {
    first: usize,
    end: usize,
    /// The left edge of the right column.
    x: f32,
}

/// The longest rows that a gap between two columns of text divides.
fn best_band(rows: &[Row], tables: DrawnTables<'_>) -> Option<Band> {
    let left = rows.iter().flat_map(|row| &row.pieces).map(|piece| piece.x).fold(f32::MAX, f32::min);
    let mut edges: HashMap<i32, (usize, f32)> = HashMap::new();
    for piece in rows.iter().flat_map(|row| &row.pieces).filter(|piece| piece.x > left + 3.0 * piece.size) {
        #[allow(clippy::cast_possible_truncation, reason = "a place on a page")]
        let edge = edges.entry((piece.x / EDGE).floor() as i32).or_insert((0, f32::MAX));
        *edge = (edge.0 + 1, edge.1.min(piece.x));
    }
    let mut edges: Vec<(usize, f32)> = edges.into_values().filter(|(count, _)| *count >= MIN_LINES).collect();
    edges.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.total_cmp(&other.1)));
    let bands = edges.into_iter().take(TRIES).flat_map(|(_, x)| bands(rows, tables, x));
    bands.max_by_key(|band| band.end - band.first)
}

/// The bands of rows that have text on both sides of `x`, and none that crosses it.
fn bands(rows: &[Row], (tables, frames): DrawnTables<'_>, x: f32) -> Vec<Band> {
    let crosses = |row: &Row| {
        row.pieces.iter().any(|piece| piece.x < x - 1.0 && piece.end > x - 1.0)
            || tables.iter().any(|table| table.covers(x, row))
    };
    let mut bands = Vec::new();
    let mut first = 0;
    while first < rows.len() {
        let end = (first..rows.len()).find(|at| crosses(&rows[*at])).unwrap_or(rows.len());
        let band = without_edges(rows, Band { first, end, x: x - 1.0 });
        let inside = &rows[band.first..band.end];
        if is_columns(inside, band.x) || are_framed(inside, band.x, frames) {
            bands.push(band);
        }
        first = end + 1;
    }
    bands
}

/// The band without the lines at its end that belong to the text below it, and without those above both columns.
fn without_edges(rows: &[Row], mut band: Band) -> Band {
    let one_side = |row: &Row| row.pieces.iter().all(|piece| piece.x < band.x);
    while band.end > band.first + 1 && band.end < rows.len() && one_side(&rows[band.end - 1]) {
        let (above, last, below) = (rows[band.end - 2].y(), rows[band.end - 1].y(), rows[band.end].y());
        if below - last > 1.05 * (last - above) {
            break;
        }
        band.end -= 1;
    }
    let is_apart = |first: usize| rows[first + 1].y() - rows[first].y() > APART * rows[first].size();
    while band.first + 1 < band.end && one_side(&rows[band.first]) && is_apart(band.first) {
        band.first += 1;
    }
    band
}

/// Whether the rows are two columns of text, not the cells of a table: running text on both sides, or lists, or lines that do
/// not lie beside each other.
fn is_columns(rows: &[Row], x: f32) -> bool {
    let side = |is_left: bool| -> Vec<&Piece> {
        rows.iter().filter_map(|row| row.pieces.iter().find(|piece| (piece.x < x) == is_left)).collect()
    };
    let (left, right) = (side(true), side(false));
    if left.len() < MIN_LINES || right.len() < MIN_LINES {
        return false;
    }
    let both = rows
        .iter()
        .filter(|row| row.pieces.iter().any(|piece| piece.x < x) && row.pieces.iter().any(|piece| piece.x >= x));
    let are_apart = both.count() * 10 < left.len().min(right.len()) * 4;
    let overlap =
        left.last().map_or(0.0, |last| last.y).min(right.last().map_or(0.0, |last| last.y)) - left[0].y.max(right[0].y);
    let is_beside = overlap > 2.0 * left[0].size;
    is_beside && (are_apart || is_running(&left) && is_running(&right) || is_list(&left) && is_list(&right))
}

/// Whether a table is drawn on each side of `x`, beside each other.
fn are_framed(rows: &[Row], x: f32, frames: &[Frame]) -> bool {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return false };
    let is_beside = |frame: &&Frame| frame.y.0 < last.y() && frame.y.1 > first.y() && rows.len() >= MIN_LINES;
    let beside = || frames.iter().filter(is_beside);
    let near = |frame: &&Frame| frame.x.0 <= x + 1.0 && x < frame.x.0 + 3.0 * first.size();
    beside().filter(near).any(|right| beside().any(|left| left.x.1 < right.x.0 && left.x.1 < x))
}

/// Whether lines are running text: many begin in the middle of a sentence, or their script has no capitals and they are long.
fn is_running(lines: &[&Piece]) -> bool {
    let words: usize = lines.iter().map(|line| line.text.split(' ').count()).sum();
    let first = |line: &&&Piece| line.text.chars().find(|letter| letter.is_alphabetic());
    let small = lines.iter().filter(|line| first(line).is_some_and(char::is_lowercase)).count();
    let has_no_case =
        |line: &&&Piece| first(line).is_some_and(|letter| !letter.is_lowercase() && !letter.is_uppercase());
    let long = |line: &&&Piece| line.end - line.x > 8.0 * line.size;
    let others = lines.iter().filter(|line| has_no_case(line) && long(line)).count();
    (small * 10 >= lines.len() * CONTINUED && words * 2 >= lines.len() * 5) || others * 2 > lines.len()
}

fn is_list(lines: &[&Piece]) -> bool {
    let is_item = |line: &&&Piece| Label::of(&line.text).is_some_and(|label| label.form == Form::Bullet);
    lines.iter().filter(is_item).count() * 2 >= lines.len()
}
