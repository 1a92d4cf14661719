//! Tables whose cells the tags of a document name. Each of them stands among the lines of its page as one line.

use std::collections::BTreeMap;

use super::{
    boxes::Boxes,
    glyphs::{Glyph, Group},
    grid::{Grid, Part},
    join,
    lines::{Piece, Row, rows},
    tables::has_header,
    tags::{Role, TaggedTable, Tags},
};

/// Maximum letters of a cell, and of most cells: more are those of an article in a table that only places it.
const MAX_CELL_LETTERS: usize = 1_500;
const MAX_USUAL_CELL_LETTERS: usize = 160;
/// At most one row in so many may have a single cell that is not its label.
const MAX_LINES: usize = 8;
/// A row begins below the one before it by this share of its size.
const BELOW: f32 = 0.3;

/// Takes the tagged tables out of a group.
pub(super) fn take(group: &mut Group, tags: &Tags) -> Vec<Row> {
    let mut cells: BTreeMap<u32, BTreeMap<u32, Vec<Glyph>>> = BTreeMap::new();
    for glyph in &group.glyphs {
        if let Some(Role::Cell(table, cell)) = glyph.role {
            cells.entry(table).or_default().entry(cell).or_default().push(*glyph);
        }
    }
    let row = |number: u32, cells: &BTreeMap<u32, Vec<Glyph>>| {
        let table = tags.table(number)?;
        Table::of(table, cells)?.row(number, table)
    };
    let tables: BTreeMap<u32, Row> =
        cells.into_iter().filter_map(|(number, cells)| Some((number, row(number, &cells)?))).collect();
    group.glyphs.retain(|glyph| !matches!(glyph.role, Some(Role::Cell(table, _)) if tables.contains_key(&table)));
    tables.into_values().collect()
}

/// What a page has of a table.
struct Table {
    boxes: Boxes,
    /// The rows of the whole table that are on the page.
    numbers: Vec<usize>,
    /// The lines of each cell by its first box.
    lines: BTreeMap<usize, Vec<Row>>,
}

impl Table {
    fn of(tagged_table: &TaggedTable, cells: &BTreeMap<u32, Vec<Glyph>>) -> Option<Self> {
        let boxes = &tagged_table.boxes;
        let mut numbers: Vec<usize> = cells.keys().map(|cell| *cell as usize / boxes.columns()).collect();
        numbers.dedup();
        let lines = cells.iter().filter_map(|(cell, glyphs)| {
            let (row, column) = (*cell as usize / boxes.columns(), *cell as usize % boxes.columns());
            let lines = rows(&Group::of(glyphs.clone()), false);
            Some((numbers.binary_search(&row).ok()? * boxes.columns() + column, lines))
        });
        let lines = lines.collect();
        let mut table = Self { boxes: boxes.only(&numbers), lines, numbers };
        let is_short = |row: &usize| tagged_table.short.contains(&table.numbers[*row]);
        let (short, whole): (Vec<usize>, Vec<usize>) = (0..table.boxes.rows()).partition(is_short);
        if !short.is_empty() {
            table.place(&short, &whole)?;
        }
        (table.is_in_order() && table.has_whole_rows() && table.has_short_cells()).then_some(table)
    }

    /// Moves the cells of short rows below those of whole rows.
    fn place(&mut self, short: &[usize], whole: &[usize]) -> Option<()> {
        let columns = self.boxes.columns();
        let of_column = |column: usize| {
            let cells = whole.iter().map(|row| row * columns + column);
            self.extent(cells.filter(|cell| self.boxes.extent(*cell).1.1 == 1))
        };
        let places: Vec<(f32, f32)> = (0..columns).map(of_column).collect::<Option<_>>()?;
        let mut moves = Vec::new();
        for row in short {
            let cells: Vec<usize> =
                (row * columns..(row + 1) * columns).filter(|cell| self.lines.contains_key(cell)).collect();
            let mut least = 0;
            for (at, cell) in cells.iter().enumerate() {
                let (x, end) = self.extent([*cell])?;
                let common = |column: &usize| end.min(places[*column].1) - x.max(places[*column].0);
                let free = least..=columns - (cells.len() - at);
                let column = free.max_by(|one, other| common(one).total_cmp(&common(other)))?;
                moves.push((*cell, row * columns + column));
                least = column + 1;
            }
        }
        // From the last on, so that none is overwritten.
        for (from, to) in moves.into_iter().rev() {
            let lines = self.lines.remove(&from)?;
            self.lines.insert(to, lines);
        }
        Some(())
    }

    fn pieces(&self, cell: usize) -> impl Iterator<Item = &Piece> {
        self.lines.get(&cell).into_iter().flatten().flat_map(|row| &row.pieces)
    }

