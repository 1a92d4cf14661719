//! Why a subcommand failed.

use crate::config::ConfigError;
use crate::embedded::postgres;

/// A failed subcommand; the text is the whole message to the person who ran it.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The configuration was refused.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// The embedded PostgreSQL did not come up.
    #[error("{0}")]
    Postgres(#[from] postgres::Error),
    /// The database refused something.
    #[error("{}", with_advice(.0))]
    Store(#[from] store::Error),
    /// A backup or a restore failed.
    #[error("{0}")]
    Backup(#[from] crate::backup::Error),
    /// The authorities of `tls.ca_file` cannot be used.
    #[error("{0}")]
    Authorities(#[from] tls::Error),
    /// A port that we should listen on is taken.
    #[error(
        "port {port}, which is meant for {purpose}, is already in use. Stop the program that uses it, or choose \
             another port with {setting}."
    )]
    PortInUse {
        /// The port that something else listens on.
        port: u16,
        /// What would listen there.
        purpose: &'static str,
        /// The environment variable of its setting.
        setting: &'static str,
    },
    /// A file or folder could not be used.
    #[error("{} cannot be used: {source}", .path.display())]
    File {
        /// The file or folder.
        path: std::path::PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The settings do not allow the command to start, for example what only a demo may do.
    #[error("the server refuses to start: {0}")]
    Refused(String),
    /// Anything else, as a sentence.
    #[error("{0}")]
    Other(String),
}

/// An error of the database, and what to do.
fn with_advice(error: &store::Error) -> String {
    error.advice().map_or_else(|| error.to_string(), |advice| format!("{error}; {advice}"))
}

impl CliError {
    /// Wraps a file error with its path.
    pub fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }
}
