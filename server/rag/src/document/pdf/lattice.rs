//! Tables that are drawn as boxes, of which some reach over several rows or columns.

use std::collections::HashSet;

use super::{
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
/// Maximum rows of a header.
const MAX_HEADER_ROWS: usize = 3;
/// Less than one cell in so many has values of several rows where lines are drawn between rows.
const STACKED: usize = 10;
/// Rows of a cell from which on its lines may be those of the rows.
const TALL: usize = 5;
/// Maximum letters of a cell, and of most cells: more are those of an article in a box.
const MAX_CELL_LETTERS: usize = 800;
const MAX_USUAL_CELL_LETTERS: usize = 120;

/// The boxes of a table.
pub(super) struct Lattice {
    xs: Vec<f32>,
    ys: Vec<f32>,
    /// For each box, row by row, the first box of its cell.
    cells: Vec<usize>,
}

/// What surrounds lines that touch each other and part columns and rows.
pub(super) struct Frame {
    pub(super) x: (f32, f32),
    pub(super) y: (f32, f32),
}

impl Frame {
    fn of(rules: &[Rule]) -> Option<Self> {
        let several = |is_kind: fn(&Rule) -> bool| rules.iter().filter(|rule| is_kind(rule)).count() > 2;
        let low = |of: fn(&Rule) -> f32| rules.iter().map(of).fold(f32::MAX, f32::min);
        let high = |of: fn(&Rule) -> f32| rules.iter().map(of).fold(f32::MIN, f32::max);
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
    let found = groups.iter().filter_map(|rules| Lattice::of(rules)).map(|lattice| lattice.with_lines_apart(rows));
    (found.filter(|lattice| texts(rows, lattice).is_some()).collect(), frames)
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
        let lattice = Self { xs, ys, cells };
        let several = lattice.cells.iter().enumerate().filter(|(at, cell)| at != *cell).count();
        (several * 2 <= columns * rows && lattice.has_rectangles()).then_some(lattice)
    }

    fn columns(&self) -> usize {
        self.xs.len() - 1
    }

    fn rows(&self) -> usize {
        self.ys.len() - 1
    }

    fn cell(&self, row: usize, column: usize) -> usize {
        self.cells[row * self.columns() + column]
    }

    /// The first row and column of a cell, and how many it has.
    fn extent(&self, cell: usize) -> ((usize, usize), (usize, usize)) {
        let (row, column) = (cell / self.columns(), cell % self.columns());
        let width = (column..self.columns()).take_while(|column| self.cell(row, *column) == cell).count();
        let height = (row..self.rows()).take_while(|row| self.cell(*row, column) == cell).count();
        ((row, column), (height, width))
    }

    fn has_rectangles(&self) -> bool {
        (0..self.cells.len()).filter(|at| self.cells[*at] == *at).all(|cell| {
            let ((_, column), (height, width)) = self.extent(cell);
            let boxes = self.cells.iter().enumerate().filter(|(_, other)| **other == cell);
            let is_within = |at: usize| (column..column + width).contains(&(at % self.columns()));
            let (count, within) =
                boxes.fold((0, true), |(count, within), (at, _)| (count + 1, within && is_within(at)));
            within && count == height * width
        })
    }

    /// Parts tall cells that have a line in nearly all of their rows: only other columns have lines between these.
    fn with_lines_apart(mut self, rows: &[Row]) -> Self {
        let columns = self.columns();
        for cell in 0..self.cells.len() {
            let ((first, column), (height, width)) = self.extent(cell);
            if self.cells[cell] != cell || height < TALL {
                continue;
            }
            let pieces = rows.iter().flat_map(|row| &row.pieces).filter(|piece| self.cell_of(piece) == Some(cell));
            let filled: HashSet<usize> = pieces.filter_map(|piece| place(&self.ys, middle(piece).1)).collect();
            if filled.len() * 10 < height * 9 {
                continue;
            }
            for row in first..first + height {
                self.cells[row * columns + column..][..width].fill(row * columns + column);
            }
        }
        self
    }

    /// Whether a place along a row is within the table.
    pub(super) fn covers(&self, x: f32, row: &Row) -> bool {
        let is_between = |places: &[f32], at: f32| places[0] < at && at < places[places.len() - 1];
        is_between(&self.xs, x) && is_between(&self.ys, row.y() - 0.3 * row.size())
    }

    /// The cell in which a piece of a line stands.
    fn cell_of(&self, piece: &Piece) -> Option<usize> {
        let (x, y) = middle(piece);
        Some(self.cell(place(&self.ys, y)?, place(&self.xs, x)?))
    }
}

fn middle(piece: &Piece) -> (f32, f32) {
    (f32::midpoint(piece.x, piece.end), piece.y - 0.3 * piece.size)
}

/// Between which places one is.
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

/// The table that begins with the first of `rows`, and the number of its rows. The text of a cell over several rows or
/// columns counts for each of them.
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
    let top =
        rows[0].pieces.iter().filter_map(|piece| lattice.cell_of(piece)).map(|cell| lattice.extent(cell).0.0).min()?;
    // A title above the columns is no row.
    let ((_, _), (_, width)) = lattice.extent(lattice.cell_of(first)?);
    if width == lattice.columns() {
        return None;
    }
    let (header, has_groups) = header_rows(lattice, top);
    let mut found = Vec::new();
    if header > 1 {
        found.push(names(lattice, &texts, top..top + header));
    }
    let begin = if header > 1 { top + header } else { top };
    for row in begin..lattice.rows() {
        let begins = |column: &usize| {
            let cell = lattice.cell(row, *column);
            lattice.extent(cell).0.0 == row && !texts[cell].is_empty()
        };
        if (0..lattice.columns()).any(|column| begins(&column)) {
            found
                .push((0..lattice.columns()).map(|column| cell_text(lattice, &texts, row, column)).collect::<Vec<_>>());
        }
    }
    let used: Vec<usize> =
        (0..lattice.columns()).filter(|column| found.iter().any(|row| !row[*column].is_empty())).collect();
    if used.len() < 2 || found.len() < 2 {
        return None;
    }
    let columns = used.iter().map(|column| (lattice.xs[*column], lattice.xs[column + 1])).collect();
    let rows = found.into_iter().map(|row| used.iter().map(|column| row[*column].clone()).collect()).collect();
    Some((Cells { rows, columns, has_groups }, count))
}

