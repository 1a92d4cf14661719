//! Archives: one child reads file after file. If a file breaks it, the file is reported and another child continues
//! after it. A file with scanned pages is sent back through the pipe and read separately, like a single upload.

use std::{fs::File, io, path::Path};

use rag::document::{Document, archive::MAX_ENTRIES};
use tokio::sync::mpsc;

use super::{
    Failure, ReadDocument, ReadEvent, RecognisedPage, Refusal, Sandbox, ahead,
    message::{Message, ReadArchive, Task},
    ocr::PagesLeft,
    pages::{PageLog, left_out_page},
    process::{Input, Process},
};

/// Files of one archive that may break their reader; then the archive is refused.
const MAX_BROKEN: usize = 10;

/// A summary of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// How many files.
    pub files: usize,
    /// Whether each picture in it is a document.
    pub pictures: bool,
}

/// How to read an archive.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveRequest<'a> {
    /// The prefix of the paths of its files.
    pub base: &'a str,
    /// Its extension.
    pub file_type: &'a str,
    /// The language of the text that is recognised in pictures.
    pub language: &'a str,
    /// Like [`Contents::pictures`].
    pub pictures: bool,
    /// Maximum bytes of a file in it.
    pub max_file_bytes: u64,
}

/// Where an earlier attempt at an archive ended.
#[derive(Debug, Clone, Default)]
pub struct ArchiveProgress {
    /// Files that were read, from the first on.
    pub files: usize,
    /// How many of them broke their reader.
    pub broken: usize,
    /// Pages on which text was recognised in these files.
    pub pages_read: usize,
    /// Pages of the next file on which text was recognised.
    pub pages: Vec<RecognisedPage>,
}

/// A file of an archive: its path, and the document or the reason for its absence.
pub type Entry = (String, Result<ReadDocument, Refusal>);

impl Sandbox {
    /// Counts the files of an archive, and decides whether its pictures are documents: not next to HTML or Markdown
    /// pages, to which they belong. Unpacks the whole archive except files of more than `max_file_bytes`.
    ///
    /// # Errors
    /// Like [`Sandbox::read_document`].
    pub async fn contents(
        &self,
        open: impl Fn() -> io::Result<File>,
        file_type: &str,
        max_file_bytes: u64,
        language: &str,
    ) -> Result<Contents, Failure> {
        let contents = async |pictures| {
            let task = Task::Contents { file_type: file_type.to_owned(), pictures, max_file_bytes };
            match self.one(task, Input::File(open().map_err(Failure::Unavailable)?)).await? {
                Message::Contents { files, pages } => Ok((files, pages)),
                other => Err(other.unexpected()),
            }
        };
        let (files, pages) = contents(false).await?;
        if pages || self.pages_of_archive(language).await.is_none() {
            return Ok(Contents { files, pictures: false });
        }
        Ok(Contents { files: contents(true).await?.0, pictures: true })
    }

