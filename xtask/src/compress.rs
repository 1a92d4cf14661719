//! Writes compressed siblings (`.br`, `.gz`) of the files that browsers load, once at build time: for a release with the
//! highest effort.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::wasm::Mode;

/// Files of at most this many bytes are also compressed with a smaller window, which can give a smaller result.
const SMALL_BYTES: usize = 200_000;

/// The sizes of one file in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Uncompressed.
    pub(crate) raw: usize,
    /// With gzip, level 9 for a release.
    pub(crate) gzip: usize,
    /// With brotli, quality 11 for a release.
    pub(crate) brotli: usize,
}

impl std::ops::Add for Sizes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { raw: self.raw + other.raw, gzip: self.gzip + other.gzip, brotli: self.brotli + other.brotli }
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:>9} B raw  {:>8} B gzip  {:>8} B brotli", self.raw, self.gzip, self.brotli)
    }
}

/// Writes `<path>.br` and `<path>.gz` next to the file and returns the three sizes.
pub(crate) fn precompress(path: &Path, mode: Mode) -> Result<Sizes> {
    let bytes = std::fs::read(path).map_err(Error::io("reading", path))?;
    let brotli = brotli(&bytes, mode).map_err(Error::io("compressing", path))?;
    let gzip = gzip(&bytes, mode).map_err(Error::io("compressing", path))?;
    let sizes = Sizes { raw: bytes.len(), gzip: gzip.len(), brotli: brotli.len() };
    for (suffix, bytes) in [("br", brotli), ("gz", gzip)] {
        let sibling = sibling(path, suffix);
        std::fs::write(&sibling, bytes).map_err(Error::io("writing", &sibling))?;
    }
    Ok(sizes)
}

fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

fn brotli(bytes: &[u8], mode: Mode) -> std::io::Result<Vec<u8>> {
    if mode == Mode::Quick {
        return brotli_with(bytes, 4, 22);
    }
    let large = brotli_with(bytes, 11, 22)?;
    if bytes.len() > SMALL_BYTES {
        return Ok(large);
    }
    let small = brotli_with(bytes, 11, 16)?;
    Ok(if small.len() < large.len() { small } else { large })
}

fn brotli_with(bytes: &[u8], quality: i32, lgwin: i32) -> std::io::Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams { quality, lgwin, ..Default::default() };
    let mut out = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut out, &params)?;
    Ok(out)
}

fn gzip(bytes: &[u8], mode: Mode) -> std::io::Result<Vec<u8>> {
    let level = if mode == Mode::Quick { flate2::Compression::fast() } else { flate2::Compression::best() };
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn both_siblings_unpack_to_the_original() {
        let original: Vec<u8> = (0..20_000_u32).map(|n| (n % 251) as u8).collect();
        for mode in [Mode::Quick, Mode::Release] {
            let mut unpacked = Vec::new();
            brotli::BrotliDecompress(&mut &*super::brotli(&original, mode).unwrap(), &mut unpacked).unwrap();
            assert_eq!(unpacked, original);
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(&*gzip(&original, mode).unwrap()).read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, original);
        }
    }
}
