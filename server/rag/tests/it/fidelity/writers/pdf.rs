//! PDF, drawn with the standard fonts as office programs draw it.

use std::fmt::Write as _;

use crate::fidelity::model::{Lines, Part, Placed, Sample, Table};

const LEFT: f32 = 60.0;
const RIGHT: f32 = 540.0;
const TOP: f32 = 780.0;
const BOTTOM: f32 = 60.0;
const SIZE: f32 = 10.0;
const ROW: f32 = 18.0;
/// Space at each side of a cell's text.
const PADDING: f32 = 6.0;

/// Letters of Helvetica's bold face are wider by this factor.
const BOLD: f32 = 1.06;

/// The width of a text in Helvetica, near enough to align it.
fn width(text: &str) -> f32 {
    let of = |letter: char| match letter {
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
    text.chars().map(of).sum::<f32>() * SIZE
}

#[derive(Default)]
struct Pages {
    done: Vec<String>,
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
        self.done.push(std::mem::take(&mut self.page));
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
        let (placed, count) = table.placed();
        let weight = |row: usize| if row < table.header { BOLD } else { 1.0 };
        let mut widths = vec![30.0_f32; count];
        for at in placed.iter().filter(|at| at.cell.columns == 1) {
            widths[at.column] = widths[at.column].max(weight(at.row) * width(&at.cell.text) + 2.0 * PADDING);
        }
        let edges: Vec<f32> = (0..=count).map(|column| left + widths[..column].iter().sum::<f32>()).collect();
        let mut first = 0;
        while first < table.rows.len() {
            let header = if table.repeats_header && first > 0 { table.header } else { 0 };
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rows of a page")]
            let fits = ((self.y - BOTTOM) / ROW) as usize;
            let end = (first + fits.saturating_sub(header)).min(table.rows.len());
            let shown: Vec<usize> = (0..header).chain(first..end).collect();
            self.rows(table, &placed, &shown, &edges);
            first = end;
            if first < table.rows.len() {
                self.end();
            }
        }
    }

    fn rows(&mut self, table: &Table, placed: &[Placed<'_>], shown: &[usize], edges: &[f32]) {
        let top = self.y;
        for row in shown {
            for at in placed.iter().filter(|at| at.row == *row) {
                let (from, to) = (edges[at.column], edges[at.column + at.cell.columns]);
                #[allow(clippy::cast_precision_loss, reason = "few rows")]
                let height = ROW * at.cell.rows as f32;
                let weight = if at.row < table.header { BOLD } else { 1.0 };
                let (space, is_number) = (
                    to - from - weight * width(&at.cell.text),
                    at.cell.text.contains(|letter: char| letter.is_ascii_digit()),
                );
                let x = match (
                    at.cell.columns > 1 && at.column > 0,
                    table.is_right && at.column >= table.labels && (is_number || at.row < table.header),
                ) {
                    (true, _) => from + space / 2.0,
                    (_, true) => from + space - PADDING,
                    _ => from + PADDING,
                };
                let y = if table.lines == Lines::All { self.y - height / 2.0 - 3.5 } else { self.y - 12.5 };
                let font = if at.row < table.header { "F2" } else { "F1" };
                self.text(font, SIZE, x, y, &at.cell.text);
                if table.lines == Lines::All {
                    let (top, bottom) = (self.y, self.y - height);
                    for (one, other) in [
                        ((from, top), (to, top)),
                        ((from, bottom), (to, bottom)),
                        ((from, top), (from, bottom)),
                        ((to, top), (to, bottom)),
                    ] {
                        self.line(one, other);
                    }
                }
            }
            self.y -= ROW;
            if table.lines == Lines::BelowHeader && row + 1 == table.header {
                self.line((edges[0], self.y), (edges[edges.len() - 1], self.y));
            }
        }
        if table.is_nested {
            let (left, right, top, bottom) = (edges[0] - 8.0, RIGHT, top + 8.0, self.y - 8.0);
            for (one, other) in [
                ((left, top), (right, top)),
                ((left, bottom), (right, bottom)),
                ((left, top), (left, bottom)),
                ((right, top), (right, bottom)),
            ] {
                self.line(one, other);
            }
        }
    }
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
    Some(file(&pages.done))
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
