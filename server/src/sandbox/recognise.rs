//! The child's part of text recognition: runs the two programs for each page, within its own limits.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rag::document::recognised::Recognised;

use super::{
    Refusal, confine,
    message::{Message, Recognise},
    output::{Output, arm},
};
use crate::child;

/// Polling interval for the end of a program.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Pixels of the longer side of a page: 300 dpi of A4.
const PIXELS: &str = "3508";
/// Bytes of a page's words that are read.
const MAX_TABLE: u64 = 8 * 1024 * 1024;

pub(super) fn run(order: &Recognise, mut file: File, output: &mut Output) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    let document = order.folder.join("document");
    io::copy(&mut file, &mut File::create_new(&document)?)?;
    for page in order.pages.as_deref().unwrap_or(&[1]) {
        arm(order.page_seconds * 2);
        let read = match order.pages {
            Some(_) => picture(order, &document, *page).and_then(|picture| recognise(order, &picture)),
            None => recognise(order, &document),
        };
        output.send(&match read {
            Ok(Recognised { paragraphs, confidence }) => Message::Recognised { page: *page, paragraphs, confidence },
            Err(refusal) => Message::LeftOut { page: *page, refusal },
        })?;
    }
    output.send(&Message::End)
}

/// The picture of a page of a PDF.
fn picture(order: &Recognise, document: &Path, page: u32) -> Result<std::path::PathBuf, Refusal> {
    let picture = order.folder.join("page");
    let page = page.to_string();
    let mut program = child::command(&order.programs.pdftoppm);
    program.args(["-f", &page, "-l", &page, "-singlefile", "-scale-to", PIXELS, "-gray"]).arg(document).arg(&picture);
    end(order, program)?;
    Ok(picture.with_extension("pgm"))
}

/// The words of a picture.
fn recognise(order: &Recognise, picture: &Path) -> Result<Recognised, Refusal> {
    let words = order.folder.join("words");
    let mut program = child::command(&order.programs.tesseract);
    program.arg(picture).arg(&words).args(["-l", &order.languages, "--dpi", "300", "tsv"]);
    end(order, program)?;
    let (mut table, words) = (String::new(), words.with_extension("tsv"));
    let read = File::open(&words).and_then(|file| file.take(MAX_TABLE).read_to_string(&mut table));
    read.and_then(|_| fs::remove_file(&words)).map_err(|_| Refusal::crashed())?;
    Ok(Recognised::from_table(&table))
}

/// Starts a program that cannot send signals, which this process needs to end it.
fn start(mut program: Command) -> io::Result<Child> {
    confine::without_signals(move || program.spawn()).map_err(io::Error::other)?
}

/// Runs a program to its end, or to that of its time.
fn end(order: &Recognise, mut program: Command) -> Result<(), Refusal> {
    // One thread: each worker of the platform has its own document.
    program.env("OMP_THREAD_LIMIT", "1").current_dir(&order.folder);
    program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = start(program).map_err(|_| Refusal::crashed())?;
    let timeout = Duration::from_secs(order.page_seconds);
    let started = Instant::now();
    while started.elapsed() < timeout {
        match running.try_wait() {
            Ok(None) => thread::sleep(POLL_INTERVAL),
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(_)) | Err(_) => return Err(Refusal::crashed()),
        }
    }
    let _ = running.kill();
    let _ = running.wait();
    Err(Refusal::timed_out(timeout))
}
