//! Text recognition (OCR): detects the installed programs, and recognises the scanned pages of a document.

mod programs;

use std::{
    fs::{self, DirBuilder, File},
    io::{self, Read, Seek, SeekFrom},
    os::unix::fs::DirBuilderExt,
    path::PathBuf,
    time::Duration,
};

use rag::document::{Document, Layout, Omissions, recognised::Recognised};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    Failure, ReadDocument, Refusal, Sandbox,
    message::{Message, Programs, Recognise, Task},
    pages::{PageLog, RecognisedPage, collect, left_out_page},
    process::Input,
};
use crate::hex;

/// The page limit of an archive, as a multiple of that of a document.
const ARCHIVE_FACTOR: usize = 10;

/// Bounds of text recognition.
#[derive(Debug, Clone, Copy)]
pub struct OcrLimits {
    /// Pages of a document.
    pub max_pages: usize,
    /// The longest time for one page.
    pub page_timeout: Duration,
}

/// Whether text can be recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ocr {
    /// The settings turn it off.
    Off,
    /// These programs are not there.
    Missing(Vec<&'static str>),
    /// The system cannot confine the programs, so they are never started; with the reason.
    Unconfined(String),
    /// Text in these languages, as named by `tesseract`.
    Ready {
        /// Where its programs are.
        programs: FoundPrograms,
        /// The languages that are installed.
        languages: Vec<String>,
    },
}

/// The programs that were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPrograms(pub(super) Programs);

/// The reader's result for a document.
pub(super) enum Pages {
    /// The document, perhaps without some of its pages.
    Some(Document),
    /// The number of pages, without text.
    None(u32),
}

/// Pages on which text is still recognised, however many the single documents have.
#[derive(Debug)]
pub(super) struct PagesLeft {
    remaining: usize,
    of_all: usize,
}

impl PagesLeft {
    /// A single document has only its own limit.
    pub(super) const fn unlimited() -> Self {
        Self { remaining: usize::MAX, of_all: usize::MAX }
    }

    /// The rest when `read` pages of these were read before.
    pub(super) fn after(self, read: usize) -> Self {
        Self { remaining: self.remaining.saturating_sub(read), ..self }
    }

    /// The reason why no further page is read, when that is so.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        (self.remaining == 0).then(|| Refusal::page_limit(self.of_all, "an archive"))
    }

    /// How many pages of a document are read, and the reason for the others.
    fn of_document(&self, max_pages: usize) -> (usize, Refusal) {
        if self.remaining < max_pages {
            (self.remaining, Refusal::page_limit(self.of_all, "an archive"))
        } else {
            (max_pages, Refusal::page_limit(max_pages, "a document"))
        }
    }
}

