//! Headers of several lines, of which the first may name groups of columns.

use super::{Piece, Row, begins_as_amount, column, join, separators};
use crate::document::pdf::glyphs::Rule;

/// A name that begins this near to a column's left edge is aligned with it.
const ALIGNED: f32 = 2.0;

/// Maximum lines of a header that nothing but their place shows.
const MAX_PLAIN: usize = 3;
/// Maximum lines of a header, and their maximum distance in sizes.
const MAX_LINES: usize = 5;
const APART: f32 = 1.6;

/// The names of the columns, and the number of rows that they are joined from, if these are several.
pub(super) fn names(rows: &[Row], columns: &[(f32, f32)], rules: &[Rule]) -> Option<(Vec<String>, usize)> {
    if let Some(count) = count_lines(rows, rules) {
        return Some((names_of(rows, count, columns), count));
    }
    let has_values = |row: &Row| row.pieces.iter().any(|piece| begins_as_amount(&piece.text));
    let count = rows.iter().position(has_values).filter(|count| (2..=MAX_PLAIN).contains(count)).unwrap_or(2);
    Some((names_below_groups(rows, count, columns)?, count))
}

/// The names of the columns from a header of `count` rows.
pub(super) fn names_of(rows: &[Row], count: usize, columns: &[(f32, f32)]) -> Vec<String> {
    let stacked = || {
        let mut names = vec![String::new(); columns.len()];
        for piece in merge_rows(&rows[..count], columns).pieces {
            names[column(columns, &piece)].clone_from(&piece.text);
        }
        names
    };
    names_below_groups(rows, count, columns).unwrap_or_else(stacked)
}

/// The names of the columns from a header whose first row names groups of columns.
pub(super) fn names_below_groups(rows: &[Row], count: usize, columns: &[(f32, f32)]) -> Option<Vec<String>> {
    let names = merge_rows(rows.get(1..count)?, columns);
    let mut rows = rows.to_vec();
    rows.splice(1..count, [names]);
    joined_names(&rows, columns)
}

/// Several rows as one.
fn merge_rows(rows: &[Row], columns: &[(f32, f32)]) -> Row {
    let mut pieces: Vec<Option<Piece>> = vec![None; columns.len()];
    for piece in rows.iter().flat_map(|row| &row.pieces) {
        match &mut pieces[column(columns, piece)] {
            Some(name) => {
                join(&mut name.text, &piece.text);
                (name.x, name.end) = (name.x.min(piece.x), name.end.max(piece.end));
            }
            name => *name = Some(piece.clone()),
        }
    }
    Row { pieces: pieces.into_iter().flatten().collect(), ..Row::default() }
}

/// The number of lines of a header: those above the first line that is drawn below one, or those in bold letters.
fn count_lines(rows: &[Row], rules: &[Rule]) -> Option<usize> {
    let first = rows.first()?;
    let below = separators(rows, rules).into_iter().find(|y| *y > first.middle());
    let above = |y: f32| rows.iter().take_while(|row| row.middle() < y).count();
    let is_bold = |row: &&Row| row.pieces.iter().all(|piece| piece.is_bold);
    let is_name = |row: &Row| row.pieces.iter().all(|piece| !begins_as_amount(&piece.text));
    let bold = rows.iter().take_while(is_bold).count();
    let count = below.map(above).filter(|count| *count > 1).unwrap_or(bold);
    let header = rows.get(..count).filter(|header| (2..=MAX_LINES).contains(&header.len()) && count < rows.len())?;
    let is_near = |pair: &[Row]| pair[1].y() - pair[0].y() < APART * pair[0].size().max(pair[1].size());
    let has_values = rows[count].pieces.iter().any(|piece| begins_as_amount(&piece.text));
    (header.iter().all(is_name) && header.windows(2).all(is_near) && has_values).then_some(count)
}

/// The names of the columns, joined from the first two rows, if the first one names groups of columns and the second one those
/// in them.
fn joined_names(rows: &[Row], columns: &[(f32, f32)]) -> Option<Vec<String>> {
    let [groups, names, first, ..] = rows else { return None };
    let is_label = |piece: &&Piece| column(columns, piece) == 0;
    let labels = |row: &Row| row.pieces.iter().filter(is_label).count();
    let cells = |row: &Row| -> Vec<(usize, Piece)> {
        let pieces = row.pieces.iter().filter(|piece| !is_label(piece));
        pieces.map(|piece| (column(columns, piece), piece.clone())).collect()
    };
    let (wide, narrow) = (cells(groups), cells(names));
    let has_digits = |row: &Row| row.pieces.iter().any(|piece| begins_as_amount(&piece.text));
    let is_bold = |row: &Row| row.pieces.iter().all(|piece| piece.is_bold);
    // Names that repeat themselves show how many are in a group.
    let names_per_group = narrow.len().checked_div(wide.len()).filter(|count| {
        let is_same = |(at, (_, name)): (usize, &(usize, Piece))| name.text == narrow[at % count].1.text;
        wide.len() > 1 && wide.len() * count == narrow.len() && narrow.iter().enumerate().all(is_same)
    });
    let is_header = columns.len() > 2
        && labels(groups) + labels(names) <= 1
        && (labels(names) == 0 || names_per_group.is_some())
        && labels(first) > 0
        && !wide.is_empty()
        && wide.len() < narrow.len()
        && !has_digits(groups)
        && !has_digits(names)
        && (is_bold(groups) && is_bold(names) && !is_bold(first) || has_digits(first));
    if !is_header {
        return None;
    }
    let mut whole_names = vec![String::new(); columns.len()];
    let label = groups.pieces.iter().chain(&names.pieces).filter(is_label);
    whole_names[0] = label.map(|piece| piece.text.as_str()).collect();
    for (at, name) in &narrow {
        let name = &name.text;
        let whole = if whole_names[*at].is_empty() { name.clone() } else { format!("{} {name}", whole_names[*at]) };
        whole_names[*at] = whole;
    }
    if let Some(count) = names_per_group {
        for ((at, _), (_, group)) in narrow.iter().zip(wide.iter().flat_map(|group| std::iter::repeat_n(group, count)))
        {
            whole_names[*at] = format!("{} {}", group.text, whole_names[*at]);
        }
        return Some(whole_names);
    }
    let is_aligned = wide.iter().all(|(at, group)| (group.x - columns[*at].0).abs() < ALIGNED);
    for (at, name) in whole_names.iter_mut().enumerate().skip(1) {
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
    Some(whole_names)
}
