//! Errors of the configuration.

use std::path::PathBuf;

/// A configuration that cannot be used; the text is for the person who wrote it.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("the configuration file {} cannot be read: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("the configuration file {} is not valid TOML: {reason}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The location and the reason.
        reason: String,
    },
    /// The file is TOML, but not a configuration.
    #[error("the configuration file {} cannot be used: {reason}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The location and the reason.
        reason: String,
    },
    /// A key or variable that does not exist.
    #[error(
        "{found_in} sets {name}, which is not a setting; the nearest is {nearest}. `server config --explain` lists all."
    )]
    Unknown {
        /// Where it was found.
        found_in: String,
        /// The unknown name.
        name: String,
        /// The most similar known name.
        nearest: String,
    },
    /// A value that is not allowed.
    #[error("{name} is \"{value}\" in {set_in}, but allowed is {allowed}.")]
    Value {
        /// The setting with its environment variable, after its former name if that was used.
        name: String,
        /// The value, masked when it is a secret.
        value: String,
        /// Where it was set.
        set_in: String,
        /// The allowed values.
        allowed: String,
    },
    /// A setting that other settings need is not set.
    #[error("{key} (variable {env}) is not set; it must be {allowed}.")]
    Empty {
        /// The setting.
        key: &'static str,
        /// Its environment variable.
        env: String,
        /// The allowed values.
        allowed: String,
    },
    /// A setting that the command needs is not set.
    #[error("{key} (variable {env}) is not set, and {command} needs it: {meaning}")]
    Missing {
        /// The setting.
        key: &'static str,
        /// Its environment variable.
        env: String,
        /// The command that needs it.
        command: &'static str,
        /// The meaning of the setting.
        meaning: &'static str,
    },
}
