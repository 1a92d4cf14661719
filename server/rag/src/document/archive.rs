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
/// Maximum decompressed bytes of all files of an archive together. In a tar archive, everything counts that must be
/// decompressed to be skipped.
pub const MAX_TOTAL: u64 = 2 * 1024 * 1024 * 1024;
/// Maximum entries of a tar archive: files that are read, hidden ones and folders.
const MAX_TAR_ENTRIES: usize = 4 * MAX_ENTRIES;

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
/// When the archive itself cannot be read, has more than [`MAX_ENTRIES`] files, or more than [`MAX_TOTAL`] bytes. Skipped
/// entries of a tar archive count as well.
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
                let bytes = zip::read_bounded(reader, limit)?;
                Ok(Unpacked { size: bytes.len() as u64, bytes })
            }
            Self::Nothing => Ok(Unpacked { size: zip::measure(reader, limit)?, bytes: Vec::new() }),
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
            let (archive, entries) = (zip::open(file)?, RefCell::new(&mut entries));
            zip::each_file(
                &archive,
                |path| entries.borrow_mut().limit(path),
                |reader, limit| keep.unpack(reader, limit),
                |path, unpacked| entries.borrow_mut().take(&path, unpacked),
            )?;
        }
        Some(Format::Tar) => read_tar(BufReader::new(file), &mut entries)?,
        // Heads, padding and long names are decompressed, too, and no entry declares them.
        Some(Format::TarGz) => read_tar(GzDecoder::new(BufReader::new(file)).take(2 * MAX_TOTAL), &mut entries)?,
        None => return Err(Unreadable::UnsupportedType),
    }
    entries.overflow.map_or(Ok(()), Err)
}

fn read_tar(reader: impl Read, entries: &mut Entries<'_>) -> Result<(), Unreadable> {
    let malformed = |error: std::io::Error| Unreadable::Malformed("tar archive", error.to_string());
    let (mut count, mut total) = (0, 0u64);
    for entry in tar::Archive::new(reader).entries().map_err(malformed)? {
        let mut entry = entry.map_err(malformed)?;
        count += 1;
        total = total.saturating_add(entry.size());
        if count > MAX_TAR_ENTRIES || total > MAX_TOTAL {
            return Err(overflow());
        }
        let path = zip::name(&entry.path_bytes(), || zip::NameEncoding::of([&*entry.path_bytes()]));
        let Some(path) = normal(Path::new(&path)) else { continue };
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

fn overflow() -> Unreadable {
    Unreadable::Malformed("archive", format!("more than {MAX_ENTRIES} files or {MAX_TOTAL} bytes"))
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
            self.overflow = Some(overflow());
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

#[cfg(test)]
mod tests {
    use std::{fs::File, io::Write, time::Instant};

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    const OPTIONS: Options<'static> = Options { file_type: "tar.gz", pictures: false, max_file_bytes: 1024 };

    fn head(path: &str, size: u64) -> Vec<u8> {
        let mut header = tar::Header::new_gnu();
        header.set_path(path).unwrap();
        header.set_size(size);
        header.set_cksum();
        header.as_bytes().to_vec()
    }

    fn packed(write: impl FnOnce(&mut GzEncoder<File>)) -> File {
        let file = tempfile::tempfile().unwrap();
        let mut gzip = GzEncoder::new(file.try_clone().unwrap(), Compression::fast());
        write(&mut gzip);
        gzip.finish().unwrap();
        std::io::Seek::rewind(&mut (&file)).unwrap();
        file
    }

    fn is_refused(file: File) -> bool {
        matches!(contents(file, OPTIONS), Err(Unreadable::Malformed("archive", _)))
    }

    #[test]
    fn skipped_entries_of_a_tar_count_towards_its_bytes() {
        const ZEROS: u64 = 64 * 1024 * 1024;
        // Each path claims 10 GB that the archive does not contain. The file of an unsupported type before it has its
        // bytes.
        for path in [".x", "movie.mp4", "large.md"] {
            let start = Instant::now();
            let file = packed(|gzip| {
                gzip.write_all(&head("a.bin", ZEROS)).unwrap();
                gzip.write_all(&vec![0; usize::try_from(ZEROS).unwrap()]).unwrap();
                gzip.write_all(&head(path, 10_000_000_000)).unwrap();
                gzip.write_all(&[0; 1024]).unwrap();
            });
            assert!(is_refused(file), "{path}");
            assert!(start.elapsed().as_secs() < 20, "{path}");
        }
    }

    #[test]
    fn entries_of_a_tar_that_are_skipped_are_counted() {
        let file = packed(|gzip| {
            let folder = head(".hidden", 0);
            for _ in 0..=MAX_TAR_ENTRIES {
                gzip.write_all(&folder).unwrap();
            }
            gzip.write_all(&[0; 1024]).unwrap();
        });
        assert!(is_refused(file));
    }
}
