//! Writers of the corpus's formats.

use std::{fmt::Write as _, io::Write as _};

use super::model::{Sample, Table};

pub(crate) mod office;
pub(crate) mod pdf;
pub(crate) mod web;

/// A name of a format and its writer, which gives nothing if the format cannot show the sample.
pub(crate) type Writer = (&'static str, fn(&Sample) -> Option<Vec<u8>>);

pub(crate) const WRITERS: [Writer; 7] = [
    ("pdf", pdf::write),
    ("docx", office::docx),
    ("odt", office::odt),
    ("xlsx", office::xlsx),
    ("pptx", office::pptx),
    ("html", web::html),
    ("epub", web::epub),
];

pub(crate) fn zip(files: &[(String, String)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, content) in files {
        let file = archive.new_file(name).compression_method(rawzip::CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start().unwrap();
        let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast()));
        writer.write_all(content.as_bytes()).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

/// The rows of a table as markup: each cell by `cell`, with a flag for those of the header, and each row by `row`.
pub(crate) fn rows(table: &Table, cell: impl Fn(&super::model::Cell, bool) -> String, tag: &str) -> String {
    let mut text = String::new();
    for (number, row) in table.rows.iter().enumerate() {
        let cells: String = row.iter().map(|one| cell(one, number < table.header)).collect();
        write!(text, "<{tag}>{cells}</{tag}>").unwrap();
    }
    text
}
