//! Decides how the body of a response is read: by its first bytes, then by the name in `Content-Disposition`, then by its
//! address. Many servers send files with a media type that says nothing, or that is wrong.

use memchr::memmem;
use url::{Url, form_urlencoded};

use crate::service::knowledge::media_types;

/// The extensions of readable files of a website.
pub(super) const FILE_TYPES: [&str; 5] = ["html", "pdf", "txt", "md", "docx"];
/// Media types of files to save, whatever their kind.
const GENERIC: &[&str] = &[
    "",
    "application/binary",
    "application/download",
    "application/force-download",
    "application/octet-stream",
    "application/save",
    "application/unknown",
    "application/x-download",
    "application/x-octet-stream",
    "application/x-zip-compressed",
    "application/zip",
    "binary/octet-stream",
    "unknown/unknown",
];
/// The beginning of a PDF.
const PDF: &[u8] = b"%PDF-";
/// Bytes in which the beginning of a PDF is looked for.
const PDF_HEAD: usize = 1024;

/// The extension of the kind of file, if it is read.
pub(super) fn file_type(media_type: &str, disposition: Option<&str>, url: &Url, body: &[u8]) -> Option<&'static str> {
    // A page about PDF may have these bytes, too.
    let head = if media_type.starts_with("text/") { 0 } else { PDF_HEAD };
    let start = body.trim_ascii_start();
    if start.starts_with(PDF) || memmem::find(&body[..body.len().min(head)], PDF).is_some() {
        return Some("pdf");
    }
    if body.starts_with(b"PK\x03\x04") {
        let has = |part: &[u8]| memmem::find(body, part).is_some();
        return (has(b"[Content_Types].xml") && has(b"word/")).then_some("docx");
    }
    let is_generic = GENERIC.contains(&media_type);
    if (is_generic || media_type == "text/plain") && begins_as_html(body) {
        return Some("html");
    }
    if !is_generic {
        return media_types::extension(media_type).filter(|file_type| FILE_TYPES.contains(file_type));
    }
    let by_name = disposition.and_then(file_name).and_then(|name| of_name(&name)).or_else(|| of_name(url.path()));
    by_name.or_else(|| body.trim_ascii_start().starts_with(b"<").then_some("html"))
}

fn begins_as_html(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    let begins = |tag: &[u8]| body.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    begins(b"<!doctype html") || begins(b"<html")
}

/// The name of the file in a `Content-Disposition`.
fn file_name(disposition: &str) -> Option<String> {
    let parameters = disposition.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let names = parameters.filter(|(name, _)| name.trim().to_ascii_lowercase().starts_with("filename"));
    names.map(|(_, value)| value.trim().trim_matches('"').to_owned()).next()
}

fn of_name(name: &str) -> Option<&'static str> {
    let name = form_urlencoded::parse(name.rsplit('/').next()?.as_bytes()).next()?.0.to_ascii_lowercase();
    let extension = name.rsplit_once('.')?.1;
    let media_type = media_types::of_extension(extension)?;
    media_types::extension(media_type).filter(|file_type| FILE_TYPES.contains(file_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(media_type: &str, disposition: &str, path: &str, body: &[u8]) -> Option<&'static str> {
        let url = Url::parse("https://example.com/").unwrap().join(path).unwrap();
        file_type(media_type, Some(disposition).filter(|value| !value.is_empty()), &url, body)
    }

    #[test]
    fn the_first_bytes_count_before_the_media_type() {
        let pdf = b"%PDF-1.7\n";
        for media_type in [
            "application/pdf",
            "application/octet-stream",
            "application/force-download",
            "application/zip",
            "text/html",
            "",
        ] {
            assert_eq!(of(media_type, "", "/download?id=1", pdf), Some("pdf"), "{media_type}");
        }
        assert_eq!(of("text/html", "", "/a", b"\n\n%PDF-1.4"), Some("pdf"));
        let docx = b"PK\x03\x04 [Content_Types].xml PK\x03\x04 word/document2.xml";
        assert_eq!(of("application/octet-stream", "", "/a", docx), Some("docx"));
        assert_eq!(
            of("application/octet-stream", "", "/a.docx", b"PK\x03\x04 [Content_Types].xml xl/workbook.xml"),
            None
        );
        assert_eq!(of("", "", "/a", b"\xef\xbb\xbf<!DOCTYPE html><p>"), Some("html"));
        assert_eq!(of("text/plain", "", "/a", b"<html>"), Some("html"));
    }

    #[test]
    fn names_count_when_the_bytes_say_nothing() {
        for (disposition, path, expected) in [
            ("attachment; filename=\"prices.txt\"", "/download?id=1", Some("txt")),
            ("attachment; filename*=UTF-8''hours%20of%20work.md", "/download", Some("md")),
            ("attachment; filename=data.xlsx", "/a.txt", Some("txt")),
            ("inline", "/help/notes.TXT?x=1", Some("txt")),
            ("", "/data", None),
            ("attachment; filename=setup.exe", "/setup", None),
        ] {
            assert_eq!(
                of("application/octet-stream", disposition, path, b"Some words."),
                expected,
                "{disposition} {path}"
            );
        }
    }

    #[test]
    fn a_declared_type_is_believed() {
        assert_eq!(of("text/html", "attachment; filename=a.txt", "/a.txt", b"Words"), Some("html"));
        assert_eq!(of("application/pdf", "", "/a.pdf", b"<html>"), Some("pdf"));
        assert_eq!(of("text/html", "", "/a", b"<title>%PDF-1.7, the first line of a PDF</title>"), Some("html"));
        assert_eq!(of("image/png", "", "/a.html", b"<html>"), None);
        assert_eq!(of("application/json", "", "/a.txt", b"{}"), None);
    }
}
