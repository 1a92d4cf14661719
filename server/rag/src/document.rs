//! Reads a file as a document: a title and sections of text in one small Markdown (see [`crate::block`]). An archive
//! contains several documents (see [`archive`]).

use std::{
    fs::{self, File},
    io::Read,
    panic::{UnwindSafe, catch_unwind},
    path::Path,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use unicode_normalization::{UnicodeNormalization, is_nfc};

pub mod archive;
mod builder;
mod charset;
mod docx;
mod drawing;
mod epub;
mod formula;
mod html;
mod kind;
mod label;
mod markdown;
mod notes;
mod number_format;
mod numerals;
mod odt;
mod omission;
mod ooxml;
mod pdf;
mod plain;
mod pptx;
pub mod questions;
mod raised;
pub mod recognised;
mod symbols;
mod tabs;
mod titles;
mod unreadable;
pub mod web_page;
mod xlsx;
mod xml;
mod zip;

pub(crate) use self::html::has_contact;
use self::kind::Kind;
pub use self::kind::{is_document_type, is_picture_type};
pub use self::omission::{Omission, Omissions};
pub use self::unreadable::Unreadable;
pub use self::zip::{composed_name, name_forms};

/// Maximum bytes that [`read_document`] reads. The other functions take the limit as a parameter.
pub const MAX_BYTES: u64 = 10 * 1024 * 1024;

/// The words before the number of a page and of a slide in headings that a reader gives them.
const PAGE: &str = "Page ";
const SLIDE: &str = "Slide ";
/// The names that programs give to the sheets of a new XLSX, before their number.
const SHEETS: [&str; 9] = ["Sheet", "Tabelle", "Feuil", "Feuille", "Hoja", "Foglio", "Blad", "Planilha", "Folha"];

/// A document that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The path relative to the ingested folder, with forward slashes.
    pub path: String,
    /// The document's own title, or its file name.
    pub title: String,
    /// The text under each heading, in order; never empty.
    pub sections: Vec<Section>,
    /// How the sections relate to each other.
    pub layout: Layout,
    /// SHA-256 of the file's bytes, in lower-case hex.
    pub content_hash: String,
    /// Pages, from 1, without text: they may be scanned.
    #[serde(default)]
    pub blank_pages: Vec<u32>,
    /// Pages whose text comes from text recognition (OCR).
    #[serde(default)]
    pub ocr_pages: Vec<u32>,
    /// What of the file the document leaves out, and how often.
    #[serde(default)]
    pub omissions: Omissions,
}

impl Document {
    /// Removes what the database cannot store, such as NUL.
    ///
    /// # Errors
    /// [`Unreadable::Empty`] when no text remains.
    pub fn storable(self) -> Result<Self, Unreadable> {
        let Self { path, title, sections, layout, content_hash, blank_pages, ocr_pages, omissions } = self;
        let content = Content { title: Some(title), sections, layout, blank_pages, omissions }.storable();
        if content.sections.is_empty() {
            return Err(Unreadable::Empty);
        }
        let title = content.title.unwrap_or_else(|| stem(&path));
        Ok(Self {
            path: without_nul(path),
            title,
            sections: content.sections,
            layout,
            content_hash: without_nul(content_hash),
            blank_pages: content.blank_pages,
            ocr_pages,
            omissions: content.omissions,
        })
    }

    /// Bytes of its text and headings.
    pub fn text_bytes(&self) -> usize {
        let bytes =
            |section: &Section| section.text.len() + section.heading_path.iter().map(String::len).sum::<usize>();
        self.sections.iter().map(bytes).sum()
    }
}

/// How the sections of a document relate to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Running text: small sections may be joined with their neighbours.
    Text,
    /// Like [`Layout::Text`], of an HTML page: blocks may repeat on other pages.
    WebPage,
    /// Questions and answers: sections are never joined.
    Entries,
}

/// The text under one heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The headings above the text, outermost first; empty for text before the first heading.
    pub heading_path: Vec<String>,
    /// The fragment that leads to the heading (without `#`), when the document has one.
    pub anchor: Option<String>,
    /// Blocks of Markdown; never empty.
    pub text: String,
}

/// The content that a reader extracts from a file.
struct Content {
    title: Option<String>,
    sections: Vec<Section>,
    layout: Layout,
    blank_pages: Vec<u32>,
    omissions: Omissions,
}

