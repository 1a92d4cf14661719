//! Hostile documents, each read by a separate process: every one has its reason, and none affects anything else.

pub mod hostile;
mod recognition;

use std::{
    fs::{self, File},
    io::{BufRead as _, Read as _},
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use contract::documents::DocumentProblem;
use rag::document::Document;
use serde_json::{Value, json};
use server::sandbox::{
    ArchiveProgress, ArchiveRequest, Contents, Failure, PictureError, PictureFormat, Refusal, Sandbox, SandboxSettings,
};
use tokio::sync::mpsc;

use crate::support::{Platform, sandbox, send};

const MEGABYTE: u64 = 1024 * 1024;
/// More time than a busy machine needs to find out that a file takes too much memory.
const PATIENT: Duration = Duration::from_secs(120);
const LIMIT: u64 = 50 * MEGABYTE;
const ZIP: ArchiveRequest<'static> =
    ArchiveRequest { base: "all.zip", file_type: "zip", language: "en", pictures: true, max_file_bytes: 10 * MEGABYTE };

/// A folder with one file.
struct Stored {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Stored {
    fn new(content: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("original");
        fs::write(&path, content).unwrap();
        Self { _folder: folder, path }
    }

    fn open(&self) -> File {
        File::open(&self.path).unwrap()
    }
}

fn readers(memory_bytes: u64, timeout: Duration) -> Sandbox {
    Sandbox::new(SandboxSettings { program: env!("CARGO_BIN_EXE_server").into(), memory_bytes, timeout, ocr: None })
}

/// Readers that run this script of the shell.
fn script(text: &str, timeout: Duration) -> (Sandbox, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("source"), folder.path().join("reader"));
    fs::write(&source, format!("#!/bin/sh\n{text}\n")).unwrap();
    // Another process makes the program: one that this process writes is busy while another test starts a process meanwhile.
    let installed = Command::new("install").args(["-m", "700"]).args([&source, &program]).status().unwrap();
    assert!(installed.success());
    (Sandbox::new(SandboxSettings { program, memory_bytes: MEGABYTE, timeout, ocr: None }), folder)
}

async fn read(sandbox: &Sandbox, name: &str, content: &[u8]) -> Result<Document, Refusal> {
    let stored = Stored::new(content);
    let extension = name.rsplit_once('.').unwrap().1;
    refused(sandbox.read_document(stored.open(), name, extension, LIMIT, "en").await).map(|read| read.document)
}

fn refused<T>(read: Result<T, Failure>) -> Result<T, Refusal> {
    read.map_err(|failure| match failure {
        Failure::Refused(refusal) => refusal,
        Failure::Unavailable(error) => panic!("no reader: {error}"),
    })
}

/// The result of each file of an archive.
async fn read_archive(
    sandbox: &Sandbox,
    archive: ArchiveRequest<'_>,
    content: &[u8],
) -> Vec<(String, Result<String, DocumentProblem>)> {
    let stored = Stored::new(content);
    let (sender, mut entries) = mpsc::channel(1);
    let open = || File::open(&stored.path);
    let reading = async {
        let whole = sandbox.read_archive(open, archive, ArchiveProgress::default(), &sender).await;
        drop(sender);
        whole
    };
    let collecting = async {
        let mut titles = Vec::new();
        while let Some(event) = entries.recv().await {
            let Some((path, read)) = event.file() else { continue };
            titles.push((path, read.map(|read| read.document.title).map_err(|refusal| refusal.problem)));
        }
        titles
    };
    let (whole, titles) = tokio::join!(reading, collecting);
    refused(whole).unwrap();
    titles
}

#[tokio::test]
async fn a_reader_reaches_no_files_no_network_and_no_programs() {
    let reach = sandbox().probe().await.unwrap();
    assert_eq!(reach.open(), [""; 0]);
    let platform = Platform::start().await;
    let ready = platform.ready_when("database", "ok").await;
    assert_eq!((ready.status, &ready.body["details"]["document_reader"]), (200, &json!("unknown")), "{ready:?}");
    platform.app.settings.sandbox.check().await;
    let ready = platform.anonymous().get("/health/ready").await;
    assert_eq!(ready.body["details"]["document_reader"], "closed", "{ready:?}");
}

#[tokio::test]
async fn a_missing_reader_is_reported_and_changes_no_status() {
    let missing_reader = SandboxSettings {
        program: "/no/such/program".into(),
        memory_bytes: MEGABYTE,
        timeout: Duration::from_secs(1),
        ocr: None,
    };
    let platform = Platform::start_with(|settings| settings.sandbox = Sandbox::new(missing_reader)).await;
    platform.app.settings.sandbox.check().await;
    let ready = platform.ready_when("database", "ok").await;
    assert_eq!((ready.status, &ready.body["details"]["document_reader"]), (200, &json!("unavailable")), "{ready:?}");
}

#[tokio::test]
async fn a_document_is_the_same_as_without_a_process() {
    let text = "# Opening hours\n\nNine to five.\n\n## Sundays\n\nClosed.\n";
    let read_here = rag::document::read_as(text.as_bytes(), "a/hours.md", "md", LIMIT).unwrap();
    assert_eq!(read(&sandbox(), "a/hours.md", text.as_bytes()).await.unwrap(), read_here);
    let untitled = read(&sandbox(), "a/hours.csv", b"question,answer\nWhen?,Now.\n").await.unwrap();
    assert_eq!(untitled.title, "hours");
}

#[tokio::test]
async fn every_hostile_document_has_its_reason() {
    use DocumentProblem::{BadEncoding, Malformed, NoText, OtherType, OutOfMemory, TimedOut, TooLarge};
    let sandbox = readers(512 * MEGABYTE, Duration::from_secs(60));
    for (name, content, expected) in [
        ("bomb.docx", hostile::docx_bomb(200), [TooLarge].as_slice()),
        ("laughs.docx", hostile::billion_laughs(), &[Malformed]),
        ("deep.docx", hostile::deep_docx(), &[Malformed]),
        ("no-zip.docx", b"PK\x03\x04".repeat(10_000), &[Malformed]),
        ("cycle.pdf", hostile::pdf_with_cyclic_pages(), &[Malformed, NoText, TimedOut]),
        ("xref.pdf", hostile::pdf_with_broken_xref(), &[Malformed]),
        ("loop.pdf", hostile::pdf_with_looping_xref(), &[Malformed]),
        ("nul.txt", vec![0; 1_000_000], &[BadEncoding]),
        ("program.txt", b"\x7fELF".repeat(1000), &[OtherType]),
        ("pages.pdf", hostile::pdf_with_pages(100_000), &[TimedOut, OutOfMemory]),
    ] {
        let started = Instant::now();
        let read = read(&sandbox, name, &content).await;
        let taken = started.elapsed();
        let is_right = match &read {
            // A line that is on each of the hundred thousand pages is their header, and is read once.
            Ok(document) => name == "pages.pdf" && document.sections.len() == 1,
            Err(refusal) => expected.contains(&refusal.problem),
        };
        assert!(is_right, "{name}: {:?} after {taken:?}", read.map(|document| document.sections.len()));
        assert!(taken < Duration::from_secs(120), "{name}: {taken:?}");
    }
}

#[tokio::test]
async fn a_form_whose_fields_lead_in_a_circle_is_read_past() {
    let form = hostile::pdf_with_cyclic_form();
    let read = read(&readers(512 * MEGABYTE, Duration::from_secs(60)), "form.pdf", &form).await.unwrap();
    assert!(format!("{read:?}").contains("The form has no end."), "{read:?}");
}

#[tokio::test]
async fn a_sparse_gigabyte_is_refused_unread() {
    let stored = Stored::new(b"PK\x03\x04");
    File::options().write(true).open(&stored.path).unwrap().set_len(1 << 30).unwrap();
    let refused = refused(sandbox().read_document(stored.open(), "a.docx", "docx", LIMIT, "en").await).unwrap_err();
    assert_eq!(refused.problem, DocumentProblem::TooLarge, "{refused:?}");
}

#[tokio::test]
async fn memory_and_time_have_an_end() {
    let small = readers(64 * MEGABYTE, PATIENT);
    let refusal = read(&small, "large.docx", &hostile::docx_of_words(30)).await.unwrap_err();
    assert_eq!(refusal.problem, DocumentProblem::OutOfMemory, "{refusal:?}");
    // A file that never ends: nobody closes the other end.
    let (never, _open) = std::io::pipe().unwrap();
    let hasty = readers(64 * MEGABYTE, Duration::from_secs(1));
    let file = File::from(std::os::fd::OwnedFd::from(never));
    let refusal = refused(hasty.read_document(file, "a.md", "md", LIMIT, "en").await).unwrap_err();
    assert_eq!((refusal.problem, refusal.detail.as_str()), (DocumentProblem::TimedOut, "reading took longer than 1 s"));
}

#[tokio::test]
async fn a_picture_is_converted_within_the_limits_of_its_reader() {
    let white = image::RgbImage::from_pixel(2048, 2048, image::Rgb([255, 255, 255]));
    let mut file = std::io::Cursor::new(Vec::new());
    white.write_to(&mut file, image::ImageFormat::Png).unwrap();
    let file = file.into_inner();
    let picture = refused(readers(1 << 30, PATIENT).read_picture(&file).await).unwrap().unwrap();
    assert_eq!((picture.format, &picture.bytes[1..4]), (PictureFormat::Png, b"PNG".as_slice()));
    let small = readers(8 * MEGABYTE, PATIENT);
    let refusal = refused(small.read_picture(&file).await).unwrap_err();
    assert_eq!(refusal.problem, DocumentProblem::OutOfMemory, "{refusal:?}");
    let none = refused(sandbox().read_picture(b"GIF89a").await).unwrap();
    assert_eq!(none, Err(PictureError::Format));
}

/// What the server would serve must look like a picture, whoever made it.
#[tokio::test]
async fn compromised_readers_cannot_serve_other_files() {
    let numbers = |bytes: &[u8]| serde_json::to_string(bytes).unwrap();
    let page = format!("echo '{{\"picture\":{{\"format\":\"png\",\"bytes\":{}}}}}'", numbers(b"<html>"));
    let other = format!("echo '{{\"picture\":{{\"format\":\"png\",\"bytes\":{}}}}}'", numbers(b"\xff\xd8\xff\xe0"));
    let endless = "yes 1, | tr -d '\\n'".to_owned();
    for (text, expected) in [
        (page, DocumentProblem::Crashed),
        (other, DocumentProblem::Crashed),
        (endless, DocumentProblem::TooLarge),
        ("kill -s SEGV $$".to_owned(), DocumentProblem::Crashed),
        ("while :; do :; done".to_owned(), DocumentProblem::TimedOut),
    ] {
        let (sandbox, _folder) = script(&text, Duration::from_secs(2));
        let refusal = refused(sandbox.read_picture(b"a picture").await).unwrap_err();
        assert_eq!(refusal.problem, expected, "{text}");
    }
}

#[tokio::test]
async fn a_reader_that_crashes_or_babbles_costs_its_document() {
    for (text, expected) in [
        ("kill -s SEGV $$", DocumentProblem::Crashed),
        ("exit 1", DocumentProblem::Crashed),
        ("echo nonsense", DocumentProblem::Crashed),
        ("echo 'memory allocation of 5 bytes failed' >&2; kill -s ABRT $$", DocumentProblem::OutOfMemory),
        ("while :; do :; done", DocumentProblem::TimedOut),
    ] {
        let timeout = Duration::from_secs(if expected == DocumentProblem::TimedOut { 2 } else { 60 });
        let (sandbox, _folder) = script(text, timeout);
        let refusal = read(&sandbox, "a.md", b"# A\n\nText.").await.unwrap_err();
        assert_eq!(refusal.problem, expected, "{text}");
    }
    let (sandbox, _folder) = script("echo no limits >&2; exit 3", Duration::from_secs(60));
    let stored = Stored::new(b"x");
    let read = sandbox.read_document(stored.open(), "a.md", "md", LIMIT, "en").await;
    assert!(matches!(read, Err(Failure::Unavailable(_))), "{read:?}");
}

#[tokio::test]
async fn a_reader_knows_nothing_of_its_parent() {
    let message = r#"{\"refused\":{\"problem\":\"crashed\",\"detail\":\"$(env | cut -d= -f1 | sort | tr '\n' ' ')\"}}"#;
    let (sandbox, _folder) = script(&format!("PATH=/usr/bin:/bin; echo \"{message}\""), Duration::from_secs(60));
    let refusal = read(&sandbox, "secret.md", b"x").await.unwrap_err();
    // What every child gets, and what the shell itself sets.
    let own = ["LC_ALL", "PATH", "PWD", "OLDPWD", "SHLVL", "_"];
    let others: Vec<&str> = refusal.detail.split_whitespace().filter(|name| !own.contains(name)).collect();
    assert_eq!(others, [""; 0]);
}

#[tokio::test]
async fn a_crashing_file_does_not_affect_the_archive() {
    let small = readers(64 * MEGABYTE, PATIENT);
    let (bomb, laughs) = (hostile::docx_of_words(30), hostile::billion_laughs());
    let inner = hostile::zip(&[("inner.md", b"# Inner\n\nNot opened.")]);
    let archive = hostile::zip(&[
        ("a.md", b"# Alpha\n\nThe first.".as_slice()),
        ("bomb.docx", &bomb),
        ("b.md", b"# Beta\n\nThe second."),
        ("nested.zip", &inner),
        ("laughs.docx", &laughs),
        ("zeros.txt", &vec![b'0'; 12_000_000]),
        ("c.md", b"# Gamma\n\nThe third."),
    ]);
    let stored = Stored::new(&archive);
    let contents = refused(small.contents(|| Ok(stored.open()), "zip", ZIP.max_file_bytes, "en").await);
    assert_eq!(contents, Ok(Contents { files: 7, pictures: false }));
    let entries = read_archive(&small, ZIP, &archive).await;
    let title = |text: &str| Ok(text.to_owned());
    assert_eq!(
        entries,
        [
            ("all.zip/a.md".to_owned(), title("Alpha")),
            ("all.zip/bomb.docx".to_owned(), Err(DocumentProblem::OutOfMemory)),
            ("all.zip/b.md".to_owned(), title("Beta")),
            ("all.zip/nested.zip".to_owned(), Err(DocumentProblem::UnsupportedType)),
            ("all.zip/laughs.docx".to_owned(), Err(DocumentProblem::Malformed)),
            ("all.zip/zeros.txt".to_owned(), Err(DocumentProblem::TooLarge)),
            ("all.zip/c.md".to_owned(), title("Gamma")),
        ]
    );
}

/// A text of a title, this many empty lines, and a sentence.
pub fn padded_text(title: &str, lines: usize) -> Vec<u8> {
    format!("{title}\n\n{}The shop opens at nine in the morning.\n", "\n".repeat(lines)).into_bytes()
}

#[tokio::test]
async fn files_of_an_archive_are_read_up_to_the_bound_of_a_file() {
    let small = readers(64 * MEGABYTE, PATIENT);
    let archive = hostile::zip(&[
        ("large.txt", padded_text("Large", 12_000_000).as_slice()),
        ("beyond.txt", &padded_text("Beyond", 13_000_000)),
        ("c.md", b"# Gamma\n\nThe third."),
    ]);
    let (stored, request) = (Stored::new(&archive), ArchiveRequest { max_file_bytes: 12 * MEGABYTE, ..ZIP });
    let contents = refused(small.contents(|| Ok(stored.open()), "zip", request.max_file_bytes, "en").await);
    assert_eq!(contents, Ok(Contents { files: 3, pictures: false }));
    assert_eq!(
        read_archive(&small, request, &archive).await,
        [
            ("all.zip/large.txt".to_owned(), Ok("Large".to_owned())),
            ("all.zip/beyond.txt".to_owned(), Err(DocumentProblem::TooLarge)),
            ("all.zip/c.md".to_owned(), Ok("Gamma".to_owned())),
        ]
    );
}

/// A reader that hands out the scans of this archive.
fn reader_of_scans(archive: File) -> Command {
    let task = json!({
        "kind": "archive", "file_type": "zip", "skip": 0, "scans": true, "pictures": true, "max_file_bytes": 10 * MEGABYTE,
    });
    let order = json!({ "task": task, "memory_bytes": 512 * MEGABYTE, "seconds": PATIENT.as_secs() });
    let mut reader = Command::new(env!("CARGO_BIN_EXE_server"));
    reader.arg("parse").arg(order.to_string()).env_clear().stdin(archive);
    reader
}

#[test]
fn scans_leave_the_reader_of_an_archive_as_they_are() {
    let scan = hostile::pdf_of_images(&[hostile::Image { width: 2, height: 2, gray: vec![255; 4] }]);
    let large = vec![b'0'; 12_000_000];
    let archive = hostile::zip(&[
        ("a.md", b"# Alpha\n\nThe first.".as_slice()),
        ("scan.pdf", &scan),
        ("../../tmp/out.png", b"\x89PNG outside"),
        ("large.png", &large),
        ("photo.png", b"\x89PNG and a\n{\"next\":1}\n"),
    ]);
    let output = reader_of_scans(Stored::new(&archive).open()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let (mut rest, mut path, mut contents, mut outcomes) =
        (output.stdout.as_slice(), String::new(), Vec::new(), Vec::new());
    loop {
        let mut line = String::new();
        rest.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap();
        if message == "end" {
            break;
        }
        if let Some(bytes) = message["content"]["bytes"].as_u64() {
            let mut content = vec![0; usize::try_from(bytes).unwrap()];
            rest.read_exact(&mut content).unwrap();
            contents.push(content);
        } else if let Some(next) = message["next"]["path"].as_str() {
            next.clone_into(&mut path);
        } else {
            let problem = message["skipped"]["problem"].as_str().unwrap_or("none");
            outcomes.push(format!("{path}: {problem}"));
        }
    }
    assert_eq!(contents, [scan, b"\x89PNG outside".to_vec(), b"\x89PNG and a\n{\"next\":1}\n".to_vec()]);
    assert_eq!(
        outcomes,
        ["a.md: none", "scan.pdf: scanned", "tmp/out.png: scanned", "large.png: too_large", "photo.png: scanned"]
    );
}

#[test]
fn a_reader_of_scans_cannot_write_even_to_an_open_file() {
    let archive = hostile::zip(&[("photo.png", b"\x89PNG".as_slice())]);
    let written = Stored::new(b"");
    let file = File::options().write(true).open(&written.path).unwrap();
    let status = reader_of_scans(Stored::new(&archive).open()).stdout(file).stderr(Stdio::null()).status().unwrap();
    // It started, but could not write its first message.
    assert!(!status.success() && status.code() != Some(3), "{status}");
    assert_eq!(fs::metadata(&written.path).unwrap().len(), 0);
}

#[tokio::test]
async fn an_upload_that_takes_too_much_says_so() {
    let small = readers(64 * MEGABYTE, PATIENT);
    let platform = Platform::start_with(|settings| settings.sandbox = small).await;
    let tenant = platform.add_tenant("one").await;
    let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let admin = platform.admin(tenant.id);
    let source = admin.post(&sources, &json!({ "kind": "upload", "name": "Manuals" })).await;
    let path = format!("{sources}/{}/documents/", source.body["id"].as_str().unwrap());
    for (name, content) in [("bomb.docx", hostile::docx_of_words(30)), ("good.md", b"# Good\n\nText.".to_vec())] {
        let put = send(admin.request("PUT", &format!("{path}{name}")).body(content)).await;
        assert_eq!(put.status, 200, "{put:?}");
    }
    platform.work_off_jobs().await;
    let bomb = admin.get(&format!("{path}bomb.docx")).await.body;
    assert_eq!((&bomb["state"], &bomb["problem"]["code"]), (&json!("failed"), &json!("out_of_memory")), "{bomb}");
    assert_eq!(admin.get(&format!("{path}good.md")).await.body["state"], "ready");
}
