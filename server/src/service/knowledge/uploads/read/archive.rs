//! Archives: each file becomes a document of its own, one after another.

use std::{collections::HashMap, fs::File, path::Path};

use contract::{
    documents::{DocumentProblem, SkippedFile},
    usage::Quota,
};
use rag::document::Document;
use store::{
    jobs,
    uploads::{ReadBefore, SAME_CONTENT},
};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use super::{
    AHEAD, Failure, Reading, added, number,
    slice::{Checkpoint, Slice},
};
use crate::{
    sandbox::{ArchiveProgress, ArchiveRequest, Entry, ReadDocument, ReadEvent},
    service::{
        jobs::running::Error,
        knowledge::{indexing, vector_sync},
    },
};

/// Files of an archive that could not be read, and are named.
const MAX_SKIPPED: usize = 100;

/// Reads an archive twice: first to check that it is readable to its end and to count its files, so that a broken one is
/// not read by half.
pub(super) async fn read(reading: &Reading<'_>, file: &Path, checkpoint: Checkpoint) -> Result<(), Failure> {
    let settings = &reading.running.app.settings;
    let (sandbox, max_file_bytes) = (settings.sandbox.clone(), settings.uploads.max_file_bytes as u64);
    let (file, upload, language) = (file.to_owned(), reading.upload.clone(), reading.chatbot.language.clone());
    let (files, pictures) = match checkpoint.contents {
        Some(contents) => contents,
        None => {
            let contents = sandbox.contents(|| File::open(&file), &upload.file_type, max_file_bytes, &language).await?;
            (contents.files, contents.pictures)
        }
    };
    let checkpoint = Checkpoint { contents: Some((files, pictures)), ..checkpoint };
    let progress = ArchiveProgress {
        files: checkpoint.done,
        broken: checkpoint.broken,
        pages_read: checkpoint.pages_read,
        pages: checkpoint.pages.clone(),
    };
    let stored_documents = reading.stored_documents().await?;
    let mut archive = Archive { reading, stored_documents, files, checkpoint, slice: Slice::new(reading.running) };
    let (sender, mut events) = mpsc::channel(AHEAD);
    let reader = tokio::spawn(async move {
        let (base, file_type) = (&upload.external_id, &upload.file_type);
        let archive = ArchiveRequest { base, file_type, language: &language, pictures, max_file_bytes };
        sandbox.read_archive(|| File::open(&file), archive, progress, &sender).await
    });
    // Ends the reader when the job ends early.
    let reader = AbortOnDropHandle::new(reader);
    while let Some(event) = events.recv().await {
        archive.take(event).await?;
    }
    reader.await.map_err(|error| Error::Temporary(error.to_string()))??;
    archive.finish().await
}

/// The documents of an archive on their way into the collection.
struct Archive<'a> {
    reading: &'a Reading<'a>,
    stored_documents: HashMap<String, ReadBefore>,
    files: usize,
    checkpoint: Checkpoint,
    slice: Slice<'a>,
}