impl Content {
    /// Removes NUL, which the database cannot store, and composes letters and their accents.
    fn storable(self) -> Self {
        let sections = self.sections.into_iter().map(|section| Section {
            heading_path: section.heading_path.into_iter().map(without_nul).map(compose).collect(),
            anchor: section.anchor.map(without_nul),
            text: compose(without_nul(section.text)),
        });
        let sections = sections.filter(|section| !section.text.trim().is_empty()).collect();
        let title = self.title.map(without_nul).map(compose).filter(|title| !title.is_empty());
        Self { title, sections, ..self }
    }
}

fn without_nul(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "") } else { text }
}

/// The text with each letter and its accents as one character, as people type it in their questions.
fn compose(text: String) -> String {
    if text.is_ascii() || is_nfc(&text) { text } else { text.nfc().collect() }
}

/// The name of a file without its extension: the title of a document that has none.
fn stem(path: &str) -> String {
    Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

impl From<(Option<String>, Vec<Section>)> for Content {
    fn from((title, sections): (Option<String>, Vec<Section>)) -> Self {
        Self { title, sections, layout: Layout::Text, blank_pages: Vec::new(), omissions: Omissions::new() }
    }
}

/// Reads the file at `path`, at most [`MAX_BYTES`]. The document's path is relative to `root`.
pub fn read_document(path: &Path, root: &Path) -> Result<Document, Unreadable> {
    Kind::of_path(path).ok_or(Unreadable::UnsupportedType)?;
    if fs::metadata(path)?.len() > MAX_BYTES {
        return Err(Unreadable::TooLarge(MAX_BYTES));
    }
    parse(&relative(path, root), &read_bounded(File::open(path)?, MAX_BYTES)?)
}

/// Reads at most `limit` bytes as the document `path`. `file_type` is the extension that decides the format; the file's
/// own name is ignored. Refuses a file that begins like another format.
pub fn read_as(content: impl Read, path: &str, file_type: &str, limit: u64) -> Result<Document, Unreadable> {
    let kind = Kind::of_extension(file_type).ok_or(Unreadable::UnsupportedType)?;
    let bytes = read_bounded(content, limit)?;
    if !kind.may_begin_with(&bytes) {
        return Err(Unreadable::OtherType(kind.name()));
    }
    parse_as(kind, path, &bytes)
}

/// Reads a document from its bytes; the extension of `path` decides the format.
fn parse(path: &str, bytes: &[u8]) -> Result<Document, Unreadable> {
    parse_as(Kind::of_path(Path::new(path)).ok_or(Unreadable::UnsupportedType)?, path, bytes)
}

fn parse_as(kind: Kind, path: &str, bytes: &[u8]) -> Result<Document, Unreadable> {
    if kind.is_protected(bytes) {
        return Err(Unreadable::Encrypted);
    }
    let content = catch_panics(kind, || content(kind, bytes))?.storable();
    if content.sections.is_empty() {
        return Err(Unreadable::Empty);
    }
    Ok(Document {
        path: path.to_owned(),
        title: title(&content).unwrap_or_else(|| stem(path)),
        sections: content.sections,
        layout: content.layout,
        content_hash: hash(bytes),
        blank_pages: content.blank_pages,
        ocr_pages: Vec::new(),
        omissions: content.omissions,
    })
}

/// The title that somebody wrote. If the file has another one, its first heading.
fn title(content: &Content) -> Option<String> {
    let own = content.title.clone().and_then(titles::meaningful);
    let heading = || content.sections.iter().find_map(|section| section.heading_path.first());
    let heading = || heading().filter(|heading| content.title.is_some() && !is_automatic(heading)).cloned();
    own.or_else(heading)
}

fn content(kind: Kind, bytes: &[u8]) -> Result<Content, Unreadable> {
    Ok(match kind {
        Kind::Markdown => markdown::read(&charset::decode_utf8(bytes)?),
        Kind::Html => html::content(&charset::decode_html(bytes)?),
        Kind::Plain => plain::read(&charset::decode_utf8(bytes)?).into(),
        Kind::Pdf => pdf::read(bytes)?,
        Kind::Docx => docx::read(bytes)?,
        Kind::Xlsx => xlsx::read(bytes)?,
        Kind::Pptx => pptx::read(bytes)?,
        Kind::Odt => odt::read(bytes)?,
        Kind::Epub => epub::read(bytes)?,
        Kind::Csv => questions::read_csv(&charset::decode_table(bytes)?)?,
        Kind::Jsonl => questions::read_jsonl(&charset::decode_utf8(bytes)?)?,
        Kind::Picture => return Err(Unreadable::Scanned(1)),
    })
}

/// The heading of a page of a PDF or a scan.
fn page_heading(number: u32) -> String {
    format!("{PAGE}{number}")
}

/// The number of a page, if its heading is no other.
pub(crate) fn page_number(heading: &str) -> Option<&str> {
    number_after(PAGE, heading)
}

/// The number of a slide, if its heading is no other.
pub(crate) fn slide_number(heading: &str) -> Option<&str> {
    number_after(SLIDE, heading)
}

/// Whether nobody wrote a heading: the number of a page or a slide, the name of a new sheet.
pub(crate) fn is_automatic(heading: &str) -> bool {
    [PAGE, SLIDE].iter().chain(&SHEETS).any(|word| number_after(word, heading).is_some())
}

/// The number that is the rest of a heading with this beginning.
fn number_after<'a>(beginning: &str, heading: &'a str) -> Option<&'a str> {
    let number = heading.strip_prefix(beginning)?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// Isolates a parser that panics on a broken file: only this file fails.
