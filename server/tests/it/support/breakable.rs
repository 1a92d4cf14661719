//! An embedder that fails on demand.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use rag::embed::{EmbedError, Embedder};

/// The real embedder, which fails while it is broken.
pub struct Breakable {
    inner: Arc<dyn Embedder>,
    broken: AtomicBool,
}

impl Breakable {
    pub fn new(inner: Arc<dyn Embedder>) -> Self {
        Self { inner, broken: AtomicBool::new(false) }
    }

    pub fn break_down(&self) {
        self.broken.store(true, Ordering::SeqCst);
    }

    pub fn mend(&self) {
        self.broken.store(false, Ordering::SeqCst);
    }
}

impl Embedder for Breakable {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn embed(
        &self,
        texts: Vec<String>,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<Vec<f32>>, EmbedError>> + Send + '_>> {
        if self.broken.load(Ordering::SeqCst) {
            return Box::pin(async { Err(EmbedError::Interrupted) });
        }
        self.inner.embed(texts)
    }
}
