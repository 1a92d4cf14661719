//! Why a file could not be read as a document.

/// Why a file could not be read as a document. Its message is a sentence for the ingestion report.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// Files with this extension are not supported.
    #[error(
        "this kind of file is not read (Markdown, HTML, plain text, PDF, DOCX, XLSX, PPTX, ODT, EPUB, CSV, JSONL, pictures, zip and tar are)"
    )]
    UnsupportedType,
    /// The first bytes are those of another kind of file.
    #[error("the file is named like {0}, but its content is of another kind")]
    OtherType(&'static str),
    /// The container or its contents break the rules of their format.
    #[error("the file is not valid {0}: {1}")]
    Malformed(&'static str, String),
    /// The file is protected by a password.
    #[error("the file is encrypted")]
    Encrypted,
    /// A picture, or a PDF of so many pages that has pictures of text.
    #[error("the file shows pictures of text, which need text recognition first")]
    Scanned(u32),
    /// The fonts of a PDF do not say what most of its codes mean.
    #[error("the text of this PDF cannot be decoded: its fonts do not say which characters they show")]
    Undecodable,
    /// A table of questions lacks a column or a row lacks a value.
    #[error("{0}")]
    Entry(String),
    /// The file has more bytes than the limit.
    #[error("the file has more than the {0} bytes that are read")]
    TooLarge(u64),
    /// The bytes are not text in the encoding that was declared or assumed.
    #[error("the file is not text in the encoding {0}")]
    NotText(&'static str),
    /// No text remains after markup and navigation are removed.
    #[error("the document has no text")]
    Empty,
    /// The file could not be read.
    #[error("the file could not be read: {0}")]
    Io(#[from] std::io::Error),
    /// The folder could not be listed.
    #[error("the folder could not be listed: {0}")]
    Folder(String),
}

impl Unreadable {
    /// The reason as a short code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnsupportedType => "unsupported_type",
            Self::OtherType(_) => "other_type",
            Self::Malformed(..) => "malformed",
            Self::Encrypted => "encrypted",
            Self::Scanned(_) => "scanned",
            Self::Undecodable => "undecodable_text",
            Self::Entry(_) => "bad_entry",
            Self::TooLarge(_) => "too_large",
            Self::NotText(_) => "bad_encoding",
            Self::Empty => "no_text",
            Self::Io(_) | Self::Folder(_) => "read_error",
        }
    }
}