fn catch_panics(
    kind: Kind,
    read: impl FnOnce() -> Result<Content, Unreadable> + UnwindSafe,
) -> Result<Content, Unreadable> {
    let broken = |_| Err(Unreadable::Malformed(kind.name(), "its structure is broken".to_owned()));
    catch_unwind(read).unwrap_or_else(broken)
}

fn read_bounded(content: impl Read, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    content.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        size if size > limit => Err(Unreadable::TooLarge(limit)),
        _ => Ok(bytes),
    }
}

fn relative(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
    let below = below.or(path.file_name().map(Path::new)).unwrap_or(path);
    composed_name(&below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"))
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_begins_like_another_kind_is_refused() {
        let read = |file_type: &str, bytes: &[u8]| {
            read_as(bytes, "guide/setup", file_type, 100).map_err(|reason| reason.code())
        };
        let read_document = read("md", b"# Setup\n\nTurn it on.\n").unwrap();
        assert_eq!((read_document.path.as_str(), read_document.title.as_str()), ("guide/setup", "Setup"));
        for (file_type, bytes, code) in [
            ("pdf", b"<html>".as_slice(), "other_type"),
            ("docx", b"plain words", "other_type"),
            ("txt", b"%PDF-1.7 ...", "other_type"),
            ("html", b"PK\x03\x04....", "other_type"),
            ("png", b"\x89PNG", "scanned"),
            ("png", b"GIF8", "other_type"),
            ("gif", b"GIF8", "unsupported_type"),
            ("txt", &[b'a'; 101], "too_large"),
            ("txt", b"", "no_text"),
            ("txt", b"a\xff\xfe", "bad_encoding"),
            ("pdf", b"%PDF-1.4 and nothing else", "malformed"),
        ] {
            assert_eq!(read(file_type, bytes), Err(code), "{file_type}");
        }
    }

    #[test]
    fn office_files_with_a_password_are_encrypted() {
        let read = |file_type: &str, bytes: &[u8]| {
            read_as(bytes, "plan", file_type, 4096).map_err(|reason| reason.code()).unwrap_err()
        };
        let ole = |stream: &str| {
            let name = stream.encode_utf16().flat_map(u16::to_le_bytes);
            let header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".iter().copied().chain([0; 1024]);
            header.chain(name).chain([0; 64]).collect::<Vec<u8>>()
        };
        for file_type in ["docx", "xlsx", "pptx"] {
            assert_eq!(read(file_type, &ole("EncryptedPackage")), "encrypted", "{file_type}");
            assert_eq!(read(file_type, &ole("WordDocument")), "other_type", "{file_type}");
        }
        assert_eq!(read("odt", &ole("EncryptedPackage")), "other_type");
        assert_eq!(parse("plan.docx", &ole("EncryptedPackage")).unwrap_err().code(), "encrypted");
    }

    #[test]
    fn a_parser_that_panics_makes_the_file_a_broken_one() {
        let refused = catch_panics(Kind::Html, || panic!("a test's own")).err().unwrap().to_string();
        assert_eq!(refused, "the file is not valid HTML: its structure is broken");
    }
}
