//! A file becomes a document: a title and sections of text in one small Markdown (see [`crate::block`]).

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use sha2::{Digest, Sha256};

mod builder;
mod charset;
mod html;
mod markdown;
mod plain;

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
    /// SHA-256 of the file's bytes, in lower-case hex.
    pub content_hash: String,
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
    #[error("this kind of file is not read (Markdown, HTML and plain text are)")]
    UnsupportedType,
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
}

/// The kinds of document that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Markdown,
    Html,
    Plain,
}

/// Reads the file at `path`; the document is named by its path below `root`. At most [`MAX_BYTES`] are read.
pub fn read_document(path: &Path, root: &Path) -> Result<Document, Unreadable> {
    let kind = kind_of(path).ok_or(Unreadable::UnsupportedType)?;
    let bytes = read_bounded(path)?;
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let text = match kind {
        Kind::Html => charset::decode_html(&bytes)?,
        Kind::Markdown | Kind::Plain => charset::decode_utf8(&bytes)?,
    };
    let (title, sections) = match kind {
        Kind::Markdown => markdown::read(&text),
        Kind::Html => html::read(&text),
        Kind::Plain => plain::read(&text),
    };
    if sections.is_empty() {
        return Err(Unreadable::Empty);
    }
    Ok(Document { path: relative(path, root), title: title.unwrap_or(name), sections, content_hash: hash(&bytes) })
}

fn kind_of(path: &Path) -> Option<Kind> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "md" | "markdown" => Some(Kind::Markdown),
        "html" | "htm" | "xhtml" => Some(Kind::Html),
        "txt" | "text" => Some(Kind::Plain),
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
