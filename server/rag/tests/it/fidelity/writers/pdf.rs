//! PDF, drawn with the standard fonts as office programs draw it.

use std::fmt::Write as _;

use crate::fidelity::model::{CellPlace, Lines, Part, Sample, Table};

const LEFT: f32 = 60.0;
const RIGHT: f32 = 540.0;
const TOP: f32 = 780.0;
const BOTTOM: f32 = 60.0;
const SIZE: f32 = 10.0;
/// The distance of lines in a cell.
const LINE: f32 = 12.0;

/// Letters of Helvetica's bold face are wider by this factor.
const BOLD: f32 = 1.06;

/// The width of a text in Helvetica, near enough to align it.
fn width(text: &str) -> f32 {
    let letter_width = |letter: char| match letter {
        'i' | 'j' | 'l' => 0.222,
        ' ' | '.' | ',' | 'f' | 't' | 'I' | '/' => 0.278,
        'r' | '(' | ')' | '-' => 0.333,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' => 0.5,
        'm' | 'M' => 0.833,
        'w' | 'C' | 'D' | 'H' | 'N' | 'R' | 'U' => 0.722,
        letter if letter.is_ascii_uppercase() => 0.667,
        '*' => 0.389,
        _ => 0.556,
    };
    text.chars().map(letter_width).sum::<f32>() * SIZE
}

#[derive(Default)]
struct Pages {
    pages: Vec<String>,
    page: String,
    y: f32,
}

