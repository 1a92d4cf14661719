//! Documents that tenants upload: sources, files, their processing, and the leftovers after their deletion.

mod originals;
mod progress;
mod visitors;

use std::{io::Write as _, path::PathBuf};

use serde_json::{Value, json};
use server::service::worker;

use crate::{
    matrix::lines::form,
    sandbox::{hostile, padded_text},
    support::{Platform, Tenant, TestResponse, send, uploads_folder},
};

const HOURS: &str = "# Opening hours\n\nThe shop opens at nine in the morning and closes at five in the afternoon.\n";

struct Source<'a> {
    platform: &'a Platform,
    tenant: Tenant,
    path: String,
}

impl<'a> Source<'a> {
    async fn make(platform: &'a Platform, tenant: Tenant, name: &str) -> Self {
        let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
        let body = json!({ "kind": "upload", "name": name });
        let made = platform.admin(tenant.id).post(&sources, &body).await;
        assert_eq!(made.status, 201, "{made:?}");
        Self { platform, tenant, path: format!("{sources}/{}", made.body["id"].as_str().unwrap()) }
    }

    async fn put(&self, name: &str, bytes: impl Into<Vec<u8>>) -> TestResponse {
        let path = format!("{}/documents/{name}", self.path);
        send(self.platform.admin(self.tenant.id).request("PUT", &path).body(bytes.into())).await
    }

    /// Uploads a file and reads it.
    async fn read(&self, name: &str, bytes: impl Into<Vec<u8>>) -> Value {
        let put = self.put(name, bytes).await;
        assert_eq!(put.status, 200, "{put:?}");
        assert_eq!(put.body["document"]["state"], "waiting", "{put:?}");
        self.platform.work_off_jobs().await;
        self.get(name).await.body
    }

    async fn get(&self, name: &str) -> TestResponse {
        self.platform.viewer(self.tenant.id).get(&format!("{}/documents/{name}", self.path)).await
    }

    async fn delete(&self, name: &str) -> TestResponse {
        self.platform.admin(self.tenant.id).delete(&format!("{}/documents/{name}", self.path)).await
    }

