//! Real text recognition: `make test-ocr`, which installs the programs.

use std::{path::Path, process::Command, time::Duration};

use serde_json::{Value, json};
use server::sandbox::{Ocr, OcrLimits, Sandbox, SandboxSettings};

use crate::{
    sandbox::hostile::{Image, pdf_of_images, pdf_with_lines, zip},
    support::{Platform, Tenant, TestResponse, send},
};

const LINES: &[&str] = &[
    "The harbour office opens at nine in the morning.",
    "Boats may stay for seven days without a permit.",
    "The fee for a permit is twelve euros a week.",
];

fn readers(max_pages: usize) -> Sandbox {
    Sandbox::new(SandboxSettings {
        program: env!("CARGO_BIN_EXE_server").into(),
        memory_bytes: 1 << 30,
        timeout: Duration::from_secs(60),
        ocr: Some(OcrLimits { max_pages, page_timeout: Duration::from_secs(60) }),
    })
}

/// A picture of the lines with this resolution.
fn picture(folder: &Path, dpi: u32) -> Image {
    let (text, picture) = (folder.join("text.pdf"), folder.join("picture"));
    std::fs::write(&text, pdf_with_lines(LINES)).unwrap();
    let mut program = Command::new("pdftoppm");
    program.args(["-gray", "-singlefile", "-r", &dpi.to_string()]).arg(&text).arg(&picture);
    assert!(program.status().unwrap().success());
    Image::from_pgm(&std::fs::read(picture.with_extension("pgm")).unwrap())
}

/// A source of a tenant whose documents have pictures.
struct Source {
    platform: Platform,
    tenant: Tenant,
    path: String,
}

impl Source {
    async fn new(max_pages: usize) -> Self {
        let platform = Platform::start_with(|settings| {
            settings.sandbox = readers(max_pages);
            settings.uploads.max_file_bytes = 50_000_000;
        })
        .await;
        let tenant = platform.add_tenant("one").await;
        let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
        let source = platform.admin(tenant.id).post(&sources, &json!({ "kind": "upload", "name": "Scans" })).await;
        let path = format!("{sources}/{}/documents/", source.body["id"].as_str().unwrap());
        Self { platform, tenant, path }
    }

    async fn read(&self, name: &str, content: Vec<u8>) -> Value {
        let admin = self.platform.admin(self.tenant.id);
        let put = send(admin.request("PUT", &format!("{}{name}", self.path)).body(content)).await;
        assert_eq!(put.status, 200, "{put:?}");
        self.platform.work_off_jobs().await;
        self.get(name).await.body
    }

    async fn get(&self, name: &str) -> TestResponse {
        self.platform.admin(self.tenant.id).get(&format!("{}{name}", self.path)).await
    }
}

#[tokio::test]
#[ignore = "needs tesseract and pdftoppm: make test-ocr"]
async fn scanned_pages_are_read_and_marked_and_unclear_ones_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::new(100).await;
    let [clear, blurred] = [150, 24].map(|dpi| picture(folder.path(), dpi));
    let white = Image { width: 100, height: 140, gray: vec![255; 14_000] };
    let read = source.read("scan.pdf", pdf_of_images(&[clear.clone(), blurred, white, clear.clone()])).await;
    assert_eq!(
        (&read["state"], &read["ocr_pages"], &read["title"]),
        (&json!("ready"), &json!(2), &json!("scan")),
        "{read}"
    );
    let [left_out] = read["skipped"].as_array().unwrap().as_slice() else { panic!("{read}") };
    assert_eq!((&left_out["path"], &left_out["code"]), (&json!("Page 2"), &json!("low_confidence")), "{read}");
    let passages = source.get("scan.pdf/passages").await.body;
    let passages = passages["items"].as_array().unwrap();
    assert!(passages.iter().all(|passage| passage["is_ocr"] == true), "{passages:?}");
    let text: String = passages.iter().map(|passage| passage["content"].as_str().unwrap()).collect();
    assert!(text.contains("seven days without a permit"), "{text}");
    let alone = source.read("photo.png", png(folder.path())).await;
    assert_eq!((&alone["state"], &alone["ocr_pages"]), (&json!("ready"), &json!(1)), "{alone}");
    let white = Image { width: 100, height: 140, gray: vec![255; 14_000] };
    let empty = source.read("white.pdf", pdf_of_images(&[white])).await;
    assert_eq!(empty["problem"]["code"], "no_text", "{empty}");
}

/// The lines as a PNG.
fn png(folder: &Path) -> Vec<u8> {
    let mut program = Command::new("pdftoppm");
    program.args(["-gray", "-png", "-singlefile", "-r", "200"]).arg(folder.join("text.pdf")).arg(folder.join("photo"));
    assert!(program.status().unwrap().success());
    std::fs::read(folder.join("photo.png")).unwrap()
}

