//! The supported kinds of documents: their extensions, and the bytes that their files may begin with.

use std::path::Path;

/// A kind of document. Pictures need text recognition, which is done elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Markdown,
    Html,
    Plain,
    Pdf,
    Docx,
    Xlsx,
    Pptx,
    Odt,
    Epub,
    Csv,
    Jsonl,
    Picture,
}

impl Kind {
    /// The kind of the file with this name.
    pub(super) fn of_path(path: &Path) -> Option<Self> {
        Self::of_extension(path.extension()?.to_str()?)
    }

    pub(super) fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "txt" | "text" => Some(Self::Plain),
            "pdf" => Some(Self::Pdf),
            "docx" => Some(Self::Docx),
            "xlsx" => Some(Self::Xlsx),
            "pptx" => Some(Self::Pptx),
            "odt" => Some(Self::Odt),
            "epub" => Some(Self::Epub),
            "csv" | "tsv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "png" | "jpg" | "jpeg" | "tif" | "tiff" => Some(Self::Picture),
            _ => None,
        }
    }

    /// Its name for messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
            Self::Plain => "plain text",
            Self::Pdf => "PDF",
            Self::Docx => "DOCX",
            Self::Xlsx => "XLSX",
            Self::Pptx => "PPTX",
            Self::Odt => "ODT",
            Self::Epub => "EPUB",
            Self::Csv => "CSV table",
            Self::Jsonl => "JSONL",
            Self::Picture => "picture",
        }
    }

    /// Whether these bytes are an Office file with a password: an OLE file, like old Office files, with a stream for
    /// the encrypted package.
    pub(super) fn is_protected(self, bytes: &[u8]) -> bool {
        const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
        // The stream's name in UTF-16LE.
        const ENCRYPTED_PACKAGE: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";
        matches!(self, Self::Docx | Self::Xlsx | Self::Pptx)
            && bytes.starts_with(OLE)
            && bytes.windows(ENCRYPTED_PACKAGE.len()).any(|window| window == ENCRYPTED_PACKAGE)
    }

    /// Whether a file of this kind can begin with these bytes. Text never begins like a PDF, an archive or a picture.
    pub(super) fn may_begin_with(self, bytes: &[u8]) -> bool {
        const BINARY: [&[u8]; 8] = [
            b"%PDF-",
            b"PK\x03\x04",
            b"\x1f\x8b",
            b"\x89PNG",
            b"\xff\xd8\xff",
            b"GIF8",
            b"\xd0\xcf\x11\xe0",
            b"\x7fELF",
        ];
        const PICTURES: [&[u8]; 4] = [b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*"];
        let start = &bytes[..bytes.len().min(1024)];
        match self {
            // PDF readers accept bytes before the header.
            Self::Pdf => start.windows(5).any(|window| window == b"%PDF-"),
            Self::Docx | Self::Xlsx | Self::Pptx => start.starts_with(b"PK") || self.is_protected(bytes),
            Self::Odt | Self::Epub => start.starts_with(b"PK"),
            Self::Picture => PICTURES.iter().any(|magic| start.starts_with(magic)),
            Self::Markdown | Self::Html | Self::Plain | Self::Csv | Self::Jsonl => {
                !BINARY.iter().any(|magic| start.starts_with(magic))
            }
        }
    }
}

/// Whether files with this extension are read as documents.
pub fn is_document_type(extension: &str) -> bool {
    Kind::of_extension(extension).is_some()
}

/// Whether files with this extension are pictures, whose text must be recognised.
pub fn is_picture_type(extension: &str) -> bool {
    Kind::of_extension(extension) == Some(Kind::Picture)
}
