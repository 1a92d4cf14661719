//! Errors of indexing knowledge.

use crate::{admission::tenant_queue::ShareUsed, service::jobs::running};

/// Why knowledge could not be indexed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The embedder failed.
    #[error(transparent)]
    Embed(#[from] rag::embed::EmbedError),
    /// Other work of the tenant takes its share.
    #[error(transparent)]
    Share(#[from] ShareUsed),
    /// The files could not be listed.
    #[error(transparent)]
    Discover(#[from] rag::discover::DiscoverError),
    /// The files could not be given to readers.
    #[error("the files were not read to their end, and nothing was removed: {0}")]
    Reader(String),
    /// A path cannot be written into a job.
    #[error("a path cannot be queued: {0}")]
    Path(String),
    /// The path to watch is not a folder.
    #[error("{0} is not a folder")]
    NoFolder(String),
    /// The job is another worker's, was canceled, or cannot reach the database.
    #[error(transparent)]
    Job(#[from] running::Error),
    /// The followed job failed.
    #[error("{0}")]
    Failed(String),
    /// The followed job was canceled, with its chatbot or by its process.
    #[error("it was canceled; what was read until then stays")]
    Canceled,
    /// No chatbot has this id or slug.
    #[error("no active chatbot has the id or slug \"{0}\"")]
    UnknownChatbot(String),
    /// The tenant does not exist, or has no such chatbot.
    #[error("the tenant \"{0}\" does not exist, or has no active chatbot with the id or slug \"{1}\"")]
    UnknownChatbotOf(String, String),
    /// Several tenants have a chatbot with this slug.
    #[error("{0} tenants have a chatbot with the slug \"{1}\"; name one with --tenant")]
    AmbiguousChatbot(usize, String),
    /// The collection was filled by a model that the platform does not have.
    #[error("the collection was filled by the embedding model {0}, which is not configured")]
    OtherModel(String),
    /// The chatbot moved to another model while texts were embedded.
    #[error("the chatbot moved to another embedding model meanwhile")]
    ModelChanged,
}

impl Error {
    /// Whether one document is to blame: others may well be ingested.
    pub(super) fn is_of_one_document(&self) -> bool {
        match self {
            Self::Store(error) => error.is_of_the_values(),
            Self::Embed(error) => error.is_of_the_texts(),
            _ => false,
        }
    }
}
