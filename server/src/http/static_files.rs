//! Files that the build made, served from one flat folder: plain names with a listed extension
//! only, no directory listing, no links out, precompressed siblings, an `ETag`.

use std::path::{Path, PathBuf};

use axum::response::{IntoResponse, Response};
use contract::ErrorCode;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::http::{error::ApiError, etag};

/// Extensions with their media types.
const MEDIA_TYPES: &[(&str, &str)] = &[
    ("js", "text/javascript; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("css", "text/css; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("html", "text/html; charset=utf-8"),
    ("png", "image/png"),
];

/// The cache rule of what never changes under its address.
pub(super) const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// The cache rule of what another build may change.
pub(super) const BRIEFLY: &str = "public, max-age=300";
/// Hexadecimal digits of a content's sum in the name of a file.
const SUM_DIGITS: usize = 16;

/// How long a file may be kept: for ever when its name carries the sum of its content (`app-0123456789abcdef_bg.wasm`).
pub(super) fn cache_rule(name: &str) -> &'static str {
    let is_sum = |part: &str| part.len() == SUM_DIGITS && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if name.split(['-', '.', '_']).any(is_sum) { FOR_EVER } else { BRIEFLY }
}

/// Serves `name` from `folder`, with the cache rule `cache`.
pub(super) async fn serve(folder: &Path, name: &str, request: &HeaderMap, cache: &'static str) -> Response {
    match find(folder, name, request).await {
        Some(file) => file.respond(request, cache),
        None => not_found(),
    }
}

/// What is not there may be there after the next upgrade: nobody keeps the answer.
fn not_found() -> Response {
    let no_store = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    ([no_store], ApiError::from(ErrorCode::NotFound)).into_response()
}

/// A file in the encoding that is sent.
pub(super) struct Found {
    /// Its bytes, encoded.
    pub(super) bytes: Vec<u8>,
    /// Its `ETag`.
    pub(super) tag: String,
    /// Its media type.
    pub(super) media_type: &'static str,
    /// The name of the encoding.
    pub(super) encoding: Option<&'static str>,
}

impl Found {
    /// The answer, with the cache rule `cache`; 304 when the client has the file already.
    pub(super) fn respond(self, request: &HeaderMap, cache: &'static str) -> Response {
        let mut response = if etag::is_known(request, &self.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            self.bytes.into_response()
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
        headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        if let Some(encoding) = self.encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        if let Ok(tag) = HeaderValue::try_from(self.tag) {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

async fn find(folder: &Path, name: &str, request: &HeaderMap) -> Option<Found> {
    let media_type = media_type(name)?;
    for (encoding, suffix) in [("br", ".br"), ("gzip", ".gz")] {
        if accepts(request, encoding)
            && let Some((bytes, tag)) = read(folder, &format!("{name}{suffix}")).await
        {
            return Some(Found { bytes, tag, media_type, encoding: Some(encoding) });
        }
    }
    let (bytes, tag) = read(folder, name).await?;
    Some(Found { bytes, tag, media_type, encoding: None })
}

/// Whether a request accepts an encoding.
pub(super) fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    let accepted = request.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    accepted.split(',').map(str::trim).any(|one| one.split(';').next().is_some_and(|word| word.trim() == encoding))
}

/// The media type of a plain file name with a listed extension; `None` for every other name.
fn media_type(name: &str) -> Option<&'static str> {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
    if !plain || name.starts_with('.') || name.contains("..") {
        return None;
    }
    let (_, extension) = name.rsplit_once('.')?;
    MEDIA_TYPES.iter().find(|(known, _)| *known == extension).map(|(_, media_type)| *media_type)
}

/// The bytes of a real file of the folder and a tag of its time and size.
pub(super) async fn read(folder: &Path, name: &str) -> Option<(Vec<u8>, String)> {
    let path: PathBuf = folder.join(name);
    let metadata = tokio::fs::symlink_metadata(&path).await.ok()?;
    if !metadata.is_file() {
        return None;
    }
    let modified = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    let tag = format!("\"{:x}-{:x}\"", modified.as_micros(), metadata.len());
    Some((tokio::fs::read(&path).await.ok()?, tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_with_the_sum_of_its_content_is_kept_for_ever() {
        for name in ["app-0123456789abcdef.js", "app-0123456789abcdef_bg.wasm", "chat-widget-0123456789abcdef.wasm"] {
            assert_eq!(cache_rule(name), FOR_EVER, "{name}");
        }
        for name in ["recover.js", "chat-widget.wasm", "app-0123456789ABCDEF.js", "app-0123.js", "x0123456789abcdef.js"]
        {
            assert_eq!(cache_rule(name), BRIEFLY, "{name}");
        }
    }

    #[test]
    fn only_plain_names_with_a_listed_extension_are_served() {
        assert_eq!(media_type("chat-widget.wasm"), Some("application/wasm"));
        for bad in
            ["", ".", "..", "../x.js", "a/b.js", "a\\b.js", ".hidden.js", "x.br", "x", "x..js", "x.js%00", "x.rs"]
        {
            assert_eq!(media_type(bad), None, "{bad}");
        }
    }
}
