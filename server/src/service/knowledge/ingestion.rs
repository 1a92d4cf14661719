//! Reads documents into a chatbot's collection. Each document is replaced in one transaction, so that readers see the
//! old or the new version, and a killed ingestion can continue. Unchanged documents are skipped by their hash;
//! unreadable ones are skipped with a reason and do not stop the others.

mod audit;
pub mod job;
mod reader;
mod report;
mod source;

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use contract::{chatbots::Chatbot, id::SourceId};
use indicatif::{ProgressBar, ProgressStyle};
use rag::{discover::discover, document::Document};
use store::{
    Exemption, Scope, WriteTx,
    documents::{self, SourceKind, StoredDocument},
    vectors::Collection,
};

pub use report::Report;

pub(in crate::service) use self::source::absolute;
use self::source::{ContentLocation, IngestedSource, Known, former_name, name_of};
use crate::{
    sandbox::Refusal,
    service::{
        jobs::running::Running,
        knowledge::{
            Error,
            indexing::{self, Embedded},
            uploads::rereading,
            vector_sync,
        },
    },
    state::App,
};

/// Between two notes of a job's progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Finds a live chatbot by id, or by slug and, where needed, its tenant's slug.
///
/// # Errors
/// [`Error::UnknownChatbot`], [`Error::UnknownChatbotOf`], [`Error::AmbiguousChatbot`].
pub async fn find_chatbot(app: &App, name: &str, tenant_slug: Option<&str>) -> Result<Chatbot, Error> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let ids = store::chatbots::find_by_slug(&mut tx, tenant_slug, name).await?;
    let unknown = || match tenant_slug {
        Some(tenant) => Error::UnknownChatbotOf(tenant.to_owned(), name.to_owned()),
        None => Error::UnknownChatbot(name.to_owned()),
    };
    let &[(tenant, id)] = ids.as_slice() else {
        return Err(if ids.is_empty() { unknown() } else { Error::AmbiguousChatbot(ids.len(), name.to_owned()) });
    };
    let chatbot = store::chatbots::find(&mut tx, tenant, id).await?;
    chatbot.ok_or_else(unknown)
}

/// Ingests files, folders and archives; each given path is a source of the chatbot. With `prune`, documents of these
/// sources whose files were deleted are removed.
///
/// # Errors
/// When a path is missing, or the database or the embedder fails; documents that were finished before that stay.
pub async fn run(app: &App, chatbot: &Chatbot, paths: &[PathBuf], prune: bool) -> Result<Report, Error> {
    ingest(app, chatbot, paths, prune, None).await
}

/// Like [`run`], for a job with visible progress.
async fn ingest(
    app: &App,
    chatbot: &Chatbot,
    paths: &[PathBuf],
    prune: bool,
    job: Option<&Running>,
) -> Result<Report, Error> {
    let began = Instant::now();
    indexing::embedder(app, chatbot.tenant_id, chatbot.id).await?;
    let paths: Vec<PathBuf> = paths.iter().map(|path| absolute(path)).collect();
    let files = discover(&paths)?;
    let collection = Collection { tenant: chatbot.tenant_id, chatbot: chatbot.id };
    vector_sync::repair(app, collection).await?;
    let progress = if job.is_some() { ProgressBar::hidden() } else { progress_bar(files.len()) };
    let mut ingestion = Ingestion {
        app,
        chatbot,
        job,
        files: Files { done: 0, total: files.len(), noted: None },
        collection,
        sources: HashMap::new(),
        hashes: HashMap::new(),
        report: Report::default(),
        progress,
    };
    for path in &paths {
        ingestion.open_source(path).await?;
    }
    ingestion.know_elsewhere().await?;
    let options = reader::ReadOptions {
        sandbox: app.settings.sandbox.clone(),
        max_file_bytes: app.settings.uploads.max_file_bytes as u64,
        language: chatbot.language.clone(),
    };
    let (mut items, reading) = reader::start(options, files, paths);
    while let Some(item) = items.recv().await {
        match item {
            reader::Item::Document { source, path, read } => ingestion.take(&source, path, read).await?,
            reader::Item::LeftOut { path, reason } => ingestion.report.skipped.push((path, reason)),
            reader::Item::FileDone => ingestion.file_done().await?,
        }
    }
    let reading = reading.await.map_err(|error| Error::Reader(error.to_string()))?;
    reading.map_err(|failure| Error::Reader(failure.to_string()))?;
    if prune {
        ingestion.prune().await?;
    }
    ingestion.progress.finish_and_clear();
    let mut report = ingestion.report;
    report.seconds = began.elapsed().as_secs_f64();
    let mut tx = app.db.read(&Scope::tenant(chatbot.tenant_id)).await?;
    report.outdated = documents::count_outdated(&mut tx, chatbot.tenant_id, chatbot.id).await?;
    drop(tx);
    Ok(report)
}