impl Pages {
    fn text(&mut self, font: &str, size: f32, x: f32, y: f32, text: &str) {
        let code = |letter: char| match letter {
            '€' => "\\200".to_owned(),
            '–' => "\\226".to_owned(),
            '(' | ')' => format!("\\{letter}"),
            letter if u32::from(letter) > 126 => format!("\\{:03o}", u32::from(letter)),
            letter => letter.to_string(),
        };
        let codes: String = text.chars().map(code).collect();
        writeln!(self.page, "BT /{font} {size} Tf 1 0 0 1 {x:.2} {y:.2} Tm ({codes}) Tj ET").unwrap();
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32)) {
        writeln!(self.page, "0.5 w {:.2} {:.2} m {:.2} {:.2} l S", from.0, from.1, to.0, to.1).unwrap();
    }

    /// Begins a new page.
    fn end(&mut self) {
        self.pages.push(std::mem::take(&mut self.page));
        self.y = TOP;
    }

    fn need(&mut self, height: f32) {
        if self.y - height < BOTTOM {
            self.end();
        }
    }

    fn paragraph(&mut self, text: &str) {
        let mut line = String::new();
        for word in text.split(' ') {
            if !line.is_empty() && LEFT + width(&line) + width(word) + 3.0 > RIGHT {
                self.need(13.0);
                self.text("F1", SIZE, LEFT, self.y, &std::mem::take(&mut line));
                self.y -= 13.0;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.need(13.0);
        self.text("F1", SIZE, LEFT, self.y, &line);
        self.y -= 26.0;
    }

    /// Draws the rows of a table from `left` on, over pages where it does not fit.
    fn table(&mut self, table: &Table, left: f32) {
        let (cells, count) = table.cell_places();
        let mut widths = vec![30.0_f32; count];
        for at in cells.iter().filter(|at| at.cell.columns == 1) {
            let widest = at.cell.text.lines().map(|line| weight(table, at) * width(line)).fold(0.0, f32::max);
            widths[at.column] = widths[at.column].max(widest + 2.0 * table.padding);
        }
        let edges: Vec<f32> = (0..=count).map(|column| left + widths[..column].iter().sum::<f32>()).collect();
        let height = |row: usize| {
            let own = cells.iter().filter(|at| at.row == row && at.cell.rows == 1);
            #[allow(clippy::cast_precision_loss, reason = "few lines")]
            let lines = own.map(|at| at.cell.text.lines().count()).max().unwrap_or(1).max(1) as f32;
            LINE * lines + table.padding
        };
        let heights: Vec<f32> = (0..table.rows.len()).map(height).collect();
        let (mut top, mut rows_of_page) = (self.y, Vec::new());
        for row in 0..table.rows.len() {
            if self.y - heights[row] < BOTTOM {
                self.rows(table, &cells, &std::mem::take(&mut rows_of_page), (&edges, &heights), top);
                self.end();
                top = self.y;
                if table.repeats_header {
                    rows_of_page.extend(0..table.header);
                    self.y -= heights[..table.header].iter().sum::<f32>();
                }
            }
            rows_of_page.push(row);
            self.y -= heights[row];
        }
        self.rows(table, &cells, &rows_of_page, (&edges, &heights), top);
        if table.is_nested {
            self.frame((edges[0] - 8.0, RIGHT), (top + 8.0, self.y - 8.0));
        }
    }

    fn frame(&mut self, (left, right): (f32, f32), (top, bottom): (f32, f32)) {
        self.line((left, top), (right, top));
        self.line((left, bottom), (right, bottom));
        self.line((left, top), (left, bottom));
        self.line((right, top), (right, bottom));
    }

    fn rows(
        &mut self,
        table: &Table,
        cells: &[CellPlace<'_>],
        numbers: &[usize],
        (edges, heights): (&[f32], &[f32]),
        top: f32,
    ) {
        let mut y = top;
        for row in numbers {
            for at in cells.iter().filter(|at| at.row == *row) {
                let sides = (edges[at.column], edges[at.column + at.cell.columns]);
                let bottom = y - heights[at.row..at.row + at.cell.rows].iter().sum::<f32>();
                self.cell(table, at, sides, (y, bottom));
                if table.lines == Lines::All {
                    self.frame(sides, (y, bottom));
                }
            }
            y -= heights[*row];
            if table.lines == Lines::BelowHeader && row + 1 == table.header {
                self.line((edges[0], y), (edges[edges.len() - 1], y));
            }
        }
    }

    /// Draws the text of a cell: at the top, or in the middle of a cell with lines around it.
    fn cell(&mut self, table: &Table, at: &CellPlace<'_>, (from, to): (f32, f32), (top, bottom): (f32, f32)) {
        let lines: Vec<&str> = at.cell.text.lines().collect();
        let is_header = at.row < table.header;
        #[allow(clippy::cast_precision_loss, reason = "few lines")]
        let room = top - bottom - LINE * lines.len() as f32;
        let mut y = top - 10.0 - if table.lines == Lines::All { room / 2.0 } else { table.padding / 2.0 };
        let has_number = at.cell.text.contains(|letter: char| letter.is_ascii_digit());
        for line in lines {
            let space = to - from - weight(table, at) * width(line);
            let x = if at.cell.columns > 1 && at.column > 0 {
                from + space / 2.0
            } else if table.is_right && at.column >= table.labels && (has_number || is_header) {
                from + space - table.padding
            } else {
                from + table.padding
            };
            self.text(if is_header { "F2" } else { "F1" }, SIZE, x, y, line);
            y -= LINE;
        }
    }
}

/// How much wider the letters of a cell are than usual ones.
fn weight(table: &Table, at: &CellPlace<'_>) -> f32 {
    if at.row < table.header { BOLD } else { 1.0 }
}

/// Struck and hidden text and notes have no form of their own in a PDF.
pub(crate) fn write(sample: &Sample) -> Option<Vec<u8>> {
    let mut pages = Pages { y: TOP, ..Pages::default() };
    for part in &sample.parts {
        match part {
            Part::Heading(heading) => {
                pages.text("F2", 16.0, LEFT, pages.y, heading);
                pages.y -= 30.0;
            }
            Part::Text(text) if text.contains(['~', '#', '^', '[']) => return None,
            Part::Text(text) => pages.paragraph(text),
            Part::Items(items) => {
                for item in items {
                    pages.text("F1", SIZE, LEFT + 10.0, pages.y, &format!("- {item}"));
                    pages.y -= 14.0;
                }
                pages.y -= 12.0;
            }
            Part::Table(table) => {
                pages.table(table, LEFT);
                pages.y -= 24.0;
            }
            Part::Beside(one, other) => {
                let top = pages.y;
                pages.table(one, LEFT);
                pages.y = top;
                pages.table(other, 320.0);
                pages.y -= 24.0;
            }
        }
    }
    pages.end();
    Some(file(&pages.pages))
}

fn file(pages: &[String]) -> Vec<u8> {
    let font = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>");
    let kids: String = (0..pages.len()).map(|page| format!("{} 0 R ", 5 + 2 * page)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()),
        font("Helvetica"),
        font("Helvetica-Bold"),
    ];
    for page in pages {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>",
            objects.len() + 2
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{page}\nendstream", page.len()));
    }
    let (mut file, mut table) = ("%PDF-1.4\n".to_owned(), String::new());
    for (number, object) in (1..).zip(&objects) {
        writeln!(table, "{:010} 00000 n ", file.len()).unwrap();
        write!(file, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let (start, size) = (file.len(), objects.len() + 1);
    write!(file, "xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").unwrap();
    file.into_bytes()
}
