//! Reads files and archives a few documents ahead of the embedder, each in a separate process.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use rag::{
    discover::DiscoveredFile,
    document::{Document, Unreadable, archive, composed_name, is_document_type, is_picture_type},
};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use super::source::source_name;
use crate::sandbox::{ArchiveProgress, ArchiveRequest, Entry, Failure, ReadDocument, Refusal, Sandbox, ahead};

/// Maximum documents that are read ahead.
const AHEAD: usize = 4;

/// A result of the reader.
pub(super) enum Item {
    /// A document, or the reason why a file gives none; `source` is the given path.
    Document { source: String, path: String, read: Result<Document, Refusal> },
    /// A page of a document that was left out, with the reason.
    LeftOut { path: String, reason: String },
    /// A file of the list was read to its end.
    FileDone,
}

/// How files are read.
pub(super) struct ReadOptions {
    pub sandbox: Sandbox,
    /// Maximum bytes of a file, inside or outside of an archive.
    pub max_file_bytes: u64,
    /// The language of the text that is recognised in pictures.
    pub language: String,
}

/// Begins to read `files`. Reading stops when the receiver or the handle is dropped; how it ended is in the handle.
pub(super) fn start(
    options: ReadOptions,
    files: Vec<DiscoveredFile>,
    given_paths: Vec<PathBuf>,
) -> (mpsc::Receiver<Item>, AbortOnDropHandle<Result<(), Failure>>) {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let reading = tokio::spawn(async move {
        for file in files {
            let source = source_name(&file, &given_paths);
            read_file(&options, (&file, &source), &sender).await?;
            if sender.send(Item::FileDone).await.is_err() {
                break;
            }
        }
        Ok(())
    });
    (receiver, AbortOnDropHandle::new(reading))
}

async fn read_file(
    options: &ReadOptions,
    (file, source): (&DiscoveredFile, &str),
    sender: &mpsc::Sender<Item>,
) -> Result<(), Failure> {
    let path = path_of(file);
    let send = async |entry: Entry| forward(sender, source, entry).await;
    let file_type = archive::file_type(&path).filter(|_| file.refused.is_none());
    let Some(file_type) = file_type else {
        let read = read_document(options, (file, source), &path).await?;
        send((path, read)).await;
        return Ok(());
    };
    if let Err(error) = File::open(&file.path) {
        send((path, Err(Unreadable::Io(error).into()))).await;
        return Ok(());
    }
    let (entries, read) = mpsc::channel(1);
    let ReadOptions { sandbox, max_file_bytes, language } = options;
    let reading = async {
        let open = || File::open(&file.path);
        // As in a folder, a picture usually belongs to its pages.
        let archive =
            ArchiveRequest { base: &path, file_type, language, pictures: false, max_file_bytes: *max_file_bytes };
        let whole = sandbox.read_archive(open, archive, ArchiveProgress::default(), &entries).await;
        drop(entries);
        whole
    };
    let forwarding = async {
        let mut read = read;
        while let Some(event) = read.recv().await {
            if let Some(entry) = event.file()
                && !send(entry).await
            {
                return;
            }
        }
    };
    match tokio::join!(reading, forwarding).0 {
        Err(Failure::Refused(refusal)) => {
            send((path, Err(refusal))).await;
            Ok(())
        }
        whole => whole,
    }
}

/// Sends the result of a file. Returns whether the receiver exists, which is not the case after the ingestion failed.
async fn forward(sender: &mpsc::Sender<Item>, source: &str, (path, read): Entry) -> bool {
    let (read, left_out) = match read {
        Ok(ReadDocument { document, left_out }) => (Ok(document), left_out),
        Err(refusal) => (Err(refusal), Vec::new()),
    };
    let text_bytes = read.as_ref().map_or(0, Document::text_bytes);
    let item = Item::Document { source: source.to_owned(), path: path.clone(), read };
    if !ahead::send(sender, item, text_bytes).await {
        return false;
    }
    for page in left_out {
        let (path, reason) = (format!("{path}, {}", page.path), page.detail);
        if sender.send(Item::LeftOut { path, reason }).await.is_err() {
            return false;
        }
    }
    true
}

async fn read_document(
    options: &ReadOptions,
    (discovered, source): (&DiscoveredFile, &str),
    path: &str,
) -> Result<Result<ReadDocument, Refusal>, Failure> {
    if let Some(reason) = &discovered.refused {
        return Ok(Err(Unreadable::Folder(reason.clone()).into()));
    }
    let extension = discovered.path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    // A picture in a folder mostly belongs to its pages: it is read when it was named itself.
    let is_left_out = is_picture_type(extension) && Path::new(source) != discovered.path;
    if !is_document_type(extension) || is_left_out {
        return Ok(Err(Unreadable::UnsupportedType.into()));
    }
    let file = match File::open(&discovered.path) {
        Ok(file) => file,
        Err(error) => return Ok(Err(Unreadable::Io(error).into())),
    };
    let ReadOptions { sandbox, max_file_bytes, language } = options;
    match sandbox.read_document(file, path, extension, *max_file_bytes, language).await {
        Ok(read) => Ok(Ok(read)),
        Err(Failure::Refused(refusal)) => Ok(Err(refusal)),
        Err(failure) => Err(failure),
    }
}

/// The path below the folder that was named, with forward slashes and composed letters, whichever system wrote it.
fn path_of(file: &DiscoveredFile) -> String {
    let below = file.path.strip_prefix(&file.root).unwrap_or(&file.path);
    composed_name(&below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"))
}
