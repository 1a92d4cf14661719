//! Reads documents into a chatbot's collection. Each document is replaced in one transaction, so
//! that readers see the old or the new version; what did not change is skipped by its hash; what
//! cannot be read is skipped with its reason and stops nothing.

mod report;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use contract::chatbots::Chatbot;
use indicatif::{ProgressBar, ProgressStyle};
use rag::{
    chunk::{ChunkLimits, chunk},
    discover::{Found, discover},
    document::{Document, read_document},
};
use store::{
    Exemption, Scope,
    documents::{self, NewDocument, SourceKind},
    passages::{self, NewPassage},
};

pub use report::Report;

use crate::app_state::App;

/// Why an ingestion could not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The embedder failed.
    #[error(transparent)]
    Embed(#[from] rag::embed::EmbedError),
    /// The files could not be listed.
    #[error(transparent)]
    Discover(#[from] rag::discover::DiscoverError),
    /// No chatbot has this id or slug.
    #[error("no active chatbot has the id or slug \"{0}\"")]
    UnknownChatbot(String),
    /// Several tenants have a chatbot with this slug.
    #[error("{0} tenants have a chatbot with the slug \"{1}\"; name one with --tenant")]
    AmbiguousChatbot(usize, String),
    /// The collection was filled by another model.
    #[error("the collection was filled by the embedding model {0}, and this is {1}: vectors of two models do not mix")]
    OtherModel(String, String),
}

/// Finds a live chatbot by id, or by slug and, where needed, its tenant's slug.
///
/// # Errors
/// [`Error::UnknownChatbot`], [`Error::AmbiguousChatbot`].
pub async fn find_chatbot(app: &App, name: &str, tenant_slug: Option<&str>) -> Result<Chatbot, Error> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let found = store::chatbots::find_by_slug(&mut tx, tenant_slug, name).await?;
    let unknown = || Error::UnknownChatbot(name.to_owned());
    let &[(tenant, id)] = found.as_slice() else {
        return Err(if found.is_empty() { unknown() } else { Error::AmbiguousChatbot(found.len(), name.to_owned()) });
    };
    let chatbot = store::chatbots::find(&mut tx, tenant, id).await?;
    tx.end().await?;
    chatbot.ok_or_else(unknown)
}