    /// The chatbot's answer.
    async fn ask(&self, question: &str) -> Value {
        let path = format!("/api/v1/tenants/me/chatbots/{}/playground", self.tenant.chatbot);
        let answer = self.platform.viewer(self.tenant.id).post(&path, &json!({ "question": question })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }

    async fn count(&self, table: &'static str) -> i64 {
        let sql = sqlx::AssertSqlSafe(format!("select count(*) from {table} where tenant_id = $1"));
        sqlx::query_scalar(sql).bind(self.tenant.id.0).fetch_one(self.platform.everything()).await.unwrap()
    }

    /// The files on the disk.
    fn files(&self) -> Vec<PathBuf> {
        let folder = uploads_folder(&self.platform.app).join(self.tenant.id.to_string());
        std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    }
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    // Stored entries are all that a test needs: local headers, then the directory.
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let size = u32::try_from(content.len()).unwrap();
        let offset = u32::try_from(bytes.len()).unwrap();
        let mut common = Vec::new();
        common.extend([20, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        common.extend(crc.sum().to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        common.extend([0, 0]);
        bytes.write_all(b"PK\x03\x04").unwrap();
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(*content);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (offset, size) = (u32::try_from(bytes.len()).unwrap(), u32::try_from(directory.len()).unwrap());
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count, count].concat());
    bytes.extend([size.to_le_bytes(), offset.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    bytes
}

#[tokio::test]
async fn documents_sort_whatever_their_case_and_accents() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    for (name, title) in [("Zoo.md", "apples"), ("b.md", "Zebra"), ("%C3%A4.md", "Öfen"), ("C.md", "birds")] {
        source.read(name, format!("# {title}\n\nAll about {title}.\n")).await;
    }
    let (all, id) = source.path.rsplit_once("/sources/").unwrap();
    let sorted = async |by: &str, shown: &str| {
        let page = platform.viewer(tenant.id).get(&format!("{all}/documents?source_id={id}&{by}")).await;
        let items = page.body["items"].as_array().unwrap().clone();
        items.iter().map(|item| item[shown].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(sorted("sort=title", "title").await, ["apples", "birds", "Öfen", "Zebra"]);
    assert_eq!(sorted("sort=-title&limit=2&offset=1", "title").await, ["Öfen", "birds"]);
    assert_eq!(sorted("sort=path", "path").await, ["ä.md", "b.md", "C.md", "Zoo.md"]);
}

#[tokio::test]
async fn an_uploaded_document_answers_until_it_is_deleted() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let read = source.read("hours.md", HOURS).await;
    assert_eq!(
        (&read["state"], &read["title"], &read["version"]),
        (&json!("ready"), &json!("Opening hours"), &json!(1))
    );
    assert_eq!((&read["bytes"], &read["problem"]), (&json!(HOURS.len()), &Value::Null), "{read}");
    let answer = source.ask("When does the shop open?").await;
    assert!(answer["answer"].as_str().unwrap().contains("nine in the morning"), "{answer}");
    let passages = platform.viewer(tenant.id).get(&format!("{}/documents/hours.md/passages", source.path)).await;
    assert_eq!((&passages.body["total"], &passages.body["items"][0]["title"]), (&json!(1), &json!("Opening hours")));
    let original = platform.viewer(tenant.id).get(&format!("{}/documents/hours.md/original", source.path)).await;
    assert_eq!((original.status, original.text.as_str()), (200, HOURS));
    assert_eq!(original.header("content-type"), Some("application/octet-stream"));
    assert_eq!(original.header("x-content-type-options"), Some("nosniff"));
    assert!(original.header("content-disposition").unwrap().starts_with("attachment; filename=\"hours.md\""));
    assert_eq!(source.files().len(), 1);
    assert_eq!(source.delete("hours.md").await.status, 204);
    worker::clean_up(&platform.app).await.unwrap();
    for table in ["documents", "document_versions", "passages", "uploads", "originals"] {
        assert_eq!(source.count(table).await, 0, "{table}");
    }
    assert_eq!(source.files(), Vec::<PathBuf>::new());
    let answer = source.ask("When does the shop open?").await;
    assert_eq!(answer["answer"], "No idea, sorry.");
}

#[tokio::test]
async fn equal_content_changes_nothing_and_new_content_replaces() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    assert_eq!(source.put("a.md", HOURS).await.body["outcome"], "created");
    assert_eq!(source.put("a.md", HOURS).await.body["outcome"], "unchanged", "also while it waits");
    platform.work_off_jobs().await;
    let rows = platform.audit_rows().await;
    let again = source.put("a.md", HOURS).await;
    assert_eq!((&again.body["outcome"], &again.body["document"]["state"]), (&json!("unchanged"), &json!("ready")));
    assert_eq!((platform.audit_rows().await, source.count("jobs").await, source.files().len()), (rows, 1, 1));
    let changed = source.put("a.md", HOURS.replace("nine", "ten")).await;
    assert_eq!(changed.body["outcome"], "replaced");
    assert_eq!(changed.body["document"]["passages"], 1, "the former version answers until the new one is read");
    platform.work_off_jobs().await;
    worker::clean_up(&platform.app).await.unwrap();
    let read = source.get("a.md").await.body;
    assert_eq!((&read["state"], &read["version"], source.count("passages").await), (&json!("ready"), &json!(2), 1));
    assert_eq!(source.files().len(), 1, "the former file is erased");
}

#[tokio::test]
async fn what_cannot_be_read_says_why_and_what_to_do() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.read("good.md", HOURS).await;
    for (name, bytes, code) in [
        ("empty.md", b"".as_slice(), "no_text"),
        ("latin.txt", b"Gr\xfc\xdfe", "bad_encoding"),
        ("page.pdf", b"<html>no</html>", "other_type"),
        ("broken.pdf", b"%PDF-1.4 and nothing else", "malformed"),
        ("broken.docx", b"PK\x03\x04 and nothing else", "malformed"),
        ("table.csv", b"name,price\nchair,5\n", "bad_entry"),
        ("copy.md", HOURS.as_bytes(), "duplicate"),
        ("broken.zip", b"PK\x03\x04 and nothing else", "malformed"),
    ] {
        let read = source.read(name, bytes).await;
        assert_eq!((&read["state"], &read["problem"]["code"]), (&json!("failed"), &json!(code)), "{name}: {read}");
        assert!(read["problem"]["advice"].as_str().unwrap().ends_with('.'), "{name}: {read}");
        assert_eq!((&read["passages"], &read["files"]), (&json!(0), &json!(0)), "{name}");
    }
    let path = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    let failed = platform.viewer(tenant.id).get(&format!("{path}/documents?state=failed")).await;
    assert_eq!(failed.body["total"], 8, "{failed:?}");
    let shown = platform.viewer(tenant.id).get(&source.path).await.body;
    assert_eq!((&shown["documents"], &shown["failed"], &shown["pending"]), (&json!(1), &json!(8), &json!(0)));
    // Uploading the same file again is a retry.
    assert_eq!(source.put("empty.md", b"").await.body["outcome"], "replaced");
}

#[tokio::test]
async fn an_archive_is_one_document_with_many_files() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let first = zip(&[
        ("a.md", b"# Alpha\n\nThe first file.\n"),
        ("sub/b.html", b"<title>Beta</title><p>The second file.</p>"),
        ("c.md", b"\xff\xfe\x00"),
        ("picture.png", b"\x89PNG"),
    ]);
    let read = source.read("guides.zip", first).await;
    assert_eq!((&read["state"], &read["files"], &read["passages"]), (&json!("ready"), &json!(2), &json!(2)), "{read}");
    let skipped: Vec<_> =
        read["skipped"].as_array().unwrap().iter().map(|file| (&file["path"], &file["code"])).collect();
    assert_eq!(
        skipped,
        [(&json!("c.md"), &json!("bad_encoding")), (&json!("picture.png"), &json!("unsupported_type"))]
    );
    let second = zip(&[("a.md", b"# Alpha\n\nThe first file.\n"), ("d.md", b"# Delta\n\nThe third file.\n")]);
    let read = source.read("guides.zip", second).await;
    assert_eq!((&read["state"], &read["files"], &read["version"]), (&json!("ready"), &json!(2), &json!(1)), "{read}");
    let passages = platform.viewer(tenant.id).get(&format!("{}/documents/guides.zip/passages", source.path)).await;
    let paths: Vec<_> = passages.body["items"].as_array().unwrap().iter().map(|p| &p["path"]).collect();
    assert_eq!(paths, ["guides.zip/a.md", "guides.zip/d.md"]);
    let nothing = source.read("nothing.zip", zip(&[("picture.png", b"\x89PNG")])).await;
    assert_eq!(nothing["problem"]["code"], "nothing_readable", "{nothing}");
    assert_eq!(source.delete("guides.zip").await.status, 204);
    assert_eq!((source.count("documents").await, source.count("passages").await), (0, 0));
}

#[tokio::test]
async fn a_file_of_an_archive_over_the_quota_keeps_its_version() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.read("guides.zip", zip(&[("a.md", HOURS.as_bytes()), ("b.md", b"# Cars\n\nParking is free.\n")])).await;
    let used = source.count("passages").await;
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    let quotas = json!({ "quotas": { "passages": used } });
    assert_eq!(platform.operator().patch(&path, &quotas).await.status, 200);
    let chapter =
        |number| format!("## Chapter {number}\n\n{}\n", "The harbour lends a bicycle to its guests. ".repeat(60));
    let long: String = (0..5).map(chapter).collect();
    let second = zip(&[("a.md", long.as_bytes()), ("b.md", b"# Cars\n\nParking costs one coin.\n")]);
    let read = source.read("guides.zip", second).await;
    assert_eq!((&read["state"], &read["files"]), (&json!("ready"), &json!(2)), "{read}");
    let skipped: Vec<_> =
        read["skipped"].as_array().unwrap().iter().map(|file| (&file["path"], &file["code"])).collect();
    assert_eq!(skipped, [(&json!("a.md"), &json!("quota_passages"))]);
    let passages = platform.viewer(tenant.id).get(&format!("{}/documents/guides.zip/passages", source.path)).await;
    let texts: Vec<_> = passages.body["items"].as_array().unwrap().iter().map(|p| p["content"].to_string()).collect();
    let [hours, cars] = texts.as_slice() else { panic!("{texts:?}") };
    assert!(hours.contains("nine in the morning") && cars.contains("one coin"), "{texts:?}");
}

