//! Runs other programs by name. The error for a missing program says how to install it.

use std::ffi::OsStr;
use std::process::{Child, Command, Stdio};

use crate::error::{Error, Result};

/// Runs a command with its output on the terminal. An exit status other than 0 is an error that names `what`.
pub(crate) fn run(what: &str, command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().map_err(|error| not_started(command, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(Error::Failed { what: what.to_owned(), status: status.to_string(), output: String::new() })
}

/// Runs a command quietly and returns its standard output. Its messages are shown only when it fails.
pub(crate) fn capture(what: &str, command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| not_started(command, &error))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(stdout);
    }
    let output_text = format!("{stdout}\n{}", String::from_utf8_lossy(&output.stderr));
    Err(Error::Failed { what: what.to_owned(), status: output.status.to_string(), output: output_text })
}

/// Starts a command without input.
pub(crate) fn start(command: &mut Command) -> Result<Child> {
    command.stdin(Stdio::null()).spawn().map_err(|error| not_started(command, &error))
}

/// Whether a program can be started at all.
pub(crate) fn exists(program: &str) -> bool {
    let probe = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    probe.is_ok_and(|output| output.status.success())
}

fn not_started(command: &Command, error: &std::io::Error) -> Error {
    let program = command.get_program().to_string_lossy().into_owned();
    if error.kind() == std::io::ErrorKind::NotFound {
        return Error::Missing { remedy: remedy(command.get_program()), program };
    }
    Error::Other(format!("`{program}` could not be started: {error}"))
}

fn remedy(program: &OsStr) -> &'static str {
    match program.to_str().unwrap_or_default() {
        "python3" => {
            "Install Python 3 with pip (Debian: apt-get install python3 python3-pip) and run the command again."
        }
        "npm" | "node" => "Install Node.js 20 or newer with npm (Debian: apt-get install nodejs npm) and run it again.",
        "cargo" | "rustup" | "rustc" => "Install Rust with rustup (https://rustup.rs) and run the command again.",
        _ => "Install it and run the command again.",
    }
}
