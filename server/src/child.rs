//! Starts other programs. They get an environment of their own: that of the server has the platform's secrets.
//!
//! `clippy.toml` forbids every other way to start a program.

use std::{ffi::OsStr, process::Command};

/// Where a child finds the system's programs.
const PATH: &str = "/usr/bin:/bin";

/// A program that knows only where the system's programs are, and that it speaks English.
#[expect(clippy::disallowed_methods, reason = "this is the one place that starts programs")]
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", PATH).env("LC_ALL", "C");
    command
}

/// Like [`command`], for a child that tasks wait for.
pub(crate) fn async_command(program: impl AsRef<OsStr>) -> tokio::process::Command {
    command(program).into()
}
