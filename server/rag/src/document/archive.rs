//! Zip and tar archives. Each file in them becomes its own document; the files are read one after another. Nested
//! archives are not opened.

use std::{
    cell::RefCell,
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use flate2::read::GzDecoder;

use super::{Document, Unreadable, kind::Kind, parse, zip};

/// Maximum files of an archive.
pub const MAX_ENTRIES: usize = 50_000;
/// Maximum decompressed bytes of all files of an archive together.
pub const MAX_TOTAL: u64 = 2 * 1024 * 1024 * 1024;

#[derive(Debug, Clone, Copy)]
enum Format {
    Zip,
    Tar,
    TarGz,
}

/// The archive's extension, as [`read`] expects it.
pub fn file_type(name: &str) -> Option<&'static str> {
    Some(match format_of(Path::new(name))? {
        Format::Zip => "zip",
        Format::Tar => "tar",
        Format::TarGz => "tar.gz",
    })
}

/// Whether files with this extension are archives.
pub fn is_archive(extension: &str) -> bool {
    file_type(&format!("x.{extension}")).is_some()
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

/// How to read an archive.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Its extension.
    pub file_type: &'a str,
    /// Whether pictures are unpacked and reported as [`Unreadable::Scanned`]. Otherwise they are reported as
    /// unsupported.
    pub pictures: bool,
    /// Maximum bytes of a file in the archive.
    pub max_file_bytes: u64,
}

/// An event while an archive is read. The callback returns whether to go on.
#[derive(Debug)]
pub enum Event<'a> {
    /// The file at this path is next; `false` skips it.
    Next(String),
    /// The file was read, or could not become a document; `false` stops the archive. The bytes are empty when the file
    /// could not be unpacked.
    Read(String, Result<Document, Unreadable>, &'a [u8]),
}

/// Reads the archive `file` and calls `each` for every file in it. The paths begin with `base`. Hidden files are
/// skipped.
///
/// # Errors
/// When the archive itself cannot be read, has more than [`MAX_ENTRIES`] files, or more than [`MAX_TOTAL`] bytes.
pub fn read(
    file: File,
    base: &str,
    options: Options<'_>,
    each: &mut dyn FnMut(Event<'_>) -> bool,
) -> Result<(), Unreadable> {
    walk(file, options, Keep::Bytes, &mut |step| {
        let full = |path: &str| format!("{base}/{path}");
        match step {
            Step::Next(path) => each(Event::Next(full(path))),
            Step::File(path, Ok(Unpacked { bytes, .. })) => {
                let path = full(path);
                let read = parse(&path, &bytes);
                each(Event::Read(path, read, &bytes))
            }
            Step::File(path, Err(reason)) => each(Event::Read(full(path), Err(reason), &[])),
        }
    })
}

/// A summary of an archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Contents {
    pub files: usize,
    /// Whether it contains HTML or Markdown pages, which its pictures may belong to.
    pub pages: bool,
}

/// Counts the files by unpacking the whole archive with the options of [`read`]. Keeps no contents in memory.
///
/// # Errors
/// As [`read`].
pub fn contents(file: File, options: Options<'_>) -> Result<Contents, Unreadable> {
    let mut contents = Contents::default();
    walk(file, options, Keep::Nothing, &mut |step| {
        if let Step::File(path, _) = step {
            contents.files += 1;
            contents.pages |= matches!(Kind::of_path(Path::new(path)), Some(Kind::Html | Kind::Markdown));
        }
        true
    })?;
    Ok(contents)
}

