//! Columns of a sheet that did not fit on its page and follow on the next one.

use lopdf::Document;

use super::{
    lines::Row,
    page::{Page, Place},
};

/// Programs for sheets, as they name themselves.
const PROGRAMS: [&str; 4] = ["calc", "excel", "gnumeric", "numbers"];
/// Lines whose places differ by less than this share of their size are of one row.
const SAME: f32 = 0.25;
/// Minimum rows, and maximum lines of a page.
const MIN_ROWS: usize = 3;
const MAX_LINES: usize = 2_000;
/// A page on which less than this share is free below the last row may end because it is full.
const FREE: f32 = 0.15;
/// Running lines are at most this share of the page away from its edges.
const EDGE: f32 = 0.1;

/// Puts the columns on later pages beside the rows on the page before them.
pub(super) fn join(pages: &mut [Page]) {
    let mut first = 0;
    for number in 1..pages.len() {
        let (left, right) = pages.split_at_mut(number);
        let (left, right) = (&mut left[first], &mut right[0]);
        match has_space(left).then(|| beside(left, right)).flatten() {
            Some(places) => right.move_beside(left, &places),
            None => first = number,
        }
    }
}

/// Whether a program for sheets made the document.
pub(super) fn is_sheet(document: &Document) -> bool {
    let info = document.trailer.get_deref(b"Info", document).and_then(lopdf::Object::as_dict);
    let creator = info.and_then(|info| info.get_deref(b"Creator", document)).and_then(lopdf::decode_text_string);
    creator.is_ok_and(|creator| PROGRAMS.iter().any(|program| creator.to_lowercase().contains(program)))
}

fn has_space(page: &Page) -> bool {
    let last = page.rows().filter(|row| !is_edge(page, row)).map(Row::y).reduce(f32::max);
    last.zip(page.edges()).is_some_and(|(last, (top, bottom))| bottom - last > FREE * (bottom - top))
}

/// Whether a line may be a running header or footer.
fn is_edge(page: &Page, row: &Row) -> bool {
    page.edges().is_some_and(|(top, bottom)| {
        row.pieces.len() == 1 && (row.y() - top < EDGE * (bottom - top) || bottom - row.y() < EDGE * (bottom - top))
    })
}

/// Where the lines of the right page stand among those of the left one. None if the pages do not have the same rows. Cells
/// of several lines may add lines, but each row needs a line on both pages.
fn beside(left: &Page, right: &Page) -> Option<Vec<Place>> {
    let lines: Vec<&Row> = left.rows().collect();
    // The line of a tagged table stands for all of its rows.
    if lines.len() + right.rows().count() > MAX_LINES
        || lines.iter().copied().chain(right.rows()).any(|row| row.grid.is_some())
    {
        return None;
    }
    let place = |row: &Row| {
        let is_same = |other: &&Row| (other.y() - row.y()).abs() < SAME * row.size().min(other.size());
        let is_other = |other: &&Row| !is_edge(left, other) || other.text() != row.text();
        let at = lines.iter().position(|other| is_same(other) && is_other(other));
        at.map_or(if is_edge(right, row) { Place::Here } else { Place::Between }, Place::Beside)
    };
    let places: Vec<Place> = right.rows().map(place).collect();
    let beside = |place: &Place| if let Place::Beside(at) = place { Some(*at) } else { None };
    let rows_beside: Vec<usize> = places.iter().filter_map(beside).collect();
    let first = *rows_beside.first()?;
    let has_all = || {
        let mut rows = (first..lines.len()).filter(|at| lines[*at].pieces.len() > 1).peekable();
        rows.peek().is_some() && rows.all(|at| rows_beside.contains(&at))
    };
    // Pages that repeat the labels can be read on their own.
    let has_label = |one: &Row, other: &Row| {
        one.pieces.first().zip(other.pieces.first()).is_some_and(|(one, other)| one.text == other.text)
    };
    let is_labelled = |(row, place): &(&Row, &Place)| beside(place).is_some_and(|at| has_label(row, lines[at]));
    if right.rows().zip(&places).filter(is_labelled).count() * 2 >= rows_beside.len() {
        return None;
    }
    let is_same = !places.contains(&Place::Between) || has_all();
    (is_same && rows_beside.len() >= MIN_ROWS).then_some(places)
}
