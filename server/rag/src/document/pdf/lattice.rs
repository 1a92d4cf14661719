//! Tables that are drawn as boxes, of which some reach over several rows or columns.

use std::collections::HashSet;

use super::{
    boxes::Boxes,
    glyphs::Rule,
    join,
    lines::{Piece, Row},
};

/// Lines closer than this are one.
const TOLERANCE: f32 = 3.0;
/// Maximum lines of a page among which boxes are looked for.
const MAX_RULES: usize = 1_500;
/// Maximum boxes of a table.
const MAX_BOXES: usize = 4_000;
/// If at least one cell in so many has values of several rows, no lines are drawn between the rows.
const STACKED: usize = 10;
/// A cell over at least this many rows may have a line of text for each of them.
const TALL: usize = 5;
/// Maximum letters of a cell, and of most cells: more are those of an article in a box.
const MAX_CELL_LETTERS: usize = 800;
const MAX_USUAL_CELL_LETTERS: usize = 120;

/// The boxes of a table.
pub(super) struct Lattice {
    xs: Vec<f32>,
    ys: Vec<f32>,
    boxes: Boxes,
}

/// What surrounds lines that touch each other and part columns and rows.
pub(super) struct Frame {
    pub(super) x: (f32, f32),
    pub(super) y: (f32, f32),
}

impl Frame {
    fn of(rules: &[Rule]) -> Option<Self> {
        let several = |is_kind: fn(&Rule) -> bool| rules.iter().filter(|rule| is_kind(rule)).count() > 2;
        let low = |edge: fn(&Rule) -> f32| rules.iter().map(edge).fold(f32::MAX, f32::min);
        let high = |edge: fn(&Rule) -> f32| rules.iter().map(edge).fold(f32::MIN, f32::max);
        let (x, y) = ((low(|rule| rule.x.0), high(|rule| rule.x.1)), (low(|rule| rule.y.0), high(|rule| rule.y.1)));
        (several(Rule::is_horizontal) && several(Rule::is_vertical)).then_some(Self { x, y })
    }
}

/// The tables of a page whose boxes are drawn, and the frames of all tables that are drawn.
pub(super) fn lattices(rules: &[Rule], rows: &[Row]) -> (Vec<Lattice>, Vec<Frame>) {
    if rules.len() > MAX_RULES {
        return (Vec::new(), Vec::new());
    }
    let groups = connected(rules);
    let frames = groups.iter().filter_map(|rules| Frame::of(rules)).collect();
    let lattices = groups.iter().filter_map(|rules| Lattice::of(rules)).map(|lattice| lattice.with_lines_apart(rows));
    (lattices.filter(|lattice| texts(rows, lattice).is_some()).collect(), frames)
}

/// The rules in groups that touch each other.
fn connected(rules: &[Rule]) -> Vec<Vec<Rule>> {
    let touches = |one: &Rule, other: &Rule| {
        let meet = |one: (f32, f32), other: (f32, f32)| one.0 - TOLERANCE <= other.1 && other.0 - TOLERANCE <= one.1;
        meet(one.x, other.x) && meet(one.y, other.y)
    };
    let mut rest: Vec<Rule> = rules.to_vec();
    let mut groups = Vec::new();
    while let Some(first) = rest.pop() {
        let mut group = vec![first];
        let mut at = 0;
        while at < group.len() {
            let (near, far) = rest.into_iter().partition(|rule| touches(&group[at], rule));
            rest = far;
            group.extend::<Vec<Rule>>(near);
            at += 1;
        }
        groups.push(group);
    }
    groups
}

