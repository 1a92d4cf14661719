//! Keeps a source in sync with a folder: ingests it with `prune`, polls the times and sizes of its files, and ingests
//! it again when they have changed and settled.

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::Duration,
};

use contract::chatbots::Chatbot;
use rag::discover::discover;
use tokio_util::sync::CancellationToken;

use super::follow;
use crate::{
    service::knowledge::{
        Error,
        ingestion::{Report, absolute},
    },
    shutdown::rest,
    state::App,
};

/// Maximum number of polls without rest after which a changing folder is ingested nevertheless.
const MAX_UNRESTED: usize = 30;

/// The intervals of a watch.
#[derive(Debug, Clone, Copy)]
pub struct Intervals {
    /// Polling interval of an unchanged folder.
    pub poll_interval: Duration,
    /// How long a changed folder must stay the same.
    pub rest: Duration,
    /// Between an ingestion that failed and the next one.
    pub after_a_failure: Duration,
    /// How long a job waits for a worker of another process.
    pub worker_timeout: Duration,
}

impl Default for Intervals {
    fn default() -> Self {
        Self {
            poll_interval: Duration::from_secs(2),
            rest: Duration::from_secs(1),
            after_a_failure: Duration::from_secs(30),
            worker_timeout: follow::WORKER_TIMEOUT,
        }
    }
}

/// A version of a file: the change times of its content and its entry, and its length.
type FileVersion = (i64, i64, i64, i64, u64);
/// The files of a folder with their versions.
type Files = BTreeMap<PathBuf, FileVersion>;

/// Watches until `stop` is cancelled. `tell` is called with the report of each ingestion. Only a failure of the first
/// one is returned: later ones are logged and retried.
///
/// # Errors
/// The error of the first ingestion.
pub async fn until(
    app: &App,
    chatbot: &Chatbot,
    folder: &Path,
    intervals: Intervals,
    stop: &CancellationToken,
    mut tell: impl FnMut(&Report),
) -> Result<(), Error> {
    let mut watched = Watched::open(folder)?;
    let paths = [watched.folder.clone()];
    let mut last_read = watched.snapshot().await.ok();
    match follow::run(app, chatbot, (paths.as_slice(), true), intervals.worker_timeout, stop).await {
        Ok(report) => tell(&report),
        Err(Error::Canceled) if stop.is_cancelled() => return Ok(()),
        Err(error) => return Err(error),
    }
    tracing::info!(chatbot_id = %chatbot.id, "ingestion.watching");
    let mut pause = intervals.poll_interval;
    while rest(pause, stop).await {
        pause = intervals.poll_interval;
        let Some(now) = watched.changed_since(last_read.as_ref(), intervals.rest, stop).await else { continue };
        match follow::run(app, chatbot, (paths.as_slice(), true), intervals.worker_timeout, stop).await {
            Ok(report) => {
                last_read = Some(now);
                tracing::info!(
                    chatbot_id = %chatbot.id, added = report.added, replaced = report.replaced, removed = report.pruned,
                    skipped = report.skipped.len(), "ingestion.folder_ingested"
                );
                tell(&report);
            }
            Err(_) if stop.is_cancelled() => return Ok(()),
            Err(error) => {
                // Whatever happened, the next poll finds a change.
                last_read = None;
                pause = intervals.after_a_failure;
                tracing::error!(chatbot_id = %chatbot.id, %error, "ingestion.tried_again_later");
            }
        }
    }
    Ok(())
}

struct Watched {
    folder: PathBuf,
    /// The file system of the folder: an empty mount point is not the folder without files.
    device: u64,
    /// Whether it was reported that the folder is unreadable.
    is_lost: bool,
}

impl Watched {
    fn open(folder: &Path) -> Result<Self, Error> {
        let folder = absolute(folder);
        match fs::metadata(&folder) {
            Ok(metadata) if metadata.is_dir() => Ok(Self { folder, device: metadata.dev(), is_lost: false }),
            _ => Err(Error::NoFolder(folder.display().to_string())),
        }
    }

    /// The files if they differ from those `seen`, as soon as they have settled.
    async fn changed_since(
        &mut self,
        before: Option<&Files>,
        pause: Duration,
        stop: &CancellationToken,
    ) -> Option<Files> {
        let mut now = self.snapshot_or_log().await.filter(|now| Some(now) != before)?;
        for _ in 0..MAX_UNRESTED {
            if !rest(pause, stop).await {
                return None;
            }
            let next = self.snapshot_or_log().await?;
            if next == now {
                break;
            }
            now = next;
        }
        // A change that was reverted does not count.
        Some(now).filter(|now| Some(now) != before)
    }

    /// The files; `None` while they are unreadable, which is reported once.
    async fn snapshot_or_log(&mut self) -> Option<Files> {
        match self.snapshot().await {
            Ok(files) => {
                if self.is_lost {
                    tracing::info!("ingestion.folder_found");
                }
                self.is_lost = false;
                Some(files)
            }
            Err(reason) => {
                if !self.is_lost {
                    tracing::warn!(%reason, "ingestion.folder_lost: nothing is removed until it is back");
                }
                self.is_lost = true;
                None
            }
        }
    }

    async fn snapshot(&self) -> Result<Files, String> {
        let (folder, device) = (self.folder.clone(), self.device);
        let looked = tokio::task::spawn_blocking(move || snapshot(&folder, device)).await;
        looked.map_err(|error| error.to_string())?
    }
}

fn snapshot(folder: &Path, device: u64) -> Result<Files, String> {
    let metadata = fs::metadata(folder).map_err(|error| error.to_string())?;
    if metadata.dev() != device {
        return Err("another file system is mounted there".to_owned());
    }
    let files = discover(&[folder.to_owned()]).map_err(|error| error.to_string())?;
    Ok(files.into_iter().map(|file| (file.path.clone(), file_version(&file.path).unwrap_or_default())).collect())
}

fn file_version(file: &Path) -> io::Result<FileVersion> {
    let metadata = fs::metadata(file)?;
    Ok((metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec(), metadata.size()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_change_is_reported_when_the_folder_rests() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("a.md"), "One.").unwrap();
        let mut watched = Watched::open(folder.path()).unwrap();
        let before = watched.snapshot().await.unwrap();
        let (pause, stop) = (Duration::from_millis(1), CancellationToken::new());
        assert_eq!(watched.changed_since(Some(&before), pause, &stop).await, None);
        fs::write(file("a.md"), "One and two.").unwrap();
        fs::write(file("b.md"), "Three.").unwrap();
        let now = watched.changed_since(Some(&before), pause, &stop).await.unwrap();
        assert_eq!((before.len(), now.len()), (1, 2));
        fs::remove_file(file("b.md")).unwrap();
        assert_eq!(watched.changed_since(Some(&now), pause, &stop).await.unwrap().len(), 1);
    }

    #[tokio::test]
    async fn a_folder_that_is_gone_or_not_mounted_is_no_empty_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("docs");
        fs::create_dir(&path).unwrap();
        let mut watched = Watched::open(&path).unwrap();
        let before = Files::from([(path.join("a.md"), FileVersion::default())]);
        let (pause, stop) = (Duration::from_millis(1), CancellationToken::new());
        watched.device += 1;
        assert_eq!(watched.changed_since(Some(&before), pause, &stop).await, None);
        watched.device -= 1;
        fs::remove_dir(&path).unwrap();
        assert_eq!(watched.changed_since(Some(&before), pause, &stop).await, None);
        assert!(Watched::open(&path).is_err());
    }
}
