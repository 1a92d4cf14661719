//! Archives: one child reads file after file. A file that breaks it is named, and another child goes on behind it. A file whose pages
//! show pictures comes out through the pipe, and is read alone like one that was uploaded by itself.

use std::{fs::File, io, path::Path};

use rag::document::{Document, MAX_BYTES, archive::MAX_ENTRIES};
use tokio::sync::mpsc;

use super::{
    Failure, ReadDocument, Refusal, Sandbox,
    message::{Message, ReadArchive, Task},
    ocr::{PagesLeft, left_out_page},
    process::{Input, Process},
};

/// Files of one archive that may break their reader; then the archive is refused.
const MAX_BROKEN: usize = 10;

/// How an archive is read.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveRequest<'a> {
    /// What the paths of its files begin with.
    pub base: &'a str,
    /// Its extension.
    pub file_type: &'a str,
    /// The language of the text that is recognised in pictures.
    pub language: &'a str,
    /// Whether each picture in it is a document, where text can be recognised.
    pub pictures: bool,
}

/// A file of an archive: its path, and the document or the reason why there is none.
pub type Entry = (String, Result<ReadDocument, Refusal>);

impl Sandbox {
    /// How many files an archive has.
    ///
    /// # Errors
    /// As [`Sandbox::read_document`].
    pub async fn count_files(&self, file: File, archive: ArchiveRequest<'_>) -> Result<usize, Failure> {
        let pictures = archive.pictures && self.pages_of_archive(archive.language).await.is_some();
        let task = Task::Count { file_type: archive.file_type.to_owned(), pictures };
        match self.one(task, Input::File(file)).await? {
            Message::Counted { files } => Ok(files),
            other => Err(other.unexpected()),
        }
    }

    /// Reads an archive and sends what becomes of each file in it, until nobody listens.
    ///
    /// # Errors
    /// The archive itself cannot be read, or there is no process for it.
    pub async fn read_archive(
        &self,
        open: impl Fn() -> io::Result<File>,
        archive: ArchiveRequest<'_>,
        entries: &mpsc::Sender<Entry>,
    ) -> Result<(), Failure> {
        let pages_left = self.pages_of_archive(archive.language).await;
        let mut reading = Reading { skip: 0, path: None, scan: None, pages_left };
        let mut broken = 0;
        loop {
            let file = open().map_err(Failure::Unavailable)?;
            match self.read_from(file, archive, &mut reading, entries).await {
                Ok(()) => return Ok(()),
                Err(Failure::Refused(refusal)) => {
                    reading.scan = None;
                    let Some(path) = reading.path.take() else { return Err(refusal.into()) };
                    broken += 1;
                    if broken > MAX_BROKEN || entries.send((path, Err(refusal.clone()))).await.is_err() {
                        return Err(refusal.into());
                    }
                    reading.skip += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Reads on from the first file that is not done.
    async fn read_from(
        &self,
        file: File,
        archive: ArchiveRequest<'_>,
        reading: &mut Reading,
        entries: &mpsc::Sender<Entry>,
    ) -> Result<(), Failure> {
        let mut process = self.start(reading.task(archive), Input::File(file))?;
        while reading.skip <= MAX_ENTRIES {
            let Some(read) = reading.next(&mut process, archive.base).await? else { return Ok(()) };
            let Some(path) = reading.path.take() else { return Err(Refusal::crashed().into()) };
            let read =
                read.and_then(|document| Document { path: path.clone(), ..document }.storable().map_err(Refusal::from));
            let read = match (reading.scan.take(), &mut reading.pages_left) {
                (Some(scan), Some(pages_left)) => {
                    self.read_scan(scan, (path.as_str(), read), archive.language, pages_left).await?
                }
                _ => read.map(|document| ReadDocument { document, left_out: Vec::new() }),
            };
            reading.skip += 1;
            if entries.send((path, read)).await.is_err() {
                return Ok(());
            }
        }
        Err(Refusal::crashed().into())
    }

    /// Reads a file of an archive alone. When that gives nothing, what the reader of the archive has found stays.
    async fn read_scan(
        &self,
        scan: File,
        (path, found): (&str, Result<Document, Refusal>),
        language: &str,
        pages_left: &mut PagesLeft,
    ) -> Result<Result<ReadDocument, Refusal>, Failure> {
        let file_type = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let read = match pages_left.refusal() {
            Some(refusal) => Err(refusal.into()),
            None => self.read_alone(scan, path, (file_type, MAX_BYTES), language, pages_left).await,
        };
        match (read, found) {
            (Ok(read), _) => Ok(Ok(read)),
            (Err(Failure::Refused(refusal)), Ok(document)) => {
                let page = document.blank_pages.first().copied().unwrap_or(1);
                Ok(Ok(ReadDocument { document, left_out: vec![left_out_page(page, refusal)] }))
            }
            (Err(Failure::Refused(refusal)), Err(_)) => Ok(Err(refusal)),
            (Err(failure), _) => Err(failure),
        }
    }
}

/// How far the reading is.
struct Reading {
    /// Files that are done.
    skip: usize,
    /// The file that is being read.
    path: Option<String>,
    /// Its bytes, when its pages show pictures.
    scan: Option<File>,
    /// Pages on which text is still recognised, where that is possible.
    pages_left: Option<PagesLeft>,
}

impl Reading {
    fn task(&self, archive: ArchiveRequest<'_>) -> Task {
        let scans = self.pages_left.is_some();
        Task::Archive(ReadArchive {
            file_type: archive.file_type.to_owned(),
            skip: self.skip,
            scans,
            pictures: scans && archive.pictures,
        })
    }

    /// What became of the next file; none at the end of the archive.
    async fn next(&mut self, process: &mut Process, base: &str) -> Result<Option<Result<Document, Refusal>>, Failure> {
        loop {
            match process.next().await? {
                Message::Next { path } => self.path = Some(format!("{base}/{}", path.replace('\0', ""))),
                Message::Content { bytes } if self.pages_left.is_some() && self.scan.is_none() => {
                    self.scan = Some(process.content(bytes).await?);
                }
                // Nobody has asked for it.
                Message::Content { .. } => return Err(Refusal::crashed().into()),
                Message::Document(document) => return Ok(Some(Ok(document))),
                Message::Skipped(refusal) => return Ok(Some(Err(refusal.tidy()))),
                Message::Refused(refusal) => {
                    self.path = None;
                    return Err(refusal.tidy().into());
                }
                Message::End => return Ok(None),
                other => return Err(other.unexpected()),
            }
        }
    }
}