impl Lattice {
    fn of(rules: &[Rule]) -> Option<Self> {
        let [across, down] = [Rule::is_horizontal, Rule::is_vertical]
            .map(|is_kind| rules.iter().filter(|rule| is_kind(rule)).copied().collect::<Vec<Rule>>());
        // A table may be open at its sides.
        let (xs, ys) = (
            places(down.iter().map(|rule| rule.x.0), across.iter().map(|rule| rule.x)),
            places(across.iter().map(|rule| rule.y.0), down.iter().map(|rule| rule.y)),
        );
        let (columns, rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
        if columns < 2 || rows < 2 || columns * rows > MAX_BOXES {
            return None;
        }
        let is_wall = |row: usize, column: usize| {
            let y = f32::midpoint(ys[row], ys[row + 1]);
            let on = |rule: &Rule| (rule.x.0 - xs[column + 1]).abs() <= TOLERANCE && (rule.y.0..=rule.y.1).contains(&y);
            down.iter().any(on)
        };
        let is_floor = |row: usize, column: usize| {
            let x = f32::midpoint(xs[column], xs[column + 1]);
            let on = |rule: &Rule| (rule.y.0 - ys[row + 1]).abs() <= TOLERANCE && (rule.x.0..=rule.x.1).contains(&x);
            across.iter().any(on)
        };
        let mut cells: Vec<usize> = (0..columns * rows).collect();
        for row in 0..rows {
            for column in 0..columns {
                let at = row * columns + column;
                if column + 1 < columns && !is_wall(row, column) {
                    unite(&mut cells, at, at + 1);
                }
                if row + 1 < rows && !is_floor(row, column) {
                    unite(&mut cells, at, at + columns);
                }
            }
        }
        let lattice = Self { xs, ys, boxes: Boxes::new(columns, cells) };
        let alone = lattice.boxes.firsts().count();
        (alone * 2 >= columns * rows && lattice.has_rectangles()).then_some(lattice)
    }

    fn has_rectangles(&self) -> bool {
        self.boxes.firsts().all(|cell| {
            let ((_, column), (height, width)) = self.boxes.extent(cell);
            let is_within = |at: usize| (column..column + width).contains(&(at % self.boxes.columns()));
            let (count, within) =
                self.boxes.boxes_of(cell).fold((0, true), |(count, within), at| (count + 1, within && is_within(at)));
            within && count == height * width
        })
    }

    /// Parts tall cells that have a line in nearly all of their rows: only other columns have lines between these.
    fn with_lines_apart(mut self, rows: &[Row]) -> Self {
        for cell in self.boxes.firsts().collect::<Vec<_>>() {
            let (_, (height, _)) = self.boxes.extent(cell);
            if height < TALL {
                continue;
            }
            let pieces = rows.iter().flat_map(|row| &row.pieces).filter(|piece| self.cell_of(piece) == Some(cell));
            let lines: HashSet<usize> = pieces.filter_map(|piece| place(&self.ys, middle(piece).1)).collect();
            if lines.len() * 10 >= height * 9 {
                self.boxes.part(cell);
            }
        }
        self
    }

    /// Whether a place along a row is within the table.
    pub(super) fn covers(&self, x: f32, row: &Row) -> bool {
        let is_between = |places: &[f32], at: f32| places[0] < at && at < places[places.len() - 1];
        is_between(&self.xs, x) && is_between(&self.ys, row.middle())
    }

    /// The cell in which a piece of a line stands.
    fn cell_of(&self, piece: &Piece) -> Option<usize> {
        let (x, y) = middle(piece);
        Some(self.boxes.cell(place(&self.ys, y)?, place(&self.xs, x)?))
    }
}

fn middle(piece: &Piece) -> (f32, f32) {
    (f32::midpoint(piece.x, piece.end), piece.middle())
}

/// The index of the first of the two neighbouring places between which `at` is.
fn place(places: &[f32], at: f32) -> Option<usize> {
    places.windows(2).position(|pair| pair[0] <= at && at < pair[1])
}

/// The places of lines, and the ends of those that cross them.
fn places(lines: impl Iterator<Item = f32>, crossing: impl Iterator<Item = (f32, f32)> + Clone) -> Vec<f32> {
    let ends = crossing.flat_map(|(start, end)| [start, end]);
    let (first, last) = (ends.clone().fold(f32::MAX, f32::min), ends.fold(f32::MIN, f32::max));
    let mut places: Vec<f32> = lines.collect();
    if places.is_empty() {
        return places;
    }
    places.extend([first, last].into_iter().filter(|end| end.is_finite()));
    places.sort_by(f32::total_cmp);
    places.dedup_by(|next, last| *next - *last <= TOLERANCE);
    places
}

/// Makes two boxes and all that belong to them one cell.
fn unite(cells: &mut [usize], one: usize, other: usize) {
    let (first, second) = (cells[one].min(cells[other]), cells[one].max(cells[other]));
    if first != second {
        cells.iter_mut().filter(|cell| **cell == second).for_each(|cell| *cell = first);
    }
}

/// The rows of a table, and the places of its columns.
pub(super) struct Cells {
    pub(super) rows: Vec<Vec<String>>,
    pub(super) columns: Vec<(f32, f32)>,
    /// Whether the first row is joined from several.
    pub(super) has_groups: bool,
}

/// The table that begins with the first of `rows`, and the number of its rows.
pub(super) fn cells(rows: &[Row], lattices: &[Lattice]) -> Option<(Cells, usize)> {
    let first = rows.first()?.pieces.first()?;
    let lattice = lattices.iter().find(|lattice| lattice.cell_of(first).is_some())?;
    let is_inside = |row: &&Row| row.pieces.iter().any(|piece| lattice.cell_of(piece).is_some());
    let count = rows.iter().take_while(is_inside).count();
    let pieces = || rows[..count].iter().flat_map(|row| &row.pieces);
    if pieces().any(|piece| lattice.cell_of(piece).is_none()) {
        return None;
    }
    let texts = texts(&rows[..count], lattice)?;
    let boxes = &lattice.boxes;
    let top =
        rows[0].pieces.iter().filter_map(|piece| lattice.cell_of(piece)).map(|cell| boxes.extent(cell).0.0).min()?;
    // A title above the columns is no row.
    let ((_, _), (_, width)) = boxes.extent(lattice.cell_of(first)?);
    if width == boxes.columns() {
        return None;
    }
    let mut cells = boxes.table(&texts, top);
    let columns = cells.drop_empty();
    if columns.len() < 2 || cells.rows.len() < 2 {
        return None;
    }
    let columns = columns.iter().map(|column| (lattice.xs[*column], lattice.xs[column + 1])).collect();
    Some((Cells { rows: cells.rows, columns, has_groups: cells.has_groups }, count))
}

/// The text of each cell. None when several cells have values of several rows, or the cells are long.
fn texts(rows: &[Row], lattice: &Lattice) -> Option<Vec<String>> {
    let mut texts = vec![String::new(); lattice.boxes.len()];
    let mut last = vec![(usize::MAX, false); lattice.boxes.len()];
    let mut stacked = HashSet::new();
    for (number, row) in rows.iter().enumerate() {
        for piece in &row.pieces {
            let Some(cell) = lattice.cell_of(piece) else { continue };
            let is_value = piece.text.starts_with(|letter: char| letter.is_ascii_digit())
                && !piece.text.contains(|letter: char| letter.is_alphabetic());
            let (before, was_value) = last[cell];
            if before != number && was_value && is_value {
                stacked.insert(cell);
            }
            if before == number {
                texts[cell].push(' ');
                texts[cell].push_str(&piece.text);
            } else {
                join(&mut texts[cell], &piece.text);
            }
            last[cell] = (number, is_value);
        }
    }
    let count = texts.iter().filter(|text| !text.is_empty()).count();
    if stacked.len() * STACKED >= count.max(1) {
        return None;
    }
    let letters = || texts.iter().map(|text| text.chars().count()).filter(|count| *count > 0);
    let long = letters().filter(|count| *count > MAX_USUAL_CELL_LETTERS).count();
    (letters().all(|count| count <= MAX_CELL_LETTERS) && long * 2 <= letters().count()).then_some(texts)
}
