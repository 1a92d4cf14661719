//! Tables of a page, found by cells that stand in columns and by ruling lines.

use super::{
    glyphs::{MIDDLE, Rule},
    grid::Grid,
    join,
    lattice::{self, Lattice},
    lines::{Piece, Row, ends_sentence},
};

mod centred;
mod header;
mod wrapped;

/// Rows further apart than this many sizes are no rows of one table, unless lines are drawn around them.
const APART: f32 = 3.2;
/// Maximum rows and columns of a table on a page.
const MAX_ROWS: usize = 500;
const MAX_COLUMNS: usize = 60;
/// Lines closer than this many sizes may be lines of one cell.
const WRAPPED: f32 = 1.45;
/// A line that is closer to the one above it than rows are to each other, by this factor, belongs to the same row.
const CLOSER: f32 = 0.85;
/// A ruling line between rows is longer than this share of the table's width.
const SEPARATOR: f32 = 0.6;
/// A line above a table that is larger than its lines by this factor is its heading.
const LARGE: f32 = 1.15;
/// Maximum rows with the names of groups of columns.
const MAX_GROUPS: usize = 3;
/// Maximum letters of the title of a group of rows.
const MAX_TITLE: usize = 60;

/// The table that begins with the first of `rows`, and the number of its rows.
pub(super) fn table(rows: &[Row], rules: &[Rule], lattices: &[Lattice], is_sheet: bool) -> Option<(Grid, usize)> {
    if let Some((lattice, count)) = lattice::cells(rows, lattices) {
        let has_header = lattice.has_groups || has_header(&lattice.rows, &rows[0], &rows[1..count], rules);
        let mut cells = lattice.rows;
        reverse_right_to_left(&mut cells, &rows[..count]);
        return Some((Grid { rows: cells, has_header, columns: lattice.columns, part: None }, count));
    }
    let is_heading = |pair: &[Row]| pair[0].pieces.len() == 1 && pair[0].size() > LARGE * pair[1].size();
    if rows.get(..2).is_some_and(is_heading) {
        return None;
    }
    if let Some(grid) = is_sheet.then(|| centred::table(rows, rules)).flatten().or_else(|| wrapped::table(rows)) {
        return Some(grid);
    }
    rows.first().filter(|row| row.pieces.len() > 1)?;
    let count = count_rows(rows);
    let mut rows = &rows[..count];
    let columns = without_gaps(columns_of(rows).filter(|columns| columns.len() <= MAX_COLUMNS)?, rows);
    let label_distance = wrapped_label(rows, &columns);
    // Lines of text below the table.
    while let Some((last, above)) = rows.split_last().filter(|(last, _)| last.pieces.len() == 1) {
        let is_cell = column(&columns, &last.pieces[0]) > 0 || last.is_framed;
        let is_near = above.last().is_some_and(|above| last.y() - above.y() <= WRAPPED * last.size());
        let continues = label_distance
            .zip(above.last())
            .is_some_and(|(label_distance, above)| last.y() - above.y() < 1.1 * label_distance);
        if is_cell && is_near || continues {
            break;
        }
        rows = above;
    }
    let several = rows.iter().filter(|row| row.pieces.len() > 1).count();
    if columns.len() < 2 || several < 2 || several < 3 && columns.len() < 3 && !rows[0].is_framed {
        return None;
    }
    let (names, count) = header::names(rows, &columns, rules).unzip();
    let mut cells = cells_of(&rows[count.unwrap_or(0)..], &columns, rules);
    let is_joined = names.is_some();
    cells.splice(0..0, names);
    reverse_right_to_left(&mut cells, rows);
    let has_header = is_joined || has_header(&cells, &rows[0], &rows[1..], rules);
    Some((Grid { rows: cells, has_header, columns, part: None }, rows.len()))
}

/// Puts the first column first in a table that is read from right to left.
fn reverse_right_to_left(cells: &mut [Vec<String>], rows: &[Row]) {
    let is_left = rows.iter().flat_map(|row| &row.pieces).filter(|piece| piece.is_right_to_left).count();
    if is_left * 2 > rows.iter().map(|row| row.pieces.len()).sum() {
        cells.iter_mut().for_each(|row| row.reverse());
    }
}