#[tokio::test]
#[ignore = "needs tesseract and pdftoppm: make test-ocr"]
async fn pages_beyond_the_limit_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::new(1).await;
    let clear = picture(folder.path(), 150);
    let read = source.read("scan.pdf", pdf_of_images(&[clear.clone(), clear])).await;
    assert_eq!((&read["state"], &read["ocr_pages"]), (&json!("ready"), &json!(1)), "{read}");
    assert_eq!((&read["skipped"][0]["path"], &read["skipped"][0]["code"]), (&json!("Page 2"), &json!("page_limit")));
}

/// The parts of a document that were left out: path and reason.
fn skipped(document: &Value) -> Vec<(&str, &str)> {
    let skipped = document["skipped"].as_array().unwrap();
    skipped.iter().map(|file| (file["path"].as_str().unwrap(), file["code"].as_str().unwrap())).collect()
}

#[tokio::test]
#[ignore = "needs tesseract and pdftoppm: make test-ocr"]
async fn scans_in_an_archive_are_read_and_a_broken_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::new(100).await;
    let [clear, blurred] = [150, 24].map(|dpi| picture(folder.path(), dpi));
    let (scan, photo) = (pdf_of_images(&[clear.clone(), blurred]), png(folder.path()));
    let archive = zip(&[
        ("guide.txt", b"Guide\n\nMoor at the second pier.\n".as_slice()),
        ("in/scan.pdf", &scan),
        ("broken.png", &photo[..200]),
        ("photo.png", &photo),
    ]);
    let read = source.read("all.zip", archive).await;
    assert_eq!((&read["state"], &read["files"], &read["ocr_pages"]), (&json!("ready"), &json!(3), &json!(2)), "{read}");
    assert_eq!(skipped(&read), [("in/scan.pdf, Page 2", "low_confidence"), ("broken.png", "crashed")], "{read}");
    let passages = source.get("all.zip/passages").await.body;
    let passages = passages["items"].as_array().unwrap();
    let passage_of = |path: &str| -> (String, bool) {
        let of: Vec<&Value> = passages.iter().filter(|passage| passage["path"] == path).collect();
        let text = of.iter().map(|passage| passage["content"].as_str().unwrap()).collect();
        (text, of.iter().all(|passage| passage["is_ocr"] == true))
    };
    let (text, is_ocr) = passage_of("all.zip/guide.txt");
    assert!(!is_ocr && text.contains("second pier"), "{text}");
    for path in ["all.zip/in/scan.pdf", "all.zip/photo.png"] {
        let (text, is_ocr) = passage_of(path);
        assert!(is_ocr && text.contains("seven days without a permit"), "{path}: {text}");
    }
    // Next to pages, a picture belongs to them.
    let page = b"# Harbour\n\n![The harbour](photo.png) Boats are welcome.\n".as_slice();
    let read = source
        .read("site.zip", zip(&[("page.md", page), ("photo.png", &photo), ("scan.pdf", &pdf_of_images(&[clear]))]))
        .await;
    assert_eq!((&read["files"], &read["ocr_pages"]), (&json!(2), &json!(1)), "{read}");
    assert_eq!(skipped(&read), [("photo.png", "unsupported_type")], "{read}");
}

#[tokio::test]
#[ignore = "needs tesseract and pdftoppm: make test-ocr"]
async fn pages_of_an_archive_beyond_the_limit_are_named() {
    let source = Source::new(1).await;
    let white = pdf_of_images(&[Image { width: 100, height: 140, gray: vec![255; 14_000] }]);
    // Ten times the pages of a document.
    let names: Vec<String> = (0..11).map(|number| format!("{number:02}.pdf")).collect();
    let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), white.as_slice())).collect();
    files.push(("guide.md", b"# Guide\n\nMoor at the second pier.\n"));
    let read = source.read("all.zip", zip(&files)).await;
    assert_eq!((&read["state"], &read["files"]), (&json!("ready"), &json!(1)), "{read}");
    let skipped = skipped(&read);
    let (last, others) = skipped.split_last().unwrap();
    assert_eq!((*last, others.len()), (("10.pdf", "page_limit"), 10), "{read}");
    assert!(others.iter().all(|(_, code)| *code == "no_text"), "{read}");
}

#[tokio::test]
#[ignore = "needs tesseract and pdftoppm: make test-ocr"]
async fn readiness_names_the_languages() {
    let source = Source::new(1).await;
    let sandbox = &source.platform.app.settings.sandbox;
    sandbox.check().await;
    assert!(matches!(sandbox.ocr().await, Ocr::Ready { .. }));
    let ready = source.platform.anonymous().get("/health/ready").await;
    let details = &ready.body["details"];
    assert_eq!(details["text_recognition"], "ready", "{ready:?}");
    assert!(details["recognised_languages"].as_array().unwrap().contains(&json!("eng")), "{ready:?}");
}
