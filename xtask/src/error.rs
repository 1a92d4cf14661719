//! The errors of build steps. Each is a sentence that says what to do next.

use std::path::{Path, PathBuf};

pub(crate) type Result<T> = std::result::Result<T, Error>;

/// An error of the build tool. Its text is meant for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A program that a step needs is not installed.
    #[error("`{program}` was not found. {remedy}")]
    Missing {
        /// The program as it would be typed.
        program: String,
        remedy: &'static str,
    },
    /// A program ran and failed.
    #[error("{what} failed ({status}).{}", tail(.output))]
    Failed {
        what: String,
        status: String,
        /// The program's output, when it was captured.
        output: String,
    },
    /// A file could not be read or written.
    #[error("{action} {}: {source}", .path.display())]
    Io {
        /// The attempted action, as a present participle.
        action: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    /// A download is not the file that was pinned.
    #[error("{} has sha256 {actual}, but parts.toml pins {pinned}. The file was removed; run the command again, and if it \
             repeats, do not use this source.", .path.display())]
    Checksum { path: PathBuf, pinned: String, actual: String },
    /// Anything else, as a sentence.
    #[error("{0}")]
    Other(String),
}

impl Error {
    /// Wraps a file error: `map_err(Error::io("reading", &path))`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { action, path, source }
    }
}

fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let start = lines.len().saturating_sub(20);
    if lines.is_empty() { String::new() } else { format!(" Its last lines:\n  {}", lines[start..].join("\n  ")) }
}