pub(in crate::service) fn progress_bar(files: usize) -> ProgressBar {
    let bar = ProgressBar::new(files as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} files, {per_sec}, {eta} left  {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// How many files of the list were read.
struct Files {
    done: usize,
    total: usize,
    /// When the job's progress was written last.
    noted: Option<Instant>,
}

struct Ingestion<'a> {
    app: &'a App,
    chatbot: &'a Chatbot,
    /// The job whose lease every transaction extends; `None` when this process works for itself.
    job: Option<&'a Running>,
    files: Files,
    collection: Collection,
    sources: HashMap<String, IngestedSource>,
    /// The location of each content: in other sources, or first seen in this run.
    hashes: HashMap<String, ContentLocation>,
    report: Report,
    progress: ProgressBar,
}

impl Ingestion<'_> {
    async fn take(&mut self, name: &str, path: String, read: Result<Document, Refusal>) -> Result<(), Error> {
        let Some(source) = self.sources.get_mut(name) else { return Ok(()) };
        self.progress.set_message(path.clone());
        let document = match read {
            Ok(document) => document,
            Err(refusal) => {
                source.keep(&path);
                self.report.skip(path, refusal);
                return Ok(());
            }
        };
        let (id, hash) = (source.id, document.content_hash.clone());
        let location = ContentLocation { source: id, name: name.to_owned(), path: path.clone() };
        if let Some(first) = self.hashes.get(&hash).filter(|first| **first != location) {
            self.report.duplicates.push((path.clone(), first.seen_from(id)));
            // The file's former content is replaced.
            let former = source.documents.remove(&path);
            return if let Some(former) = former { self.remove(id, &path, &former).await } else { Ok(()) };
        }
        source.paths.insert(path.clone());
        let former = source.documents.get(&path).cloned();
        if former.as_ref().is_some_and(|former| former.hash == hash) {
            self.report.unchanged += 1;
        } else {
            let new = match self.replace(id, &document, former.as_ref()).await {
                Ok((new, embedded)) => {
                    self.report.passages += embedded.passages.len();
                    self.report.repeated += embedded.repeated;
                    new
                }
                Err(error) if error.is_of_one_document() => {
                    self.report.skipped.push((path, error.to_string()));
                    self.report.unread += 1;
                    return Ok(());
                }
                Err(error) => return Err(error),
            };
            if let Some(source) = self.sources.get_mut(name) {
                source.documents.insert(path, new);
            }
            let count = if former.is_some() { &mut self.report.replaced } else { &mut self.report.added };
            *count += 1;
        }
        self.hashes.insert(hash, location);
        Ok(())
    }

    async fn open_source(&mut self, path: &Path) -> Result<(), Error> {
        let name = name_of(path);
        if self.sources.contains_key(&name) {
            return Ok(());
        }
        let (tenant, chatbot) = (self.chatbot.tenant_id, self.chatbot.id);
        let mut tx = self.begin().await?;
        let names = documents::source_names(&mut tx, tenant, chatbot, SourceKind::Files).await?;
        let is_new = !names.contains(&name);
        // In earlier versions, sources were named by relative paths. Whether one always referred to this folder is
        // unknown, so that the report mentions it and this run removes nothing of it.
        let former = former_name(&names, path).filter(|_| is_new);
        if let Some(former) = former {
            documents::rename_source(&mut tx, tenant, chatbot, SourceKind::Files, (former, &name)).await?;
        }
        let id = documents::upsert_source(&mut tx, tenant, chatbot, SourceKind::Files, &name).await?;
        let stored_documents = documents::of_source(&mut tx, tenant, id).await?;
        match former {
            Some(former) => {
                tx.commit_as_operator(&audit::source_renamed(self.chatbot, id)).await?;
                self.report.renamed.push((former.clone(), name.clone()));
            }
            None if is_new => tx.commit_as_operator(&audit::source_created(self.chatbot, id)).await?,
            None => {
                tx.commit_exempt(Exemption::Ingestion).await?;
            }
        }
        let document = |stored: StoredDocument| (stored.path, Known { id: stored.id, hash: stored.content_hash });
        let documents = stored_documents.into_iter().map(document).collect();
        self.sources.insert(name, IngestedSource { id, documents, paths: HashSet::new(), renamed: former.is_some() });
        Ok(())
    }

    async fn begin(&self) -> Result<WriteTx, Error> {
        match self.job {
            Some(job) => Ok(job.begin().await?),
            None => Ok(self.app.db.write(&Scope::tenant(self.chatbot.tenant_id)).await?),
        }
    }

    /// Counts a file that was read; a job writes the count down once a second.
    async fn file_done(&mut self) -> Result<(), Error> {
        self.progress.inc(1);
        self.files.done += 1;
        let is_due = self.files.noted.is_none_or(|noted| noted.elapsed() >= PROGRESS_INTERVAL);
        if let Some(job) = self.job.filter(|_| is_due) {
            job.record_progress(self.files.done, Some(self.files.total)).await?;
            self.files.noted = Some(Instant::now());
        }
        Ok(())
    }

    /// Content that another source of the chatbot has is not stored twice.
    async fn know_elsewhere(&mut self) -> Result<(), Error> {
        let (tenant, chatbot) = (self.chatbot.tenant_id, self.chatbot.id);
        let sources: Vec<SourceId> = self.sources.values().map(|source| source.id).collect();
        let mut tx = self.app.db.read(&Scope::tenant(tenant)).await?;
        let elsewhere = documents::hashes_of_other_sources(&mut tx, tenant, chatbot, &sources).await?;
        self.hashes.extend(elsewhere.into_iter().map(|document| (document.content_hash.clone(), document.into())));
        Ok(())
    }

    /// Embeds a document and replaces its passages atomically; retries once when the chatbot moves to another model in
    /// the meantime.
    async fn replace(
        &self,
        source: SourceId,
        document: &Document,
        former: Option<&Known>,
    ) -> Result<(Known, Embedded), Error> {
        loop {
            match self.try_replace(source, document, former).await {
                Err(Error::ModelChanged) => {}
                done => return done,
            }
        }
    }

    async fn try_replace(
        &self,
        source: SourceId,
        document: &Document,
        former: Option<&Known>,
    ) -> Result<(Known, Embedded), Error> {
        let (tenant, chatbot) = (self.chatbot.tenant_id, self.chatbot.id);
        let owner = indexing::DocumentOwner { tenant, chatbot, source, upload: None };
        let embedded = indexing::embed(self.app, owner, document).await?;
        vector_sync::upsert(self.app, self.collection, &embedded.model, &embedded.passages).await?;
        let mut tx = self.begin().await?;
        let replaced = indexing::replace(self.app, &mut tx, owner, document, &embedded).await?;
        let new = Known { id: replaced.document, hash: document.content_hash.clone() };
        let entry = match former {
            Some(former) => audit::replaced(self.chatbot, former, &new),
            None => audit::created(self.chatbot, source, &new),
        };
        tx.commit_as_operator(&entry).await?;
        vector_sync::remove(self.app, self.collection, &replaced.former).await;
        Ok((new, embedded))
    }

    /// Removes documents whose files were deleted.
    async fn prune(&mut self) -> Result<(), Error> {
        let mut deleted = Vec::new();
        for source in self.sources.values() {
            let documents =
                source.deleted_paths().filter_map(|path| Some((path.clone(), source.documents.get(path)?.clone())));
            deleted.extend(documents.map(|(path, document)| (source.id, path, document)));
        }
        for (source, path, document) in deleted {
            self.remove(source, &path, &document).await?;
        }
        Ok(())
    }

    async fn remove(&mut self, source: SourceId, path: &str, former: &Known) -> Result<(), Error> {
        let (tenant, chatbot) = (self.chatbot.tenant_id, self.chatbot.id);
        let mut tx = self.begin().await?;
        let passages = documents::remove(&mut tx, tenant, chatbot, source, path).await?;
        rereading::queue_former_duplicates(self.app, &mut tx, tenant, chatbot).await?;
        tx.commit_as_operator(&audit::deleted(self.chatbot, source, former)).await?;
        vector_sync::remove(self.app, self.collection, &passages).await;
        self.report.pruned += 1;
        Ok(())
    }
}
