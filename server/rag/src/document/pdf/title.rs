//! The title of a PDF.

use std::path::Path;

use lopdf::Document;

use crate::document::titles::is_new;

/// Programs that write their name before that of the file.
const PROGRAMS: [&str; 3] = ["microsoft word - ", "microsoft powerpoint - ", "microsoft excel - "];

/// The title in the document's metadata, if somebody gave it one.
pub(super) fn of(document: &Document) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let (_, info) = document.dereference(info).ok()?;
    let title = info.as_dict().ok()?.get_deref(b"Title", document).ok()?;
    let title = lopdf::decode_text_string(title).ok()?;
    let title = title.replace('\0', "").split_whitespace().collect::<Vec<_>>().join(" ");
    is_title(&title).then_some(title)
}

/// Whether a text says what a document is about.
pub(super) fn is_title(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_file = Path::new(&lower).extension().is_some_and(|extension| {
        let is_short =
            (2..=5).contains(&extension.len()) && extension.to_string_lossy().chars().all(char::is_alphanumeric);
        is_short && !lower.contains(' ')
    });
    lower.chars().any(char::is_alphanumeric)
        && !is_new(&lower)
        && !PROGRAMS.iter().any(|program| lower.starts_with(program))
        && !is_file
}
