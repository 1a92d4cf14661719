//! The job that reads an uploaded file. Each document in it is embedded and replaced in one transaction; the first of
//! these proves that the worker still holds the job. A repeated attempt skips what an earlier one has stored, and a job
//! that lets others go first continues after the last page, or the last file of an archive, that it has read.

mod archive;
mod slice;

use std::{collections::HashMap, fs::File, path::Path};

use contract::{
    OriginalId, TenantId, UploadId,
    chatbots::{Chatbot, ChatbotStatus},
    documents::{DocumentProblem, SkippedFile},
    usage::Quota,
};
use rag::document::{Document, archive::is_archive};
use serde::{Deserialize, Serialize};
use store::{
    WriteTx,
    jobs::Job,
    uploads::{self, ReadBefore, SAME_CONTENT, Upload},
    vectors::Collection,
};
use tokio::sync::mpsc;
use uuid::Uuid;

use self::slice::{Checkpoint, Slice};
use super::rereading;
use crate::{
    sandbox::{self, ReadDocument, ReadEvent, Refusal},
    service::{
        jobs::running::{Error, Running},
        knowledge::{Error as IndexingError, indexing, originals, vector_sync},
        usage::{self, Exceeded},
    },
};

/// Maximum documents of an archive that are read ahead of the embedder.
const AHEAD: usize = 4;
/// The time for an archive, as a multiple of that for a document.
const ARCHIVE_FACTOR: u32 = 10;

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
    /// The job lets others go first, and continues in its turn.
    Yielded,
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
    match reading.run_in_time().await {
        Ok(()) | Err(Failure::Yielded) => Ok(()),
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
    /// Reads as long as the file may take in all.
    async fn run_in_time(&self) -> Result<(), Failure> {
        let time = self.running.app.settings.uploads.max_time;
        let time = if is_archive(&self.upload.file_type) { time * ARCHIVE_FACTOR } else { time };
        let time_left = time.saturating_sub(self.running.worked());
        let detail = || format!("reading took longer than {} minutes in all", time.as_secs().div_ceil(60));
        let read = tokio::time::timeout(time_left, self.run()).await;
        read.unwrap_or_else(|_| Err(failed(DocumentProblem::TimedOut, &detail())))
    }

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
        let checkpoint: Checkpoint = self.running.checkpoint().await?.unwrap_or_default();
        if is_archive(&self.upload.file_type) {
            archive::read(self, file.path(), checkpoint).await
        } else {
            let read = self.read_pages(file.path(), checkpoint).await?;
            self.store(read).await
        }
    }

    /// Reads a document. Where text is recognised on its pages, others may go first after each.
    async fn read_pages(&self, file: &Path, mut checkpoint: Checkpoint) -> Result<ReadDocument, Failure> {
        let settings = &self.running.app.settings;
        let limit = settings.uploads.max_file_bytes as u64;
        let request = (self.upload.file_type.as_str(), limit, self.chatbot.language.as_str());
        let (sender, mut events) = mpsc::channel(AHEAD);
        let (path, read_pages) = (&self.upload.external_id, checkpoint.pages.clone());
        let mut reading =
            std::pin::pin!(settings.sandbox.continue_document(open(file)?, path, request, read_pages, &sender));
        let mut slice = Slice::new(self.running);
        loop {
            tokio::select! {
                biased;
                Some(event) = events.recv() => {
                    if let ReadEvent::Page(page) = event {
                        checkpoint.pages.push(page);
                        slice.end_step(&checkpoint).await?;
                    }
                }
                read = &mut reading => return Ok(read?),
            }
        }
    }

    async fn store(&self, read: ReadDocument) -> Result<(), Failure> {
        let ReadDocument { document, left_out } = read;
        if let Some(other) = self.same_content(&document).await? {
            return Err(failed(DocumentProblem::Duplicate, &format!("{SAME_CONTENT}{other}")));
        }
        // Another version may add nothing.
        if self.stored_documents().await?.is_empty() {
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

    /// The documents that an earlier attempt, or the former version, has stored, by path.
    async fn stored_documents(&self) -> Result<HashMap<String, ReadBefore>, Failure> {
        let mut tx = self.running.begin().await?;
        let documents = uploads::documents(&mut tx, self.tenant, self.upload.id).await?;
        self.running.commit(tx).await?;
        Ok(documents.into_iter().map(|document| (document.path.clone(), document)).collect())
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
        let passages = uploads::delete_other_documents(tx, self.tenant, self.chatbot.id, self.upload.id, paths).await?;
        // The former version may have been the only reason to refuse another file.
        if self.upload.has_documents {
            rereading::queue_former_duplicates(&self.running.app, tx, self.tenant, self.chatbot.id).await?;
        }
        Ok(passages)
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
