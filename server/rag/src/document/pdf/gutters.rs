//! Parts pieces of lines at gaps that are no wider than between words, but lie between the columns of the lines around them.

use super::{
    justified,
    lines::{Gap, Piece, Row},
};
use crate::document::label::is_bullet;

/// Lines on each side that are compared with a line.
const NEAR: usize = 6;
/// Lines further apart than this many sizes are not of one table.
const APART: f32 = 3.2;
/// Lines that must have a gap at the same place and a part that is aligned with the one behind it.
const MIN_LINES: usize = 2;
/// Edges closer than this are aligned.
const ALIGNED: f32 = 1.5;
/// A gap that may part cells is as wide as this share of the size, and this many times as wide as the spaces of its line.
const WIDE: f32 = 0.45;
const WIDER: f32 = 1.6;
/// The width of a space as a share of the size.
const SPACE: f32 = 0.3;
/// The width that a gap has in common with those of other lines, as a share of the size.
const COMMON: f32 = 0.25;

/// Parts the pieces of all rows. A row that is parted shows the columns of others.
pub(super) fn part(rows: &mut [Row]) {
    for _ in 0..2 {
        let lines: Vec<Line<'_>> = rows.iter().map(Line::of).collect();
        let gaps_of_lines: Vec<(usize, Vec<Vec<Gap>>)> =
            (0..lines.len()).filter_map(|at| Some((at, gaps(&lines, at)?))).collect();
        if gaps_of_lines.is_empty() {
            return;
        }
        for (at, gaps) in gaps_of_lines {
            let pieces = std::mem::take(&mut rows[at].pieces);
            rows[at].pieces = pieces.into_iter().zip(gaps).flat_map(|(piece, gaps)| split_at(piece, &gaps)).collect();
        }
    }
}

/// The gaps of a piece that may part cells.
fn wide_gaps(piece: &Piece) -> Vec<Gap> {
    let widths = piece.gaps.iter().map(|gap| gap.to - gap.from);
    let space = widths.fold(SPACE * piece.size, f32::min);
    let least = (WIDE * piece.size).max(WIDER * space);
    // The mark of an item is no cell.
    let is_wide = |gap: &&Gap| gap.to - gap.from >= least && !piece.text.get(..gap.at).is_some_and(is_bullet);
    piece.gaps.iter().filter(is_wide).copied().collect()
}

/// A line with its pieces, as they would be if all of their wide gaps parted them.
struct Line<'a> {
    row: &'a Row,
    /// The gaps of each piece.
    wide: Vec<Vec<Gap>>,
    /// The edges of the parts.
    parts: Vec<(f32, f32)>,
    /// Whether its words have even gaps, as in justified text, whose last words are aligned.
    is_even: bool,
}

impl<'a> Line<'a> {
    fn of(row: &'a Row) -> Self {
        let wide: Vec<Vec<Gap>> = row.pieces.iter().map(wide_gaps).collect();
        let mut parts = Vec::with_capacity(row.pieces.len());
        for (piece, gaps) in row.pieces.iter().zip(&wide) {
            let mut x = piece.x;
            for gap in gaps {
                parts.push((x, gap.from));
                x = gap.to;
            }
            parts.push((x, piece.end));
        }
        Self { row, wide, parts, is_even: justified::is_even(&row.pieces) }
    }
}

/// The gaps of each piece of a row that part it; none when nothing does.
fn gaps(lines: &[Line<'_>], at: usize) -> Option<Vec<Vec<Gap>>> {
    let line = &lines[at];
    if line.wide.iter().all(Vec::is_empty) {
        return None;
    }
    let near = lines_near(lines, at);
    let is_parted = |gap: &&Gap| is_gutter(&near, line, gap);
    let gutters: Vec<Vec<Gap>> =
        line.wide.iter().map(|gaps| gaps.iter().filter(is_parted).copied().collect()).collect();
    gutters.iter().any(|gaps| !gaps.is_empty()).then_some(gutters)
}

/// The lines with several parts above and below a line.
fn lines_near<'a, 'b>(lines: &'b [Line<'a>], at: usize) -> Vec<&'b Line<'a>> {
    let is_near = |one: usize, other: usize| {
        let (one, other) = (lines[one].row, lines[other].row);
        (one.y() - other.y()).abs() <= APART * one.size().max(other.size())
    };
    let above = (0..at).rev().take(NEAR).take_while(|above| is_near(*above, above + 1));
    let below = (at + 1..lines.len()).take(NEAR).take_while(|below| is_near(below - 1, *below));
    above.chain(below).map(|near| &lines[near]).filter(|line| line.parts.len() > 1).collect()
}

/// Whether other lines have a gap at the place of one and a part that is aligned with what follows it, and hardly any has text
/// there.
fn is_gutter(near: &[&Line<'_>], line: &Line<'_>, gap: &Gap) -> bool {
    let Some(own) = line.parts.iter().find(|part| part.0 >= gap.to) else { return false };
    let middle = |part: &(f32, f32)| f32::midpoint(part.0, part.1);
    let is_same = |one: f32, other: f32| (one - other).abs() < ALIGNED;
    let may_end_aligned = !line.is_even || line.parts.last() != Some(own);
    let (mut left, mut right, mut centre, mut parted_rows, mut across) = (0, 0, 0, 0, 0);
    let (mut from, mut to) = (gap.from, gap.to);
    for other in near {
        let Some(pair) = other.parts.windows(2).find(|pair| pair[0].1 < gap.to && pair[1].0 > gap.from) else {
            across += usize::from(other.parts.iter().any(|part| part.0 < gap.from && part.1 > gap.to));
            continue;
        };
        (from, to) = (from.max(pair[0].1), to.min(pair[1].0));
        parted_rows += usize::from(other.row.pieces.len() > 1);
        left += usize::from(is_same(pair[1].0, own.0));
        right += usize::from(may_end_aligned && is_same(pair[1].1, own.1));
        centre += usize::from(is_same(middle(&pair[1]), middle(own)));
    }
    let aligned_rows = left.max(right).max(centre);
    aligned_rows >= MIN_LINES
        && (parted_rows > 0 || aligned_rows > MIN_LINES)
        && across * 3 <= aligned_rows
        && to - from >= COMMON * line.row.size()
}

fn split_at(piece: Piece, gaps: &[Gap]) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(gaps.len() + 1);
    let mut rest = piece;
    for gap in gaps.iter().rev() {
        if !rest.text.is_char_boundary(gap.at) {
            continue;
        }
        let text = rest.text.split_off(gap.at);
        let right = Piece { text: text.trim_start().to_owned(), x: gap.to, gaps: Vec::new(), ..rest.clone() };
        rest.end = gap.from;
        rest.gaps.retain(|other| other.at < gap.at);
        pieces.push(right);
    }
    pieces.push(rest);
    pieces.reverse();
    pieces
}
