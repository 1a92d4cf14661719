//! Slices of the job: after each page or file it may store where it is, and let others go first.

use std::time::{Duration, Instant};

use contract::documents::SkippedFile;
use serde::{Deserialize, Serialize};

use super::Failure;
use crate::{sandbox::RecognisedPage, service::jobs::running::Running};

/// Between two times that the job stores where it is.
const STORE_EVERY: Duration = Duration::from_secs(5);
/// Between two looks whether others wait.
const LOOK: Duration = Duration::from_secs(1);

/// Where the job continues.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// Recognised pages of the document, or of the archive's next file.
    pub pages: Vec<RecognisedPage>,
    /// How many files the archive has, and whether its pictures are documents; `None` when it was not opened yet, or the
    /// file is no archive.
    pub contents: Option<(usize, bool)>,
    /// Files of the archive that were read.
    pub done: usize,
    /// How many of them broke their reader.
    pub broken: usize,
    /// Pages on which text was recognised in these files.
    pub pages_read: usize,
    /// Paths whose documents belong to this version.
    pub paths: Vec<String>,
    /// Files that could not be read, and are named.
    pub skipped: Vec<SkippedFile>,
}

/// The clock of one slice.
pub(super) struct Slice<'a> {
    running: &'a Running,
    stored: Instant,
    looked: Option<Instant>,
}

impl<'a> Slice<'a> {
    pub(super) fn new(running: &'a Running) -> Self {
        Self { running, stored: Instant::now(), looked: None }
    }

    /// Called after each page or file. Stores now and then where the job is.
    ///
    /// # Errors
    /// [`Failure::Yielded`] when others go first, and [`Failure::Job`].
    pub(super) async fn end_step(&mut self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        let yields = self.should_yield().await?;
        if yields || self.stored.elapsed() > STORE_EVERY.min(self.running.slice() / 4) {
            let mut tx = self.running.begin().await?;
            self.running.set_checkpoint(&mut tx, checkpoint).await?;
            self.running.commit(tx).await?;
            self.stored = Instant::now();
        }
        if yields {
            self.running.requeue().await?;
            return Err(Failure::Yielded);
        }
        Ok(())
    }

    async fn should_yield(&mut self) -> Result<bool, Failure> {
        if self.looked.is_some_and(|looked| looked.elapsed() < LOOK) {
            return Ok(false);
        }
        let slice = self.running.slice();
        if self.running.has_run_for(slice) {
            self.looked = Some(Instant::now());
        }
        Ok(self.running.should_yield(slice).await?)
    }
}
