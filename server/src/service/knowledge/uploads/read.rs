//! The job that reads an uploaded file. Each document in it is embedded and replaced in one transaction; the first of
//! these proves that the worker still holds the job. A repeated attempt skips what an earlier one has stored.

use std::{collections::HashMap, fs::File, path::Path};

use contract::{
    OriginalId, TenantId, UploadId,
    chatbots::{Chatbot, ChatbotStatus},
    documents::{DocumentProblem, SkippedFile},
    usage::Quota,
};
use rag::document::{Document, archive};
use serde::{Deserialize, Serialize};
use store::{
    WriteTx,
    jobs::{self, Job},
    uploads::{self, ReadBefore, Upload},
    vectors::Collection,
};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;
use uuid::Uuid;

use crate::{
    sandbox::{self, ArchiveRequest, Entry, ReadDocument, Refusal},
    service::{
        jobs::running::{Error, Running},
        knowledge::{Error as IndexingError, indexing, originals, vector_sync},
        usage::{self, Exceeded},
    },
};

/// Maximum documents of an archive that are read ahead of the embedder.
const AHEAD: usize = 4;
/// Files of an archive that could not be read, and are named.
const MAX_SKIPPED: usize = 100;

/// The payload of the job.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Payload {
    pub upload: UploadId,
    /// The content that was uploaded when the job was queued.
    pub original: OriginalId,
}

/// Why a file cannot be read, now or permanently.
enum Failure {
    /// The file cannot be read: another attempt would not help.
    Document(DocumentProblem, String, Vec<SkippedFile>),
    /// Another attempt may work.
    Job(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Job(error)
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Self::Job(error.into())
    }
}

impl From<IndexingError> for Failure {
    fn from(error: IndexingError) -> Self {
        if error.is_of_one_document() {
            return Self::Document(DocumentProblem::Malformed, error.to_string(), Vec::new());
        }
        Self::Job(Error::Temporary(error.to_string()))
    }
}

impl From<Exceeded> for Failure {
    fn from(exceeded: Exceeded) -> Self {
        Self::Document(exceeded.document_problem(), exceeded.detail(), Vec::new())
    }
}

impl From<sandbox::Failure> for Failure {
    fn from(failure: sandbox::Failure) -> Self {
        match failure {
            sandbox::Failure::Refused(Refusal { problem, detail }) => Self::Document(problem, detail, Vec::new()),
            failure @ sandbox::Failure::Unavailable(_) => Self::Job(Error::Temporary(failure.to_string())),
        }
    }
}

/// Reads the file of a job.
///
/// # Errors
/// When the job is another worker's by now, or another attempt may work.
pub async fn run(running: &Running) -> Result<(), Error> {
    let tenant = running.job.tenant;
    let Some(payload) = payload(&running.job) else { return Ok(()) };
    let mut tx = running.begin().await?;
    let upload = uploads::lock(&mut tx, tenant, payload.upload, payload.original).await?;
    let chatbot = store::chatbots::find(&mut tx, tenant, running.job.chatbot).await?;
    let (Some(upload), Some(chatbot)) = (upload, chatbot) else { return running.finish(tx).await };
    uploads::set_reading(&mut tx, tenant, upload.id).await?;
    running.commit(tx).await?;
    let reading = Reading { running, tenant, upload, chatbot };
    match reading.run().await {
        Ok(()) => Ok(()),
        Err(Failure::Job(error)) => Err(error),
        Err(Failure::Document(problem, detail, skipped)) => {
            let mut tx = running.begin().await?;
            uploads::set_failed(&mut tx, tenant, payload.upload, (problem, &detail), &skipped).await?;
            running.finish(tx).await
        }
    }
}

/// Records that the attempts for a file are used up.
pub async fn give_up(tx: &mut WriteTx, job: &Job) -> store::Result<()> {
    let Some(payload) = payload(job) else { return Ok(()) };
    if uploads::lock(tx, job.tenant, payload.upload, payload.original).await?.is_some() {
        let why = (DocumentProblem::GivenUp, "every attempt to read the file failed; the server's log says why");
        uploads::set_failed(tx, job.tenant, payload.upload, why, &[]).await?;
    }
    Ok(())
}

