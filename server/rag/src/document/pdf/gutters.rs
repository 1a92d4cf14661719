//! Parts pieces of lines at gaps that are no wider than between words, but lie between the columns of the lines around them.

use super::lines::{Piece, Row};

/// Lines on each side that are compared with a line.
const NEAR: usize = 6;
/// Lines further apart than this many sizes are not of one table.
const APART: f32 = 3.2;
/// Lines that must have a gap at the same place.
const MIN_LINES: usize = 2;
/// A gap that may part cells is as wide as this share of the size, and this many times as wide as the spaces of its line.
const WIDE: f32 = 0.45;
const WIDER: f32 = 1.6;
/// The width of a space as a share of the size.
const SPACE: f32 = 0.3;
/// The width that a gap has in common with those of other lines, as a share of the size.
const COMMON: f32 = 0.25;

/// A gap between two words of a piece: its edges, and its place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) at: usize,
}

/// Parts the pieces of all rows. A row that is parted shows the columns of others.
pub(super) fn part(rows: &mut [Row]) {
    for _ in 0..2 {
        let found: Vec<(usize, Vec<Vec<Gap>>)> = (0..rows.len()).filter_map(|at| Some((at, gaps(rows, at)?))).collect();
        if found.is_empty() {
            return;
        }
        for (at, gaps) in found {
            let pieces = std::mem::take(&mut rows[at].pieces);
            rows[at].pieces = pieces.into_iter().zip(gaps).flat_map(|(piece, gaps)| parted(piece, &gaps)).collect();
        }
    }
}

/// The gaps of each piece of a row that part it; none when nothing does.
fn gaps(rows: &[Row], at: usize) -> Option<Vec<Vec<Gap>>> {
    let row = &rows[at];
    let wide = |piece: &Piece| -> Vec<Gap> {
        let widths = piece.gaps.iter().map(|gap| gap.to - gap.from);
        let space = widths.fold(SPACE * piece.size, f32::min);
        let least = (WIDE * piece.size).max(WIDER * space);
        piece.gaps.iter().filter(|gap| gap.to - gap.from >= least).copied().collect()
    };
    let wide: Vec<Vec<Gap>> = row.pieces.iter().map(wide).collect();
    if wide.iter().all(Vec::is_empty) {
        return None;
    }
    let near = near(rows, at);
    let parts = |gap: &Gap| parts(&near, gap, COMMON * row.size());
    let found: Vec<Vec<Gap>> = wide.into_iter().map(|gaps| gaps.into_iter().filter(parts).collect()).collect();
    found.iter().any(|gaps| !gaps.is_empty()).then_some(found)
}

/// The rows with several pieces above and below a row.
fn near(rows: &[Row], at: usize) -> Vec<&Row> {
    let is_near = |pair: [&Row; 2]| (pair[1].y() - pair[0].y()).abs() <= APART * pair[0].size().max(pair[1].size());
    let above = (0..at).rev().take(NEAR).take_while(|above| is_near([&rows[*above], &rows[above + 1]]));
    let below = (at + 1..rows.len()).take(NEAR).take_while(|below| is_near([&rows[below - 1], &rows[*below]]));
    above.chain(below).map(|near| &rows[near]).filter(|row| row.pieces.len() > 1).collect()
}

/// Whether other lines have a gap at the place of one, and hardly any has text there.
fn parts(near: &[&Row], gap: &Gap, common: f32) -> bool {
    let (mut from, mut to) = (gap.from, gap.to);
    let (mut alike, mut across) = (0, 0);
    for row in near {
        let between = row.pieces.windows(2).find(|pair| pair[0].end < gap.to && pair[1].x > gap.from);
        match between {
            Some(pair) => {
                from = from.max(pair[0].end);
                to = to.min(pair[1].x);
                alike += 1;
            }
            None if row.pieces.iter().any(|piece| piece.x < gap.from && piece.end > gap.to) => across += 1,
            None => {}
        }
    }
    alike >= MIN_LINES && across * 3 <= alike && to - from >= common
}

fn parted(piece: Piece, gaps: &[Gap]) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(gaps.len() + 1);
    let mut rest = piece;
    for gap in gaps.iter().rev() {
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
