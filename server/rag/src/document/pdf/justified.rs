//! Joins the pieces of lines of justified text, whose words may stand as far apart as columns do.

use super::{
    lines::{Piece, Row},
    paragraphs::merge,
};

/// Lines on each side that are compared with a line, and their maximum distance in sizes.
const NEAR: usize = 4;
const APART: f32 = 8.0;
/// Maximum pieces of a line that are looked at.
const MAX_PIECES: usize = 24;
/// How far edges of lines of one paragraph may differ, in sizes: their left edges by an indent.
const INDENT: f32 = 2.5;
const EDGE: f32 = 0.5;
/// Edges closer than this are aligned.
const ALIGNED: f32 = 1.5;
/// Gaps of one line differ by this factor, and by this share of the size; those behind a mark are wider.
const EVEN: f32 = 1.15;
const UNEVEN: f32 = 0.1;
const BEHIND_MARK: f32 = 3.2;

/// Joins neighbouring pieces with even gaps that are together as wide as a line without a wide gap near them.
pub(super) fn join(rows: &mut [Row]) {
    for at in 0..rows.len() {
        let count = rows[at].pieces.len();
        if !(2..=MAX_PIECES).contains(&count) {
            continue;
        }
        let mut first = 0;
        while first + 1 < rows[at].pieces.len() {
            let longest = (first + 2..=rows[at].pieces.len()).rev().find(|end| {
                let pieces = &rows[at].pieces[first..*end];
                is_even(pieces) && is_line(rows, at, pieces) && !is_row(rows, at, pieces)
            });
            if let Some(end) = longest {
                merge(&mut rows[at].pieces, first, end - first);
            }
            first += 1;
        }
    }
}

/// Whether the gaps between all words of some pieces are even.
pub(super) fn is_even(pieces: &[Piece]) -> bool {
    let is_mark = |text: &str| text.ends_with(['.', ',', ':', ';', '!', '?', ')', '”', '"']);
    let mut gaps: Vec<(f32, bool)> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        if let Some(last) = at.checked_sub(1).map(|last| &pieces[last]) {
            gaps.push((piece.x - last.end, is_mark(&last.text)));
        }
        gaps.extend(piece.gaps.iter().map(|gap| (gap.to - gap.from, piece.text.get(..gap.at).is_some_and(is_mark))));
    }
    let size = pieces.iter().map(|piece| piece.size).fold(0.0, f32::max);
    let least = gaps.iter().map(|(gap, _)| *gap).fold(f32::MAX, f32::min);
    let is_near = |(gap, is_behind): &(f32, bool)| {
        *gap <= if *is_behind { BEHIND_MARK * least } else { EVEN * least + UNEVEN * size }
    };
    let has_letters = |piece: &&Piece| piece.text.chars().any(char::is_alphabetic);
    gaps.len() > 1
        && gaps.iter().filter(|(_, is_behind)| !is_behind).count() * 2 >= gaps.len()
        && gaps.iter().all(is_near)
        && pieces.iter().filter(has_letters).count() * 2 > pieces.len()
}

/// Whether a line near them is one piece between the same edges.
fn is_line(rows: &[Row], at: usize, pieces: &[Piece]) -> bool {
    let (Some(left), Some(right)) = (pieces.first(), pieces.last()) else { return false };
    let size = left.size;
    let near = rows[at.saturating_sub(NEAR)..rows.len().min(at + NEAR + 1)].iter();
    near.filter(|row| row.grid.is_none() && (row.y() - left.y).abs() < APART * size).flat_map(|row| &row.pieces).any(
        |piece| {
            (piece.x - left.x).abs() < INDENT * size
                && (piece.end - right.end).abs() < EDGE * size
                && piece.text.split(' ').count() > 2
        },
    )
}

/// Whether they begin where the pieces of the next line above or below do, as cells that fill their columns.
fn is_row(rows: &[Row], at: usize, pieces: &[Piece]) -> bool {
    let inner = &pieces[1..];
    let next = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|next| rows.get(next));
    let is_edge = |row: &Row, x: f32| row.pieces.iter().skip(1).any(|piece| (piece.x - x).abs() < ALIGNED);
    next.into_iter().any(|row| inner.iter().filter(|piece| is_edge(row, piece.x)).count() * 2 > inner.len())
}
