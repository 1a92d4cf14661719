//! Decodes the body of a response within limits.

use std::io::Read;

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};

use super::FetchError;

/// Maximum ratio of decompressed to compressed size. Text reaches 10, a decompression bomb 1000.
const MAX_RATIO: usize = 100;
/// Bodies that are smaller may be of any ratio.
const SMALL: usize = 256 * 1024;

/// Reads a body; returns whether it was read to its end, so that the connection can be reused.
pub(super) async fn read(mut body: Incoming, limit: usize) -> Result<(Vec<u8>, bool), FetchError> {
    // Checked before reading.
    if body.size_hint().exact().is_some_and(|bytes| bytes > limit as u64) {
        return Err(FetchError::TooLarge(limit));
    }
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| FetchError::Unreachable("the connection broke off in the answer".to_owned()))?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > limit {
            return Err(FetchError::TooLarge(limit));
        }
        bytes.extend_from_slice(&data);
    }
    let is_whole = body.is_end_stream();
    Ok((bytes, is_whole))
}

/// The content of a body.
pub(super) fn decode(bytes: Vec<u8>, encoding: Option<&str>, limit: usize) -> Result<Vec<u8>, FetchError> {
    let encoding = encoding.unwrap_or("identity").trim().to_ascii_lowercase();
    match encoding.as_str() {
        _ if bytes.is_empty() => Ok(bytes),
        "" | "identity" => Ok(bytes),
        "gzip" | "x-gzip" => inflate(MultiGzDecoder::new(bytes.as_slice()), bytes.len(), limit),
        "deflate" => inflate(ZlibDecoder::new(bytes.as_slice()), bytes.len(), limit),
        other => Err(FetchError::Malformed(format!("the answer has the unknown encoding {other}"))),
    }
}

fn inflate(decoder: impl Read, wire_bytes: usize, limit: usize) -> Result<Vec<u8>, FetchError> {
    let limit = limit.min(wire_bytes.saturating_mul(MAX_RATIO).max(SMALL));
    let mut bytes = Vec::new();
    let read = decoder.take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|_| FetchError::Malformed("the compressed answer is broken".to_owned()))?;
    if bytes.len() > limit { Err(FetchError::TooLarge(limit)) } else { Ok(bytes) }
}

/// The content of a file that is compressed as a whole, such as a sitemap.
pub(in crate::service::knowledge::websites) fn gunzip(bytes: &[u8], limit: usize) -> Result<Vec<u8>, FetchError> {
    inflate(MultiGzDecoder::new(bytes), bytes.len(), limit)
}