#[tokio::test]
async fn a_form_stores_all_its_files_or_none() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let upload = async |body: String| {
        let request = platform.admin(tenant.id).request("POST", &format!("{}/documents", source.path));
        send(request.header("content-type", "multipart/form-data; boundary=limit").body(body)).await
    };
    let part = |name: &str, text: &str| form(name, text).replace("--limit--\r\n", "");
    let two = upload(part("folder/a.md", HOURS) + &form("b.txt", "The harbour is in the north.")).await;
    assert_eq!(two.status, 200, "{two:?}");
    let names: Vec<_> = two.body["documents"].as_array().unwrap().iter().map(|one| &one["document"]["path"]).collect();
    assert_eq!(names, ["folder/a.md", "b.txt"]);
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["entity_id"]), (&json!("chatbot_document.created"), &json!("bulk:2")));
    platform.work_off_jobs().await;
    assert_eq!(source.get("folder%2Fa.md").await.body["state"], "ready");
    let rows = platform.audit_rows().await;
    let large = "x".repeat(2 * 1024 * 1024);
    for (body, status, detail) in [
        (part("c.md", HOURS) + &form("d.gif", "no"), 415, "unsupported_document_type"),
        (part("c.md", HOURS) + &form("d.md", &large), 413, "payload_too_large"),
        (part("c.md", HOURS) + &form("c.md", HOURS), 422, "validation_error"),
        (form("../c.md", HOURS), 422, "validation_error"),
        (part("c.md", HOURS), 422, "validation_error"),
        ("--limit--\r\n".to_owned(), 422, "validation_error"),
    ] {
        let refused = upload(body).await;
        assert_eq!((refused.status, refused.detail()), (status, detail), "{refused:?}");
    }
    assert_eq!((source.count("uploads").await, source.count("originals").await), (2, 2));
    assert_eq!((source.files().len(), platform.audit_rows().await), (2, rows), "nothing is left of what was refused");
}

