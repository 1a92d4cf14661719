//! What a document of the corpus consists of, before it is written in a format.

/// A document, and what a person sees of it.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) parts: Vec<Part>,
}

pub(crate) enum Part {
    Heading(&'static str),
    /// Text in small markup: see [`runs`].
    Text(String),
    Items(Vec<&'static str>),
    Table(Table),
    /// Two tables beside each other.
    Beside(Table, Table),
}

/// How a piece of text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    Raised,
    Struck,
    Hidden,
    /// The text of a note, of which the place shows a mark only.
    Note,
}

/// The pieces of a text: `~struck~`, `#hidden#`, `^raised^`, `[note]`.
pub(crate) fn runs(text: &str) -> Vec<(Look, String)> {
    let look = |mark: char| match mark {
        '~' => Some(Look::Struck),
        '#' => Some(Look::Hidden),
        '^' => Some(Look::Raised),
        '[' | ']' => Some(Look::Note),
        _ => None,
    };
    let mut runs = vec![(Look::Plain, String::new())];
    let mut open = Look::Plain;
    for letter in text.chars() {
        match look(letter) {
            Some(next) => {
                open = if open == Look::Plain { next } else { Look::Plain };
                runs.push((open, String::new()));
            }
            None => runs.last_mut().unwrap().1.push(letter),
        }
    }
    runs.retain(|(_, text)| !text.is_empty());
    runs
}

/// Which lines are drawn in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    All,
    BelowHeader,
    None,
}

#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Rows that name the columns, and columns that name the rows.
    pub(crate) header: usize,
    pub(crate) labels: usize,
    pub(crate) lines: Lines,
    /// Whether numbers are aligned to the right, as far as the format has an alignment.
    pub(crate) is_right: bool,
    /// Whether the header is drawn again on each page, as far as the format has pages.
    pub(crate) repeats_header: bool,
    /// The space at each side of a cell's text, in points.
    pub(crate) padding: f32,
    /// Whether the table stands in a cell of another one.
    pub(crate) is_nested: bool,
}

/// A cell with its place.
pub(crate) struct CellPlace<'a> {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) cell: &'a Cell,
}

/// A cell that is asked for: its value and what names its row and its column.
pub(crate) struct ExpectedCell {
    pub(crate) value: String,
    pub(crate) row: Vec<String>,
    pub(crate) column: Vec<String>,
    /// The title of its group of rows.
    pub(crate) group: Option<String>,
}

impl Table {
    /// Rows of cells that are parted by ` | `; ` >2` covers two columns, ` ^2` two rows, ` / ` begins a line.
    pub(crate) fn new(header: usize, labels: usize, rows: &[&str]) -> Self {
        let cell = |text: &str| {
            let (mut text, mut columns, mut rows) = (text.trim(), 1, 1);
            while let Some((rest, span)) = text.rsplit_once([' ']).filter(|(_, span)| span.starts_with(['>', '^'])) {
                let count = span[1..].parse().unwrap();
                if span.starts_with('>') {
                    columns = count
                } else {
                    rows = count
                }
                text = rest.trim();
            }
            Cell { text: text.trim_matches('_').replace(" / ", "\n"), columns, rows }
        };
        let rows = rows.iter().map(|row| row.split(" | ").map(cell).collect()).collect();
        let (lines, is_right, repeats_header, is_nested) = (Lines::All, false, false, false);
        let padding = 6.0;
        Self { rows, header, labels, lines, is_right, repeats_header, padding, is_nested }
    }

    pub(crate) fn with(mut self, lines: Lines, is_right: bool) -> Self {
        (self.lines, self.is_right) = (lines, is_right);
        self
    }

    pub(crate) fn padded(mut self, padding: f32) -> Self {
        self.padding = padding;
        self
    }