/// Names of languages: ours, and those of `tesseract`.
const LANGUAGES: &[(&str, &str)] = &[
    ("en", "eng"),
    ("de", "deu"),
    ("fr", "fra"),
    ("es", "spa"),
    ("it", "ita"),
    ("nl", "nld"),
    ("pt", "por"),
    ("pl", "pol"),
    ("cs", "ces"),
    ("da", "dan"),
    ("sv", "swe"),
    ("fi", "fin"),
    ("nb", "nor"),
    ("no", "nor"),
    ("hu", "hun"),
    ("ro", "ron"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("ru", "rus"),
];

/// The languages for a document of a chatbot: its own, and English, whose names and terms are common everywhere.
fn languages(installed: &[String], language: &str) -> Option<String> {
    let primary = language.split('-').next().unwrap_or_default();
    let own = LANGUAGES.iter().find(|(code, _)| code.eq_ignore_ascii_case(primary)).map(|(_, name)| *name);
    let candidates = own.into_iter().chain(Some("eng").filter(|english| own != Some(english)));
    let names: Vec<&str> = candidates.filter(|name| installed.iter().any(|language| language == name)).collect();
    (!names.is_empty()).then(|| names.join("+"))
}

impl Sandbox {
    /// Whether text can be recognised; found out once.
    pub async fn ocr(&self) -> &Ocr {
        self.ocr.get_or_init(async || if self.settings.ocr.is_some() { self.find_ocr().await } else { Ocr::Off }).await
    }

    /// The result of the detection, if it has been done already.
    pub fn known_ocr(&self) -> Option<&Ocr> {
        self.ocr.get()
    }

    /// The maximum recognised pages of an archive; `None` when recognition is unavailable.
    pub(super) async fn pages_of_archive(&self, language: &str) -> Option<PagesLeft> {
        let (_, _, limits) = self.tools(language).await?;
        let of_all = limits.max_pages.saturating_mul(ARCHIVE_FACTOR);
        Some(PagesLeft { remaining: of_all, of_all })
    }

    /// Recognises the scanned pages of a document if that is available, and subtracts them from `pages_left`. Pages of
    /// the log are not read again.
    pub(super) async fn recognise(
        &self,
        file: File,
        read: Pages,
        (file_type, language): (&str, &str),
        pages_left: &mut PagesLeft,
        log: PageLog<'_>,
    ) -> Result<ReadDocument, Failure> {
        let pages = match &read {
            Pages::Some(document) => document.blank_pages.clone(),
            Pages::None(count) => (1..=*count).collect(),
        };
        let tools = if pages.is_empty() { None } else { self.tools(language).await };
        let Some((programs, languages, limits)) = tools else {
            return match read {
                Pages::Some(document) => Ok(ReadDocument { document, left_out: Vec::new() }),
                Pages::None(_) => Err(Refusal::scanned().into()),
            };
        };
        let folder = Folder::create().map_err(Failure::Unavailable)?;
        let (file, content_hash) = rewound(file).await.map_err(Failure::Unavailable)?;
        let order = Recognise {
            programs: programs.0.clone(),
            pages: file_type.eq_ignore_ascii_case("pdf").then_some(pages),
            languages,
            folder: folder.0.clone(),
            page_seconds: limits.page_timeout.as_secs().max(1),
        };
        let document = match read {
            Pages::Some(document) => document,
            Pages::None(_) => nothing_yet(content_hash),
        };
        let read = ReadDocument { document, left_out: Vec::new() };
        self.recognise_pages(order, file, read, (limits.max_pages, pages_left), log).await
    }

    /// The programs and languages for a text in this language, if available.
    async fn tools(&self, language: &str) -> Option<(&FoundPrograms, String, OcrLimits)> {
        let Ocr::Ready { programs, languages: installed } = self.ocr().await else { return None };
        Some((programs, languages(installed, language)?, self.settings.ocr?))
    }

    async fn recognise_pages(
        &self,
        mut order: Recognise,
        file: File,
        mut read: ReadDocument,
        (max_pages, pages_left): (usize, &mut PagesLeft),
        log: PageLog<'_>,
    ) -> Result<ReadDocument, Failure> {
        let several = !read.document.sections.is_empty() || order.pages.as_ref().is_some_and(|pages| pages.len() > 1);
        let (max_pages, reason) = pages_left.of_document(max_pages);
        if let Some(pages) = &mut order.pages
            && let Some(beyond) = pages.get(max_pages).copied()
        {
            read.left_out.push(left_out_page(beyond, reason));
            pages.truncate(max_pages);
        }
        // A page that cannot be read takes time as well.
        pages_left.remaining = pages_left.remaining.saturating_sub(order.pages.as_ref().map_or(1, Vec::len));
        let is_pdf = order.pages.is_some();
        let pages = self.read_pages(order, file, log).await?;
        collect(pages, (is_pdf, several), &mut read);
        match read.left_out.first() {
            // No page could be read: the first one gives the reason.
            Some(page) if read.document.sections.is_empty() => {
                Err(Refusal { problem: page.code, detail: format!("{}: {}", page.path, page.detail) }.into())
            }
            _ => Ok(read),
        }
    }

    /// Reads the pages that are not in the log, and returns all of them.
    async fn read_pages(
        &self,
        mut order: Recognise,
        file: File,
        mut log: PageLog<'_>,
    ) -> Result<Vec<RecognisedPage>, Failure> {
        let mut open: Vec<u32> = order.pages.clone().unwrap_or_else(|| vec![1]);
        log.pages.retain(|recognised| open.contains(&recognised.page));
        open.retain(|page| log.pages.iter().all(|recognised| recognised.page != *page));
        if open.is_empty() {
            return Ok(log.pages);
        }
        if let Some(pages) = &mut order.pages {
            pages.clone_from(&open);
        }
        let mut process = self.start(Task::Recognise(order), Input::File(file))?;
        loop {
            let (page, text) = match process.next().await? {
                Message::Recognised { page, paragraphs, confidence } => {
                    (page, Ok(Recognised { paragraphs, confidence }))
                }
                Message::LeftOut { page, refusal } => (page, Err(refusal.tidy())),
                Message::Refused(refusal) => return Err(refusal.tidy().into()),
                Message::End => return Ok(log.pages),
                other => return Err(other.unexpected()),
            };
            if !open.contains(&page) {
                return Err(Refusal::crashed().into());
            }
            open.retain(|other| *other != page);
            log.add(RecognisedPage { page, text }).await;
        }
    }
}

/// A document before its first page was read.
fn nothing_yet(content_hash: String) -> Document {
    Document {
        path: String::new(),
        title: String::new(),
        sections: Vec::new(),
        layout: Layout::Text,
        content_hash,
        blank_pages: Vec::new(),
        ocr_pages: Vec::new(),
        omissions: Omissions::new(),
    }
}

/// The file from its beginning, and the SHA-256 of its bytes.
async fn rewound(mut file: File) -> io::Result<(File, String)> {
    let hashing = tokio::task::spawn_blocking(move || {
        file.seek(SeekFrom::Start(0))?;
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 128 * 1024]);
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                count => hash.update(&buffer[..count]),
            }
        }
        file.seek(SeekFrom::Start(0))?;
        Ok((file, hex::encode(&hash.finalize())))
    });
    hashing.await.map_err(io::Error::other)?
}

/// A folder for the pictures of one document, which is removed with it.
struct Folder(PathBuf);

impl Folder {
    fn create() -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("reader-{}", Uuid::new_v4().simple()));
        DirBuilder::new().mode(0o700).create(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, "sandbox.folder_not_removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ocr_reads_the_chatbots_language_and_english() {
        let installed = ["deu", "eng", "osd"].map(str::to_owned);
        for (language, expected) in [
            ("de", Some("deu+eng")),
            ("de-AT", Some("deu+eng")),
            ("en", Some("eng")),
            ("fr", Some("eng")),
            ("ja", Some("eng")),
        ] {
            assert_eq!(languages(&installed, language).as_deref(), expected, "{language}");
        }
        assert_eq!(languages(&[], "de"), None);
    }
}
