//! Detects the programs of text recognition, and whether the system can confine them. Without limits they would read every
//! file of the server for an attacker whose document has taken them over, so they are never started then.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use super::{Folder, FoundPrograms, Ocr};
use crate::{
    child,
    sandbox::{
        Sandbox,
        message::{Programs, Recognise, Task},
    },
};

/// Timeout for `tesseract` to list its languages.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Processor seconds for the probe.
const PROBE_SECONDS: u64 = 10;

impl Sandbox {
    /// Searches for the programs, finds out whether they can be confined, and reads their languages.
    pub(super) async fn find_ocr(&self) -> Ocr {
        let path = self.program_path.as_deref().unwrap_or_default();
        let programs_by_name = ["tesseract", "pdftoppm"].map(|name| (name, program(path, name)));
        let [(_, Some(tesseract)), (_, Some(pdftoppm))] = &programs_by_name else {
            return Ocr::Missing(
                programs_by_name.iter().filter(|(_, path)| path.is_none()).map(|(name, _)| *name).collect(),
            );
        };
        let programs = Programs { tesseract: tesseract.clone(), pdftoppm: pdftoppm.clone() };
        if let Err(reason) = self.probe_recognition(&programs).await {
            tracing::error!(%reason, "ocr.unconfined: no text is recognised, because its programs could read everything");
            return Ocr::Unconfined(reason);
        }
        let languages = languages_of(tesseract).await;
        tracing::info!(languages = languages.join(" "), "ocr.ready: text in scanned pages and pictures is recognised");
        Ocr::Ready { programs: FoundPrograms(programs), languages }
    }

    /// Finds out by trying what the programs could access.
    ///
    /// # Errors
    /// The reason why they are not confined.
    async fn probe_recognition(&self, programs: &Programs) -> Result<(), String> {
        let folder = Folder::create().map_err(|error| error.to_string())?;
        let order = Recognise {
            programs: programs.clone(),
            pages: None,
            languages: String::new(),
            folder: folder.0.clone(),
            page_seconds: PROBE_SECONDS,
        };
        let parent = std::process::id().cast_signed();
        let reach = self.reach(Task::ProbeRecognition { parent, order }).await.map_err(|error| error.to_string())?;
        let open = reach.open();
        if open.is_empty() { Ok(()) } else { Err(format!("open to programs: {}", open.join(", "))) }
    }
}

/// The languages of this `tesseract`.
async fn languages_of(tesseract: &Path) -> Vec<String> {
    let mut command = child::async_command(tesseract);
    command.arg("--list-langs").stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    match tokio::time::timeout(ANSWER_TIMEOUT, command.output()).await {
        Ok(Ok(output)) => String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// The place of a program in the search path, without links on the way.
fn program(path: &OsStr, name: &str) -> Option<PathBuf> {
    let program = std::env::split_paths(path).map(|folder| folder.join(name)).find(|program| program.is_file())?;
    fs::canonicalize(program).ok().filter(|program| Path::new(program).is_absolute())
}
