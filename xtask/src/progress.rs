//! Runs cargo with one line of progress for all builds of this process: crates done of all, and the time so far.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::{process, workspace};

/// Where nobody watches a terminal, a line is written this often.
const PAUSE_WITHOUT_TERMINAL: Duration = Duration::from_secs(30);

/// The builds of this process. They run side by side and share one line.
static BOARD: Mutex<Option<Board>> = Mutex::new(None);

struct Board {
    started: Instant,
    /// When the last line was written without a terminal.
    written: Instant,
    builds: BTreeMap<&'static str, Build>,
}

struct Build {
    crates: usize,
    done: HashSet<String>,
}

/// What cargo tells of a build, one JSON object a line.
#[derive(Deserialize)]
struct Message {
    reason: String,
    package_id: Option<String>,
    message: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    rendered: Option<String>,
}

/// Runs `cargo build` with these arguments and shows its progress as `name`. Warnings and errors of the compiler are shown
/// whole.
pub(crate) fn build(name: &'static str, cargo: &mut Command, arguments: &[&str]) -> Result<()> {
    let crates = crates(arguments)?;
    update(name, |build| build.crates = crates);
    cargo.current_dir(workspace::root()).arg("build").args(arguments).args(["--quiet", "--message-format", FORMAT]);
    let mut child = process::start(cargo.stdout(Stdio::piped()))?;
    let lines = BufReader::new(child.stdout.take().expect("the output is piped")).lines();
    for message in lines.map_while(std::result::Result::ok).filter_map(|line| serde_json::from_str(&line).ok()) {
        match message {
            Message { message: Some(Diagnostic { rendered: Some(text) }), .. } => show(&text),
            Message { reason, package_id: Some(id), .. } if reason == "compiler-artifact" => {
                update(name, |build| build.done.extend([id]));
            }
            _ => {}
        }
    }
    let status = child.wait().map_err(|error| Error::Other(format!("waiting for cargo: {error}")))?;
    end(name);
    if status.success() {
        return Ok(());
    }
    Err(Error::Failed { what: format!("building {name}"), status: status.to_string(), output: String::new() })
}

const FORMAT: &str = "json-diagnostic-rendered-ansi";

/// How many crates a build compiles at most.
fn crates(arguments: &[&str]) -> Result<usize> {
    let mut tree = Command::new(cargo());
    tree.current_dir(workspace::root()).args([
        "tree",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        match argument {
            "-p" | "--target" => drop(tree.arg(argument).args(arguments.next())),
            "--locked" => drop(tree.arg(argument)),
            _ => {}
        }
    }
    let lines = process::capture("listing the crates", &mut tree)?;
    Ok(lines.lines().map(|line| line.trim_end_matches(" (*)")).collect::<HashSet<_>>().len())
}

/// The cargo that started this program, else the one in PATH.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn update(name: &'static str, change: impl FnOnce(&mut Build)) {
    let mut board = BOARD.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    let board = board.get_or_insert_with(|| Board { started: now, written: now, builds: BTreeMap::new() });
    change(board.builds.entry(name).or_insert_with(|| Build { crates: 0, done: HashSet::new() }));
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{}", board.line());
        let _ = std::io::stderr().flush();
    } else if board.written.elapsed() > PAUSE_WITHOUT_TERMINAL {
        board.written = now;
        eprintln!("{}", board.line());
    }
}

/// Shows a text of the compiler above the line.
fn show(text: &str) {
    let clear = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    eprint!("{clear}{text}");
}

fn end(name: &'static str) {
    let mut board = BOARD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(board) = board.as_mut() {
        board.builds.remove(name);
        let clear = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
        eprintln!("{clear}  {name}: compiled after {} s", board.started.elapsed().as_secs());
    }
}

impl Board {
    fn line(&self) -> String {
        let builds: Vec<String> = self.builds.iter().map(|(name, build)| build.line(name)).collect();
        format!("  {}, {} s", builds.join(", "), self.started.elapsed().as_secs())
    }
}

impl Build {
    fn line(&self, name: &str) -> String {
        format!("{name}: {} of {} crates", self.done.len().min(self.crates), self.crates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_counts_the_crates_of_each_build() {
        let build = |done: &[&str]| Build { crates: 2, done: done.iter().map(|&id| id.to_owned()).collect() };
        let builds = BTreeMap::from([("browser", build(&["a"])), ("server", build(&["a", "b", "c"]))]);
        let board = Board { started: Instant::now(), written: Instant::now(), builds };
        assert_eq!(board.line(), "  browser: 1 of 2 crates, server: 2 of 2 crates, 0 s");
    }

    #[test]
    fn messages_of_cargo_are_read() {
        let artifact = r#"{"reason":"compiler-artifact","package_id":"path+file:///a#0.1.0","fresh":true}"#;
        let artifact: Message = serde_json::from_str(artifact).unwrap();
        assert_eq!((artifact.reason.as_str(), artifact.package_id.is_some()), ("compiler-artifact", true));
        let warning = r#"{"reason":"compiler-message","package_id":"b","message":{"rendered":"warning"}}"#;
        let warning: Message = serde_json::from_str(warning).unwrap();
        assert_eq!(warning.message.and_then(|message| message.rendered).as_deref(), Some("warning"));
    }
}