    /// Reads an archive and sends the result of each file in it, until the receiver is dropped. Begins where an earlier
    /// attempt has ended.
    ///
    /// # Errors
    /// The archive itself cannot be read, or there is no process for it.
    pub async fn read_archive(
        &self,
        open: impl Fn() -> io::Result<File>,
        archive: ArchiveRequest<'_>,
        progress: ArchiveProgress,
        events: &mpsc::Sender<ReadEvent>,
    ) -> Result<(), Failure> {
        let ArchiveProgress { files, mut broken, pages_read, pages } = progress;
        let pages_left = self.pages_of_archive(archive.language).await.map(|left| left.after(pages_read));
        let mut reading = Reading { skip: files, path: None, scan: None, pages_left, pages };
        loop {
            let file = open().map_err(Failure::Unavailable)?;
            match self.read_from(file, archive, &mut reading, events).await {
                Ok(()) => return Ok(()),
                Err(Failure::Refused(refusal)) => {
                    (reading.scan, reading.pages) = (None, Vec::new());
                    let Some(path) = reading.path.take() else { return Err(refusal.into()) };
                    broken += 1;
                    let event = ReadEvent::Broken((path, Err(refusal.clone())));
                    if broken > MAX_BROKEN || events.send(event).await.is_err() {
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
        events: &mpsc::Sender<ReadEvent>,
    ) -> Result<(), Failure> {
        let mut process = self.start(reading.task(archive), Input::File(file))?;
        while reading.skip <= MAX_ENTRIES {
            let Some(read) = reading.next(&mut process, archive).await? else { return Ok(()) };
            let Some(path) = reading.path.take() else { return Err(Refusal::crashed().into()) };
            let read =
                read.and_then(|document| Document { path: path.clone(), ..document }.storable().map_err(Refusal::from));
            let log = PageLog { pages: std::mem::take(&mut reading.pages), events: Some(events) };
            let read = match (reading.scan.take(), &mut reading.pages_left) {
                (Some(scan), Some(pages_left)) => {
                    self.read_scan(scan, (path.as_str(), read), archive, pages_left, log).await?
                }
                _ => read.map(|document| ReadDocument { document, left_out: Vec::new() }),
            };
            reading.skip += 1;
            let text_bytes = read.as_ref().map_or(0, |read| read.document.text_bytes());
            if !ahead::send(events, ReadEvent::File((path, read)), text_bytes).await {
                return Ok(());
            }
        }
        Err(Refusal::crashed().into())
    }

    /// Reads a file of an archive separately. If that gives nothing, the result of the archive's reader stays.
    async fn read_scan(
        &self,
        scan: File,
        (path, document): (&str, Result<Document, Refusal>),
        archive: ArchiveRequest<'_>,
        pages_left: &mut PagesLeft,
        log: PageLog<'_>,
    ) -> Result<Result<ReadDocument, Refusal>, Failure> {
        let file_type = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let read = match pages_left.refusal() {
            Some(refusal) => Err(refusal.into()),
            None => {
                let ArchiveRequest { max_file_bytes, language, .. } = archive;
                self.read_alone(scan, path, (file_type, max_file_bytes, language), pages_left, log).await
            }
        };
        match (read, document) {
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

/// The state of the reading.
struct Reading {
    /// The number of files that the next child skips.
    skip: usize,
    /// The file that is being read.
    path: Option<String>,
    /// Its bytes, when its pages show pictures.
    scan: Option<File>,
    /// Pages on which text is still recognised, where that is possible.
    pages_left: Option<PagesLeft>,
    /// Its pages on which an earlier attempt has recognised text.
    pages: Vec<RecognisedPage>,
}

impl Reading {
    fn task(&self, archive: ArchiveRequest<'_>) -> Task {
        let scans = self.pages_left.is_some();
        Task::Archive(ReadArchive {
            file_type: archive.file_type.to_owned(),
            skip: self.skip,
            scans,
            pictures: scans && archive.pictures,
            max_file_bytes: archive.max_file_bytes,
        })
    }

    /// The result of the next file; `None` at the end of the archive.
    async fn next(
        &mut self,
        process: &mut Process,
        archive: ArchiveRequest<'_>,
    ) -> Result<Option<Result<Document, Refusal>>, Failure> {
        loop {
            match process.next().await? {
                Message::Next { path } => self.path = Some(format!("{}/{}", archive.base, path.replace('\0', ""))),
                Message::Content { bytes } if self.pages_left.is_some() && self.scan.is_none() => {
                    self.scan = Some(process.content(bytes, archive.max_file_bytes).await?);
                }
                // The content was not requested.
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

#[cfg(test)]
mod tests {
    use std::{fs, time::Duration};

    use contract::documents::DocumentProblem;

    use super::*;
    use crate::{
        child,
        sandbox::{Ocr, OcrLimits, SandboxSettings, message::Programs, ocr::FoundPrograms},
    };

    const ARCHIVE: ArchiveRequest<'static> =
        ArchiveRequest { base: "all.zip", file_type: "zip", language: "en", pictures: true, max_file_bytes: 1000 };

    /// A reader that outputs the file `archive` for each archive, two scanned pages for each file with the content
    /// `scan`, and the same text for these pages again and again.
    const READER: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
case "$2" in
*'"kind":"archive"'*) cat "${0%/*}/archive" ;;
*'"kind":"document"'*) test "$(cat)" = scan && echo '{"scanned":{"pages":2}}' ;;
*'"kind":"recognise"'*)
    echo '{"recognised":{"page":1,"paragraphs":["The office opens at nine."],"confidence":90.0}}'
    case "$2" in *'"pages":[1,2]'*) echo '{"recognised":{"page":2,"paragraphs":["?"],"confidence":20.0}}' ;; esac
    echo '"end"' ;;
esac
"#;

    /// Readers that output these messages for each archive, and recognise text on at most `max_pages` pages of a
    /// document, or on none.
    fn readers(archive: &str, max_pages: Option<usize>) -> (Sandbox, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("reader");
        fs::write(folder.path().join("archive"), archive).unwrap();
        // Another process makes the program: one that this process writes is busy while another test starts a process meanwhile.
        let source = folder.path().join("source");
        fs::write(&source, READER).unwrap();
        let installed = child::command("install").args(["-m", "700"]).args([&source, &program]).status().unwrap();
        assert!(installed.success());
        let sandbox = Sandbox::new(SandboxSettings {
            program,
            memory_bytes: 1 << 30,
            timeout: Duration::from_secs(20),
            ocr: max_pages.map(|max_pages| OcrLimits { max_pages, page_timeout: Duration::from_secs(20) }),
        });
        let programs = FoundPrograms(Programs { tesseract: "/bin/true".into(), pdftoppm: "/bin/true".into() });
        let ocr =
            if max_pages.is_some() { Ocr::Ready { programs, languages: vec!["eng".to_owned()] } } else { Ocr::Off };
        sandbox.ocr.set(ocr).unwrap();
        (sandbox, folder)
    }

    /// The messages about a scanned file.
    fn scan(path: &str, content: &str) -> String {
        let bytes = content.len();
        format!(
            r#"{{"next":{{"path":"{path}"}}}}
{{"content":{{"bytes":{bytes}}}}}
{content}{{"skipped":{{"problem":"scanned","detail":"pictures of text"}}}}
"#
        )
    }

    async fn read(sandbox: &Sandbox) -> (Result<(), Failure>, Vec<Entry>) {
        let (sender, mut entries) = mpsc::channel(100);
        let progress = ArchiveProgress::default();
        let read = sandbox.read_archive(|| File::open("/dev/null"), ARCHIVE, progress, &sender).await;
        drop(sender);
        let mut read_entries = Vec::new();
        while let Some(event) = entries.recv().await {
            read_entries.extend(event.file());
        }
        (read, read_entries)
    }

    fn problem(entry: &Entry) -> Option<DocumentProblem> {
        entry.1.as_ref().err().map(|refusal| refusal.problem)
    }

    #[tokio::test]
    async fn a_scan_in_an_archive_is_read_alone() {
        let archive = format!("{}{}\"end\"\n", scan("in/scan.pdf", "scan"), scan("broken.pdf", "no scan"));
        let (sandbox, _folder) = readers(&archive, Some(100));
        let (read, entries) = read(&sandbox).await;
        read.unwrap();
        let [(path, Ok(scanned)), broken] = entries.as_slice() else { panic!("{entries:?}") };
        assert_eq!((path.as_str(), scanned.document.path.as_str()), ("all.zip/in/scan.pdf", "all.zip/in/scan.pdf"));
        assert_eq!(scanned.document.sections.len(), 1, "{scanned:?}");
        assert_eq!((scanned.document.title.as_str(), scanned.document.ocr_pages.as_slice()), ("scan", [1].as_slice()));
        let [page] = scanned.left_out.as_slice() else { panic!("{scanned:?}") };
        assert_eq!((page.path.as_str(), page.code), ("Page 2", DocumentProblem::LowConfidence));
        assert_eq!((broken.0.as_str(), problem(broken)), ("all.zip/broken.pdf", Some(DocumentProblem::Crashed)));
    }

    #[tokio::test]
    async fn recognised_pages_of_an_archive_have_a_limit() {
        let mut archive = String::new();
        for number in 0..11 {
            archive.push_str(&scan(&format!("{number}.pdf"), "scan"));
        }
        archive.push_str("\"end\"\n");
        let (sandbox, _folder) = readers(&archive, Some(1));
        let (read, mut entries) = read(&sandbox).await;
        read.unwrap();
        let (path, beyond) = entries.pop().unwrap();
        assert_eq!((path.as_str(), entries.len()), ("all.zip/10.pdf", 10));
        let beyond = beyond.unwrap_err();
        assert_eq!(beyond.problem, DocumentProblem::PageLimit);
        assert_eq!(beyond.detail, "text is recognised on 10 pages of an archive");
        assert!(
            entries.iter().all(|(_, read)| read.as_ref().is_ok_and(|read| read.document.ocr_pages == [1])),
            "{entries:?}"
        );
    }

    #[tokio::test]
    async fn only_wanted_bytes_of_a_file_within_the_limit_are_accepted() {
        let next = "{\"next\":{\"path\":\"a.pdf\"}}\n";
        let too_large = format!("{next}{{\"content\":{{\"bytes\":{}}}}}\n", ARCHIVE.max_file_bytes + 1);
        let too_few = format!("{next}{{\"content\":{{\"bytes\":10}}}}\nfew");
        let twice = format!("{next}{}{}", "{\"content\":{\"bytes\":1}}\nx", "{\"content\":{\"bytes\":1}}\nx");
        let unwanted = scan("a.pdf", "scan");
        for (archive, max_pages) in
            [(&too_large, Some(100)), (&too_few, Some(100)), (&twice, Some(100)), (&unwanted, None)]
        {
            let (sandbox, _folder) = readers(archive, max_pages);
            let (read, entries) = read(&sandbox).await;
            assert_eq!(entries.len(), MAX_BROKEN, "{archive}");
            assert!(
                entries.iter().all(|entry| problem(entry) == Some(DocumentProblem::Crashed)),
                "{archive}: {entries:?}"
            );
            let refused =
                matches!(&read, Err(Failure::Refused(refusal)) if refusal.problem == DocumentProblem::Crashed);
            assert!(refused, "{archive}: {read:?}");
        }
    }
}
