//! Documents that tenants upload: sources, files, their processing, and the leftovers after their deletion.

mod archives;
mod downloads;
mod duplicates;
mod hostile;
mod originals;
mod progress;
mod visitors;

use std::path::PathBuf;

use serde_json::{Value, json};
use server::service::worker;

use crate::{
    matrix::lines::form,
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
        let source = platform.admin(tenant.id).post(&sources, &body).await;
        assert_eq!(source.status, 201, "{source:?}");
        Self { platform, tenant, path: format!("{sources}/{}", source.body["id"].as_str().unwrap()) }
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

#[tokio::test]
async fn documents_sort_whatever_their_case_and_accents() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    for (name, title) in [("Zoo.md", "apples"), ("b.md", "Zebra"), ("%C3%A4.md", "Öfen"), ("C.md", "birds")] {
        source.read(name, format!("# {title}\n\nAll about {title}.\n")).await;
    }
    let (all, id) = source.path.rsplit_once("/sources/").unwrap();
    let sorted = async |by: &str, field: &str| {
        let page = platform.viewer(tenant.id).get(&format!("{all}/documents?source_id={id}&{by}")).await;
        let items = page.body["items"].as_array().unwrap().clone();
        items.iter().map(|item| item[field].as_str().unwrap().to_owned()).collect::<Vec<_>>()
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
    let tag = original.header("etag").unwrap();
    let path = format!("{}/documents/hours.md/original", source.path);
    let again = send(platform.viewer(tenant.id).request("GET", &path).header("if-none-match", tag)).await;
    assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", Some(tag)));
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
async fn a_name_is_the_same_composed_and_decomposed() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    let source = Source::make(&platform, tenant, "Handbook").await;
    let (composed, decomposed) = ("Gr%C3%BC%C3%9Fe.md", "Gru%CC%88%C3%9Fe.md");
    let outcome = async |name: &str, text: &str| {
        let put = source.put(name, text).await;
        assert_eq!(put.status, 200, "{put:?}");
        (put.body["outcome"].as_str().unwrap().to_owned(), put.body["document"]["path"].as_str().unwrap().to_owned())
    };
    let stored = |outcome: &str, name: &str| (outcome.to_owned(), name.to_owned());
    assert_eq!(outcome(decomposed, "The fee is 210 euros.").await, stored("created", "Gr\u{fc}\u{df}e.md"));
    assert_eq!(outcome(composed, "The fee is 260 euros.").await, stored("replaced", "Gr\u{fc}\u{df}e.md"));
    platform.work_off_jobs().await;
    assert_eq!(source.get(decomposed).await.status, 200);
    assert_eq!(source.count("documents").await, 1);
    // A file that was stored before keeps its name.
    sqlx::query("update uploads set external_id = normalize(external_id, NFD)")
        .execute(platform.everything())
        .await
        .unwrap();
    sqlx::query("update documents set path = normalize(path, NFD)").execute(platform.everything()).await.unwrap();
    assert_eq!(source.get(composed).await.status, 200);
    assert_eq!(outcome(composed, "The fee is 270 euros.").await, stored("replaced", "Gru\u{308}\u{df}e.md"));
    platform.work_off_jobs().await;
    assert_eq!((source.count("uploads").await, source.count("documents").await), (1, 1));
    assert_eq!(source.delete(composed).await.status, 204);
    assert_eq!(source.count("documents").await, 0);
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
        ("table.csv", b"question,answer\nWhen?,\n", "bad_entry"),
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
    let source_now = platform.viewer(tenant.id).get(&source.path).await.body;
    assert_eq!(
        (&source_now["documents"], &source_now["failed"], &source_now["pending"]),
        (&json!(1), &json!(8), &json!(0))
    );
    // Uploading the same file again is a retry.
    assert_eq!(source.put("empty.md", b"").await.body["outcome"], "replaced");
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
    let after = &row["details"]["after"];
    assert_eq!((after["created"].as_array().unwrap().len(), &after["replaced"]), (2, &json!([])), "{row}");
    platform.work_off_jobs().await;
    assert_eq!(source.get("folder%2Fa.md").await.body["state"], "ready");
    let rows = platform.audit_rows().await;
    let large = "x".repeat(2 * 1024 * 1024);
    for (body, status, detail) in [
        (part("c.md", HOURS) + &form("d.gif", "no"), 422, "unsupported_document_type"),
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
async fn an_upload_that_creates_and_replaces_says_both() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.put("a.md", HOURS).await;
    let former = platform.last_audit().await;
    let body = form("a.md", "# Other hours").replace("--limit--\r\n", "") + &form("b.md", HOURS);
    let request = platform.admin(tenant.id).request("POST", &format!("{}/documents", source.path));
    let answer = send(request.header("content-type", "multipart/form-data; boundary=limit").body(body)).await;
    let outcomes: Vec<_> = answer.body["documents"].as_array().unwrap().iter().map(|one| &one["outcome"]).collect();
    assert_eq!(outcomes, ["replaced", "created"], "{answer:?}");
    let row = platform.last_audit().await;
    let (before, after) = (&row["details"]["before"], &row["details"]["after"]);
    let replaced = json!([{
        "document_id": former["entity_id"], "content_hash": former["details"]["after"]["content_hash"],
    }]);
    assert_eq!(before["replaced"], replaced, "{row}");
    assert_eq!(after["replaced"][0]["document_id"], former["entity_id"], "{row}");
    assert_eq!((after["replaced"].as_array().unwrap().len(), after["created"].as_array().unwrap().len()), (1, 1));
    assert_eq!(after["created"][0]["content_hash"], former["details"]["after"]["content_hash"], "{row}");
    assert!(!row["details"].to_string().contains(".md"), "the log names no documents: {row}");
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
async fn deleting_a_source_deletes_only_its_documents() {
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
