//! The boxes of a table: rows and columns, with cells that reach over several of them.

/// Maximum rows of a header.
const MAX_HEADER_ROWS: usize = 3;

/// The boxes, row by row.
#[derive(Debug, Clone)]
pub(super) struct Boxes {
    columns: usize,
    /// For each box, the first box of its cell.
    cells: Vec<usize>,
}

/// The rows of a table.
pub(super) struct Cells {
    pub(super) rows: Vec<Vec<String>>,
    /// Whether the first row is joined from several.
    pub(super) has_groups: bool,
}

impl Cells {
    /// Drops the columns that are empty, and gives the others.
    pub(super) fn drop_empty(&mut self) -> Vec<usize> {
        let columns = self.rows.first().map_or(0, Vec::len);
        let is_filled = |column: &usize| self.rows.iter().any(|row| !row[*column].is_empty());
        let filled: Vec<usize> = (0..columns).filter(is_filled).collect();
        if filled.len() < columns {
            let filled_cells = |row: &Vec<String>| filled.iter().map(|column| row[*column].clone()).collect();
            self.rows = self.rows.iter().map(filled_cells).collect();
        }
        filled
    }
}

impl Boxes {
    pub(super) fn new(columns: usize, cells: Vec<usize>) -> Self {
        Self { columns, cells }
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// The first box of the cell to which a box belongs.
    pub(super) fn cell(&self, row: usize, column: usize) -> usize {
        self.cells[row * self.columns + column]
    }

    /// The first boxes of all cells.
    pub(super) fn firsts(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().enumerate().filter(|(at, cell)| at == *cell).map(|(at, _)| at)
    }

    /// The boxes of a cell.
    pub(super) fn boxes_of(&self, cell: usize) -> impl Iterator<Item = usize> {
        self.cells.iter().enumerate().filter(move |(_, other)| **other == cell).map(|(at, _)| at)
    }

    /// Makes each row of a cell a cell of its own.
    pub(super) fn part(&mut self, cell: usize) {
        let ((first, column), (height, width)) = self.extent(cell);
        for row in first..first + height {
            let at = row * self.columns + column;
            self.cells[at..][..width].fill(at);
        }
    }

    /// The boxes of some rows, which are in order. A cell that begins in another row begins with the next of them.
    pub(super) fn only(&self, rows: &[usize]) -> Self {
        let first = |cell: usize| {
            let row = rows.partition_point(|row| *row < cell / self.columns);
            row * self.columns + cell % self.columns
        };
        let cells = rows.iter().flat_map(|row| (0..self.columns).map(|column| first(self.cell(*row, column))));
        Self { columns: self.columns, cells: cells.collect() }
    }

    /// The first row and column of a cell, and how many it has.
    pub(super) fn extent(&self, cell: usize) -> ((usize, usize), (usize, usize)) {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let width = (column..self.columns).take_while(|column| self.cell(row, *column) == cell).count();
        let height = (row..self.rows()).take_while(|row| self.cell(*row, column) == cell).count();
        ((row, column), (height, width))
    }

    /// The rows from `top` on with the texts of their cells. The text of a cell over several rows or columns counts for each of
    /// them.
    pub(super) fn table(&self, texts: &[String], top: usize) -> Cells {
        let (header, has_groups) = self.header_rows(top);
        let mut rows = Vec::new();
        if header > 1 {
            rows.push(self.names(texts, top..top + header));
        }
        for row in if header > 1 { top + header } else { top }..self.rows() {
            let begins_cell = |column: usize| {
                let cell = self.cell(row, column);
                self.extent(cell).0.0 == row && !texts[cell].is_empty()
            };
            if (0..self.columns).any(begins_cell) {
                rows.push((0..self.columns).map(|column| self.text(texts, row, column)).collect::<Vec<_>>());
            }
        }
        Cells { rows, has_groups }
    }

    /// The number of rows of the header, more than one when its first row names groups of columns.
    fn header_rows(&self, top: usize) -> (usize, bool) {
        let extents = (0..self.columns).map(|column| self.extent(self.cell(top, column)));
        let (mut height, mut has_groups) = (1, false);
        for ((row, column), (rows, width)) in extents {
            height = height.max(row + rows - top);
            has_groups |= width > 1 && column > 0;
        }
        let height = if has_groups { height.max(2) } else { 1 };
        let is_possible = has_groups && height <= MAX_HEADER_ROWS && top + height < self.rows();
        if is_possible { (height, true) } else { (1, false) }
    }

    /// The names of the columns from several rows: those of groups before those in them.
    fn names(&self, texts: &[String], rows: std::ops::Range<usize>) -> Vec<String> {
        let name = |column: usize| {
            let mut cells: Vec<usize> = rows.clone().map(|row| self.cell(row, column)).collect();
            cells.dedup();
            let parts = cells.into_iter().map(|cell| texts[cell].as_str()).filter(|text| !text.is_empty());
            parts.collect::<Vec<_>>().join(" ")
        };
        (0..self.columns).map(name).collect()
    }

    /// What a row shows in a column. A label that reaches over several columns is shown once.
    fn text(&self, texts: &[String], row: usize, column: usize) -> String {
        let cell = self.cell(row, column);
        let ((_, first), _) = self.extent(cell);
        if first == 0 && column > 0 { String::new() } else { texts[cell].clone() }
    }
}