#[tokio::test]
async fn a_file_that_is_too_large_is_refused() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let refused = source.put("a.md", vec![b'a'; 1024 * 1024 + 1]).await;
    assert_eq!((refused.status, refused.detail()), (413, "payload_too_large"));
    // Without a length it is found out on the way.
    let pieces = futures::stream::iter((0..20).map(|_| Ok::<_, std::io::Error>(vec![b'a'; 64 * 1024])));
    let request = platform.admin(tenant.id).request("PUT", &format!("{}/documents/a.md", source.path));
    let refused = request.body(reqwest::Body::wrap_stream(pieces)).send().await;
    // The response may be lost with the connection, whose rest nobody reads.
    assert!(refused.is_err() || refused.is_ok_and(|answer| answer.status() == 413));
    assert_eq!((source.files().len(), source.count("originals").await), (0, 0));
}

#[tokio::test]
async fn an_archive_may_be_larger_than_a_file() {
    let platform = Platform::start_with(|settings| settings.uploads.max_archive_bytes = 1536 * 1024).await;
    let tenant = platform.add_tenant("one").await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let refused = source.put("a.md", vec![b'a'; 1024 * 1024 + 1]).await;
    assert_eq!((refused.status, refused.body["errors"][0]["limit"].as_u64()), (413, Some(1024 * 1024)), "{refused:?}");
    let padding = vec![b' '; 1280 * 1024];
    let archive = zip(&[("hours.md", HOURS.as_bytes()), ("padding.bin", padding.as_slice())]);
    let read = source.read("manuals.zip", archive.clone()).await;
    assert_eq!((&read["state"], &read["files"]), (&json!("ready"), &json!(1)), "{read}");
    // The content type gives the type of a file whose name has no extension.
    let path = format!("{}/documents/manuals-42", source.path);
    let put = platform.admin(tenant.id).request("PUT", &path).header("content-type", "application/zip");
    assert_eq!(send(put.body(archive)).await.status, 200);
    let refused = source.put("large.zip", vec![b'a'; 1536 * 1024 + 1]).await;
    assert_eq!((refused.status, refused.detail()), (413, "payload_too_large"));
    assert_eq!(refused.body["errors"][0]["limit"].as_u64(), Some(1536 * 1024), "{refused:?}");
}

#[tokio::test]
async fn files_of_an_archive_have_the_bound_of_a_file() {
    let platform = Platform::start_with(|settings| settings.uploads.max_file_bytes = 12 * 1024 * 1024).await;
    let tenant = platform.add_tenant("one").await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let archive = hostile::zip(&[
        ("large.txt", padded_text("Large", 12_000_000).as_slice()),
        ("beyond.txt", &padded_text("Beyond", 13_000_000)),
        ("hours.md", HOURS.as_bytes()),
    ]);
    let read = source.read("manuals.zip", archive).await;
    assert_eq!((&read["state"], &read["files"]), (&json!("ready"), &json!(2)), "{read}");
    let detail = "the file has more than the 12582912 bytes that are read";
    assert_eq!(read["skipped"], json!([{ "path": "beyond.txt", "code": "too_large", "detail": detail }]), "{read}");
}