/// The cells of the rows. Lines of one cell are joined: those between the same ruling lines, or close to each other.
fn cells_of(rows: &[Row], columns: &[(f32, f32)], rules: &[Rule]) -> Vec<Vec<String>> {
    let separators = separators(rows, rules);
    // The line above the first row parts no rows.
    let between = separators.iter().filter(|y| rows.first().is_some_and(|first| **y > first.middle()));
    let between = between.count();
    let is_ruled = between > 1 && between * 3 >= rows.len();
    let usual = usual_distance(rows);
    let is_full =
        |row: &Row| (0..columns.len()).all(|place| row.pieces.iter().any(|piece| column(columns, piece) == place));
    // The distance of a row that fills all columns from the line above it.
    let full = rows.windows(2).filter(|pair| is_full(&pair[1])).map(|pair| pair[1].y() - pair[0].y());
    let full = full.fold(f32::MAX, f32::min);
    let several = rows.windows(2).filter(|pair| pair.iter().all(|row| row.pieces.len() > 1));
    let nearest = several.map(|pair| pair[1].y() - pair[0].y()).fold(f32::MAX, f32::min);
    let mut cells: Vec<Vec<String>> = Vec::new();
    let mut above: Option<(f32, Vec<String>)> = None;
    for (at, row) in rows.iter().enumerate() {
        let mut own = vec![String::new(); columns.len()];
        for piece in &row.pieces {
            let cell = &mut own[column(columns, piece)];
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(&piece.text);
        }
        let joins = above.as_ref().is_some_and(|(above, last)| {
            let distance = row.y() - above;
            let parts = |y: &f32| *y > above - MIDDLE * row.size() && *y < row.middle();
            // The next line of a label is nearer to its row than to the next one, and nearer than rows are to each other.
            let is_above =
                rows.get(at + 1).is_some_and(|next| next.y() - row.y() > 1.15 * distance) && distance < 0.95 * nearest;
            let is_partial = own[0].is_empty() || row.pieces.len() == 1 && (distance < CLOSER * usual || is_above);
            match is_ruled {
                true => !separators.iter().any(parts) && !has_values_below(last, &own) && !names_values(last, &own),
                false => {
                    distance <= WRAPPED * row.size()
                        && !begins_row(last, &own)
                        && (is_partial && distance < 1.05 * usual
                            || full < f32::MAX && !is_full(row) && distance < CLOSER * full)
                }
            }
        });
        above = Some((row.y(), own.clone()));
        match cells.last_mut().filter(|_| joins) {
            Some(last) => {
                for (cell, more) in last.iter_mut().zip(own).filter(|(_, more)| !more.is_empty()) {
                    join(cell, &more);
                }
            }
            None => cells.push(own),
        }
    }
    cells
}

/// Whether a text begins as an amount does.
fn begins_as_amount(text: &str) -> bool {
    text.trim_start_matches(['$', '€', '£', '+', '-', '(']).starts_with(|letter: char| letter.is_ascii_digit())
}

/// Whether values stand below values, which are those of another row.
fn has_values_below(above: &[String], row: &[String]) -> bool {
    let is_number = |cell: &str| cell.starts_with(|letter: char| letter.is_ascii_digit());
    let is_value = |cell: &str| {
        let is_amount = cell.strip_prefix(['$', '€', '£']).is_some_and(is_number);
        is_amount || is_number(cell) && !cell.contains(|letter: char| letter.is_alphabetic())
    };
    above.iter().zip(row).any(|(above, cell)| is_value(above) && is_value(cell))
}

/// Whether a value stands below a text that it does not continue: both are of rows of their own.
fn begins_row(above: &[String], row: &[String]) -> bool {
    let goes_on = |above: &str| above.is_empty() || above.ends_with(['-', '–', ',', '/', '(', '+', '&']);
    above.iter().zip(row).any(|(above, cell)| is_value(cell) && !goes_on(above))
}

/// Whether values stand below several texts, which name their columns.
fn names_values(above: &[String], row: &[String]) -> bool {
    let is_name = |text: &str| !text.is_empty() && !begins_as_amount(text);
    above.iter().zip(row).skip(1).filter(|(above, cell)| is_name(above) && is_value(cell)).count() > 1
}

/// Whether a text is an amount.
fn is_value(text: &str) -> bool {
    begins_as_amount(text) && !text.contains(|letter: char| letter.is_alphabetic())
}

/// Rows from the first on that may be of one table.
fn count_rows(rows: &[Row]) -> usize {
    let mut singles = 0;
    let follows = |at: usize| {
        let (above, row) = (&rows[at], &rows[at + 1]);
        let distance = row.y() - above.y();
        let is_framed = row.is_framed && above.is_framed;
        // A text beside the label may have many lines.
        let is_label = row.pieces[0].x < rows[0].pieces[0].end;
        singles = if row.pieces.len() == 1 {
            singles + usize::from(is_label || singles == 0 || rows[0].pieces.len() < 3)
        } else {
            0
        };
        let is_single = singles > 0;
        let is_wide = is_single && rows[0].pieces.iter().filter(|piece| overlaps(piece, &row.pieces[0])).count() > 1;
        let is_near = distance <= if is_single { WRAPPED } else { APART } * row.size().max(above.size());
        is_framed
            || (row.size() < 1.25 * above.size() || !is_single && row.size() < 2.0 * above.size())
                && (is_near && !is_wide && singles < 4 || is_single && names_group(rows, at + 1))
    };
    let mut follows = follows;
    1 + (0..rows.len() - 1).take(MAX_ROWS).take_while(|at| follows(*at)).count()
}

