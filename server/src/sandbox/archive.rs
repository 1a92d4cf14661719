//! Archives: one child reads file after file. A file that breaks it is named, and another child goes on behind it.

use std::{fs::File, io};

use rag::document::{Document, archive::MAX_ENTRIES};
use tokio::sync::mpsc;

use super::{
    Failure, Refusal, Sandbox,
    message::{Message, Task},
    process::Input,
};

/// Files of one archive that may break their reader; then the archive is refused.
const MAX_BROKEN: usize = 10;

/// A file of an archive: its path, and the document or the reason why there is none.
pub type Entry = (String, Result<Document, Refusal>);

impl Sandbox {
    /// Reads an archive and sends what becomes of each file in it, until nobody listens. The paths begin with `base`.
    ///
    /// # Errors
    /// The archive itself cannot be read, or there is no process for it.
    pub async fn read_archive(
        &self,
        open: impl Fn() -> io::Result<File>,
        base: &str,
        file_type: &str,
        entries: &mpsc::Sender<Entry>,
    ) -> Result<(), Failure> {
        let (mut skip, mut broken) = (0, 0);
        loop {
            let file = open().map_err(Failure::Unavailable)?;
            let mut reading = Reading { skip, path: None };
            match self.read_from(file, (base, file_type), &mut reading, entries).await {
                Ok(()) => return Ok(()),
                Err(Failure::Refused(refusal)) => {
                    let Some(path) = reading.path else { return Err(refusal.into()) };
                    broken += 1;
                    if broken > MAX_BROKEN || entries.send((path, Err(refusal.clone()))).await.is_err() {
                        return Err(refusal.into());
                    }
                    skip = reading.skip + 1;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    async fn read_from(
        &self,
        file: File,
        (base, file_type): (&str, &str),
        reading: &mut Reading,
        entries: &mpsc::Sender<Entry>,
    ) -> Result<(), Failure> {
        let task = Task::Archive { file_type: file_type.to_owned(), skip: reading.skip };
        let mut process = self.start(task, Input::File(file))?;
        while reading.skip <= MAX_ENTRIES {
            let read = match process.next().await? {
                Message::Next { path } => {
                    reading.path = Some(format!("{base}/{}", path.replace('\0', "")));
                    continue;
                }
                Message::Document(document) => Ok(document),
                Message::Skipped(refusal) => Err(refusal.tidy()),
                Message::Refused(refusal) => {
                    reading.path = None;
                    return Err(refusal.tidy().into());
                }
                Message::End => return Ok(()),
                other => return Err(other.unexpected()),
            };
            let Some(path) = reading.path.take() else { return Err(Refusal::crashed().into()) };
            let read =
                read.and_then(|document| Document { path: path.clone(), ..document }.storable().map_err(Refusal::from));
            reading.skip += 1;
            if entries.send((path, read)).await.is_err() {
                return Ok(());
            }
        }
        Err(Refusal::crashed().into())
    }
}

/// How far the reading is.
struct Reading {
    /// Files that are done.
    skip: usize,
    /// The file that is being read.
    path: Option<String>,
}
