//! Serves files of the build from one flat folder: plain names with a known extension only, no directory listing, no
//! links to other folders, precompressed variants, an `ETag`. Each file is read once and shared by all responses, until
//! the build replaces it.

use std::{
    collections::HashMap,
    convert::Infallible,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::SystemTime,
};

use axum::{
    body::Bytes,
    extract::{FromRequestParts, Path as AddressPath},
    response::{IntoResponse, Response},
};
use contract::ErrorCode;
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use parking_lot::RwLock;

use crate::{error::ApiError, http::etag, precondition};

/// Extensions with their media types.
const MEDIA_TYPES: &[(&str, &str)] = &[
    ("js", "text/javascript; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("css", "text/css; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("html", "text/html; charset=utf-8"),
    ("png", "image/png"),
    ("txt", "text/plain; charset=utf-8"),
];

/// The cache rule of immutable addresses.
pub(super) const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// The cache rule of files that another build may change.
pub(super) const SHORT_LIVED: &str = "public, max-age=300";
/// Hexadecimal digits of a content's sum in the name of a file.
const SUM_DIGITS: usize = 16;

/// How long a file may be cached: forever when its name contains a hash of its content
/// (`app-0123456789abcdef_bg.wasm`).
pub(super) fn cache_rule(name: &str) -> &'static str {
    let is_sum = |part: &str| part.len() == SUM_DIGITS && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if name.split(['-', '.', '_']).any(is_sum) { IMMUTABLE } else { SHORT_LIVED }
}

/// The name in the address of a file; empty if it is one that no file has: not UTF-8, or with a NUL character.
pub(super) struct FileName(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for FileName {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let name = AddressPath::<String>::from_request_parts(parts, state).await.ok();
        Ok(Self(name.map(|AddressPath(name)| name).filter(|name| !name.contains('\0')).unwrap_or_default()))
    }
}

/// Serves `name` from `folder`, with the cache rule `cache`.
pub(super) async fn serve(folder: &Path, name: &str, request: &HeaderMap, cache: &'static str) -> Response {
    match find(folder, name, request).await {
        Some(file) => file.respond(request, cache),
        None => not_found(),
    }
}

/// A style sheet of the program, with the sheets that it imports.
pub(super) fn style_sheet(sheets: &[&str]) -> Response {
    let lines = sheets.iter().flat_map(|sheet| sheet.lines()).filter(|line| !line.starts_with("@import"));
    let sheet = lines.collect::<Vec<_>>().join("\n");
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, SHORT_LIVED)], sheet).into_response()
}

/// A missing file may exist after the next upgrade, so the answer is not cached.
fn not_found() -> Response {
    let no_store = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    ([no_store], ApiError::from(ErrorCode::NotFound)).into_response()
}

/// A file in the encoding that is sent.
pub(super) struct EncodedFile {
    /// Its bytes, encoded.
    pub(super) bytes: Bytes,
    /// Its `ETag`.
    pub(super) tag: String,
    pub(super) media_type: &'static str,
    /// The name of the encoding.
    pub(super) encoding: Option<&'static str>,
}

impl EncodedFile {
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

async fn find(folder: &Path, name: &str, request: &HeaderMap) -> Option<EncodedFile> {
    let media_type = media_type(name)?;
    for (encoding, suffix) in [("br", ".br"), ("gzip", ".gz")] {
        if accepts(request, encoding)
            && let Some((bytes, tag)) = read(folder, &format!("{name}{suffix}")).await
        {
            return Some(EncodedFile { bytes, tag, media_type, encoding: Some(encoding) });
        }
    }
    let (bytes, tag) = read(folder, name).await?;
    Some(EncodedFile { bytes, tag, media_type, encoding: None })
}

/// Whether a request accepts an encoding: it is listed, and not with the weight 0.
pub(super) fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    let lists = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding)) && !parts.any(is_zero_weight)
    })
}

/// Whether a parameter is `q=0`, in one of its spellings such as `Q=0.000`.
fn is_zero_weight(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    name.trim().eq_ignore_ascii_case("q") && value.trim().parse::<f32>().is_ok_and(|weight| weight == 0.0)
}

/// The media type of a plain file name with a known extension; `None` for every other name.
fn media_type(name: &str) -> Option<&'static str> {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
    if !plain || name.starts_with('.') || name.contains("..") {
        return None;
    }
    let (_, extension) = name.rsplit_once('.')?;
    MEDIA_TYPES.iter().find(|(known_extension, _)| *known_extension == extension).map(|(_, media_type)| *media_type)
}