    /// From where to where cells reach along the lines.
    fn extent(&self, cells: impl IntoIterator<Item = usize>) -> Option<(f32, f32)> {
        let ends = cells.into_iter().flat_map(|cell| self.pieces(cell)).map(|piece| (piece.x, piece.end));
        ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// Whether cells stand beside each other and rows below each other, as the tags say.
    fn is_in_order(&self) -> bool {
        let row = |at: usize| (0..self.boxes.columns()).map(move |column| at * self.boxes.columns() + column);
        let top = |at: usize| {
            let pieces = row(at).flat_map(|cell| self.pieces(cell));
            pieces.fold((f32::MAX, 0.0_f32), |(y, size), piece| (y.min(piece.y), size.max(piece.size)))
        };
        let tops: Vec<(f32, f32)> = (0..self.boxes.rows()).map(top).collect();
        let places = |at: usize| row(at).filter_map(|cell| Some(self.extent([cell])?.0)).collect::<Vec<_>>();
        let is_across = |at: usize| places(at).is_sorted() || places(at).is_sorted_by(|one, other| one >= other);
        tops.windows(2).all(|pair| pair[1].0 - pair[0].0 > BELOW * pair[0].1) && (0..self.boxes.rows()).all(is_across)
    }

    /// Whether the rows are whole: some programs tag each line of a cell as a row.
    fn has_whole_rows(&self) -> bool {
        let columns = self.boxes.columns();
        let is_line = |row: &usize| {
            let mut cells = (0..columns).filter(|column| self.lines.contains_key(&(row * columns + column)));
            cells.next().is_some_and(|first| first > 0) && cells.next().is_none()
        };
        (0..self.boxes.rows()).filter(is_line).count() * MAX_LINES <= self.boxes.rows()
    }

    fn has_short_cells(&self) -> bool {
        let letters = |rows: &Vec<Row>| rows.iter().map(|row| row.text().chars().count()).sum::<usize>();
        let counts: Vec<usize> = self.lines.values().map(letters).collect();
        let long = counts.iter().filter(|count| **count > MAX_USUAL_CELL_LETTERS).count();
        counts.iter().all(|count| *count <= MAX_CELL_LETTERS) && long * 2 <= counts.len()
    }

    /// The text of each box.
    fn texts(&self) -> Vec<String> {
        let mut texts = vec![String::new(); self.boxes.len()];
        for (cell, lines) in &self.lines {
            lines.iter().for_each(|line| join(&mut texts[*cell], &line.text()));
        }
        texts
    }

    /// Each row as a line, with one piece a cell.
    fn as_lines(&self, texts: &[String]) -> Vec<Row> {
        let piece = |cell: usize| {
            let whole = self.pieces(cell).cloned().reduce(|whole, piece| Piece {
                x: whole.x.min(piece.x),
                end: whole.end.max(piece.end),
                size: whole.size.max(piece.size),
                is_bold: whole.is_bold && piece.is_bold,
                ..whole
            });
            whole.map(|whole| Piece { text: texts[cell].clone(), gaps: Vec::new(), heading: None, ..whole })
        };
        let columns = self.boxes.columns();
        let row = |at: usize| (0..columns).filter_map(|column| piece(at * columns + column)).collect();
        (0..self.boxes.rows()).map(|at| Row { pieces: row(at), ..Row::default() }).collect()
    }

    /// The line that stands for the table.
    fn row(&self, table: u32, tagged_table: &TaggedTable) -> Option<Row> {
        let texts = self.texts();
        let lines = self.as_lines(&texts);
        let mut cells = self.boxes.table(&texts, 0);
        let (first, last) = (*self.numbers.first()?, *self.numbers.last()?);
        // On other pages, other columns may be empty.
        let columns = if first == 0 && last + 1 == tagged_table.boxes.rows() {
            cells.drop_empty()
        } else {
            (0..self.boxes.columns()).collect()
        };
        let pieces = || lines.iter().flat_map(|line| &line.pieces);
        let column = |column: &usize| {
            let cells = (0..self.boxes.rows()).map(|row| row * self.boxes.columns() + column);
            self.extent(cells).unwrap_or((f32::MAX, f32::MIN))
        };
        if columns.len() < 2 || cells.rows.is_empty() {
            return None;
        }
        let has_header = first == 0
            && (tagged_table.has_header
                || cells.has_groups
                || has_header(&cells.rows, &lines[0], lines.get(1..)?, &[]));
        let grid = Grid {
            has_header,
            columns: columns.iter().map(column).collect(),
            part: Some(Part { table, first, last }),
            rows: cells.rows,
        };
        let whole = Piece {
            text: lines.iter().map(Row::text).collect::<Vec<_>>().join(" "),
            x: pieces().map(|piece| piece.x).fold(f32::MAX, f32::min),
            end: pieces().map(|piece| piece.end).fold(f32::MIN, f32::max),
            y: pieces().map(|piece| piece.y).fold(f32::MAX, f32::min),
            ..pieces().next()?.clone()
        };
        Some(Row { pieces: vec![whole], is_framed: false, grid: Some(Box::new(grid)) })
    }
}