/// Whether a row is the title of the rows below it, as in a menu: a short text at the left, no further from its neighbours than
/// rows are.
fn names_group(rows: &[Row], at: usize) -> bool {
    let [above, title, below, ..] = &rows[at - 1..] else { return false };
    let ([piece], [first, ..]) = (title.pieces.as_slice(), rows[0].pieces.as_slice()) else { return false };
    let distance = |one: &Row, other: &Row| other.y() - one.y();
    let usual = rows[at + 1..]
        .windows(2)
        .chain(rows[..at].windows(2))
        .filter(|pair| pair.iter().all(|row| row.pieces.len() > 1))
        .map(|pair| distance(&pair[0], &pair[1]))
        .next();
    let is_near = |one: &Row, other: &Row| usual.is_some_and(|usual| distance(one, other) < 1.2 * usual);
    [first, &below.pieces[0]].iter().any(|other| (piece.x - other.x).abs() < piece.size)
        && piece.text.chars().count() <= MAX_TITLE
        && !ends_sentence(&piece.text)
        && below.pieces.len() > 1
        && is_near(above, title)
        && is_near(title, below)
}

fn overlaps(one: &Piece, other: &Piece) -> bool {
    one.x < other.end && other.x < one.end
}

/// The places of the columns: where the cells of the rows with most usual number of cells lie.
fn columns_of(rows: &[Row]) -> Option<Vec<(f32, f32)>> {
    let several = || rows.iter().filter(|row| row.pieces.len() > 1);
    let all = intervals(several().flat_map(|row| &row.pieces));
    let most = several().map(|row| row.pieces.len()).max()?;
    if let Some(columns) = below_groups(rows, most).filter(|columns| columns.len() > all.len()) {
        return Some(columns);
    }
    let usual = (2..=most).max_by_key(|count| (several().filter(|row| row.pieces.len() == *count).count(), *count))?;
    if all.len() >= usual {
        return Some(all);
    }
    let columns = intervals(several().filter(|row| row.pieces.len() == usual).flat_map(|row| &row.pieces));
    (columns.len() >= usual || columns.len() > 1).then_some(columns)
}

/// The columns below the first rows, if these have names of groups that reach over several columns of the fullest rows, and
/// no other row does.
fn below_groups(rows: &[Row], most: usize) -> Option<Vec<(f32, f32)>> {
    let full = rows.iter().filter(|row| row.pieces.len() == most);
    let columns = intervals(full.flat_map(|row| &row.pieces));
    let lies_across = |piece: &Piece| columns.iter().filter(|(x, end)| piece.x < *end && *x < piece.end).count() > 1;
    let is_group = |row: &&Row| row.pieces.iter().any(lies_across);
    let above = rows.iter().rposition(|row| is_group(&row)).filter(|last| *last < MAX_GROUPS)?;
    Some(intervals(rows[above + 1..].iter().filter(|row| row.pieces.len() > 1).flat_map(|row| &row.pieces)))
}

/// Joins neighbouring columns if no row fills both: the name of a column and its values, which stand beside each other.
fn without_gaps(mut columns: Vec<(f32, f32)>, rows: &[Row]) -> Vec<(f32, f32)> {
    let mut at = 1;
    while at < columns.len() && columns.len() > 2 {
        let (left, right) = (columns[at - 1], columns[at]);
        let fills = |row: &Row, place: usize| row.pieces.iter().any(|piece| column(&columns, piece) == place);
        let count = |place: usize| rows.iter().filter(|row| fills(row, place)).count();
        let both = rows.iter().filter(|row| row.pieces.len() > 1).any(|row| fills(row, at - 1) && fills(row, at));
        let is_name = count(at - 1).min(count(at)) <= 2;
        let size = rows.first().map_or(0.0, Row::size);
        if !both && (is_name && right.0 - left.1 < 6.0 * size || right.0 - left.1 < size) {
            columns[at - 1].1 = right.1;
            columns.remove(at);
        } else {
            at += 1;
        }
    }
    columns
}

