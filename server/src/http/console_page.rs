//! A console's page: `index.html` from the build, with the configuration that the console needs before sign-in, so that
//! no request precedes the sign-in. It is filled and compressed at the first request, and again when the build has
//! replaced the file.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use app::backend::ConsoleConfig;
use axum::{body::Bytes, response::Response};
use http::HeaderMap;
use parking_lot::Mutex;

use crate::{
    http::static_files::{self, EncodedFile},
    precondition,
};

pub(super) struct ConsolePage {
    folder: PathBuf,
    config: String,
    cached: Mutex<Option<Arc<Filled>>>,
}

/// The page of one build.
struct Filled {
    /// The tag of the source file.
    source: String,
    /// Its encodings, the preferred ones first.
    encodings: Vec<Encoded>,
}

/// The page in one encoding; all answers share the bytes.
struct Encoded {
    encoding: Option<&'static str>,
    bytes: Bytes,
    tag: String,
}

impl ConsolePage {
    /// The page in the console's folder.
    pub(super) fn new(folder: &Path, config: &ConsoleConfig) -> Self {
        Self { folder: folder.to_owned(), config: config.attributes(), cached: Mutex::new(None) }
    }

    /// Responds with the page; `None` when there is no build.
    pub(super) async fn serve(&self, request: &HeaderMap) -> Option<Response> {
        let (bytes, source) = static_files::read(&self.folder, "index.html").await?;
        let page = self.filled(&bytes, source)?;
        let accepts = |encoding: Option<&str>| encoding.is_none_or(|name| static_files::accepts(request, name));
        let page = page.encodings.iter().find(|page| accepts(page.encoding))?;
        let file = EncodedFile {
            bytes: page.bytes.clone(),
            tag: page.tag.clone(),
            media_type: "text/html; charset=utf-8",
            encoding: page.encoding,
        };
        Some(file.respond(request, "no-cache"))
    }

    fn filled(&self, bytes: &[u8], source: String) -> Option<Arc<Filled>> {
        let mut cached = self.cached.lock();
        if let Some(page) = cached.as_ref().filter(|page| page.source == source) {
            return Some(Arc::clone(page));
        }
        let html = String::from_utf8_lossy(bytes).replace(ConsoleConfig::PLACE, &self.config);
        let page = Arc::new(Filled { source, encodings: encodings(html.into_bytes()).ok()? });
        *cached = Some(Arc::clone(&page));
        Some(page)
    }
}

fn encodings(html: Vec<u8>) -> std::io::Result<Vec<Encoded>> {
    let mut smallest = Vec::new();
    brotli::BrotliCompress(&mut html.as_slice(), &mut smallest, &brotli::enc::BrotliEncoderParams::default())?;
    let mut small = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    small.write_all(&html)?;
    let encoded = |(encoding, bytes): (Option<&'static str>, Vec<u8>)| {
        let tag = precondition::tag(&bytes);
        Encoded { encoding, bytes: Bytes::from(bytes), tag }
    };
    Ok([(Some("br"), smallest), (Some("gzip"), small.finish()?), (None, html)].map(encoded).into())
}
