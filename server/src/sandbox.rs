//! Reads untrusted documents in separate processes. Before it reads a byte, `server parse` gives up what a reader does
//! not need: memory, processor time, files, network, other programs. A document that breaks the reader affects only
//! itself.
//!
//! The parent knows the document's name, the child only its bytes. The child's output is validated like untrusted
//! input.

pub(crate) mod ahead;
mod archive;
pub(crate) mod child;
mod confine;
mod message;
mod ocr;
mod output;
mod pages;
mod picture;
mod process;
mod recognise;
mod refusal;

use std::{
    ffi::OsString,
    fs::File,
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use contract::documents::SkippedFile;
use rag::document::{
    Document,
    web_page::{Ownership, WebPage},
};

use tokio::sync::{OnceCell, mpsc};

pub(crate) use self::confine::start_model_server;
pub use self::{
    archive::{ArchiveProgress, ArchiveRequest, Contents, Entry},
    message::Reach,
    ocr::{Ocr, OcrLimits},
    pages::RecognisedPage,
    picture::{Picture, PictureError, PictureFormat},
    refusal::{Failure, Refusal},
};
use self::{
    message::{Message, Order, Task},
    ocr::{FoundPrograms, Pages, PagesLeft},
    pages::PageLog,
    process::{Input, Process},
};

/// Maximum bytes of a document's text.
const MAX_TEXT: usize = 64 * 1024 * 1024;
/// Minimum confidence of a page's text recognition, in percent.
const MIN_CONFIDENCE: f32 = 60.0;
/// The exit code of a reader that could not begin.
const NOT_STARTED: u8 = 3;

/// Within which limits documents are read.
#[derive(Debug, Clone)]
pub struct SandboxSettings {
    /// The program with the subcommand `parse`.
    pub program: PathBuf,
    /// Memory that a reader may use beyond that at its start.
    pub memory_bytes: u64,
    /// The longest time for one document.
    pub timeout: Duration,
    /// The limits of text recognition, if it is enabled.
    pub ocr: Option<OcrLimits>,
}

/// Reads documents in separate processes; cheap to clone.
#[derive(Debug, Clone)]
pub struct Sandbox {
    settings: SandboxSettings,
    state: Arc<AtomicU8>,
    ocr: Arc<OnceCell<Ocr>>,
    /// The folders of the programs of text recognition, in the form of `PATH`.
    program_path: Option<OsString>,
}

/// A document that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadDocument {
    /// Its text.
    pub document: Document,
    /// Its pages that were left out.
    pub left_out: Vec<SkippedFile>,
}

/// A step while a document or an archive is read.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadEvent {
    /// Text was recognised on a page of the document, or of the archive's next file.
    Page(RecognisedPage),
    /// A file of the archive was read.
    File(Entry),
    /// A file of the archive broke its reader.
    Broken(Entry),
}

impl ReadEvent {
    /// The file of the archive that the step ends.
    pub fn file(self) -> Option<Entry> {
        match self {
            Self::Page(_) => None,
            Self::File(entry) | Self::Broken(entry) => Some(entry),
        }
    }
}

/// The state of the readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// No process has started yet.
    Unknown,
    /// They reach neither files nor the network nor other programs and processes.
    Closed,
    /// They reach some of these.
    Open,
    /// No process can be started.
    Unavailable,
}

impl State {
    const ALL: [Self; 4] = [Self::Unknown, Self::Closed, Self::Open, Self::Unavailable];

    /// The state in one word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Closed => "closed",
            Self::Open => "open",
            Self::Unavailable => "unavailable",
        }
    }
}

impl Sandbox {
    /// Readers with these settings; the first process starts with the first document.
    pub fn new(settings: SandboxSettings) -> Self {
        let program_path = std::env::var_os("PATH");
        Self { settings, state: Arc::default(), ocr: Arc::default(), program_path }
    }

    /// Searches for the programs of text recognition in these folders instead of those of `PATH`.
    #[must_use]
    pub fn with_programs_in(self, path: impl Into<OsString>) -> Self {
        Self { program_path: Some(path.into()), ..self }
    }

    /// The result of [`Sandbox::check`].
    pub fn state(&self) -> State {
        let index = usize::from(self.state.load(Ordering::Relaxed));
        State::ALL.get(index).copied().unwrap_or(State::Unknown)
    }

    /// Text is recognised with these programs, which are not searched for. For tests with readers of their own.
    pub fn set_ocr(&self, tesseract: PathBuf, pdftoppm: PathBuf, languages: Vec<String>) {
        let programs = FoundPrograms(message::Programs { tesseract, pdftoppm });
        let _ = self.ocr.set(Ocr::Ready { programs, languages });
    }

    /// Finds out what readers can access, and warns if there is anything. Searches for the text recognition programs.
    pub async fn check(&self) {
        self.ocr().await;
        let state = match self.probe().await {
            Ok(reach) if reach.open().is_empty() => State::Closed,
            Ok(reach) => {
                let open = reach.open().join(", ");
                tracing::warn!(%open, "sandbox.open: the system cannot take everything from readers of documents");
                State::Open
            }
            Err(error) => {
                tracing::error!(%error, "sandbox.unavailable: no document can be read");
                State::Unavailable
            }
        };
        self.state.store(state as u8, Ordering::Relaxed);
    }

    /// Reads at most `max_bytes` of a document of the type `file_type`, an extension. Text in its pictures is
    /// recognised if the programs are installed, with the dictionary of `language`.
    ///
    /// # Errors
    /// When it gives no document, or the process cannot be started.
    pub async fn read_document(
        &self,
        file: File,
        path: &str,
        file_type: &str,
        max_bytes: u64,
        language: &str,
    ) -> Result<ReadDocument, Failure> {
        let request = (file_type, max_bytes, language);
        self.read_alone(file, path, request, &mut PagesLeft::unlimited(), PageLog::default()).await
    }

