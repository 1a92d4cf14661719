//! The limits of the programs of text recognition, which stand-ins try to break.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use contract::documents::DocumentProblem;
use seccompiler::{SeccompAction, SeccompFilter};
use server::sandbox::{Failure, Ocr, OcrLimits, Sandbox, SandboxSettings};

use super::{
    LIMIT, Stored,
    hostile::{Image, pdf_of_images},
};
use crate::environments::variables_of;

/// A folder with programs named as those of text recognition.
struct Programs(tempfile::TempDir);

impl Programs {
    /// Compiled programs that try what they must not do.
    fn hostile() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/sandbox/stand_in.c");
        for name in ["tesseract", "pdftoppm"] {
            let program = folder.path().join(name);
            let compiled = Command::new("cc").args(["-O1", "-w", "-o"]).args([&program, &source]).status().unwrap();
            assert!(compiled.success());
        }
        Self(folder)
    }

    /// Scripts that leave a file when they are started.
    fn marking(marker: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("source");
        fs::write(&source, format!("#!/bin/sh\necho started >>'{}'\necho eng\n", marker.display())).unwrap();
        for name in ["tesseract", "pdftoppm"] {
            let program = folder.path().join(name);
            // Another process makes the program, as in the other tests.
            let installed = Command::new("install").args(["-m", "700"]).args([&source, &program]).status().unwrap();
            assert!(installed.success());
        }
        Self(folder)
    }

    fn readers(&self, program: PathBuf, page_timeout: Duration) -> Sandbox {
        let settings = SandboxSettings {
            program,
            memory_bytes: 1 << 30,
            timeout: Duration::from_secs(60),
            ocr: Some(OcrLimits { max_pages: 10, page_timeout }),
        };
        Sandbox::new(settings).with_programs_in(self.0.path())
    }
}

fn server() -> PathBuf {
    env!("CARGO_BIN_EXE_server").into()
}

fn scan() -> Stored {
    Stored::new(&pdf_of_images(&[Image { width: 2, height: 2, gray: vec![255; 4] }]))
}

/// Answers these system calls of this thread and its children with ENOSYS, as an older kernel does.
fn forget_landlock() {
    let calls = [libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self];
    let filter = SeccompFilter::new(
        calls.into_iter().map(|call| (call, Vec::new())).collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS.unsigned_abs()),
        std::env::consts::ARCH.try_into().unwrap(),
    );
    let program: seccompiler::BpfProgram = filter.unwrap().try_into().unwrap();
    seccompiler::apply_filter(&program).unwrap();
}

#[test]
fn text_recognition_needs_landlock() {
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("marker");
    let programs = Programs::marking(&marker);
    let sandbox = programs.readers(server(), Duration::from_secs(10));
    let reading = sandbox.clone();
    // Children have the filter of the thread that starts them.
    std::thread::spawn(move || {
        forget_landlock();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            reading.check().await;
            let read = reading.read_document(scan().open(), "scan.pdf", "pdf", LIMIT, "en").await;
            let Err(Failure::Refused(refusal)) = read else { panic!("{read:?}") };
            assert_eq!(refusal.problem, DocumentProblem::Scanned, "{refusal:?}");
        });
    })
    .join()
    .unwrap();
    let Some(Ocr::Unconfined(reason)) = sandbox.known_ocr() else { panic!("{:?}", sandbox.known_ocr()) };
    assert!(reason.contains("landlock"), "{reason}");
    // Readers need no landlock.
    assert_eq!(sandbox.state(), server::sandbox::State::Closed);
    assert!(!marker.exists(), "a program has started");
}

#[tokio::test]
async fn with_landlock_the_programs_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("marker");
    let programs = Programs::marking(&marker);
    let sandbox = programs.readers(server(), Duration::from_secs(10));
    assert!(matches!(sandbox.ocr().await, Ocr::Ready { languages, .. } if languages.len() == 1), "{sandbox:?}");
    assert!(marker.exists(), "the marker shows a start");
}

#[tokio::test]
async fn the_programs_reach_nothing_and_know_nothing() {
    let programs = Programs::hostile();
    // A reader with a file that its starter has left open.
    let starter = programs.0.path().join("starter");
    let source = programs.0.path().join("source");
    fs::write(&source, format!("#!/bin/sh\nexec 9</etc/passwd\nexec '{}' \"$@\"\n", server().display())).unwrap();
    let installed = Command::new("/usr/bin/install").args(["-m", "700"]).args([&source, &starter]).status().unwrap();
    assert!(installed.success());
    let sandbox = programs.readers(starter, Duration::from_secs(20));
    let read = sandbox.read_document(scan().open(), "scan.pdf", "pdf", LIMIT, "en").await.unwrap();
    let words: Vec<&str> = read.document.sections.iter().flat_map(|section| section.text.split_whitespace()).collect();
    assert_eq!(words, ["pdftoppm:ran", "tesseract:ran"], "{read:?}");
}

#[tokio::test]
async fn a_program_that_hangs_is_ended() {
    let programs = Programs::hostile();
    let sandbox = programs.readers(server(), Duration::from_secs(1));
    let picture = Stored::new(b"\x89PNG\nhang\n");
    let read = sandbox.read_document(File::open(&picture.path).unwrap(), "a.png", "png", LIMIT, "en").await;
    let Err(Failure::Refused(refusal)) = read else { panic!("{read:?}") };
    // Its own limit, not the longer one of the whole process.
    assert_eq!(
        (refusal.problem, refusal.detail.as_str()),
        (DocumentProblem::TimedOut, "Page 1: reading took longer than 1 s")
    );
}

#[tokio::test]
async fn the_programs_get_no_environment() {
    let programs = Programs::hostile();
    let sandbox = programs.readers(server(), Duration::from_secs(100));
    let pages = [1, 2].map(|_| Image { width: 2, height: 2, gray: vec![255; 4] });
    for (program, file_type, content) in
        [("pdftoppm", "pdf", pdf_of_images(&pages)), ("tesseract", "png", b"\x89PNG\nhang\n".to_vec())]
    {
        let (sandbox, stored, path) = (sandbox.clone(), Stored::new(&content), programs.0.path().join(program));
        let reading = tokio::spawn(async move {
            sandbox.read_document(stored.open(), &format!("a.{file_type}"), file_type, LIMIT, "en").await
        });
        let is_meant = |process: &crate::environments::Process| {
            process.arguments.first().is_some_and(|program| Path::new(program) == path)
        };
        assert_eq!(variables_of(is_meant).await, ["LC_ALL", "OMP_THREAD_LIMIT", "PATH"], "{program}");
        reading.abort();
        let _ = reading.await;
    }
}
