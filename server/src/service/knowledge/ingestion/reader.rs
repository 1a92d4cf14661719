//! Reads files and archives on a thread of its own, a few documents ahead of the embedder.

use std::path::PathBuf;

use rag::{
    discover::Found,
    document::{Document, Unreadable, archive, read_document},
};
use tokio::{sync::mpsc, task::JoinHandle};

use super::source::source_name;

/// Documents that are read ahead at most.
const AHEAD: usize = 4;

/// What the reader found.
pub(super) enum Item {
    /// A document, or why a file gives none; `source` is the path that was named.
    Document { source: String, path: String, read: Result<Document, Unreadable> },
    /// A file of the list was read to its end.
    FileDone,
}

/// Begins to read `files`. Reading stops when the receiver is dropped; how it ended is in the handle.
pub(super) fn start(files: Vec<Found>, named: Vec<PathBuf>) -> (mpsc::Receiver<Item>, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let reading = tokio::task::spawn_blocking(move || {
        for found in files {
            let source = source_name(&found, &named);
            read_file(&found, &source, &sender);
            if sender.blocking_send(Item::FileDone).is_err() {
                return;
            }
        }
    });
    (receiver, reading)
}

fn read_file(found: &Found, source: &str, sender: &mpsc::Sender<Item>) {
    let send = |path: String, read: Result<Document, Unreadable>| {
        sender.blocking_send(Item::Document { source: source.to_owned(), path, read }).is_ok()
    };
    let path = || found.path.strip_prefix(&found.root).unwrap_or(&found.path).display().to_string();
    if let Some(reason) = &found.refused {
        send(path(), Err(Unreadable::Folder(reason.clone())));
        return;
    }
    if archive::is_archive(&found.path) {
        let whole = archive::read(&found.path, &found.root, &mut |path, read| send(path, read));
        if let Err(error) = whole {
            send(path(), Err(error));
        }
        return;
    }
    let read = read_document(&found.path, &found.root);
    send(read.as_ref().map_or_else(|_| path(), |document| document.path.clone()), read);
}
