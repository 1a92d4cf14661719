//! Tables whose cells stand in the middle or at the bottom of their rows, so that the first line of a row may have no label.

use super::{
    APART, Grid, MAX_COLUMNS, MAX_ROWS, Piece, Row, Rule, column, columns_of, has_header, header, is_value, separators,
    wrapped::{cells_of, is_parted},
};
use crate::document::label::is_label;

/// Maximum lines of a row, and of a header.
const MAX_LINES: usize = 12;
const MAX_HEADER: usize = 4;
/// Maximum letters of a line of a cell.
const MAX_LETTERS: usize = 60;
/// Minimum rows below the header.
const MIN_ROWS: usize = 2;
/// Lines of a cell are at most this many sizes apart.
const NEAR: f32 = 1.5;
/// Rows are further apart than their lines by this factor.
const APART_FROM: f32 = 1.05;
/// Lines of one row must be closer by this factor than they would be if all cells stood at the top of their rows.
const CLOSER: f32 = 0.95;
/// Places closer than this share of the size are one.
const SAME: f32 = 0.25;

/// Where the lines of a cell stand in its row.
#[derive(Clone, Copy)]
enum Align {
    Top,
    Middle,
    Bottom,
}

/// The table that begins with the first of `rows`, and the number of its lines.
pub(super) fn table(rows: &[Row], rules: &[Rule]) -> Option<(Grid, usize)> {
    rows.first().filter(|row| row.pieces.len() > 1)?;
    let is_near = |pair: &[Row]| pair[1].y() - pair[0].y() <= APART * pair[1].size().max(pair[0].size());
    let count = 1 + rows.windows(2).take(MAX_ROWS).take_while(|pair| is_near(pair)).count();
    let rows = &rows[..count];
    let columns = columns_of(rows).filter(|columns| (2..=MAX_COLUMNS).contains(&columns.len()))?;
    let is_parted = |row: &&Row| is_parted(std::slice::from_ref(*row), &columns);
    let rows = &rows[..rows.iter().take_while(is_parted).count()];
    let has_label = |row: &Row| row.pieces.iter().any(|piece| column(&columns, piece) == 0);
    if rows.iter().all(has_label) {
        return None;
    }
    let has_values = |row: &Row| row.pieces.iter().any(|piece| column(&columns, piece) > 0 && is_value(&piece.text));
    let most = rows.iter().take(MAX_HEADER).take_while(|row| !has_values(row)).count();
    let body = |align: Align| {
        let bodies = (0..=most).filter_map(|head| Body::of(rows, head, &columns, align));
        bodies.max_by_key(|body| (body.ends.last().copied(), body.ends.len()))
    };
    let both = [Align::Middle, Align::Bottom].into_iter().filter_map(body);
    let Body { head, ends, gap } = both.max_by_key(|body| (body.ends.last().copied(), body.ends.len()))?;
    // Lines with even spaces are read from the top.
    if body(Align::Top).is_some_and(|top| top.ends.last() >= ends.last() && gap > CLOSER * top.gap) {
        return None;
    }
    let starts = std::iter::once(head).chain(ends.iter().copied());
    let bands: Vec<&[Row]> = starts.zip(&ends).map(|(begin, end)| &rows[begin..*end]).collect();
    let distances = bands.windows(2).filter_map(|pair| Some(pair[1][0].y() - pair[0].last()?.y()));
    let with_values = bands.iter().filter(|band| band.iter().any(has_values)).count();
    let is_mark = |row: &Row| row.pieces.first().is_some_and(|piece| is_label(&piece.text));
    let is_short = |piece: &Piece| piece.text.chars().count() <= MAX_LETTERS;
    let lines = &rows[head..*ends.last()?];
    // Ruling lines between rows show them better.
    if !bands.iter().any(|band| !has_label(&band[0]))
        || !separators(lines, rules).is_empty()
        || !lines.iter().flat_map(|row| &row.pieces).all(is_short)
        || with_values * 5 < bands.len().saturating_sub(1) * 4
        || distances.fold(f32::MAX, f32::min) < APART_FROM * gap
        || lines.iter().any(is_mark)
    {
        return None;
    }
    let mut cells: Vec<Vec<String>> = bands.iter().map(|band| cells_of(band, &columns)).collect();
    let names = (head > 0).then(|| header::names_of(rows, head, &columns));
    let is_named = names.is_some();
    cells.splice(0..0, names);
    let has_header = is_named || has_header(&cells, &rows[0], &rows[1..], rules);
    Some((Grid { rows: cells, has_header, columns, part: None }, *ends.last()?))
}

/// The rows below a header.
struct Body {
    /// The lines of the header.
    head: usize,
    /// Where rows end.
    ends: Vec<usize>,
    /// The mean distance of lines of one row.
    gap: f32,
}

impl Body {
    /// As many rows as possible from `head` on.
    fn of(rows: &[Row], head: usize, columns: &[(f32, f32)], align: Align) -> Option<Self> {
        // For each line, the number of rows up to it, and where the last of them begins.
        let mut best: Vec<Option<(usize, usize)>> = vec![None; rows.len() + 1];
        best[head] = Some((0, head));
        for end in head + 1..=rows.len() {
            let best_ends = (end.saturating_sub(MAX_LINES).max(head)..end).filter_map(|begin| {
                let (count, _) = best[begin]?;
                is_row(&rows[begin..end], columns, align).then_some((count + 1, begin))
            });
            best[end] = best_ends.max();
        }
        let mut at = (head + 1..=rows.len()).rev().find(|end| best[*end].is_some())?;
        let (mut ends, mut gaps) = (Vec::new(), Vec::new());
        while at > head {
            ends.push(at);
            let begin = best[at]?.1;
            gaps.extend(rows[begin..at].windows(2).map(|pair| pair[1].y() - pair[0].y()));
            at = begin;
        }
        ends.reverse();
        #[allow(clippy::cast_precision_loss, reason = "a number of lines")]
        let gap = gaps.iter().sum::<f32>() / gaps.len().max(1) as f32;
        (ends.len() >= MIN_ROWS).then_some(Self { head, ends, gap })
    }
}

/// Whether lines are those of one row: a label, other cells, and all of them at the same height.
fn is_row(band: &[Row], columns: &[(f32, f32)], align: Align) -> bool {
    let size = band[0].size();
    let mut cells: Vec<Vec<&Piece>> = vec![Vec::new(); columns.len()];
    for piece in band.iter().flat_map(|row| &row.pieces) {
        cells[column(columns, piece)].push(piece);
    }
    let place = |cell: &Vec<&Piece>| {
        let (first, last) = (cell.first()?.y, cell.last()?.y);
        Some(match align {
            Align::Top => first,
            Align::Middle => f32::midpoint(first, last),
            Align::Bottom => last,
        })
    };
    let is_cell = |cell: &Vec<&Piece>| {
        cell.windows(2).all(|pair| pair[1].y - pair[0].y <= NEAR * size)
            && (cell.len() < 2 || !cell.iter().any(|piece| is_value(&piece.text)))
    };
    let mut places = cells.iter().filter_map(place);
    let Some(label) = cells.first().and_then(place) else { return false };
    cells.iter().filter(|cell| !cell.is_empty()).count() > 1
        && places.all(|place| (place - label).abs() < SAME * size)
        && cells.iter().all(is_cell)
}
