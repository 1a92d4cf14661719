//! Errors of loading the provider. Errors of a request become responses instead.

use std::{io, path::PathBuf};

/// Why the provider cannot start, in a sentence for the person who starts it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A realm file cannot be read.
    #[error("the realm file {} cannot be read: {source}", path.display())]
    ReadRealm { path: PathBuf, source: io::Error },
    /// A realm file is not the JSON that was expected.
    #[error("the realm file {} cannot be understood: {source}", path.display())]
    ParseRealm {
        path: PathBuf,
        /// The position and the reason.
        source: serde_json::Error,
    },
    /// A placeholder uses a variable that is not set and has no default.
    #[error("the realm file {} needs the variable {name}, which is not set", path.display())]
    MissingVariable { path: PathBuf, name: String },
    /// A realm file is inconsistent or uses an unsupported feature.
    #[error("the realm file {} is wrong: {reason}", path.display())]
    InvalidRealm { path: PathBuf, reason: String },
    /// Two files describe the same realm, or there is no file at all.
    #[error("the set of realm files is wrong: {0}")]
    RealmSet(String),
    /// `auth_url` is not the bare address of a web server.
    #[error("auth_url {url:?} is wrong: {reason}")]
    AuthUrl { url: String, reason: String },
    /// The folder of the signing keys cannot be used.
    #[error("the key folder {} cannot be used: {source}", path.display())]
    KeyFolder { path: PathBuf, source: io::Error },
    /// A signing key cannot be created or read.
    #[error("the signing key {} cannot be used: {reason}", path.display())]
    Key { path: PathBuf, reason: String },
    /// The file of users created at run time is invalid.
    #[error("the file of people {} cannot be understood: {source}", path.display())]
    People { path: PathBuf, source: serde_json::Error },
    /// The requested realm is not loaded.
    #[error("there is no realm {0:?}")]
    UnknownRealm(String),
    /// Keys were rotated so often that the key set would grow without bound.
    #[error("too many keys are still in use; wait until tokens of the oldest have expired")]
    TooManyKeys,
}
