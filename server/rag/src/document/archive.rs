//! Zip and tar archives: each file in them is a document of its own, read one after another. Archives inside archives
//! are not opened.

use std::{fs::File, io::BufReader, path::Path};

use flate2::read::GzDecoder;

use super::{Document, MAX_BYTES, Unreadable, kind_of, parse, relative, zip};

/// Files of an archive at most.
pub const MAX_ENTRIES: usize = 50_000;
/// Bytes of all files of an archive together at most, decompressed.
pub const MAX_TOTAL: u64 = 2 * 1024 * 1024 * 1024;

/// Whether the file's name is one of an archive: `.zip`, `.tar`, `.tar.gz` or `.tgz`.
pub fn is_archive(path: &Path) -> bool {
    format_of(path).is_some()
}

#[derive(Debug, Clone, Copy)]
enum Format {
    Zip,
    Tar,
    TarGz,
}

/// The extension of an archive's name, as [`read_as`] takes it.
pub fn file_type(name: &str) -> Option<&'static str> {
    Some(match format_of(Path::new(name))? {
        Format::Zip => "zip",
        Format::Tar => "tar",
        Format::TarGz => "tar.gz",
    })
}

fn format_of(path: &Path) -> Option<Format> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let is = |ending: &str| name.ends_with(ending);
    match () {
        () if is(".zip") => Some(Format::Zip),
        () if is(".tar") => Some(Format::Tar),
        () if is(".tar.gz") || is(".tgz") => Some(Format::TarGz),
        () => None,
    }
}

/// Reads the archive at `path` and calls `each` with every file in it: its path below `root` (the archive's path is its
/// folder) and the document, or why there is none. Hidden files are left out. Stops when `each` says no.
///
/// # Errors
/// The archive itself cannot be read, has more than [`MAX_ENTRIES`] files, or more than [`MAX_TOTAL`] bytes.
pub fn read(
    path: &Path,
    root: &Path,
    each: &mut dyn FnMut(String, Result<Document, Unreadable>) -> bool,
) -> Result<(), Unreadable> {
    read_format(path, format_of(path), relative(path, root), each)
}

/// As [`read`], with `base` for the path of the archive and `file_type` for its extension, whatever the file is named.
///
/// # Errors
/// As [`read`].
pub fn read_as(
    file: &Path,
    base: &str,
    file_type: &str,
    each: &mut dyn FnMut(String, Result<Document, Unreadable>) -> bool,
) -> Result<(), Unreadable> {
    read_format(file, format_of(Path::new(&format!("archive.{file_type}"))), base.to_owned(), each)
}

fn read_format(
    path: &Path,
    format: Option<Format>,
    base: String,
    each: &mut dyn FnMut(String, Result<Document, Unreadable>) -> bool,
) -> Result<(), Unreadable> {
    let mut entries = Entries { base, count: 0, total: 0, overflow: None, each };
    let file = File::open(path)?;
    match format {
        Some(Format::Zip) => {
            let archive = zip::open(file)?;
            zip::each_file(
                &archive,
                |path| is_visible(path).then(|| limit(path)),
                |path, bytes| entries.take(&path, bytes),
            )?;
        }
        Some(Format::Tar) => read_tar(BufReader::new(file), &mut entries)?,
        Some(Format::TarGz) => read_tar(GzDecoder::new(BufReader::new(file)), &mut entries)?,
        None => return Err(Unreadable::UnsupportedType),
    }
    entries.overflow.map_or(Ok(()), Err)
}

fn read_tar(reader: impl std::io::Read, entries: &mut Entries<'_>) -> Result<(), Unreadable> {
    let malformed = |error: std::io::Error| Unreadable::Malformed("tar archive", error.to_string());
    for entry in tar::Archive::new(reader).entries().map_err(malformed)? {
        let entry = entry.map_err(malformed)?;
        let Some(path) = entry.path().ok().and_then(|path| normal(&path)) else { continue };
        if !entry.header().entry_type().is_file() || !is_visible(&path) {
            continue;
        }
        let size = entry.size();
        let bytes = zip::bounded(entry, limit(&path)).and_then(|bytes| match (bytes.len() as u64) < size {
            true => Err(Unreadable::Malformed("tar archive", "it ends in the middle of a file".to_owned())),
            false => Ok(bytes),
        });
        if !entries.take(&path, bytes) {
            break;
        }
    }
    Ok(())
}

/// The files of an archive on their way to the caller.
struct Entries<'a> {
    base: String,
    count: usize,
    total: u64,
    overflow: Option<Unreadable>,
    each: &'a mut dyn FnMut(String, Result<Document, Unreadable>) -> bool,
}

impl Entries<'_> {
    fn take(&mut self, path: &str, bytes: Result<Vec<u8>, Unreadable>) -> bool {
        let bytes = if kind_of(Path::new(path)).is_none() { Err(Unreadable::UnsupportedType) } else { bytes };
        self.count += 1;
        self.total += bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
        if self.count > MAX_ENTRIES || self.total > MAX_TOTAL {
            let reason = format!("more than {MAX_ENTRIES} files or {MAX_TOTAL} bytes");
            self.overflow = Some(Unreadable::Malformed("archive", reason));
            return false;
        }
        let path = format!("{}/{path}", self.base);
        let document = bytes.and_then(|bytes| parse(&path, &bytes));
        (self.each)(path, document)
    }
}

/// Bytes that are read of a file; nothing of a kind that is not read.
fn limit(path: &str) -> u64 {
    if kind_of(Path::new(path)).is_some() { MAX_BYTES } else { 0 }
}

/// Whether no part of the path begins with a dot or is a file that archivers add.
fn is_visible(path: &str) -> bool {
    path.split('/').all(|part| !part.starts_with('.') && part != "__MACOSX")
}

/// The path with forward slashes; none when it leads out of the archive.
fn normal(path: &Path) -> Option<String> {
    use std::path::Component;
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}
