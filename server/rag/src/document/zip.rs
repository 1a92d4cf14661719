//! Zip containers: stored or deflated entries, checked against their sizes and checksums.

use std::{
    collections::HashMap,
    io::{self, BufReader, Read},
};

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, FileReader, ReaderAt, ZipArchive};

use super::Unreadable;

const FORMAT: &str = "zip container";

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
    while let Some(entry) = entries.next_entry().map_err(|error| malformed(&error))? {
        if entry.is_dir() {
            continue;
        }
        // Paths that lead out of the container have no normal form.
        let Ok(path) = entry.file_path().try_normalize() else { continue };
        let path = path.as_ref().to_owned();
        let Some(limit) = limit(&path) else { continue };
        let method = entry.compression_method();
        let (encrypted, size) = (entry.flags().is_encrypted(), entry.uncompressed_size_hint());
        let unpacked = match archive.get_entry(entry.wayfinder()) {
            _ if encrypted => Err(Unreadable::Encrypted),
            _ if size > limit => Err(Unreadable::TooLarge(limit)),
            Ok(found) if method == CompressionMethod::STORE => {
                unpack(&mut found.verifying_reader(found.reader()), limit)
            }
            Ok(found) if method == CompressionMethod::DEFLATE => {
                let inflated = DeflateDecoder::new(BufReader::new(found.reader()));
                unpack(&mut found.verifying_reader(inflated), limit)
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
    let mut found = [const { None }; N];
    let mut failed = None;
    each_file(
        &archive,
        |path| names.contains(&path).then_some(limit),
        bounded,
        |path, bytes| {
            match (names.iter().position(|name| *name == path), bytes) {
                (Some(index), Ok(bytes)) => found[index] = Some(bytes),
                (_, Err(error)) => failed = Some(error),
                (None, Ok(_)) => {}
            }
            failed.is_none()
        },
    )?;
    failed.map_or(Ok(found), Err)
}

/// The bytes of the files of a container in memory whose paths are wanted.
pub(super) fn wanted(
    bytes: &[u8],
    is_wanted: impl Fn(&str) -> bool,
    limit: u64,
) -> Result<HashMap<String, Vec<u8>>, Unreadable> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_seekable(std::io::Cursor::new(bytes), &mut buffer);
    let archive = archive.map_err(|error| malformed(&error))?;
    let (mut found, mut failed) = (HashMap::new(), None);
    each_file(
        &archive,
        |path| is_wanted(path).then_some(limit),
        bounded,
        |path, bytes| {
            match bytes {
                Ok(bytes) => drop(found.insert(path, bytes)),
                Err(error) => failed = Some(error),
            }
            failed.is_none()
        },
    )?;
    failed.map_or(Ok(found), Err)
}

/// Reads the whole reader, at most `limit` bytes.
pub(super) fn bounded(reader: &mut dyn Read, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes).map_err(|error| malformed(&error))?;
    match bytes.len() as u64 {
        size if size > limit => Err(Unreadable::TooLarge(limit)),
        _ => Ok(bytes),
    }
}

/// Counts the bytes of a reader, at most `limit`, without keeping them.
pub(super) fn measured(reader: &mut dyn Read, limit: u64) -> Result<u64, Unreadable> {
    let size = io::copy(&mut reader.take(limit + 1), &mut io::sink()).map_err(|error| malformed(&error))?;
    if size > limit { Err(Unreadable::TooLarge(limit)) } else { Ok(size) }
}

fn malformed(error: &dyn std::fmt::Display) -> Unreadable {
    Unreadable::Malformed(FORMAT, error.to_string())
}