/// The intervals along x that pieces cover together.
fn intervals<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Vec<(f32, f32)> {
    let mut spans: Vec<(f32, f32)> = pieces.map(|piece| (piece.x, piece.end)).collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut columns: Vec<(f32, f32)> = Vec::new();
    for (x, end) in spans {
        match columns.last_mut().filter(|last| x < last.1) {
            Some(last) => last.1 = last.1.max(end),
            None => columns.push((x, end)),
        }
    }
    columns
}

/// The column of a piece: where most of it lies, else the nearest.
pub(super) fn column(columns: &[(f32, f32)], piece: &Piece) -> usize {
    let common = |(x, end): &(f32, f32)| end.min(piece.end) - x.max(piece.x);
    let places = columns.iter().enumerate();
    places.max_by(|(_, one), (_, other)| common(one).total_cmp(&common(other))).map_or(0, |(at, _)| at)
}

/// The places of lines across the table between its rows.
fn separators(rows: &[Row], rules: &[Rule]) -> Vec<f32> {
    let pieces = || rows.iter().flat_map(|row| &row.pieces);
    let x = pieces().map(|piece| piece.x).fold(f32::MAX, f32::min);
    let end = pieces().map(|piece| piece.end).fold(f32::MIN, f32::max);
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Vec::new() };
    let (top, bottom) = (first.y() - first.size(), last.y());
    let mut lines: Vec<(f32, f32)> = rules
        .iter()
        .filter(|rule| rule.is_horizontal() && rule.y.0 > top && rule.y.0 < bottom)
        .map(|rule| (rule.y.0, rule.x.1.min(end) - rule.x.0.max(x)))
        .collect();
    lines.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut separators: Vec<(f32, f32)> = Vec::new();
    for (y, length) in lines {
        match separators.last_mut().filter(|last| y - last.0 < 2.0) {
            Some(last) => last.1 += length,
            None => separators.push((y, length)),
        }
    }
    separators.into_iter().filter(|(_, length)| *length > SEPARATOR * (end - x)).map(|(y, _)| y).collect()
}

/// The distance of the second line of a label from its row, where more space is between rows.
fn wrapped_label(rows: &[Row], columns: &[(f32, f32)]) -> Option<f32> {
    let is_label = |row: &Row| row.pieces.len() == 1 && column(columns, &row.pieces[0]) == 0;
    let distances = rows.windows(3).filter_map(|lines| {
        let [above, label, below] = lines else { return None };
        let (own, next) = (label.y() - above.y(), below.y() - label.y());
        let is_wrapped = is_label(label) && above.pieces.len() > 1 && below.pieces.len() > 1 && own * 1.2 < next;
        is_wrapped.then_some(own)
    });
    distances.reduce(f32::min)
}

/// The usual distance of rows that have a first cell.
fn usual_distance(rows: &[Row]) -> f32 {
    let places: Vec<f32> = rows.iter().filter(|row| row.pieces.len() > 1).map(Row::y).collect();
    let mut distances: Vec<f32> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    distances.sort_by(f32::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(f32::MAX)
}

/// Whether the first row names the columns: it has no value where the other rows have values, or it is set apart by heavy
/// letters or a line.
pub(super) fn has_header(cells: &[Vec<String>], first: &Row, rest: &[Row], rules: &[Rule]) -> bool {
    let [names, values @ ..] = cells else { return false };
    let is_value = |cell: &str| cell.chars().any(|letter| letter.is_ascii_digit());
    let begins_with_value = |cell: &&String| {
        cell.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '€' | '$' | '-' | '+' | '('))
    };
    let is_apart = first.pieces.iter().all(|piece| piece.is_bold)
        && !rest.iter().all(|row| row.pieces.iter().all(|piece| piece.is_bold));
    let has_line = separators(std::slice::from_ref(first), &[]).is_empty()
        && rest.first().is_some_and(|second| separators(&[first.clone(), second.clone()], rules).len() == 1)
        && !rest.windows(2).take(3).any(|pair| separators(pair, rules).len() == 1);
    if is_apart || has_line {
        return true;
    }
    let has_values = |column: usize| {
        let texts = || values.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
        texts().filter(|cell| is_value(cell)).count() * 3 > texts().count() * 2
    };
    let columns = 1..names.len();
    if columns.clone().any(&has_values) {
        return !names.iter().skip(1).any(|cell| begins_with_value(&cell))
            && columns.clone().filter(|column| has_values(*column)).any(|column| !is_value(&names[column]))
            && names.iter().filter(|name| !name.is_empty()).count() > 1;
    }
    names.len() > 2 && names.iter().all(|name| !is_value(name))
}