/// Like [`Event`], before a file is parsed.
enum Step<'a> {
    Next(&'a str),
    File(&'a str, Result<Unpacked, Unreadable>),
}

/// What to keep of an unpacked file.
#[derive(Debug, Clone, Copy)]
enum Keep {
    Bytes,
    Nothing,
}

/// A file that was unpacked.
struct Unpacked {
    size: u64,
    /// Empty when its contents are not kept.
    bytes: Vec<u8>,
}

impl Keep {
    fn unpack(self, reader: &mut dyn Read, limit: u64) -> Result<Unpacked, Unreadable> {
        match self {
            Self::Bytes => {
                let bytes = zip::bounded(reader, limit)?;
                Ok(Unpacked { size: bytes.len() as u64, bytes })
            }
            Self::Nothing => Ok(Unpacked { size: zip::measured(reader, limit)?, bytes: Vec::new() }),
        }
    }
}

fn walk(
    file: File,
    options: Options<'_>,
    keep: Keep,
    each: &mut dyn FnMut(Step<'_>) -> bool,
) -> Result<(), Unreadable> {
    let mut entries = Entries { count: 0, total: 0, overflow: None, options, keep, each };
    match format_of(Path::new(&format!("archive.{}", options.file_type))) {
        Some(Format::Zip) => {
            let (archive, shared) = (zip::open(file)?, RefCell::new(&mut entries));
            zip::each_file(
                &archive,
                |path| shared.borrow_mut().limit(path),
                |reader, limit| keep.unpack(reader, limit),
                |path, unpacked| shared.borrow_mut().take(&path, unpacked),
            )?;
        }
        Some(Format::Tar) => read_tar(BufReader::new(file), &mut entries)?,
        Some(Format::TarGz) => read_tar(GzDecoder::new(BufReader::new(file)), &mut entries)?,
        None => return Err(Unreadable::UnsupportedType),
    }
    entries.overflow.map_or(Ok(()), Err)
}

fn read_tar(reader: impl Read, entries: &mut Entries<'_>) -> Result<(), Unreadable> {
    let malformed = |error: std::io::Error| Unreadable::Malformed("tar archive", error.to_string());
    for entry in tar::Archive::new(reader).entries().map_err(malformed)? {
        let mut entry = entry.map_err(malformed)?;
        let Some(path) = entry.path().ok().and_then(|path| normal(&path)) else { continue };
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let Some(limit) = entries.limit(&path) else { continue };
        let size = entry.size();
        let unpacked = match size > limit {
            true => Err(Unreadable::TooLarge(limit)),
            false => entries.keep.unpack(&mut entry, limit),
        };
        let unpacked = unpacked.and_then(|unpacked| match unpacked.size < size {
            true => Err(Unreadable::Malformed("tar archive", "it ends in the middle of a file".to_owned())),
            false => Ok(unpacked),
        });
        if !entries.take(&path, unpacked) {
            break;
        }
    }
    Ok(())
}

/// Passes the files of an archive to the caller.
struct Entries<'a> {
    count: usize,
    total: u64,
    overflow: Option<Unreadable>,
    options: Options<'a>,
    keep: Keep,
    each: &'a mut dyn FnMut(Step<'_>) -> bool,
}

impl Entries<'_> {
    /// Bytes to read of the next file: `None` when its type is not supported or the caller skips it.
    fn limit(&mut self, path: &str) -> Option<u64> {
        if !is_visible(path) {
            return None;
        }
        if !(self.each)(Step::Next(path)) {
            self.count += 1;
            return None;
        }
        Some(if self.is_read(path) { self.options.max_file_bytes } else { 0 })
    }

    fn take(&mut self, path: &str, unpacked: Result<Unpacked, Unreadable>) -> bool {
        let unpacked = if self.is_read(path) { unpacked } else { Err(Unreadable::UnsupportedType) };
        self.count += 1;
        self.total += unpacked.as_ref().map_or(0, |unpacked| unpacked.size);
        if self.count > MAX_ENTRIES || self.total > MAX_TOTAL {
            let reason = format!("more than {MAX_ENTRIES} files or {MAX_TOTAL} bytes");
            self.overflow = Some(Unreadable::Malformed("archive", reason));
            return false;
        }
        (self.each)(Step::File(path, unpacked))
    }

    /// Whether files of this type are unpacked.
    fn is_read(&self, path: &str) -> bool {
        Kind::of_path(Path::new(path)).is_some_and(|kind| self.options.pictures || kind != Kind::Picture)
    }
}

/// Whether no part of the path is hidden or a file that archivers add.
fn is_visible(path: &str) -> bool {
    path.split('/').all(|part| !part.starts_with('.') && part != "__MACOSX")
}

/// The path with forward slashes; `None` when it leads out of the archive.
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
