//! Questions to the person at the terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use nix::sys::termios::{LocalFlags, SetArg, tcgetattr, tcsetattr};

use super::CliError;

/// Asks; hides the input for a password. Without a terminal, the error says what to give instead.
#[allow(clippy::print_stderr, reason = "the question is for the person, the output for its reader")]
pub(super) fn ask(question: &str, is_hidden: bool, instead: &str) -> Result<String, CliError> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(CliError::Other(format!("there is no terminal to ask at: {instead}")));
    }
    let failed = |error: io::Error| CliError::Other(format!("the terminal: {error}"));
    eprint!("{question}");
    io::stderr().flush().map_err(failed)?;
    let visible = is_hidden.then(|| tcgetattr(&stdin)).transpose().map_err(|error| failed(error.into()))?;
    if let Some(visible) = &visible {
        let mut hidden = visible.clone();
        hidden.local_flags.remove(LocalFlags::ECHO);
        tcsetattr(&stdin, SetArg::TCSANOW, &hidden).map_err(|error| failed(error.into()))?;
    }
    let mut line = String::new();
    let read = stdin.lock().read_line(&mut line);
    if let Some(visible) = &visible {
        tcsetattr(&stdin, SetArg::TCSANOW, visible).map_err(|error| failed(error.into()))?;
        eprintln!();
    }
    read.map_err(failed)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