/// A job with another payload is of another version of the program, and reads nothing.
fn payload(job: &Job) -> Option<Payload> {
    serde_json::from_value(job.payload.clone()).ok()
}

struct Reading<'a> {
    running: &'a Running,
    tenant: TenantId,
    upload: Upload,
    chatbot: Chatbot,
}

impl Reading<'_> {
    async fn run(&self) -> Result<(), Failure> {
        let app = &self.running.app;
        if self.chatbot.status == ChatbotStatus::Deactivated {
            return Err(failed(DocumentProblem::ChatbotNotActive, "the chatbot is deactivated"));
        }
        indexing::embedder(app, self.tenant, self.chatbot.id).await?;
        let fetched = originals::fetch(app, self.tenant, self.upload.original, &self.upload.content_hash).await;
        let (file, is_intact) =
            // Perhaps its folder is not mounted here, or its service does not answer.
            fetched.map_err(|error| Error::Temporary(format!("the stored file cannot be read: {error}")))?;
        if !is_intact {
            return Err(failed(DocumentProblem::OriginalDamaged, "the SHA-256 of the stored file differs"));
        }
        vector_sync::repair(app, self.collection()).await?;
        if archive::is_archive(&self.upload.file_type) {
            self.read_archive(file.path()).await
        } else {
            self.read_document(file.path()).await
        }
    }

    async fn read_document(&self, file: &Path) -> Result<(), Failure> {
        let settings = &self.running.app.settings;
        let (path, file_type) = (&self.upload.external_id, &self.upload.file_type);
        let limit = settings.uploads.max_file_bytes as u64;
        let language = &self.chatbot.language;
        let read = settings.sandbox.read_document(open(file)?, path, file_type, limit, language).await?;
        let ReadDocument { document, left_out } = read;
        if let Some(other) = self.same_content(&document).await? {
            return Err(failed(DocumentProblem::Duplicate, &format!("the same content as {other}")));
        }
        // Another version may add nothing.
        if self.known().await?.is_empty() {
            self.refuse_beyond(&[Quota::Passages]).await?;
        }
        let embedded = indexing::embed(&self.running.app, self.owner(), &document).await?;
        vector_sync::upsert(&self.running.app, self.collection(), &embedded.model, &embedded.passages).await?;
        let Some(mut tx) = self.begin().await? else { return Ok(()) };
        let replaced = indexing::replace(&self.running.app, &mut tx, self.owner(), &document, &embedded).await?;
        let mut former = replaced.former;
        former.extend(self.end(&mut tx, &[document.path], &left_out).await?);
        let added = [(Quota::Passages, added(embedded.passages.len(), former.len()))];
        self.keep_within_quotas(&mut tx, &added).await?;
        self.running.finish(tx).await?;
        vector_sync::remove(&self.running.app, self.collection(), &former).await;
        Ok(())
    }

    /// Reads an archive twice: first to check that it is readable to its end and to count its files, so that a broken
    /// one is not read by half.
    async fn read_archive(&self, file: &Path) -> Result<(), Failure> {
        let settings = &self.running.app.settings;
        let (sandbox, max_file_bytes) = (settings.sandbox.clone(), settings.uploads.max_file_bytes as u64);
        let (file, upload, language) = (file.to_owned(), self.upload.clone(), self.chatbot.language.clone());
        let contents = sandbox.contents(|| File::open(&file), &upload.file_type, max_file_bytes, &language).await?;
        let known = self.known().await?;
        let mut archive =
            Archive { reading: self, known, paths: Vec::new(), skipped: Vec::new(), done: 0, total: contents.files };
        let (sender, mut documents) = mpsc::channel(AHEAD);
        let reading = tokio::spawn(async move {
            let (base, file_type, pictures) = (&upload.external_id, &upload.file_type, contents.pictures);
            let archive = ArchiveRequest { base, file_type, language: &language, pictures, max_file_bytes };
            sandbox.read_archive(|| File::open(&file), archive, &sender).await
        });
        // Ends the reader when the job ends early.
        let reading = AbortOnDropHandle::new(reading);
        while let Some(entry) = documents.recv().await {
            archive.take(entry).await?;
        }
        reading.await.map_err(|error| Error::Temporary(error.to_string()))??;
        archive.finish().await
    }

    /// The documents that an earlier attempt, or the former version, has stored, by path.
    async fn known(&self) -> Result<HashMap<String, ReadBefore>, Failure> {
        let mut tx = self.running.begin().await?;
        let known = uploads::documents(&mut tx, self.tenant, self.upload.id).await?;
        self.running.commit(tx).await?;
        Ok(known.into_iter().map(|document| (document.path.clone(), document)).collect())
    }

    async fn same_content(&self, document: &Document) -> Result<Option<String>, Failure> {
        let mut tx = self.running.begin().await?;
        let place = (self.upload.source, document.path.as_str());
        let chatbot = self.chatbot.id;
        let other =
            uploads::document_with_content(&mut tx, self.tenant, chatbot, place, &document.content_hash).await?;
        self.running.commit(tx).await?;
        Ok(other)
    }

    /// Begins a transaction that locks the file; `None` when it was replaced or deleted.
    async fn begin(&self) -> Result<Option<WriteTx>, Failure> {
        let mut tx = self.running.begin().await?;
        if uploads::lock(&mut tx, self.tenant, self.upload.id, self.upload.original).await?.is_some() {
            return Ok(Some(tx));
        }
        self.running.finish(tx).await?;
        Ok(None)
    }

    /// Refuses a new document when a quota is exhausted.
    async fn refuse_beyond(&self, quotas: &[Quota]) -> Result<(), Failure> {
        let mut tx = self.running.begin().await?;
        let full = usage::used_up(&self.running.app, &mut tx, self.tenant, quotas).await?;
        self.running.commit(tx).await?;
        full.map_or(Ok(()), |full| Err(full.into()))
    }

    /// Refuses what a transaction has added beyond a quota.
    async fn keep_within_quotas(&self, tx: &mut WriteTx, added: &[(Quota, i64)]) -> Result<(), Failure> {
        let exceeded = usage::exceeded(&self.running.app, tx, self.tenant, added).await?;
        exceeded.map_or(Ok(()), |exceeded| Err(exceeded.into()))
    }

    /// Records that the file was read, and removes documents of its former version; returns the ids of their passages.
    async fn end(&self, tx: &mut WriteTx, paths: &[String], skipped: &[SkippedFile]) -> Result<Vec<Uuid>, Failure> {
        uploads::set_ready(tx, self.tenant, self.upload.id, skipped).await?;
        Ok(uploads::delete_other_documents(tx, self.tenant, self.chatbot.id, self.upload.id, paths).await?)
    }

    fn collection(&self) -> Collection {
        Collection { tenant: self.tenant, chatbot: self.chatbot.id }
    }

    fn owner(&self) -> indexing::DocumentOwner {
        indexing::DocumentOwner {
            tenant: self.tenant,
            chatbot: self.chatbot.id,
            source: self.upload.source,
            upload: Some(self.upload.id),
        }
    }
}

