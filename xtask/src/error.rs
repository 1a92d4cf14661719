//! What can go wrong in a build step, each as a sentence that says what to do next.

use std::path::{Path, PathBuf};

/// The result of every step.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// An error of the build tool; its text is meant for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A program that a step needs is not installed.
    #[error("`{program}` was not found. {remedy}")]
    Missing {
        /// The program as it would be typed.
        program: String,
        /// How to get it.
        remedy: &'static str,
    },
    /// A program ran and failed.
    #[error("{what} failed ({status}).{}", tail(.output))]
    Failed {
        /// The step in words.
        what: String,
        /// The exit status in words.
        status: String,
        /// What the program wrote, when it was captured.
        output: String,
    },
    /// A file could not be read or written.
    #[error("{action} {}: {source}", .path.display())]
    Io {
        /// What was tried, as a present participle.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A download is not the file that was pinned.
    #[error("{} has sha256 {found}, but parts.toml pins {pinned}. The file was removed; run the command again, and if it \
             repeats, do not use this source.", .path.display())]
    Checksum {
        /// The downloaded file.
        path: PathBuf,
        /// The pinned sum.
        pinned: String,
        /// The sum of the file.
        found: String,
    },
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
