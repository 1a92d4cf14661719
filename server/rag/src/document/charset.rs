//! Decodes text: UTF-8 unless a byte order mark or an HTML document declares another encoding.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::Unreadable;

/// Bytes at the beginning of an HTML document that are searched for a declared encoding.
const MAX_DECLARATION_BYTES: usize = 8192;
/// Bytes at the beginning of a table that show its encoding.
const SAMPLE_BYTES: usize = 1024;
/// Letters outside of ASCII that show UTF-8.
const MIN_LETTERS: usize = 12;

/// Text of a Markdown or plain file.
pub(super) fn decode_utf8(bytes: &[u8]) -> Result<String, Unreadable> {
    decode(bytes, UTF_8)
}

/// Text of a table. Spreadsheet programs write UTF-8, UTF-16, or the encoding of their system.
pub(super) fn decode_table(bytes: &[u8]) -> Result<String, Unreadable> {
    // Without a byte order mark, every second byte of text in western languages is 0.
    let start = &bytes[..bytes.len().min(SAMPLE_BYTES) & !1];
    let zeros = |odd: usize| start.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count() * 4 > start.len();
    match (zeros(0), zeros(1)) {
        (false, true) => return decode(bytes, UTF_16LE),
        (true, false) => return decode(bytes, UTF_16BE),
        _ => {}
    }
    // Control characters are no text in Windows-1252.
    let is_binary = || bytes.iter().any(|byte| matches!(byte, 0..=8 | 14..=31 | 0x81 | 0x8d | 0x8f | 0x90 | 0x9d));
    decode(bytes, UTF_8).or_else(|reason| if is_binary() { Err(reason) } else { decode(bytes, WINDOWS_1252) })
}

/// Text of an HTML file, in the encoding that it declares. Browsers read a file that declares none that they know, and is
/// not UTF-8, as Windows-1252, and show a file with wrong bytes all the same.
pub(super) fn decode_html(bytes: &[u8]) -> Result<String, Unreadable> {
    decode_page(bytes).map(|(text, _)| text)
}

/// Text of an HTML page as [`decode_html`] reads it, and the encoding that it is in.
pub(super) fn decode_page(bytes: &[u8]) -> Result<(String, &'static Encoding), Unreadable> {
    let Some(encoding) = declared_label(bytes).and_then(|label| Encoding::for_label(label.as_bytes())) else {
        let text = decode(bytes, UTF_8).map(|text| (text, UTF_8));
        return text.or_else(|error| as_windows_1252(bytes).map(|text| (text, WINDOWS_1252)).ok_or(error));
    };
    // HTML standard: a declaration that is readable as ASCII is not in UTF-16, although .NET writes so. A saved page may
    // keep the declaration of what it was before.
    let encoding = if [UTF_16BE, UTF_16LE].contains(&encoding) || is_utf_8(bytes) { UTF_8 } else { encoding };
    let text = decode(bytes, encoding).or_else(|error| {
        let (text, ..) = encoding.decode(bytes);
        if is_text(&text) { Ok(with_line_feeds(&text)) } else { Err(error) }
    })?;
    // A byte order mark counts more than the declaration.
    Ok((text, Encoding::for_bom(bytes).map_or(encoding, |(own, _)| own)))
}

/// Whether bytes are valid UTF-8 with so many letters outside of ASCII that they are in no other encoding.
fn is_utf_8(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    text.chars().filter(|letter| !letter.is_ascii()).take(MIN_LETTERS).count() == MIN_LETTERS
}

/// The text in Windows-1252, unless it has a byte order mark or control characters, which files without text have.
fn as_windows_1252(bytes: &[u8]) -> Option<String> {
    let (text, actual, _) = WINDOWS_1252.decode(bytes);
    (actual == WINDOWS_1252 && is_text(&text)).then(|| with_line_feeds(&text))
}

/// Whether hardly a character is a control character or cannot be decoded.
fn is_text(text: &str) -> bool {
    let is_wrong = |mark: &char| *mark == '\u{fffd}' || (mark.is_control() && !mark.is_ascii_whitespace());
    let wrong = text.chars().filter(is_wrong).count();
    !text.contains('\0') && wrong * 100 <= text.chars().count()
}

/// A byte order mark overrides `encoding`. Control characters indicate a binary file.
fn decode(bytes: &[u8], encoding: &'static Encoding) -> Result<String, Unreadable> {
    let (text, actual, malformed) = encoding.decode(bytes);
    if malformed || text.contains('\0') {
        return Err(Unreadable::NotText(actual.name()));
    }
    Ok(with_line_feeds(&text))
}

fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The label in the first meta element that has one, or in the XML declaration. Scripts and links have labels of their own.
fn declared_label(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_DECLARATION_BYTES)]).to_ascii_lowercase();
    let mut rest = head.as_str();
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let end = if rest.starts_with("<!--") { rest.find("-->").map(|end| end + 3) } else { rest.find('>') };
        let (tag, further) = rest.split_at(end.unwrap_or(rest.len()));
        let key = if tag.starts_with("<meta") { "charset" } else { "encoding" };
        if let Some(label) = label(tag, key).filter(|_| tag.starts_with("<meta") || tag.starts_with("<?xml")) {
            return Some(label);
        }
        rest = further;
    }
    None
}

/// The word after `key` and an equals sign.
fn label(tag: &str, key: &str) -> Option<String> {
    let (_, value) = tag.split_once(key)?;
    let label: String = value
        .trim_start()
        .strip_prefix('=')?
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
        .collect();
    (!label.is_empty()).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declared_latin_1_page_is_decoded() {
        let page = b"<html><head><meta charset=\"iso-8859-1\"></head><body>Gr\xfc\xdfe</body></html>";
        assert!(decode_html(page).unwrap().contains("Grüße"));
    }

    #[test]
    fn only_the_declaration_of_the_page_counts() {
        let script = "<script charset=\"utf-8\" src=a.js></script><!-- <meta charset=utf-8> -->";
        let page =
            format!("<head>{}<meta http-equiv=content-type content='text/html; charset = gb2312'>", script.repeat(20));
        let (bytes, _, _) = encoding_rs::GBK.encode("<p>\u{5317}\u{4eac}</p>");
        assert!(decode_html(&[page.as_bytes(), &bytes].concat()).unwrap().ends_with("<p>\u{5317}\u{4eac}</p>"));
        // Browsers ignore a label that they do not know.
        assert_eq!(
            decode_html(b"<meta charset=klingon-1><p>Gr\xfc\xdfe").unwrap(),
            "<meta charset=klingon-1><p>Gr\u{fc}\u{df}e"
        );
    }

    #[test]
    fn a_page_in_utf_8_that_declares_another_encoding_is_read() {
        let page = "<meta charset=gb2312><p>\u{5317}\u{4eac}\u{5317}\u{4eac}\u{5317}\u{4eac}\u{5317}\u{4eac}\u{5317}\u{4eac}\u{5317}\u{4eac}</p>";
        assert_eq!(decode_html(page.as_bytes()).unwrap(), page);
    }

    #[test]
    fn a_page_without_a_declaration_is_read_as_browsers_do() {
        assert_eq!(
            decode_html(b"<p>Gr\xfc\xdfe f\xfcr 5 \x80</p>").unwrap(),
            "<p>Gr\u{fc}\u{df}e f\u{fc}r 5 \u{20ac}</p>"
        );
        assert_eq!(decode_html("<p>Grüße</p>".as_bytes()).unwrap(), "<p>Grüße</p>");
        assert!(decode_html(b"<p>\xff\x01\x02\x03\x04").is_err(), "not text");
        let wrong = [b"<meta charset=utf-8><p>".as_slice(), &b"Open daily. ".repeat(20), b"Gr\xfc\xdfe"].concat();
        assert!(decode_html(&wrong).unwrap().ends_with("Gr\u{fffd}\u{fffd}e"));
    }

    #[test]
    fn a_declaration_of_utf_16_that_is_not_in_utf_16_means_utf_8() {
        let page = "<html><head><meta charset=\"utf-16\"></head><body>Grüße</body></html>";
        assert_eq!(decode_html(page.as_bytes()).unwrap(), page);
        let real: Vec<u8> = [0xfeff].into_iter().chain(page.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode_html(&real).unwrap(), page);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert!(matches!(decode_utf8(b"Gr\xfc\xdfe"), Err(Unreadable::NotText("UTF-8"))));
        assert!(matches!(decode_utf8(b"a\0b"), Err(Unreadable::NotText("UTF-8"))));
    }

    #[test]
    fn tables_have_the_encodings_of_spreadsheet_programs() {
        let text = "Frage;Antwort\nGröße;5 €\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let (western, _, _) = WINDOWS_1252.encode(text);
        for bytes in [text.as_bytes(), &western, &little, &big, &[b"\xef\xbb\xbf", text.as_bytes()].concat()] {
            assert_eq!(decode_table(bytes).unwrap(), text);
        }
        for bytes in [b"a;b\n\xff\x00".as_slice(), b"\x89PNG\r\n\x1a\n\xff", b"\x90\x81\xff"] {
            assert!(matches!(decode_table(bytes), Err(Unreadable::NotText("UTF-8"))));
        }
    }
}
