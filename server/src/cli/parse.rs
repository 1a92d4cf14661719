//! `server parse`: reads one untrusted document within limits that it imposes on itself.

use std::process::ExitCode;

use crate::sandbox::child;

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The order, in JSON.
    order: String,
}

/// Reads it and writes messages, one a line.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    child::run(&arguments.order)
}
