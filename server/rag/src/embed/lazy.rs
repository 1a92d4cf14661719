//! An embedding model that is loaded with the first text.

use std::path::{Path, PathBuf};

use futures::future::BoxFuture;
use tokio::sync::OnceCell;

use super::{EmbedError, Embedder, Likeness, LocalEmbedder, Purpose, local, verify};
use crate::local_model::blocking;

/// A model's folder, and the model after its first use.
pub struct LazyEmbedder {
    folder: PathBuf,
    name: String,
    dimensions: usize,
    prepare: fn(LocalEmbedder) -> LocalEmbedder,
    loaded: OnceCell<LocalEmbedder>,
}

impl LazyEmbedder {
    /// Checks a folder without loading its model: a fetched file by its checksum, other files by their header.
    /// `prepare` configures the model for this process. Blocks while it reads the whole file of a fetched model; do not
    /// call it on an async thread.
    ///
    /// # Errors
    /// [`EmbedError::File`] or [`EmbedError::Checksum`], with the file's name.
    pub fn open(folder: &Path, prepare: fn(LocalEmbedder) -> LocalEmbedder) -> Result<Self, EmbedError> {
        verify(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            name: local::name_of(folder),
            dimensions: local::dimensions_of(folder)?,
            prepare,
            loaded: OnceCell::new(),
        })
    }

    async fn loaded(&self) -> Result<&LocalEmbedder, EmbedError> {
        let load = async || {
            let (folder, prepare) = (self.folder.clone(), self.prepare);
            blocking(move || LocalEmbedder::load(&folder).map(prepare)).await
        };
        self.loaded.get_or_try_init(load).await
    }
}

impl Embedder for LazyEmbedder {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: Vec<String>, purpose: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move { self.loaded().await?.embed(texts, purpose).await })
    }

    fn likeness(&self, question: String, passages: Vec<String>) -> Likeness<'_> {
        Box::pin(async move { self.loaded().await?.likeness(question, passages).await })
    }

    fn closeness(&self, question: String, texts: Vec<String>) -> Likeness<'_> {
        Box::pin(async move { self.loaded().await?.closeness(question, texts).await })
    }

    fn has_word(&self, word: &str) -> bool {
        self.loaded.get().is_some_and(|model| model.has_word(word))
    }
}