/// The text of each cell. None when several cells have values of several rows, or the cells are long.
fn texts(rows: &[Row], lattice: &Lattice) -> Option<Vec<String>> {
    let mut texts = vec![String::new(); lattice.cells.len()];
    let mut last = vec![(usize::MAX, false); lattice.cells.len()];
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
    let filled = texts.iter().filter(|text| !text.is_empty()).count();
    if stacked.len() * STACKED >= filled.max(1) {
        return None;
    }
    let letters = || texts.iter().map(|text| text.chars().count()).filter(|count| *count > 0);
    let long = letters().filter(|count| *count > MAX_USUAL_CELL_LETTERS).count();
    (letters().all(|count| count <= MAX_CELL_LETTERS) && long * 2 <= letters().count()).then_some(texts)
}

/// The number of rows of the header, more than one when its first row names groups of columns.
fn header_rows(lattice: &Lattice, top: usize) -> (usize, bool) {
    let extents = (0..lattice.columns()).map(|column| lattice.extent(lattice.cell(top, column)));
    let (mut height, mut has_groups) = (1, false);
    for ((row, column), (rows, width)) in extents {
        height = height.max(row + rows - top);
        has_groups |= width > 1 && column > 0;
    }
    let height = if has_groups { height.max(2) } else { 1 };
    let is_possible = has_groups && height <= MAX_HEADER_ROWS && top + height < lattice.rows();
    if is_possible { (height, true) } else { (1, false) }
}

/// The names of the columns from several rows: those of groups before those in them.
fn names(lattice: &Lattice, texts: &[String], rows: std::ops::Range<usize>) -> Vec<String> {
    let name = |column: usize| {
        let mut cells: Vec<usize> = rows.clone().map(|row| lattice.cell(row, column)).collect();
        cells.dedup();
        let parts = cells.into_iter().map(|cell| texts[cell].as_str()).filter(|text| !text.is_empty());
        parts.collect::<Vec<_>>().join(" ")
    };
    (0..lattice.columns()).map(name).collect()
}

/// What a row shows in a column. A label that reaches over several columns is shown once.
fn cell_text(lattice: &Lattice, texts: &[String], row: usize, column: usize) -> String {
    let cell = lattice.cell(row, column);
    let ((_, first), _) = lattice.extent(cell);
    if first == 0 && column > 0 { String::new() } else { texts[cell].clone() }
}