    /// Like [`Sandbox::read_document`], from where an earlier attempt ended: `known` are the pages on which it recognised
    /// text. Further ones are sent to `events`.
    ///
    /// # Errors
    /// Like [`Sandbox::read_document`].
    pub async fn continue_document(
        &self,
        file: File,
        path: &str,
        request: (&str, u64, &str),
        pages: Vec<RecognisedPage>,
        events: &mpsc::Sender<ReadEvent>,
    ) -> Result<ReadDocument, Failure> {
        let log = PageLog { pages, events: Some(events) };
        self.read_alone(file, path, request, &mut PagesLeft::unlimited(), log).await
    }

    /// Like [`Sandbox::read_document`], with text recognition on at most `pages_left` pages.
    async fn read_alone(
        &self,
        file: File,
        path: &str,
        (file_type, max_bytes, language): (&str, u64, &str),
        pages_left: &mut PagesLeft,
        log: PageLog<'_>,
    ) -> Result<ReadDocument, Failure> {
        let task = Task::Document { file_type: file_type.to_owned(), max_bytes };
        let again = file.try_clone().map_err(Failure::Unavailable)?;
        let read = match self.one(task, Input::File(file)).await? {
            Message::Document(document) => Pages::Some(document),
            Message::Scanned { pages } => Pages::None(pages),
            other => return Err(other.unexpected()),
        };
        let mut read = self.recognise(again, read, (file_type, language), pages_left, log).await?;
        read.document.path = path.to_owned();
        read.document = read.document.storable().map_err(Refusal::from)?;
        Ok(read)
    }

    /// Reads a page of HTML at `url`; `charset` is what the answer's head declares.
    ///
    /// # Errors
    /// Like [`Sandbox::read_document`].
    pub async fn read_page(&self, url: &str, charset: Option<&str>, body: &[u8]) -> Result<WebPage, Failure> {
        let task = Task::Page { charset: charset.map(str::to_owned) };
        match self.one(task, Input::Bytes { name: url.to_owned(), body: body.to_vec() }).await? {
            Message::Page(page) => {
                let mut page = *page;
                page.document = page.document.and_then(|document| document.storable().ok());
                Ok(page)
            }
            other => Err(other.unexpected()),
        }
    }

    /// Finds the evidence of the owner on a page.
    ///
    /// # Errors
    /// Like [`Sandbox::read_document`].
    pub async fn read_ownership(&self, body: &[u8], meta: &str) -> Result<Ownership, Failure> {
        let task = Task::Ownership { meta: meta.to_owned() };
        match self.one(task, Input::Bytes { name: String::new(), body: body.to_vec() }).await? {
            Message::Ownership(ownership) => Ok(ownership),
            other => Err(other.unexpected()),
        }
    }

    /// Reads another file of a website.
    ///
    /// # Errors
    /// Like [`Sandbox::read_document`].
    pub async fn read_web_file(&self, url: &str, file_type: &str, body: &[u8]) -> Result<Document, Failure> {
        let task = Task::WebFile { file_type: file_type.to_owned() };
        match self.one(task, Input::Bytes { name: url.to_owned(), body: body.to_vec() }).await? {
            Message::Document(document) => Ok(document.storable().map_err(Refusal::from)?),
            other => Err(other.unexpected()),
        }
    }

    /// Converts a picture for delivery.
    ///
    /// # Errors
    /// Like [`Sandbox::read_document`]. A file that is not such a picture is an inner error.
    pub async fn read_picture(&self, file: &[u8]) -> Result<Result<Picture, PictureError>, Failure> {
        match self.one(Task::Picture, Input::Bytes { name: String::new(), body: file.to_vec() }).await? {
            Message::Picture(picture) if picture.is_plausible() => Ok(Ok(picture)),
            Message::Picture(_) => Err(Refusal::crashed().into()),
            Message::NoPicture(error) => Ok(Err(error)),
            other => Err(other.unexpected()),
        }
    }

    /// What a reader can still access, found out by trying.
    ///
    /// # Errors
    /// When there is no process for it.
    pub async fn probe(&self) -> io::Result<Reach> {
        self.reach(Task::Probe { parent: std::process::id().cast_signed() }).await
    }

    /// The result of a task that probes.
    async fn reach(&self, probe: Task) -> io::Result<Reach> {
        match self.one(probe, Input::Nothing).await {
            Ok(Message::Probed(reach)) => Ok(reach),
            Ok(_) => Err(io::Error::other("the reader answered another question")),
            Err(Failure::Refused(refusal)) => Err(io::Error::other(refusal.detail)),
            Err(Failure::Unavailable(error)) => Err(error),
        }
    }

    /// The one message that a task has for an answer.
    async fn one(&self, task: Task, input: Input) -> Result<Message, Failure> {
        let mut process = self.start(task, input)?;
        match process.next().await? {
            Message::Refused(refusal) => Err(Failure::Refused(refusal.tidy())),
            message => Ok(message),
        }
    }

    fn start(&self, task: Task, input: Input) -> Result<Process, Failure> {
        let SandboxSettings { memory_bytes, timeout, .. } = self.settings;
        let memory_bytes = memory_bytes.min(task.max_memory());
        let order = Order { task, memory_bytes, seconds: timeout.as_secs().max(1) };
        Process::start(&self.settings.program, &order, input).map_err(Failure::Unavailable)
    }
}
