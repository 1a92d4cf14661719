//! Parts in another format that a word processor merges into the text (`altChunk`).

use super::super::{Content, Unreadable, charset, html};

/// Maximum documents within each other.
pub(super) const MAX_DEPTH: usize = 2;

/// What a part shows, which is a web page, a web archive or plain text. A document is read by `document`. `None` if it is in
/// a format that is not read, such as RTF.
pub(super) fn content(
    part: &[u8],
    document: impl FnOnce(&[u8]) -> Result<Option<Content>, Unreadable>,
) -> Result<Option<Content>, Unreadable> {
    if part.starts_with(b"PK") {
        return document(part);
    }
    if part.trim_ascii_start().starts_with(b"{\\rtf") {
        return Ok(None);
    }
    let text = charset::decode_html(part)?;
    let page = if text.trim_start().to_ascii_lowercase().starts_with("mime-version") { page_of(&text) } else { text };
    Ok(Some(if page.contains('<') { html::content(&page) } else { html::content(&format!("<pre>{page}</pre>")) }))
}

/// The page in a web archive (MHTML).
fn page_of(archive: &str) -> String {
    let lower = archive.to_ascii_lowercase();
    let Some(start) = lower.find("content-type: text/html").or_else(|| lower.find("content-type:text/html")) else {
        return String::new();
    };
    let Some((head, body)) = archive[start..].split_once("\n\n") else { return String::new() };
    let is_quoted = lower[..start].rsplit("\n\n").next().unwrap_or_default().contains("quoted-printable")
        || head.to_ascii_lowercase().contains("quoted-printable");
    let body = body.split("\n--").next().unwrap_or_default();
    if is_quoted { unquoted(body) } else { body.to_owned() }
}

/// Text whose bytes are written as `=C3=A9`.
fn unquoted(text: &str) -> String {
    let whole = text.replace("=\n", "");
    let mut bytes = Vec::with_capacity(whole.len());
    let mut rest = whole.as_bytes();
    while let [first, further @ ..] = rest {
        let code = further.get(..2).filter(|_| *first == b'=').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &further[2..];
            }
            None => {
                bytes.push(*first);
                rest = further;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
