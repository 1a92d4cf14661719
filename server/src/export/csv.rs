//! The rules of a CSV cell (specification, CSV rules): every field quoted, quotes doubled, CRLF after each row, and a
//! single quote before a text that a spreadsheet would take for a formula.

mod cell;

use bytes::Bytes;
use store::export::BinaryRow;

/// Bytes of a chunk at least, except the last one. A chunk ends with a row.
pub const CHUNK_BYTES: usize = 64 * 1024;
/// The first cell of the row which marks that there are more rows than requested.
pub const TRUNCATED: &str = "#TRUNCATED";

/// The database type of a column's values, which decides their conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text, neutralised for every program that may open the file.
    Text,
    /// A text of the output-filter audit, neutralised exactly as specified: by its first character.
    SpecifiedText,
    /// A UUID: never changed.
    Id,
    /// A moment: ISO 8601 in UTC, never changed.
    Moment,
}

/// What separates the fields of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// As in RFC 4180.
    Comma,
    /// As spreadsheet programs expect where a comma begins the fraction of a number.
    Semicolon,
}

/// A column of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The name in the header row.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
}

/// Writes rows and hands them out in chunks.
#[derive(Debug)]
pub struct CsvWriter {
    columns: Vec<Column>,
    separator: u8,
    buffer: Vec<u8>,
    rows: u64,
    clock: cell::Clock,
}

/// Whole rows of CSV.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The text.
    pub bytes: Bytes,
    /// Data rows in it; header and marker do not count.
    pub rows: u64,
}

impl CsvWriter {
    /// Begins with a byte order mark, if it is for a spreadsheet program, and the header row.
    pub fn new(columns: Vec<Column>, spreadsheet: Option<Separator>) -> Self {
        let mut buffer = Vec::with_capacity(CHUNK_BYTES + CHUNK_BYTES / 8);
        if spreadsheet.is_some() {
            buffer.extend_from_slice("\u{feff}".as_bytes());
        }
        let separator = if spreadsheet == Some(Separator::Semicolon) { b';' } else { b',' };
        let mut writer = Self { columns, separator, buffer, rows: 0, clock: cell::Clock::default() };
        for index in 0..writer.columns.len() {
            writer.separate(index);
            cell::text(&mut writer.buffer, writer.columns[index].name.as_bytes());
        }
        writer.buffer.extend_from_slice(b"\r\n");
        writer
    }

    /// Appends a row with the fields of the columns.
    ///
    /// # Errors
    /// When the row does not have the columns' number and shapes.
    pub fn row(&mut self, row: &BinaryRow) -> store::Result<()> {
        let mut fields = row.fields();
        for index in 0..self.columns.len() {
            self.separate(index);
            let field = fields.next().ok_or_else(|| misshapen("has too few fields"))??;
            let Some(field) = field else {
                self.buffer.extend_from_slice(b"\"\"");
                continue;
            };
            match self.columns[index].kind {
                Kind::Text => cell::text(&mut self.buffer, field),
                Kind::SpecifiedText => cell::specified_text(&mut self.buffer, field),
                Kind::Id => cell::id(&mut self.buffer, field).ok_or_else(|| misshapen("has no UUID"))?,
                Kind::Moment => self.clock.moment(&mut self.buffer, field).ok_or_else(|| misshapen("has no moment"))?,
            }
        }
        self.buffer.extend_from_slice(b"\r\n");
        self.rows += 1;
        Ok(())
    }

    /// Appends the marker row, padded with empty fields to the number of columns.
    pub fn truncated(&mut self) {
        cell::text(&mut self.buffer, TRUNCATED.as_bytes());
        for _ in 1..self.columns.len() {
            self.buffer.extend_from_slice(&[self.separator, b'"', b'"']);
        }
        self.buffer.extend_from_slice(b"\r\n");
    }

    /// Whether a chunk is full.
    pub fn is_full(&self) -> bool {
        self.buffer.len() >= CHUNK_BYTES
    }

    /// Takes the text since the last chunk.
    pub fn take(&mut self) -> Chunk {
        let next = Vec::with_capacity(CHUNK_BYTES + CHUNK_BYTES / 8);
        let bytes = std::mem::replace(&mut self.buffer, next).into();
        Chunk { bytes, rows: std::mem::take(&mut self.rows) }
    }

    fn separate(&mut self, index: usize) {
        if index > 0 {
            self.buffer.push(self.separator);
        }
    }
}

fn misshapen(what: &str) -> store::Error {
    store::Error::Stored(format!("a row of an export {what}"))
}