/// Ingests files and folders; each path that is named is a source of the chatbot.
///
/// # Errors
/// When a path is missing, or the database or the embedder fails; documents that were finished
/// before that stay.
pub async fn run(app: &App, chatbot: &Chatbot, paths: &[PathBuf]) -> Result<Report, Error> {
    refuse_other_model(app, chatbot).await?;
    let files = discover(paths)?;
    let progress = progress_bar(files.len());
    let mut report = Report::default();
    let mut ingestion = Ingestion { app, chatbot, sources: HashMap::new() };
    for found in files {
        progress.set_message(found.path.display().to_string());
        ingestion.file(&found, paths, &mut report).await?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(report)
}

async fn refuse_other_model(app: &App, chatbot: &Chatbot) -> Result<(), Error> {
    let mut tx = app.db.read(&Scope::tenant(chatbot.tenant_id)).await?;
    let model = store::chatbots::embedding_model(&mut tx, chatbot.tenant_id, chatbot.id).await?;
    tx.end().await?;
    match model {
        Some(model) if model != app.embedder.model() => Err(Error::OtherModel(model, app.embedder.model().to_owned())),
        _ => Ok(()),
    }
}

fn progress_bar(files: usize) -> ProgressBar {
    let bar = ProgressBar::new(files as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} files, {per_sec}, {eta} left  {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

struct Ingestion<'a> {
    app: &'a App,
    chatbot: &'a Chatbot,
    sources: HashMap<String, Source>,
}

struct Source {
    id: contract::id::SourceId,
    /// Content hash by path.
    known: HashMap<String, String>,
}

impl Ingestion<'_> {
    async fn file(&mut self, found: &Found, paths: &[PathBuf], report: &mut Report) -> Result<(), Error> {
        let (path, root) = (found.path.clone(), found.root.clone());
        let read = tokio::task::spawn_blocking(move || read_document(&path, &root)).await;
        let document = match read {
            Ok(Ok(document)) => document,
            Ok(Err(reason)) => {
                report.skipped.push((found.path.display().to_string(), reason.to_string()));
                return Ok(());
            }
            Err(_) => {
                report.skipped.push((found.path.display().to_string(), "reading it failed".to_owned()));
                return Ok(());
            }
        };
        let source = source_name(found, paths);
        self.document(&source, &document, report).await
    }

    async fn document(&mut self, source: &str, document: &Document, report: &mut Report) -> Result<(), Error> {
        if !self.sources.contains_key(source) {
            let opened = self.open_source(source).await?;
            self.sources.insert(source.to_owned(), opened);
        }
        let Some(source) = self.sources.get(source) else { return Ok(()) };
        match source.known.get(&document.path) {
            Some(hash) if *hash == document.content_hash => {
                report.unchanged += 1;
                return Ok(());
            }
            Some(_) => report.replaced += 1,
            None => report.added += 1,
        }
        report.passages += self.replace(source.id, document).await?;
        Ok(())
    }

    async fn open_source(&self, name: &str) -> Result<Source, Error> {
        let (tenant, chatbot) = (self.chatbot.tenant_id, self.chatbot.id);
        let mut tx = self.app.db.write(&Scope::tenant(tenant)).await?;
        let id = documents::upsert_source(&mut tx, tenant, chatbot, SourceKind::Files, name).await?;
        let known = documents::list(&mut tx, tenant, id).await?;
        let exempt = tx.exempt(Exemption::Ingestion);
        tx.commit(exempt).await?;
        Ok(Source { id, known: known.into_iter().map(|known| (known.path, known.content_hash)).collect() })
    }

    /// Embeds a document and replaces its passages, all or nothing.
    async fn replace(&self, source: contract::id::SourceId, document: &Document) -> Result<usize, Error> {
        let (tenant, chatbot) = (self.chatbot.tenant_id, self.chatbot.id);
        let pieces = chunk(document, &ChunkLimits::default());
        let texts = pieces.iter().map(|piece| piece.embedding_text(&document.title)).collect();
        let vectors = self.app.embedder.embed(texts).await?;
        let passages: Vec<NewPassage> = pieces
            .into_iter()
            .zip(vectors)
            .map(|(piece, embedding)| NewPassage {
                ordinal: piece.ordinal,
                heading: piece.heading,
                anchor: piece.anchor,
                content: piece.content,
                embedding,
            })
            .collect();
        let new = NewDocument {
            source,
            path: &document.path,
            title: &document.title,
            content_hash: &document.content_hash,
            passage_count: passages.len(),
        };
        let mut tx = self.app.db.write(&Scope::tenant(tenant)).await?;
        let language = store::chatbots::fixed_language(&mut tx, tenant, chatbot).await?;
        let language = language.ok_or_else(|| Error::UnknownChatbot(chatbot.to_string()))?;
        store::chatbots::provision_collection(&mut tx, chatbot, self.app.embedder.dimensions()).await?;
        let id = documents::upsert(&mut tx, tenant, chatbot, &new).await?;
        passages::replace(&mut tx, tenant, chatbot, id, &language, &passages).await?;
        let exempt = tx.exempt(Exemption::Ingestion);
        tx.commit(exempt).await?;
        Ok(passages.len())
    }
}

/// The name of the source that a file belongs to: the path that was named, without a slash at the end.
fn source_name(found: &Found, paths: &[PathBuf]) -> String {
    let named = paths.iter().find(|path| **path == found.path || **path == found.root);
    let name = named.map_or(found.root.as_path(), PathBuf::as_path);
    let text = if name == Path::new("") { Path::new(".") } else { name };
    text.display().to_string().trim_end_matches('/').to_owned()
}
