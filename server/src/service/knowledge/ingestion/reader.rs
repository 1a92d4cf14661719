//! Reads files and archives a few documents ahead of the embedder, each in a process of its own.

use std::{fs::File, path::PathBuf};

use rag::{
    discover::Found,
    document::{Document, MAX_BYTES, Unreadable, archive, is_document_type},
};
use tokio::{sync::mpsc, task::JoinHandle};

use super::source::source_name;
use crate::sandbox::{Entry, Failure, Refusal, Sandbox};

/// Documents that are read ahead at most.
const AHEAD: usize = 4;

/// What the reader found.
pub(super) enum Item {
    /// A document, or why a file gives none; `source` is the path that was named.
    Document { source: String, path: String, read: Result<Document, Refusal> },
    /// A file of the list was read to its end.
    FileDone,
}

/// Begins to read `files`. Reading stops when the receiver is dropped; how it ended is in the handle.
pub(super) fn start(
    sandbox: Sandbox,
    files: Vec<Found>,
    named: Vec<PathBuf>,
) -> (mpsc::Receiver<Item>, JoinHandle<Result<(), Failure>>) {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let reading = tokio::spawn(async move {
        for found in files {
            let source = source_name(&found, &named);
            read_file(&sandbox, &found, &source, &sender).await?;
            if sender.send(Item::FileDone).await.is_err() {
                break;
            }
        }
        Ok(())
    });
    (receiver, reading)
}

async fn read_file(sandbox: &Sandbox, found: &Found, source: &str, sender: &mpsc::Sender<Item>) -> Result<(), Failure> {
    let path = path_of(found);
    // Nobody listens any more when the ingestion failed.
    let send =
        async |(path, read): Entry| sender.send(Item::Document { source: source.to_owned(), path, read }).await.is_ok();
    let file_type = archive::file_type(&path).filter(|_| found.refused.is_none());
    let Some(file_type) = file_type else {
        let read = read_document(sandbox, found, &path).await?;
        send((path, read)).await;
        return Ok(());
    };
    if let Err(error) = File::open(&found.path) {
        send((path, Err(Unreadable::Io(error).into()))).await;
        return Ok(());
    }
    let (entries, read) = mpsc::channel(1);
    let reading = async {
        let open = || File::open(&found.path);
        let whole = sandbox.read_archive(open, &path, file_type, &entries).await;
        drop(entries);
        whole
    };
    let forwarding = async {
        let mut read = read;
        while let Some(entry) = read.recv().await {
            if !send(entry).await {
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

async fn read_document(sandbox: &Sandbox, found: &Found, path: &str) -> Result<Result<Document, Refusal>, Failure> {
    if let Some(reason) = &found.refused {
        return Ok(Err(Unreadable::Folder(reason.clone()).into()));
    }
    let extension = found.path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if !is_document_type(extension) {
        return Ok(Err(Unreadable::UnsupportedType.into()));
    }
    let file = match File::open(&found.path) {
        Ok(file) => file,
        Err(error) => return Ok(Err(Unreadable::Io(error).into())),
    };
    match sandbox.read_document(file, path, extension, MAX_BYTES).await {
        Ok(document) => Ok(Ok(document)),
        Err(Failure::Refused(refusal)) => Ok(Err(refusal)),
        Err(failure) => Err(failure),
    }
}

/// The path below the folder that was named, with forward slashes.
fn path_of(found: &Found) -> String {
    let below = found.path.strip_prefix(&found.root).unwrap_or(&found.path);
    below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
