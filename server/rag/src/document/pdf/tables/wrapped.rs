//! Tables without lines between their rows whose first cells have several lines, with the values in the middle or at the end
//! of the row. More space between rows than between lines shows which lines belong together.

use super::{
    APART, Grid, MAX_COLUMNS, MAX_ROWS, MAX_TITLE, Piece, Row, begins_as_amount, column, ends_sentence, header,
    intervals, join, reverse_right_to_left,
};

/// Lines closer than this many sizes are of one row.
const NEAR: f32 = 1.35;
/// A line with the next word is longer than this share of the column.
const FULL: f32 = 0.85;
/// A full line is longer than this many sizes.
const SHORTEST: f32 = 5.0;
/// Minimum rows below the header.
const MIN_ROWS: usize = 2;

/// The table that begins with the first of `rows`, and the number of its lines.
pub(super) fn table(rows: &[Row]) -> Option<(Grid, usize)> {
    let mut bands = bands(rows);
    let mut columns = columns_of(&bands);
    let is_row = |band: &&[Row], columns: &[(f32, f32)]| is_title(band) || is_row(band, columns);
    let count = bands.iter().skip(1).take_while(|band| is_row(band, &columns)).count() + 1;
    if count < bands.len() {
        bands.truncate(count);
        columns = columns_of(&bands);
    }
    while bands.pop_if(|last| is_title(last)).is_some() {}
    if !(2..=MAX_COLUMNS).contains(&columns.len()) {
        return None;
    }
    let has_values = |band: &&[Row]| values(band, &columns).iter().any(|count| *count > 0);
    let has_header = bands.first().is_some_and(|first| !has_values(first));
    let below = || bands.iter().skip(usize::from(has_header)).filter(|band| !is_title(band));
    // Otherwise, lines below the first one of a row continue its cells.
    let begins_above =
        |band: &&&[Row]| band.len() > 1 && band[0].pieces.iter().all(|piece| column(&columns, piece) == 0);
    if below().count() < MIN_ROWS
        || below().filter(|band| has_values(band)).count() * 2 < below().count()
        || !below().all(|band| is_row(band, &columns))
        || !is_parted(bands[0], &columns)
        || !below().any(|band| begins_above(&band))
        || !are_wrapped(below().copied(), columns[0])
    {
        return None;
    }
    let mut cells: Vec<Vec<String>> = bands.iter().map(|band| cells_of(band, &columns)).collect();
    let count = bands.iter().map(|band| band.len()).sum();
    let top = bands.iter().take_while(|band| !has_values(band));
    let (bands, lines) = top.fold((0, 0), |(bands, lines), band| (bands + 1, lines + band.len()));
    if let Some(names) = (lines > 1).then(|| header::names_below_groups(rows, lines, &columns)).flatten() {
        cells.splice(..bands, [names]);
    }
    reverse_right_to_left(&mut cells, &rows[..count]);
    Some((Grid { rows: cells, has_header, columns, part: None }, count))
}

/// The lines of each row from the first on that may be one.
fn bands(rows: &[Row]) -> Vec<&[Row]> {
    let is_bold = |row: &Row| row.pieces.iter().all(|piece| piece.is_bold);
    let is_one = |above: &Row, row: &Row| {
        row.y() - above.y() <= NEAR * row.size().max(above.size())
            && !(above.pieces.len() > 1 && is_bold(above) && !is_bold(row))
    };
    let mut bands: Vec<&[Row]> = Vec::new();
    for band in rows[..rows.len().min(MAX_ROWS)].chunk_by(is_one) {
        let above = bands.last().and_then(|above| above.last());
        let is_near = above.is_none_or(|above| band[0].y() - above.y() <= APART * band[0].size().max(above.size()));
        let has_cells = band.iter().any(|row| row.pieces.len() > 1);
        if !is_near || !(has_cells || above.is_some() && is_title(band)) {
            break;
        }
        bands.push(band);
    }
    bands
}

/// Whether a row is the title of those below it.
fn is_title(band: &[Row]) -> bool {
    let [Row { pieces, .. }] = band else { return false };
    let [piece] = pieces.as_slice() else { return false };
    piece.text.chars().count() <= MAX_TITLE && !ends_sentence(&piece.text)
}

fn columns_of(bands: &[&[Row]]) -> Vec<(f32, f32)> {
    let rows = bands.iter().filter(|band| !is_title(band)).flat_map(|band| band.iter());
    intervals(rows.flat_map(|row| &row.pieces))
}

/// The number of values in each column but the first.
fn values(band: &[Row], columns: &[(f32, f32)]) -> Vec<usize> {
    let mut counts = vec![0; columns.len()];
    for piece in band.iter().flat_map(|row| &row.pieces).filter(|piece| begins_as_amount(&piece.text)) {
        counts[column(columns, piece)] += 1;
    }
    counts.split_off(1.min(counts.len()))
}

/// Whether lines are those of one row: a label, and one line with the cells beside it.
fn is_row(band: &[Row], columns: &[(f32, f32)]) -> bool {
    let has_label = band.iter().flat_map(|row| &row.pieces).any(|piece| column(columns, piece) == 0);
    let is_beside = |row: &&Row| row.pieces.iter().any(|piece| column(columns, piece) > 0);
    has_label && band.iter().filter(is_beside).count() == 1 && is_parted(band, columns)
}

/// Whether most lines of labels end where the next word does not fit, and none is a heading.
fn are_wrapped<'a>(bands: impl Iterator<Item = &'a [Row]>, (x, end): (f32, f32)) -> bool {
    let (mut full, mut all) = (0, 0);
    for band in bands {
        let pieces: Vec<&Piece> =
            band.iter().filter_map(|row| row.pieces.first()).filter(|piece| piece.x < end).collect();
        for pair in pieces.windows(2) {
            if pair[0].text.ends_with(':') || pair[0].is_bold != pair[1].is_bold {
                return false;
            }
            let word = pair[1].text.split(' ').next().unwrap_or_default();
            #[allow(clippy::cast_precision_loss, reason = "a line has few letters")]
            let share = word.len() as f32 / pair[1].text.len().max(1) as f32;
            let (own, word) = (pair[0].end - pair[0].x, share * (pair[1].end - pair[1].x));
            full += usize::from(own + word > FULL * (end - x) && own > SHORTEST * pair[0].size);
            all += 1;
        }
    }
    full * 2 >= all
}

/// Whether no line has two pieces in one column.
pub(super) fn is_parted(band: &[Row], columns: &[(f32, f32)]) -> bool {
    let places = |pair: &[Piece]| column(columns, &pair[0]) < column(columns, &pair[1]);
    band.iter().all(|row| row.pieces.windows(2).all(places))
}

/// The text of each cell.
pub(super) fn cells_of(band: &[Row], columns: &[(f32, f32)]) -> Vec<String> {
    let mut cells = vec![String::new(); columns.len()];
    for row in band {
        for piece in &row.pieces {
            join(&mut cells[column(columns, piece)], &piece.text);
        }
    }
    cells
}
