//! An embedder that blocks each call until a test releases it, or fails on request.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
};

use rag::embed::{EmbedError, Embedder, Purpose};
use tokio::sync::Semaphore;

/// The real embedder behind a gate.
pub struct Gated {
    inner: Arc<dyn Embedder>,
    gate: Semaphore,
    arrived: AtomicUsize,
    broken: AtomicBool,
}

/// Permits of an open gate.
const OPEN: usize = 1_000_000;

impl Gated {
    /// An open gate.
    pub fn new(inner: Arc<dyn Embedder>) -> Self {
        Self { inner, gate: Semaphore::new(OPEN), arrived: AtomicUsize::new(0), broken: AtomicBool::new(false) }
    }

    /// Blocks every call from now on, and resets their number.
    pub fn close(&self) {
        self.gate.forget_permits(2 * OPEN);
        self.arrived.store(0, SeqCst);
    }

    /// Releases all calls.
    pub fn open(&self) {
        self.gate.add_permits(OPEN);
    }

    /// Every call fails from now on.
    pub fn break_down(&self) {
        self.broken.store(true, SeqCst);
    }

    /// Calls succeed again.
    pub fn recover(&self) {
        self.broken.store(false, SeqCst);
    }

    /// Number of calls since the gate was closed.
    pub fn arrived(&self) -> usize {
        self.arrived.load(SeqCst)
    }
}

impl Embedder for Gated {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn embed(
        &self,
        texts: Vec<String>,
        purpose: Purpose,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<Vec<f32>>, EmbedError>> + Send + '_>> {
        self.arrived.fetch_add(1, SeqCst);
        Box::pin(async move {
            drop(self.gate.acquire().await);
            if self.broken.load(SeqCst) {
                return Err(EmbedError::Interrupted);
            }
            self.inner.embed(texts, purpose).await
        })
    }
}
