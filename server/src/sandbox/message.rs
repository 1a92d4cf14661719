//! The protocol between parent and child: the order is the child's only argument, each message is a line of JSON.

use std::{io, path::PathBuf, time::Duration};

use rag::document::{
    Document,
    web_page::{Ownership, WebPage},
};
use serde::{Deserialize, Serialize};

use super::{
    Failure, MAX_TEXT, Refusal,
    picture::{Picture, PictureError},
};

/// The child's task and limits. It contains no names, because every user of the machine can see arguments.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub task: Task,
    pub memory_bytes: u64,
    pub seconds: u64,
}

/// The kind of the standard input, and what to do with it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Task {
    /// Read a file as a document.
    Document { file_type: String, max_bytes: u64 },
    /// Read the files of an archive as documents.
    Archive(ReadArchive),
    /// An archive is unpacked to see what it has.
    Contents { file_type: String, pictures: bool, max_file_bytes: u64 },
    /// A line with the address, then HTML.
    Page { charset: Option<String> },
    /// Find evidence of the owner: the input is a line with the address, then HTML.
    Ownership { meta: String },
    /// A line with the address, then another file.
    WebFile { file_type: String },
    /// A line, then a picture that is converted for delivery.
    Picture,
    /// Text is recognised on pages of a file.
    Recognise(Recognise),
    /// Nothing is read: the process tries what it can still access, this parent among it.
    Probe { parent: i32 },
    /// The same within the limits of text recognition, which starts programs.
    ProbeRecognition { parent: i32, order: Recognise },
}

/// Which files of an archive are read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ReadArchive {
    pub file_type: String,
    /// The number of files at the beginning to skip.
    pub skip: usize,
    /// Whether files with pages that show pictures are handed to the parent.
    pub scans: bool,
    /// Whether pictures are such files.
    pub pictures: bool,
    /// Maximum bytes of a file.
    pub max_file_bytes: u64,
}

/// Which pages are recognised, and with what.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Recognise {
    pub programs: Programs,
    /// The pages of a PDF; `None` for a picture.
    pub pages: Option<Vec<u32>>,
    /// The languages as named by `tesseract`, separated by `+`.
    pub languages: String,
    /// A folder for this document alone.
    pub folder: PathBuf,
    pub page_seconds: u64,
}

/// The paths of the text recognition programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Programs {
    pub tesseract: PathBuf,
    pub pdftoppm: PathBuf,
}

/// Unpacking a whole archive may take this many times as long as reading one.
const UNPACKING: u64 = 10;

/// Memory in which a picture is converted: it has two copies of at most 128 MiB, and others are smaller.
const PICTURE_MEMORY: u64 = 512 * 1024 * 1024;
/// Maximum bytes of a message: a text is longer in JSON.
const MAX_LINE: u64 = 2 * MAX_TEXT as u64;
/// The same with a converted picture, each byte of which is a number.
const MAX_PICTURE_LINE: u64 = 4 * 1024 * 1024;

impl Task {
    /// The memory that it gets at most, if the settings allow more.
    pub(super) const fn max_memory(&self) -> u64 {
        match self {
            Self::Picture => PICTURE_MEMORY,
            _ => u64::MAX,
        }
    }

    /// Maximum bytes of one message of the child.
    pub(super) const fn max_line(&self) -> u64 {
        match self {
            Self::Picture => MAX_PICTURE_LINE,
            _ => MAX_LINE,
        }
    }

    /// What text recognition gets, when the task is about it.
    pub(super) const fn recognition(&self) -> Option<&Recognise> {
        match self {
            Self::Recognise(order) | Self::ProbeRecognition { order, .. } => Some(order),
            _ => None,
        }
    }
}

impl Order {
    /// How long the parent waits for each message.
    pub(super) fn timeout(&self) -> Duration {
        let seconds = match &self.task {
            // Two programs run for a page, and each has its time.
            Task::Recognise(Recognise { page_seconds, .. }) => page_seconds * 2 + 5,
            // A whole archive is unpacked.
            Task::Contents { .. } => self.seconds * UNPACKING,
            _ => self.seconds,
        };
        Duration::from_secs(seconds)
    }
}

/// A message of the child.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Message {
    Document(Document),
    /// The document has only scanned pages, with their number.
    Scanned {
        pages: u32,
    },
    /// The text of a page, which is 1 of a picture.
    Recognised {
        page: u32,
        paragraphs: Vec<String>,
        confidence: f32,
    },
    /// A page was left out.
    LeftOut {
        page: u32,
        refusal: Refusal,
    },
    Page(Box<WebPage>),
    Ownership(Ownership),
    Picture(Picture),
    NoPicture(PictureError),
    Contents {
        files: usize,
        pages: bool,
    },
    Probed(Reach),
    Refused(Refusal),
    /// The next file of an archive.
    Next {
        path: String,
    },
    /// This line is followed by the bytes of the last file.
    Content {
        bytes: u64,
    },
    /// The last file gives no document.
    Skipped(Refusal),
    /// The archive was read to its end.
    End,
}

impl Message {
    /// The failure when a message answers another question.
    pub(super) fn unexpected(self) -> Failure {
        drop(self);
        Failure::Unavailable(io::Error::other("the reader answered another question"))
    }
}

/// What a process can still access after it has restricted itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// It could open a file.
    pub files: bool,
    /// It could open a socket.
    pub network: bool,
    /// It could start a program, other than those of text recognition.
    pub programs: bool,
    /// It could send its parent a signal.
    pub signals: bool,
}

impl Reach {
    /// The access that it has, for the log; empty when it has none.
    pub fn open(self) -> Vec<&'static str> {
        let all =
            [(self.files, "files"), (self.network, "network"), (self.programs, "programs"), (self.signals, "signals")];
        all.into_iter().filter(|(open, _)| *open).map(|(_, name)| name).collect()
    }
}
