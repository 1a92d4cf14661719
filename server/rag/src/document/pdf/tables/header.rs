//! Headers of two rows, of which the first names groups of columns.

use super::{Piece, Row, column};

/// A name that begins this near to a column's left edge is aligned with it.
const ALIGNED: f32 = 2.0;

/// The names of the columns, joined from the first two rows, if the first one names groups of columns and the second one those
/// in them.
pub(super) fn joined(rows: &[Row], columns: &[(f32, f32)]) -> Option<Vec<String>> {
    let [groups, names, first, ..] = rows else { return None };
    let is_label = |piece: &&Piece| column(columns, piece) == 0;
    let labels = |row: &Row| row.pieces.iter().filter(is_label).count();
    let of = |row: &Row| -> Vec<(usize, Piece)> {
        let pieces = row.pieces.iter().filter(|piece| !is_label(piece));
        pieces.map(|piece| (column(columns, piece), piece.clone())).collect()
    };
    let (wide, narrow) = (of(groups), of(names));
    let has_digits =
        |row: &Row| row.pieces.iter().any(|piece| piece.text.starts_with(|letter: char| letter.is_ascii_digit()));
    let is_bold = |row: &Row| row.pieces.iter().all(|piece| piece.is_bold);
    let is_header = columns.len() > 2
        && labels(groups) + labels(names) <= 1
        && labels(names) == 0
        && labels(first) > 0
        && !wide.is_empty()
        && wide.len() < narrow.len()
        && !has_digits(groups)
        && !has_digits(names)
        && (is_bold(groups) && is_bold(names) && !is_bold(first) || has_digits(first));
    if !is_header {
        return None;
    }
    let mut joined = vec![String::new(); columns.len()];
    joined[0] = groups.pieces.iter().filter(is_label).map(|piece| piece.text.as_str()).collect();
    for (at, name) in &narrow {
        let name = &name.text;
        let whole = if joined[*at].is_empty() { name.clone() } else { format!("{} {name}", joined[*at]) };
        joined[*at] = whole;
    }
    let is_aligned = wide.iter().all(|(at, group)| (group.x - columns[*at].0).abs() < ALIGNED);
    for (at, name) in joined.iter_mut().enumerate().skip(1) {
        let (x, end) = columns[at];
        let middle = |(_, group): &&(usize, Piece)| (group.x + group.end - x - end).abs();
        let group = if is_aligned {
            wide.iter().rev().find(|(_, group)| group.x < x + ALIGNED)
        } else {
            wide.iter().min_by(|one, other| middle(one).total_cmp(&middle(other)))
        };
        if let Some((_, group)) = group {
            *name = format!("{} {name}", group.text).trim_end().to_owned();
        }
    }
    Some(joined)
}
