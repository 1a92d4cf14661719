//! The media types of readable files: how to read a file whose name has no known extension, and how to serve one.

/// Media types, each with the extensions of its files; the first one says how such a file is read.
pub const MEDIA_TYPES: &[(&str, &[&str])] = &[
    ("text/markdown", &["md", "markdown"]),
    ("text/html", &["html", "htm", "xhtml"]),
    ("application/xhtml+xml", &["html"]),
    ("text/plain", &["txt", "text"]),
    ("application/pdf", &["pdf"]),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", &["docx"]),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", &["xlsx"]),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", &["pptx"]),
    ("application/vnd.oasis.opendocument.text", &["odt"]),
    ("application/epub+zip", &["epub"]),
    ("text/csv", &["csv"]),
    ("text/tab-separated-values", &["tsv"]),
    ("application/jsonl", &["jsonl", "ndjson"]),
    ("application/x-ndjson", &["jsonl"]),
    ("application/zip", &["zip"]),
    ("application/x-tar", &["tar"]),
    ("application/gzip", &["tar.gz"]),
    ("image/png", &["png"]),
    ("image/jpeg", &["jpg", "jpeg"]),
    ("image/tiff", &["tif", "tiff"]),
];

/// The extension that says how a file of a media type is read; the type is in lower case and has no parameters.
pub fn extension(media_type: &str) -> Option<&'static str> {
    MEDIA_TYPES
        .iter()
        .find(|(known_type, _)| *known_type == media_type)
        .and_then(|(_, extensions)| extensions.first().copied())
}

/// The media type of files with an extension in lower case.
pub fn of_extension(extension: &str) -> Option<&'static str> {
    MEDIA_TYPES.iter().find(|(_, extensions)| extensions.contains(&extension)).map(|(media_type, _)| *media_type)
}
