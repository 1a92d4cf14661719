//! The ingestion of `server ingest`: queued as a job and followed to its end, once or for each change of a folder.

pub mod follow;
pub mod watch;
