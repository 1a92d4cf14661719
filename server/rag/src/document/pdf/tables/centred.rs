//! Tables whose cells stand in the middle or at the bottom of their rows, so that the first line of a row may have no label.

use super::{
    APART, Grid, MAX_COLUMNS, MAX_ROWS, Piece, Row, Rule, column, columns_of, has_header, header, is_value, join,
};

/// Maximum lines of a row, and of a header.
const MAX_LINES: usize = 12;
const MAX_HEADER: usize = 4;
/// Minimum rows below the header.
const MIN_ROWS: usize = 2;
/// Lines of a cell are at most this many sizes apart.
const NEAR: f32 = 1.5;
/// Places closer than this share of the size are one.
const SAME: f32 = 0.25;

/// Where the lines of a cell stand in its row.
#[derive(Clone, Copy)]
enum Align {
    Middle,
    Bottom,
}

/// The table that begins with the first of `rows`, and the number of its lines.
pub(super) fn table(rows: &[Row], rules: &[Rule]) -> Option<(Grid, usize)> {
    let is_near = |pair: &[Row]| pair[1].y() - pair[0].y() <= APART * pair[1].size().max(pair[0].size());
    let count = 1 + rows.windows(2).take(MAX_ROWS).take_while(|pair| is_near(pair)).count();
    let rows = &rows[..count];
    let columns = columns_of(rows).filter(|columns| (2..=MAX_COLUMNS).contains(&columns.len()))?;
    let is_parted =
        |row: &Row| row.pieces.windows(2).all(|pair| column(&columns, &pair[0]) < column(&columns, &pair[1]));
    let rows = &rows[..rows.iter().take_while(|row| is_parted(row)).count()];
    let has_values = |row: &Row| row.pieces.iter().any(|piece| column(&columns, piece) > 0 && is_value(&piece.text));
    let most = rows.iter().take(MAX_HEADER).take_while(|row| !has_values(row)).count();
    let found = [Align::Middle, Align::Bottom].into_iter().find_map(|align| {
        let bodies = (0..=most).filter_map(|head| Some((head, body(rows, head, &columns, align)?)));
        bodies.max_by_key(|(head, ends)| (ends.len(), *head))
    });
    let (head, ends) = found?;
    let begins = std::iter::once(head).chain(ends.iter().copied());
    let bands: Vec<&[Row]> = begins.zip(&ends).map(|(begin, end)| &rows[begin..*end]).collect();
    let has_label = |row: &Row| row.pieces.iter().any(|piece| column(&columns, piece) == 0);
    if !bands.iter().any(|band| !has_label(&band[0])) {
        return None;
    }
    let mut cells: Vec<Vec<String>> = bands.iter().map(|band| cells_of(band, &columns)).collect();
    let names = (head > 1).then(|| header::names_of(rows, head, &columns));
    let names = names.or_else(|| (head == 1).then(|| cells_of(&rows[..1], &columns)));
    let is_named = names.is_some();
    cells.splice(0..0, names);
    let has_header = is_named || has_header(&cells, &rows[0], &rows[1..], rules);
    Some((Grid { rows: cells, has_header, columns, part: None }, *ends.last()?))
}

/// The ends of as many rows as possible from `head` on.
fn body(rows: &[Row], head: usize, columns: &[(f32, f32)], align: Align) -> Option<Vec<usize>> {
    // For each line, the number of rows up to it, and where the last of them begins.
    let mut best: Vec<Option<(usize, usize)>> = vec![None; rows.len() + 1];
    best[head] = Some((0, head));
    for end in head + 1..=rows.len() {
        let begins = (end.saturating_sub(MAX_LINES).max(head)..end).filter_map(|begin| {
            let (count, _) = best[begin]?;
            is_row(&rows[begin..end], columns, align).then_some((count + 1, begin))
        });
        best[end] = begins.max();
    }
    let mut at = (head + 1..=rows.len()).rev().find(|end| best[*end].is_some())?;
    let mut ends = Vec::new();
    while at > head {
        ends.push(at);
        at = best[at]?.1;
    }
    ends.reverse();
    (ends.len() >= MIN_ROWS).then_some(ends)
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

fn cells_of(band: &[Row], columns: &[(f32, f32)]) -> Vec<String> {
    let mut cells = vec![String::new(); columns.len()];
    for piece in band.iter().flat_map(|row| &row.pieces) {
        join(&mut cells[column(columns, piece)], &piece.text);
    }
    cells
}