/// A file as it was read.
struct Loaded {
    modified: SystemTime,
    length: u64,
    bytes: Bytes,
    tag: String,
}

/// Files that were requested, by path: at most all files of the build, about 12 MB.
static LOADED: LazyLock<RwLock<HashMap<PathBuf, Loaded>>> = LazyLock::new(RwLock::default);

/// The bytes of a real file of the folder and a tag of its content.
pub(super) async fn read(folder: &Path, name: &str) -> Option<(Bytes, String)> {
    let path: PathBuf = folder.join(name);
    let metadata = tokio::fs::symlink_metadata(&path).await.ok().filter(std::fs::Metadata::is_file);
    let Some(metadata) = metadata else {
        forget(&path);
        return None;
    };
    let (modified, length) = (metadata.modified().ok()?, metadata.len());
    if let Some(file) = LOADED.read().get(&path)
        && (file.modified, file.length) == (modified, length)
    {
        return Some((file.bytes.clone(), file.tag.clone()));
    }
    let bytes = Bytes::from(tokio::fs::read(&path).await.ok()?);
    let tag = precondition::tag(&bytes);
    let file = Loaded { modified, length, bytes: bytes.clone(), tag: tag.clone() };
    LOADED.write().insert(path, file);
    Some((bytes, tag))
}

/// Frees the bytes of a deleted file.
fn forget(path: &Path) {
    let is_loaded = LOADED.read().contains_key(path);
    if is_loaded {
        LOADED.write().remove(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_with_the_sum_of_its_content_is_kept_for_ever() {
        for name in [
            "app-0123456789abcdef.js",
            "app-0123456789abcdef_bg.wasm",
            "chat-widget-0123456789abcdef.wasm",
            "chat-widget-0123456789abcdef-de.txt",
        ] {
            assert_eq!(cache_rule(name), IMMUTABLE, "{name}");
        }
        for name in ["recover.js", "chat-widget.wasm", "app-0123456789ABCDEF.js", "app-0123.js", "x0123456789abcdef.js"]
        {
            assert_eq!(cache_rule(name), SHORT_LIVED, "{name}");
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

    fn accepted(value: &'static str) -> HeaderMap {
        [(header::ACCEPT_ENCODING, HeaderValue::from_static(value))].into_iter().collect()
    }

    #[test]
    fn an_encoding_with_the_weight_zero_is_not_accepted() {
        for good in ["br", "gzip, br;q=0.1", "BR; q=1", "br;q=1.000"] {
            assert!(accepts(&accepted(good), "br"), "{good}");
        }
        for bad in ["", "gzip", "br;q=0", "br; Q=0.000, gzip", "brotli", "br;q=0, gzip;q=0"] {
            assert!(!accepts(&accepted(bad), "br"), "{bad}");
        }
    }

    #[tokio::test]
    async fn all_answers_share_the_bytes_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.js");
        std::fs::write(&path, vec![b'x'; 100_000]).unwrap();
        let (first, tag) = read(folder.path(), "a.js").await.unwrap();
        let held: Vec<_> = futures::future::join_all((0..200).map(|_| read(folder.path(), "a.js"))).await;
        assert!(held.iter().flatten().all(|(bytes, _)| bytes.as_ptr() == first.as_ptr()), "one allocation");
        assert_eq!(held.iter().flatten().count(), 200);
        std::fs::write(&path, "new").unwrap();
        let (second, other) = read(folder.path(), "a.js").await.unwrap();
        assert!(second == "new" && other != tag, "a build replaces the file");
        std::fs::remove_file(&path).unwrap();
        assert!(read(folder.path(), "a.js").await.is_none());
        assert!(!LOADED.read().contains_key(&path));
    }

    #[tokio::test]
    async fn two_copies_of_a_file_have_the_same_tag() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for folder in [&one, &other] {
            std::fs::write(folder.path().join("a.js"), "same").unwrap();
        }
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        std::fs::File::open(other.path().join("a.js")).unwrap().set_modified(later).unwrap();
        let tags = [read(one.path(), "a.js").await.unwrap().1, read(other.path(), "a.js").await.unwrap().1];
        assert_eq!(tags[0], tags[1]);
    }
}