impl Archive<'_> {
    /// Handles a step of the reader, after which others may go first.
    async fn take(&mut self, event: ReadEvent) -> Result<(), Failure> {
        match event {
            ReadEvent::Page(page) => self.checkpoint.pages.push(page),
            ReadEvent::File(entry) => self.take_file(entry).await?,
            ReadEvent::Broken(entry) => {
                self.checkpoint.broken += 1;
                self.take_file(entry).await?;
            }
        }
        self.slice.end_step(&self.checkpoint).await
    }

    async fn take_file(&mut self, (path, read): Entry) -> Result<(), Failure> {
        self.checkpoint.done += 1;
        self.checkpoint.pages_read += std::mem::take(&mut self.checkpoint.pages).len();
        let ReadDocument { document, left_out } = match read {
            Ok(read) => read,
            Err(reason) => return self.refuse(&path, reason.problem, &reason.detail).await,
        };
        if self.is_stored(&document) {
            self.leave_out(&path, &left_out);
            self.checkpoint.paths.push(path);
            return self.record_progress().await;
        }
        if let Some(other) = self.reading.same_content(&document).await? {
            self.skip(&path, DocumentProblem::Duplicate, &format!("{SAME_CONTENT}{other}"));
            return self.record_progress().await;
        }
        match self.replace(&document).await {
            Ok(()) => {
                self.leave_out(&path, &left_out);
                self.checkpoint.paths.push(path);
                Ok(())
            }
            Err(Failure::Document(problem, detail, _)) => self.refuse(&path, problem, &detail).await,
            Err(failure) => Err(failure),
        }
    }

    /// Names a file that gives no document. A version that was read before stays.
    async fn refuse(&mut self, path: &str, problem: DocumentProblem, detail: &str) -> Result<(), Failure> {
        if self.stored_documents.contains_key(path) {
            self.checkpoint.paths.push(path.to_owned());
        }
        self.skip(path, problem, detail);
        self.record_progress().await
    }

    /// Whether the document is stored already, with as much recognised text.
    fn is_stored(&self, document: &Document) -> bool {
        let is_same = |stored: &ReadBefore| {
            stored.content_hash == document.content_hash && stored.ocr_pages >= number(document.ocr_pages.len())
        };
        self.stored_documents.get(&document.path).is_some_and(is_same)
    }

    async fn replace(&self, document: &Document) -> Result<(), Failure> {
        let (reading, app) = (self.reading, &self.reading.running.app);
        let is_new = !self.stored_documents.contains_key(&document.path);
        if is_new {
            // The archive itself was counted as one document until its first file is stored.
            let is_first = self.checkpoint.paths.is_empty();
            let quotas = if is_first { [Quota::Passages].as_slice() } else { &[Quota::Documents, Quota::Passages] };
            reading.refuse_beyond(quotas).await?;
        }
        let embedded = indexing::embed(app, reading.owner(), document).await?;
        vector_sync::upsert(app, reading.collection(), &embedded.model, &embedded.passages).await?;
        let Some(mut tx) = reading.begin().await? else { return Err(Error::Lost.into()) };
        let former = indexing::replace(app, &mut tx, reading.owner(), document, &embedded).await?.former;
        let (done, total) = (number(self.checkpoint.done), Some(number(self.files)));
        jobs::set_progress(&mut tx, &reading.running.job, done, total).await?;
        let passages = added(embedded.passages.len(), former.len());
        let added = [(Quota::Documents, i64::from(is_new)), (Quota::Passages, passages)];
        reading.keep_within_quotas(&mut tx, &added).await?;
        reading.running.commit(tx).await?;
        vector_sync::remove(app, reading.collection(), &former).await;
        Ok(())
    }

    async fn record_progress(&self) -> Result<(), Failure> {
        Ok(self.reading.running.record_progress(self.checkpoint.done, Some(self.files)).await?)
    }

    /// Records the pages of a file that were left out.
    fn leave_out(&mut self, path: &str, pages: &[SkippedFile]) {
        for page in pages {
            self.skip(&format!("{path}, {}", page.path), page.code, &page.detail);
        }
    }

    fn skip(&mut self, path: &str, code: DocumentProblem, detail: &str) {
        if self.checkpoint.skipped.len() < MAX_SKIPPED {
            let path = path.strip_prefix(&format!("{}/", self.reading.upload.external_id)).unwrap_or(path);
            // The database stores no NUL.
            let clean = |text: &str| text.replace('\0', "");
            self.checkpoint.skipped.push(SkippedFile { path: clean(path), code, detail: clean(detail) });
        }
    }

    async fn finish(self) -> Result<(), Failure> {
        let reading = self.reading;
        if self.checkpoint.paths.is_empty() {
            let detail = format!("none of the {} files in the archive could be read", self.files);
            return Err(Failure::Document(DocumentProblem::NothingReadable, detail, self.checkpoint.skipped));
        }
        let Some(mut tx) = reading.begin().await? else { return Ok(()) };
        let former = reading.end(&mut tx, &self.checkpoint.paths, &self.checkpoint.skipped).await?;
        reading.running.finish(tx).await?;
        vector_sync::remove(&reading.running.app, reading.collection(), &former).await;
        Ok(())
    }
}