    /// The cells with their places, row by row, and the number of columns.
    pub(crate) fn cell_places(&self) -> (Vec<CellPlace<'_>>, usize) {
        let mut free: Vec<usize> = Vec::new();
        let mut places = Vec::new();
        for (row, cells) in self.rows.iter().enumerate() {
            let mut column = 0;
            for cell in cells {
                while free.get(column).is_some_and(|until| *until > row) {
                    column += 1;
                }
                free.resize(free.len().max(column + cell.columns), 0);
                free[column..column + cell.columns].fill(row + cell.rows);
                places.push(CellPlace { row, column, cell });
                column += cell.columns;
            }
        }
        let width = free.len();
        (places, width)
    }

    /// Each value with the names of its row and its column.
    pub(crate) fn expected_cells(&self) -> Vec<ExpectedCell> {
        let (places, width) = self.cell_places();
        let is_group = |place: &&CellPlace<'_>| place.cell.columns == width && place.row >= self.header;
        let covers = |place: &CellPlace<'_>, row: usize, column: usize| {
            (place.row..place.row + place.cell.rows).contains(&row)
                && (place.column..place.column + place.cell.columns).contains(&column)
        };
        let text = |place: &CellPlace<'_>| place.cell.text.replace('\n', " ");
        let is_value = |at: &&CellPlace<'_>| {
            at.row >= self.header && at.column >= self.labels && !at.cell.text.is_empty() && at.cell.columns < width
        };
        let cells = places.iter().filter(is_value).map(|at| {
            let of_row = |other: &&CellPlace<'_>| {
                other.column < self.labels && (0..self.labels).any(|column| covers(other, at.row, column))
            };
            // A title above the header names no column.
            let of_column = |other: &&CellPlace<'_>| {
                other.row < self.header && other.cell.columns < width && covers(other, other.row, at.column)
            };
            let group = places.iter().filter(is_group).rfind(|group| group.row < at.row);
            ExpectedCell {
                value: text(at),
                row: places.iter().filter(of_row).map(text).collect(),
                column: places.iter().filter(of_column).map(text).filter(|text| !text.is_empty()).collect(),
                group: group.map(text),
            }
        });
        cells.collect()
    }
}

impl Sample {
    /// The text that a person sees, in reading order.
    pub(crate) fn visible_text(&self) -> String {
        let visible = |text: &str| -> String {
            let visible_part = |(look, text): (Look, String)| match look {
                Look::Plain => text,
                Look::Raised => format!(".{text}"),
                Look::Note => format!(" {text} "),
                Look::Struck | Look::Hidden => String::new(),
            };
            runs(text).into_iter().map(visible_part).collect()
        };
        let cells =
            |table: &Table| table.rows.iter().flatten().map(|cell| cell.text.clone()).collect::<Vec<_>>().join(" ");
        let part = |part: &Part| match part {
            Part::Heading(text) => (*text).to_owned(),
            Part::Text(text) => visible(text),
            Part::Items(items) => items.join("\n"),
            Part::Table(table) => cells(table),
            Part::Beside(one, other) => format!("{}\n{}", cells(one), cells(other)),
        };
        self.parts.iter().map(part).collect::<Vec<_>>().join("\n")
    }

    /// The pieces of all texts.
    fn runs(&self) -> impl Iterator<Item = (Look, String)> {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(runs(text)),
            _ => None,
        });
        texts.flatten()
    }

    /// How many pieces are shown so.
    pub(crate) fn count(&self, look: Look) -> u32 {
        u32::try_from(self.runs().filter(|(other, _)| *other == look).count()).unwrap()
    }

    /// The words that nobody sees.
    pub(crate) fn hidden_words(&self) -> Vec<String> {
        let runs = self.runs().filter(|(look, _)| [Look::Struck, Look::Hidden].contains(look));
        runs.flat_map(|(_, text)| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    pub(crate) fn expected_cells(&self) -> Vec<ExpectedCell> {
        let tables = self.parts.iter().flat_map(|part| match part {
            Part::Table(table) => vec![table],
            Part::Beside(one, other) => vec![one, other],
            _ => Vec::new(),
        });
        tables.flat_map(Table::expected_cells).collect()
    }
}
