//! A file becomes a document: a title and sections of text in one small Markdown (see [`crate::block`]). An archive
//! becomes several (see [`archive`]).

use std::{
    fs::{self, File},
    io::Read,
    panic::{UnwindSafe, catch_unwind},
    path::Path,
};

use sha2::{Digest, Sha256};

pub mod archive;
mod builder;
mod charset;
mod docx;
mod html;
mod markdown;
mod pdf;
mod plain;
mod questions;
mod zip;

/// Bytes of a document at most.
pub const MAX_BYTES: u64 = 10 * 1024 * 1024;

/// A document that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The path relative to the ingested folder, with forward slashes.
    pub path: String,
    /// The document's own title, or its file name.
    pub title: String,
    /// The text under each heading, in order; never empty.
    pub sections: Vec<Section>,
    /// How the sections belong together.
    pub layout: Layout,
    /// SHA-256 of the file's bytes, in lower-case hex.
    pub content_hash: String,
}

/// How the sections of a document belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Running text: small sections may be joined with their neighbours.
    Text,
    /// Questions and answers: each section stands for itself.
    Entries,
}

/// The text under one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The headings above the text, outermost first; empty for text before any heading.
    pub heading_path: Vec<String>,
    /// The fragment that leads to the heading (without `#`), when the document has one.
    pub anchor: Option<String>,
    /// Blocks of Markdown; never empty.
    pub text: String,
}

/// Why a file gives no document. Each reason is a sentence for the report of an ingestion.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file's extension is none that is read.
    #[error("this kind of file is not read (Markdown, HTML, plain text, PDF, DOCX, CSV, JSONL, zip and tar are)")]
    UnsupportedType,
    /// The container or its contents break the rules of their format.
    #[error("the file is no valid {0}: {1}")]
    Malformed(&'static str, String),
    /// The file wants a password.
    #[error("the file is encrypted")]
    Encrypted,
    /// A PDF that shows pictures of text, or text in a form that says no letters.
    #[error("the PDF has no text that can be read; scanned pages need text recognition first")]
    Scanned,
    /// A table of questions lacks a column or a row lacks a value.
    #[error("{0}")]
    Entry(String),
    /// The file is larger than [`MAX_BYTES`].
    #[error("the file has {0} bytes, more than the {MAX_BYTES} allowed")]
    TooLarge(u64),
    /// The bytes are not text in the encoding that was declared or assumed.
    #[error("the file is not text in the encoding {0}")]
    NotText(&'static str),
    /// The document declares an encoding that nobody knows.
    #[error("the document declares the unknown encoding \"{0}\"")]
    UnknownEncoding(String),
    /// Nothing is left when markup and navigation are taken away.
    #[error("the document has no text")]
    Empty,
    /// The file could not be read.
    #[error("the file could not be read: {0}")]
    Io(#[from] std::io::Error),
    /// The folder could not be listed.
    #[error("the folder could not be listed: {0}")]
    Folder(String),
}

/// The kinds of document that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Markdown,
    Html,
    Plain,
    Pdf,
    Docx,
    Csv,
    Jsonl,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
            Self::Plain => "plain text",
            Self::Pdf => "PDF",
            Self::Docx => "DOCX",
            Self::Csv => "CSV table",
            Self::Jsonl => "JSONL",
        }
    }
}

/// What a reader finds in a file.
struct Content {
    title: Option<String>,
    sections: Vec<Section>,
    layout: Layout,
}

impl Content {
    /// The same without NUL, which the database cannot store.
    fn storable(self) -> Self {
        let clean = |text: String| if text.contains('\0') { text.replace('\0', "") } else { text };
        let sections = self.sections.into_iter().map(|section| Section {
            heading_path: section.heading_path.into_iter().map(clean).collect(),
            anchor: section.anchor.map(clean),
            text: clean(section.text),
        });
        let sections = sections.filter(|section| !section.text.trim().is_empty()).collect();
        Self { title: self.title.map(clean).filter(|title| !title.is_empty()), sections, ..self }
    }
}

impl From<(Option<String>, Vec<Section>)> for Content {
    fn from((title, sections): (Option<String>, Vec<Section>)) -> Self {
        Self { title, sections, layout: Layout::Text }
    }
}

/// Reads the file at `path`; the document is named by its path below `root`. At most [`MAX_BYTES`] are read.
pub fn read_document(path: &Path, root: &Path) -> Result<Document, Unreadable> {
    kind_of(path).ok_or(Unreadable::UnsupportedType)?;
    parse(&relative(path, root), &read_bounded(path)?)
}

/// Reads a document from its bytes; the extension of `path` says what it is.
fn parse(path: &str, bytes: &[u8]) -> Result<Document, Unreadable> {
    let kind = kind_of(Path::new(path)).ok_or(Unreadable::UnsupportedType)?;
    let content = caught(kind, || content(kind, bytes))?.storable();
    if content.sections.is_empty() {
        return Err(Unreadable::Empty);
    }
    let stem = || Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Document {
        path: path.to_owned(),
        title: content.title.unwrap_or_else(stem),
        sections: content.sections,
        layout: content.layout,
        content_hash: hash(bytes),
    })
}

fn content(kind: Kind, bytes: &[u8]) -> Result<Content, Unreadable> {
    Ok(match kind {
        Kind::Markdown => markdown::read(&charset::decode_utf8(bytes)?).into(),
        Kind::Html => html::read(&charset::decode_html(bytes)?).into(),
        Kind::Plain => plain::read(&charset::decode_utf8(bytes)?).into(),
        Kind::Pdf => pdf::read(bytes)?.into(),
        Kind::Docx => docx::read(bytes)?.into(),
        Kind::Csv => questions::read_csv(&charset::decode_utf8(bytes)?)?,
        Kind::Jsonl => questions::read_jsonl(&charset::decode_utf8(bytes)?)?,
    })
}

/// A parser that panics, as some do on broken files instead of giving an error, spoils its own file only.
fn caught(kind: Kind, read: impl FnOnce() -> Result<Content, Unreadable> + UnwindSafe) -> Result<Content, Unreadable> {
    let broken = |_| Err(Unreadable::Malformed(kind.name(), "its structure is broken".to_owned()));
    catch_unwind(read).unwrap_or_else(broken)
}

fn kind_of(path: &Path) -> Option<Kind> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "md" | "markdown" => Some(Kind::Markdown),
        "html" | "htm" | "xhtml" => Some(Kind::Html),
        "txt" | "text" => Some(Kind::Plain),
        "pdf" => Some(Kind::Pdf),
        "docx" => Some(Kind::Docx),
        "csv" | "tsv" => Some(Kind::Csv),
        "jsonl" | "ndjson" => Some(Kind::Jsonl),
        _ => None,
    }
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let size = fs::metadata(path)?.len();
    if size > MAX_BYTES {
        return Err(Unreadable::TooLarge(size));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        size if size > MAX_BYTES => Err(Unreadable::TooLarge(size)),
        _ => Ok(bytes),
    }
}

fn relative(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
    let below = below.or(path.file_name().map(Path::new)).unwrap_or(path);
    below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_that_panics_makes_the_file_a_broken_one() {
        let refused = caught(Kind::Html, || panic!("a test's own")).err().unwrap().to_string();
        assert_eq!(refused, "the file is no valid HTML: its structure is broken");
    }
}
