//! Zip containers: stored or deflated entries, checked against their sizes and checksums.

mod names;

use std::{
    collections::HashMap,
    io::{self, BufReader, Read},
};

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, FileReader, ReaderAt, ZipArchive, extra_fields::ExtraFieldId, path::ZipFilePath};

use self::names::Encoding;
pub(super) use self::names::{Encoding as NameEncoding, name};
pub use self::names::{composed_name, name_forms};
use super::Unreadable;

const FORMAT: &str = "zip container";
/// Names that show their encoding.
const MAX_NAMES: usize = 200;

/// Calls `each` for every file of the container, in its order, with the path and the result of `unpack`, until `each`
/// returns `false`. `limit` returns the maximum bytes of a file, or `None` to skip it. A file that declares more bytes,
/// or that cannot be decompressed, is reported as an error without unpacking. Reading beyond the declared size fails.
pub(super) fn each_file<R: ReaderAt, T>(
    archive: &ZipArchive<R>,
    mut limit: impl FnMut(&str) -> Option<u64>,
    unpack: impl Fn(&mut dyn Read, u64) -> Result<T, Unreadable>,
    mut each: impl FnMut(String, Result<T, Unreadable>) -> bool,
) -> Result<(), Unreadable> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let mut entries = archive.entries(&mut buffer);
    let mut encoding = None;
    while let Some(entry) = entries.next_entry().map_err(|error| malformed(&error))? {
        if entry.is_dir() {
            continue;
        }
        // The name in UTF-8, behind a version and a checksum.
        let unicode = entry.extra_fields().find(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH);
        let unicode = unicode.and_then(|(_, field)| field.get(5..)).filter(|name| !name.is_empty());
        let raw = entry.file_path();
        let raw = unicode.unwrap_or(raw.as_ref());
        let text = name(raw, || *encoding.get_or_insert_with(|| encoding_of(archive)));
        // Paths that lead out of the container begin at its root.
        let path: String = ZipFilePath::from_str(&text).as_ref().to_owned();
        let Some(limit) = limit(&path) else { continue };
        let method = entry.compression_method();
        let (encrypted, size) = (entry.flags().is_encrypted(), entry.uncompressed_size_hint());
        let unpacked = match archive.get_entry(entry.wayfinder()) {
            _ if encrypted => Err(Unreadable::Encrypted),
            _ if size > limit => Err(Unreadable::TooLarge(limit)),
            Ok(entry) if method == CompressionMethod::STORE => {
                unpack(&mut entry.verifying_reader(entry.reader()), limit)
            }
            Ok(entry) if method == CompressionMethod::DEFLATE => {
                let inflated = DeflateDecoder::new(BufReader::new(entry.reader()));
                unpack(&mut entry.verifying_reader(inflated), limit)
            }
            Ok(_) => Err(Unreadable::Malformed(FORMAT, "an unknown compression method".to_owned())),
            Err(error) => Err(malformed(&error)),
        };
        if !each(path, unpacked) {
            return Ok(());
        }
    }
    Ok(())
}

/// The encoding of the names that are not UTF-8.
fn encoding_of<R: ReaderAt>(archive: &ZipArchive<R>) -> Encoding {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let mut entries = archive.entries(&mut buffer);
    let mut names: Vec<Vec<u8>> = Vec::new();
    while let Ok(Some(entry)) = entries.next_entry() {
        let name: &[u8] = entry.file_path().as_bytes();
        if names.len() < MAX_NAMES && std::str::from_utf8(name).is_err() {
            names.push(name.to_owned());
        }
    }
    Encoding::of(names.iter().map(Vec::as_slice))
}

/// Opens a container on disk.
pub(super) fn open(file: std::fs::File) -> Result<ZipArchive<FileReader>, Unreadable> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    ZipArchive::from_file(file, &mut buffer).map_err(|error| malformed(&error))
}

/// The bytes of the named files of a container in memory, in the order of the names.
pub(super) fn files<const N: usize>(
    bytes: &[u8],
    names: [&str; N],
    limit: u64,
) -> Result<[Option<Vec<u8>>; N], Unreadable> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_seekable(std::io::Cursor::new(bytes), &mut buffer);
    let archive = archive.map_err(|error| malformed(&error))?;
    let mut files = [const { None }; N];
    let mut failed = None;
    each_file(
        &archive,
        |path| names.contains(&path).then_some(limit),
        read_bounded,
        |path, bytes| {
            match (names.iter().position(|name| *name == path), bytes) {
                (Some(index), Ok(bytes)) => files[index] = Some(bytes),
                (_, Err(error)) => failed = Some(error),
                (None, Ok(_)) => {}
            }
            failed.is_none()
        },
    )?;
    failed.map_or(Ok(files), Err)
}

/// The bytes of the files of a container in memory whose paths are wanted.
pub(super) fn files_where(
    bytes: &[u8],
    is_wanted: impl Fn(&str) -> bool,
    limit: u64,
) -> Result<HashMap<String, Vec<u8>>, Unreadable> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_seekable(std::io::Cursor::new(bytes), &mut buffer);
    let archive = archive.map_err(|error| malformed(&error))?;
    let (mut files, mut failed) = (HashMap::new(), None);
    each_file(
        &archive,
        |path| is_wanted(path).then_some(limit),
        read_bounded,
        |path, bytes| {
            match bytes {
                Ok(bytes) => drop(files.insert(path, bytes)),
                Err(error) => failed = Some(error),
            }
            failed.is_none()
        },
    )?;
    failed.map_or(Ok(files), Err)
}

/// Reads the whole reader, at most `limit` bytes.
pub(super) fn read_bounded(reader: &mut dyn Read, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes).map_err(|error| malformed(&error))?;
    match bytes.len() as u64 {
        size if size > limit => Err(Unreadable::TooLarge(limit)),
        _ => Ok(bytes),
    }
}

/// Counts the bytes of a reader, at most `limit`, without keeping them.
pub(super) fn measure(reader: &mut dyn Read, limit: u64) -> Result<u64, Unreadable> {
    let size = io::copy(&mut reader.take(limit + 1), &mut io::sink()).map_err(|error| malformed(&error))?;
    if size > limit { Err(Unreadable::TooLarge(limit)) } else { Ok(size) }
}

fn malformed(error: &dyn std::fmt::Display) -> Unreadable {
    Unreadable::Malformed(FORMAT, error.to_string())
}

/// Resolves the path of a part that is referenced from `folder`.
pub(super) fn resolve_path(folder: &str, href: &str) -> String {
    let href = href.split('#').next().unwrap_or(href);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in href.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    unescaped(&parts.join("/"))
}

/// Decodes the percent-escaped bytes of a path.
fn unescaped(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_parts_begin_at_the_root() {
        assert_eq!(resolve_path("OEBPS/text", "../a%20b.xhtml#x"), "OEBPS/a b.xhtml");
        assert_eq!(resolve_path("", "c/%zz.html"), "c/%zz.html");
    }
}