#[tokio::test]
async fn a_form_that_says_to_be_too_long_is_refused_unread() {
    use tokio::io::AsyncReadExt as _;
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let path = format!("{}/documents", source.path);
    let built = platform.admin(tenant.id).request("POST", &path).build().unwrap();
    let token = built.headers()["authorization"].to_str().unwrap();
    let address = platform.base_url.strip_prefix("http://").unwrap();
    // More than a hundred files of the maximum size; nothing is sent.
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\ncontent-length: {}\r\n\
         content-type: multipart/form-data; boundary=limit\r\n\r\n",
        200 * 1024 * 1024
    );
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut stream, head.as_bytes()).await.unwrap();
    let mut bytes = vec![0; 4096];
    let read = tokio::time::timeout(std::time::Duration::from_secs(60), stream.read(&mut bytes));
    let length = read.await.expect("an answer without the body").unwrap();
    let answer = String::from_utf8_lossy(&bytes[..length]);
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}

#[tokio::test]
async fn only_sources_that_the_tenant_fills_are_changed() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "a.md", HOURS).await;
    let admin = platform.admin(tenant.id);
    let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let listed = admin.get(&sources).await.body;
    let files = format!("{sources}/{}", listed["items"][0]["id"].as_str().unwrap());
    for answer in [
        admin.patch(&files, &json!({ "name": "Mine" })).await,
        admin.delete(&files).await,
        admin.delete(&format!("{files}/documents/a.md")).await,
        send(admin.request("PUT", &format!("{files}/documents/a.md")).body(HOURS)).await,
    ] {
        assert_eq!((answer.status, answer.detail()), (409, "source_read_only"), "{answer:?}");
    }
    let document = admin.get(&format!("{files}/documents/a.md")).await;
    assert_eq!((&document.body["state"], &document.body["bytes"]), (&json!("ready"), &Value::Null));
    let original = admin.get(&format!("{files}/documents/a.md/original")).await;
    assert_eq!((original.status, original.detail()), (404, "original_not_found"));
    let refused = admin.post(&sources, &json!({ "kind": "files", "name": "Mine" })).await;
    assert_eq!((refused.status, refused.loc()), (422, vec!["body", "kind"]));
}

#[tokio::test]
async fn a_deleted_source_takes_its_own_documents_along_and_no_others() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let (one, two) = (Source::make(&platform, tenant, "One").await, Source::make(&platform, tenant, "Two").await);
    one.read("a.md", HOURS).await;
    two.read("a.md", HOURS.replace("nine", "ten")).await;
    one.put("waiting.md", "# Later\n\nNot read yet.\n").await;
    assert_eq!(platform.admin(tenant.id).delete(&one.path).await.status, 204);
    platform.work_off_jobs().await;
    worker::clean_up(&platform.app).await.unwrap();
    assert_eq!((one.count("uploads").await, one.count("passages").await, one.files().len()), (1, 1, 1));
    assert_eq!(two.get("a.md").await.body["state"], "ready");
    let renamed = platform.admin(tenant.id).patch(&two.path, &json!({ "name": "Three" })).await;
    assert_eq!((renamed.status, &renamed.body["name"]), (200, &json!("Three")));
}

#[tokio::test]
async fn several_documents_are_deleted_with_one_row() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    for name in ["a.md", "b.md", "c.md"] {
        source.put(name, format!("# {name}\n\nThe words of {name}.\n")).await;
    }
    let rows = platform.audit_rows().await;
    let body = json!({ "external_ids": ["a.md", "b.md", "unknown.md"] });
    let deleted = platform.admin(tenant.id).post(&format!("{}/bulk-delete", source.path), &body).await;
    assert_eq!((deleted.status, &deleted.body["deleted"]), (200, &json!(2)));
    assert_eq!((platform.audit_rows().await, source.count("uploads").await), (rows + 1, 1));
    let row = platform.last_audit().await;
    assert!(!row["details"].to_string().contains(".md"), "the log names no documents: {row}");
}

#[tokio::test]
async fn a_deactivated_chatbot_takes_no_documents() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.put("a.md", HOURS).await;
    let path = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    assert_eq!(platform.admin(tenant.id).delete(&path).await.status, 204);
    let refused = source.put("b.md", HOURS).await;
    assert_eq!((refused.status, refused.detail()), (409, "chatbot_not_active"));
    platform.work_off_jobs().await;
    assert_eq!(source.get("a.md").await.body["problem"]["code"], "chatbot_not_active");
}
