//! Names of columns that are written upwards or downwards: they are put into the row of the header.

use super::{
    glyphs::Group,
    lines::{Piece, Row},
};

/// Maximum letters of a name.
const MAX_NAME: usize = 60;
/// A name stands above its column if it is no further beside a cell than this many sizes.
const BESIDE: f32 = 1.5;
/// The row below the names is at most this many sizes away.
const BELOW: f32 = 6.0;
/// The height of letters above their baseline, as a share of the size.
const HEIGHT: f32 = 0.6;

/// A name, with its place among the lines of the main direction.
struct Name {
    piece: Piece,
    top: f32,
    bottom: f32,
}

impl Name {
    fn of(piece: &Piece, group: &Group, main: &Group) -> Self {
        let corners = [(piece.x, piece.y), (piece.end, piece.y - HEIGHT * piece.size)];
        let [(x, y), (end, bottom)] = corners.map(|corner| main.turned(group.turned(corner)));
        let middle = f32::midpoint(x, end);
        let piece = Piece { x: middle - 1.0, end: middle + 1.0, gaps: Vec::new(), ..piece.clone() };
        Self { piece, top: y.min(bottom), bottom: y.max(bottom) }
    }
}

/// Puts names above columns into the lines of the main direction, which are the first ones.
pub(super) fn place(groups: &[Group], lines: &mut [Vec<Row>]) {
    let (Some((main, groups)), Some((rows, lines))) = (groups.split_first(), lines.split_first_mut()) else { return };
    for (group, own) in groups.iter().zip(lines).filter(|(group, _)| group.is_across(main)) {
        let pieces = own.iter().flat_map(|row| &row.pieces);
        let mut names: Vec<Name> = pieces.map(|piece| Name::of(piece, group, main)).collect();
        names.sort_by(|one, other| one.top.total_cmp(&other.top));
        let mut placed_names = Vec::new();
        // Names beside each other.
        for names in names.chunk_by(|one, other| other.top < one.bottom) {
            if place_names(names, rows) {
                placed_names.extend(names.iter().map(|name| name.piece.text.as_str()));
            }
        }
        own.iter_mut().for_each(|row| row.pieces.retain(|piece| !placed_names.contains(&piece.text.as_str())));
        own.retain(|row| !row.pieces.is_empty());
    }
}

/// Puts names into the row above the one whose cells stand below them, if there is one.
fn place_names(names: &[Name], rows: &mut Vec<Row>) -> bool {
    let bottom = names.iter().map(|name| name.bottom).fold(f32::MIN, f32::max);
    let top = names.iter().map(|name| name.top).fold(f32::MAX, f32::min);
    let Some(below) = rows.iter().position(|row| row.y() - HEIGHT * row.size() > bottom - 2.0) else { return false };
    let row = &rows[below];
    let cell = |name: &Name| {
        let is_below = |piece: &Piece| {
            let reach = BESIDE * piece.size;
            (piece.x - reach..piece.end + reach).contains(&(name.piece.x + 1.0))
        };
        row.pieces.iter().position(is_below)
    };
    let cells: Option<Vec<usize>> = names.iter().map(cell).collect();
    let several = cells.is_some_and(|cells| cells.iter().any(|cell| *cell != cells[0]));
    let are_short = names.iter().all(|name| name.piece.text.chars().count() <= MAX_NAME);
    if !several || !are_short || row.y() - bottom > BELOW * row.size() {
        return false;
    }
    let is_header = |row: &Row| row.y() > top && row.y() < bottom + 0.5 * row.size();
    let header = match rows[..below].iter().rposition(is_header) {
        Some(header) => header,
        None => {
            rows.insert(below, Row::default());
            below
        }
    };
    let y = rows[header].pieces.first().map_or(bottom, |piece| piece.y);
    rows[header].pieces.extend(names.iter().map(|name| Piece { y, ..name.piece.clone() }));
    rows[header].pieces.sort_by(|one, other| one.x.total_cmp(&other.x));
    true
}