/// The documents of an archive on their way into the collection.
struct Archive<'a> {
    reading: &'a Reading<'a>,
    known: HashMap<String, ReadBefore>,
    paths: Vec<String>,
    skipped: Vec<SkippedFile>,
    done: usize,
    total: usize,
}

impl Archive<'_> {
    async fn take(&mut self, (path, read): Entry) -> Result<(), Failure> {
        self.done += 1;
        let ReadDocument { document, left_out } = match read {
            Ok(read) => read,
            Err(reason) => return self.refuse(&path, reason.problem, &reason.detail).await,
        };
        if self.is_stored(&document) {
            self.leave_out(&path, &left_out);
            self.paths.push(path);
            return self.record_progress().await;
        }
        if let Some(other) = self.reading.same_content(&document).await? {
            self.skip(&path, DocumentProblem::Duplicate, &format!("the same content as {other}"));
            return self.record_progress().await;
        }
        match self.replace(&document).await {
            Ok(()) => {
                self.leave_out(&path, &left_out);
                self.paths.push(path);
                Ok(())
            }
            Err(Failure::Document(problem, detail, _)) => self.refuse(&path, problem, &detail).await,
            Err(failure) => Err(failure),
        }
    }

    /// Names a file that gives no document. A version that was read before stays.
    async fn refuse(&mut self, path: &str, problem: DocumentProblem, detail: &str) -> Result<(), Failure> {
        if self.known.contains_key(path) {
            self.paths.push(path.to_owned());
        }
        self.skip(path, problem, detail);
        self.record_progress().await
    }

    /// Whether the document is stored already, with as much recognised text.
    fn is_stored(&self, document: &Document) -> bool {
        let is_same = |known: &ReadBefore| {
            known.content_hash == document.content_hash && known.ocr_pages >= number(document.ocr_pages.len())
        };
        self.known.get(&document.path).is_some_and(is_same)
    }

    async fn replace(&self, document: &Document) -> Result<(), Failure> {
        let (reading, app) = (self.reading, &self.reading.running.app);
        let is_new = !self.known.contains_key(&document.path);
        if is_new {
            // The archive itself was counted as one document until its first file is stored.
            let is_first = self.paths.is_empty();
            let quotas = if is_first { [Quota::Passages].as_slice() } else { &[Quota::Documents, Quota::Passages] };
            reading.refuse_beyond(quotas).await?;
        }
        let embedded = indexing::embed(app, reading.owner(), document).await?;
        vector_sync::upsert(app, reading.collection(), &embedded.model, &embedded.passages).await?;
        let Some(mut tx) = reading.begin().await? else { return Err(Error::Lost.into()) };
        let former = indexing::replace(app, &mut tx, reading.owner(), document, &embedded).await?.former;
        let (done, total) = (number(self.done), Some(number(self.total)));
        jobs::set_progress(&mut tx, &reading.running.job, done, total).await?;
        let passages = added(embedded.passages.len(), former.len());
        let added = [(Quota::Documents, i64::from(is_new)), (Quota::Passages, passages)];
        reading.keep_within_quotas(&mut tx, &added).await?;
        reading.running.commit(tx).await?;
        vector_sync::remove(app, reading.collection(), &former).await;
        Ok(())
    }

    async fn record_progress(&self) -> Result<(), Failure> {
        Ok(self.reading.running.record_progress(self.done, Some(self.total)).await?)
    }

    /// Records the pages of a file that were left out.
    fn leave_out(&mut self, path: &str, pages: &[SkippedFile]) {
        for page in pages {
            self.skip(&format!("{path}, {}", page.path), page.code, &page.detail);
        }
    }

    fn skip(&mut self, path: &str, code: DocumentProblem, detail: &str) {
        if self.skipped.len() < MAX_SKIPPED {
            let path = path.strip_prefix(&format!("{}/", self.reading.upload.external_id)).unwrap_or(path);
            // The database stores no NUL.
            let clean = |text: &str| text.replace('\0', "");
            self.skipped.push(SkippedFile { path: clean(path), code, detail: clean(detail) });
        }
    }

    async fn finish(self) -> Result<(), Failure> {
        let reading = self.reading;
        if self.paths.is_empty() {
            let detail = format!("none of the {} files in the archive could be read", self.total);
            return Err(Failure::Document(DocumentProblem::NothingReadable, detail, self.skipped));
        }
        let Some(mut tx) = reading.begin().await? else { return Ok(()) };
        let former = reading.end(&mut tx, &self.paths, &self.skipped).await?;
        reading.running.finish(tx).await?;
        vector_sync::remove(&reading.running.app, reading.collection(), &former).await;
        Ok(())
    }
}

fn failed(problem: DocumentProblem, detail: &str) -> Failure {
    Failure::Document(problem, detail.to_owned(), Vec::new())
}

/// The increase since before.
fn added(now: usize, before: usize) -> i64 {
    i64::try_from(now).unwrap_or(i64::MAX) - i64::try_from(before).unwrap_or(i64::MAX)
}

fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn open(file: &Path) -> Result<File, Failure> {
    File::open(file).map_err(|error| Error::Temporary(format!("the stored file cannot be read: {error}")).into())
}
