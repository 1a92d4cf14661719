//! An embedding model that is loaded when the first text comes.

use std::path::{Path, PathBuf};

use futures::future::BoxFuture;
use tokio::sync::OnceCell;

use super::{EmbedError, Embedder, Likeness, LocalEmbedder, Purpose, local, verify};
use crate::local_model::blocking;

/// A model's folder, and the model once it was needed.
pub struct LazyEmbedder {
    folder: PathBuf,
    name: String,
    dimensions: usize,
    prepare: fn(LocalEmbedder) -> LocalEmbedder,
    loaded: OnceCell<LocalEmbedder>,
}

impl LazyEmbedder {
    /// Checks a folder without loading its model: a fetched file by its sum, others by what they begin with. `prepare` makes the
    /// model fit for what the process does. Reads the whole file of a fetched model, so not for an async thread.
    ///
    /// # Errors
    /// [`EmbedError::File`] and [`EmbedError::Checksum`] name the file.
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
}
