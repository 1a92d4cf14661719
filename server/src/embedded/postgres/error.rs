//! Why an embedded PostgreSQL server did not start, as a sentence for the user.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

use std::io;
use std::path::{Path, PathBuf};

/// An error of the embedded PostgreSQL server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The programs are not where they should be.
    #[error("PostgreSQL's programs are not in {}. Run `make setup`, or set SVC_DATABASE_BIN_DIR to a folder with \
             `postgres` and `initdb`, or SVC_DATABASE_URL and SVC_DATABASE_ADMIN_URL to a server of your own.", .folder.display())]
    Programs {
        /// The searched folder.
        folder: PathBuf,
    },
    /// A file or folder could not be created, read or written.
    #[error("{} cannot be used: {source}. Free space or make it writable, or choose another folder with \
             SVC_PATHS_VAR_DIR.", .path.display())]
    Folder { path: PathBuf, source: io::Error },
    /// Another living process runs a server on the same data.
    #[error("{} is in use by another running instance. Stop it, or choose another folder with SVC_PATHS_VAR_DIR.", .folder.display())]
    InUse { folder: PathBuf },
    /// Something else listens on the port.
    #[error(
        "port {port}, which is meant for the embedded PostgreSQL, is already in use. Stop the program that uses it, \
             or choose another port with SVC_DATABASE_PORT."
    )]
    PortInUse { port: u16 },
    /// The port cannot be used for another reason.
    #[error("port {port} cannot be used for the embedded PostgreSQL: {source}")]
    Port { port: u16, source: io::Error },
    /// PostgreSQL refuses root, and there is no other account to run it as.
    #[error(
        "PostgreSQL refuses to run as root, and this machine has neither a user `postgres` nor a user `nobody`. Run \
             the command as an ordinary user."
    )]
    NoAccount,
    /// A program could not be started.
    #[error("{} could not be started: {source}", .program.display())]
    Start { program: PathBuf, source: io::Error },
    #[error("initdb could not make a database in {}: {output}", .folder.display())]
    Create { folder: PathBuf, output: String },
    /// The server ended while it was starting.
    #[error("PostgreSQL stopped while starting. Its last log lines:\n{log}")]
    Exited { log: String },
    /// The server did not answer in time.
    #[error("PostgreSQL did not answer within {seconds} s. Its last log lines:\n{log}")]
    Slow { seconds: u64, log: String },
    /// A server of an earlier, killed process would not stop.
    #[error("process {pid}, a PostgreSQL left over from a killed instance, does not stop. End it and start again.")]
    Leftover { pid: i32 },
}

impl Error {
    /// Wraps a file error with its path.
    pub(crate) fn folder(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Folder { path, source }
    }
}
