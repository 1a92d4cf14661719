//! Ingestion of a chatbot's documents: changed ones are replaced, unreadable ones are reported.

mod audited;
mod bound;
mod queued;
mod repeated;

use std::{
    fs,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
};

use rag::embed::{EmbedError, Embedder, Purpose};
use server::service::knowledge::ingestion::{Report, find_chatbot, run};

use crate::support::{Database, Platform, Tenant, embedder};

async fn titles(platform: &Platform, tenant: Tenant) -> Vec<String> {
    sqlx::query_scalar("select title from documents where chatbot_id = $1 order by path")
        .bind(tenant.chatbot.0)
        .fetch_all(platform.everything())
        .await
        .unwrap()
}

async fn passages(platform: &Platform, tenant: Tenant) -> Vec<String> {
    sqlx::query_scalar("select content from passages where chatbot_id = $1 order by content")
        .bind(tenant.chatbot.0)
        .fetch_all(platform.everything())
        .await
        .unwrap()
}

async fn ingest(platform: &Platform, tenant: Tenant, paths: &[&Path], prune: bool) -> Report {
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    run(&platform.app, &chatbot, &paths, prune).await.unwrap()
}

async fn sources(platform: &Platform) -> Vec<String> {
    let names = "select name from chatbot_sources where kind = 'files' order by name";
    sqlx::query_scalar(names).fetch_all(platform.everything()).await.unwrap()
}

/// An archive of files of two kilobytes each.
fn archive(path: &Path, names: &[&str]) {
    let mut archive = tar::Builder::new(fs::File::create(path).unwrap());
    for name in names {
        let text = format!("# {name}\n\n{}", "Words of a file. ".repeat(120));
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}

#[tokio::test]
async fn folders_are_read_changes_replaced_and_bad_files_named() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("a.md", b"# Alpha\n\nThe first document.\n");
    write("b.html", b"<html><head><title>Beta</title></head><body><p>The second document.</p></body></html>");
    write("c.txt", b"The third document.\n");
    write("broken.md", &[b'a', 0xff, 0x80, 0x00]);
    write("broken.pdf", b"%PDF-1.4 and nothing else");
    write("picture.png", b"not text");
    let chatbot = find_chatbot(&platform.app, "help", Some("one")).await.unwrap();
    let paths = [folder.path().to_owned()];
    let report = run(&platform.app, &chatbot, &paths, false).await.unwrap();
    assert_eq!((report.added, report.passages), (3, 3), "{report}");
    let skipped: Vec<_> = report.skipped.iter().map(|(path, _)| path.rsplit('/').next().unwrap()).collect();
    assert_eq!(skipped, ["broken.md", "broken.pdf", "picture.png"], "{report}");
    assert_eq!(report.unread, 2, "pictures in folders are never read: {report}");
    assert_eq!(titles(&platform, tenant).await.len(), 3);
    write("a.md", b"# Alpha\n\nThe first document, now better.\n");
    let again = run(&platform.app, &chatbot, &paths, false).await.unwrap();
    assert_eq!((again.added, again.replaced, again.unchanged), (0, 1, 2), "{again}");
    let contents = passages(&platform, tenant).await;
    assert_eq!(contents.len(), 3);
    assert!(contents.iter().any(|content| content.contains("now better")), "{contents:?}");
}

#[tokio::test]
async fn a_chatbot_is_found_by_id_or_by_slug_with_its_tenant() {
    let (platform, one, _) = Platform::with_tenants().await;
    let by_id = find_chatbot(&platform.app, &one.chatbot.to_string(), None).await.unwrap();
    assert_eq!(by_id.id, one.chatbot);
    let ambiguous = find_chatbot(&platform.app, "help", None).await.unwrap_err().to_string();
    assert!(ambiguous.contains("--tenant"), "{ambiguous}");
    let unknown = find_chatbot(&platform.app, "nope", None).await.unwrap_err().to_string();
    assert!(unknown.contains("nope"), "{unknown}");
}

#[tokio::test]
async fn a_path_that_does_not_exist_stops_before_anything_is_written() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.md"), "# A\n\nText.\n").unwrap();
    let paths = [folder.path().to_owned(), "/no/such/folder".into()];
    assert!(run(&platform.app, &chatbot, &paths, false).await.unwrap_err().to_string().contains("/no/such/folder"));
    assert!(titles(&platform, tenant).await.is_empty());
}

#[tokio::test]
async fn vectors_of_another_model_are_not_mixed_in() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    sqlx::query("update chatbots set embedding_model = 'another'").execute(platform.everything()).await.unwrap();
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = run(&platform.app, &chatbot, &[folder.path().to_owned()], false).await.unwrap_err().to_string();
    assert!(error.contains("another"), "{error}");
}

#[tokio::test]
async fn repeated_files_are_taken_once_and_a_renamed_one_moves() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("a.md"), "# Alpha\n\nThe same words.\n").unwrap();
    std::fs::write(file("b.md"), "# Alpha\n\nThe same words.\n").unwrap();
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let paths = [folder.path().to_owned()];
    let report = run(&platform.app, &chatbot, &paths, false).await.unwrap();
    assert_eq!(report.duplicates, [("b.md".to_owned(), "a.md".to_owned())], "{report}");
    std::fs::rename(file("a.md"), file("c.md")).unwrap();
    std::fs::remove_file(file("b.md")).unwrap();
    let moved = run(&platform.app, &chatbot, &paths, true).await.unwrap();
    assert_eq!((moved.added, moved.pruned, moved.duplicates.len()), (1, 1, 0), "{moved}");
    assert_eq!(passages(&platform, tenant).await.len(), 1);
}

#[tokio::test]
async fn pruning_removes_missing_files_and_keeps_unreadable_ones() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    platform.ingest(other, "other.md", "# Other\n\nSomebody else's words.\n").await;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for name in ["gone.md", "broken.md", "stays.md"] {
        std::fs::write(file(name), format!("# {name}\n\nThe words of {name}.\n")).unwrap();
    }
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let paths = [folder.path().to_owned()];
    run(&platform.app, &chatbot, &paths, true).await.unwrap();
    std::fs::remove_file(file("gone.md")).unwrap();
    std::fs::write(file("broken.md"), [0xff, 0x80]).unwrap();
    let report = run(&platform.app, &chatbot, &paths, false).await.unwrap();
    assert_eq!((report.pruned, report.skipped.len(), titles(&platform, tenant).await.len()), (0, 1, 3), "{report}");
    let pruned = run(&platform.app, &chatbot, &paths, true).await.unwrap();
    assert_eq!(pruned.pruned, 1, "{pruned}");
    assert_eq!(titles(&platform, tenant).await, ["broken.md", "stays.md"]);
    assert_eq!(passages(&platform, tenant).await.len(), 2);
    assert_eq!(titles(&platform, other).await, ["Other"]);
}

#[tokio::test]
async fn every_version_of_a_document_is_remembered() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    for words in ["First words.", "Second words."] {
        std::fs::write(folder.path().join("a.md"), format!("# A\n\n{words}\n")).unwrap();
        run(&platform.app, &chatbot, &[folder.path().to_owned()], false).await.unwrap();
    }
    let versions: Vec<i32> = sqlx::query_scalar("select version from document_versions order by version")
        .fetch_all(platform.everything())
        .await
        .unwrap();
    assert_eq!(versions, [1, 2]);
}

#[tokio::test]
async fn an_archive_of_questions_is_answered_from() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let table = "question,answer\nWhen does the harbour open?,The harbour opens at six in the morning.\n";
    let mut archive = tar::Builder::new(std::fs::File::create(folder.path().join("faq.tar")).unwrap());
    let mut header = tar::Header::new_gnu();
    header.set_size(table.len() as u64);
    archive.append_data(&mut header, "faq.csv", table.as_bytes()).unwrap();
    archive.finish().unwrap();
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let report = run(&platform.app, &chatbot, &[folder.path().to_owned()], false).await.unwrap();
    assert_eq!((report.added, report.passages), (1, 1), "{report}");
    let body = serde_json::json!({ "session_id": null, "question": "When does the harbour open?" });
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let answer = platform.widget().post(&path, &body).await;
    assert!(answer.body["answer"].as_str().unwrap().contains("six in the morning"), "{answer:?}");
}

#[tokio::test]
async fn a_broken_archive_keeps_every_document_that_was_read_of_it() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let [manuals, guides] = ["manuals.tar", "guides.tgz"].map(|name| folder.path().join(name));
    archive(&manuals, &["a.md", "b.md", "c.md"]);
    assert_eq!(ingest(&platform, tenant, &[folder.path()], true).await.added, 3);
    let before = passages(&platform, tenant).await;
    // A truncated download, and a file that is not an archive.
    let whole = fs::read(&manuals).unwrap();
    fs::write(&manuals, &whole[..whole.len() / 2]).unwrap();
    fs::write(&guides, "an error page").unwrap();
    let broken = ingest(&platform, tenant, &[folder.path()], true).await;
    let skipped: Vec<_> = broken.skipped.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(skipped, ["guides.tgz", "manuals.tar/b.md", "manuals.tar"], "{broken}");
    assert_eq!((broken.unchanged, broken.pruned), (1, 0), "{broken}");
    assert_eq!(passages(&platform, tenant).await, before);
    archive(&manuals, &["a.md", "c.md"]);
    let mended = ingest(&platform, tenant, &[folder.path()], true).await;
    assert_eq!((mended.unchanged, mended.pruned), (2, 1), "what a whole archive has no more is gone: {mended}");
}

#[tokio::test]
async fn an_unreadable_folder_is_named_and_keeps_its_documents() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["a.md", "b.md"] {
        fs::write(root.join(name), format!("# {name}\n\nThe words of {name}.\n")).unwrap();
    }
    ingest(&platform, tenant, &[root], true).await;
    // A folder with a path that is too long for the system cannot be listed.
    let below = |path: PathBuf| (0..10).fold(path, |path, _| path.join("x".repeat(250)));
    let (upper, lower) = (below(root.join("d")), root.join("e"));
    fs::create_dir_all(&upper).unwrap();
    fs::create_dir_all(below(lower.clone())).unwrap();
    fs::rename(&lower, upper.join("e")).unwrap();
    fs::remove_file(root.join("b.md")).unwrap();
    let first = ingest(&platform, tenant, &[root], false).await;
    let [(unlisted, reason)] = first.skipped.as_slice() else { panic!("{first}") };
    assert!(reason.starts_with("the folder could not be listed: "), "{first}");
    sqlx::query("update documents set path = $1 where path = 'b.md'")
        .bind(format!("{unlisted}/b.md"))
        .execute(platform.everything())
        .await
        .unwrap();
    let pruned = ingest(&platform, tenant, &[root], true).await;
    assert_eq!((pruned.unchanged, pruned.pruned), (1, 0), "{pruned}");
    assert_eq!(titles(&platform, tenant).await.len(), 2);
}

/// The real embedder, with an endpoint's refusals of some texts.
struct Refusing(Arc<dyn Embedder>);

impl Embedder for Refusing {
    fn model(&self) -> &str {
        self.0.model()
    }

    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    fn embed(
        &self,
        texts: Vec<String>,
        purpose: Purpose,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<Vec<f32>>, EmbedError>> + Send + '_>> {
        let has = |word: &str| texts.iter().any(|text| text.contains(word));
        let refusal = match () {
            () if has("nowhere") => Some(EmbedError::NoDirection),
            () if has("endless") => Some(EmbedError::Status(400)),
            () if has("down") => Some(EmbedError::Status(503)),
            () => None,
        };
        Box::pin(
            async move { if let Some(refusal) = refusal { Err(refusal) } else { self.0.embed(texts, purpose).await } },
        )
    }
}

#[tokio::test]
async fn a_document_that_is_refused_is_named_and_stops_no_other() {
    let embedder = Arc::new(Refusing(embedder().await));
    let platform = Platform::start_on(Database::create().await, embedder, |_| {}).await;
    let tenant = platform.add_tenant("one").await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a-nowhere.md", "# A\n\nA text that leads nowhere.\n");
    write("b-endless.md", "# B\n\nAn endless text.\n");
    write("c-nul.jsonl", "{\"question\":\"When\\u0000?\",\"answer\":\"At\\u0000 nine.\"}\n");
    // A path that is too long for an index of the database, as can occur in archives.
    let long: String = (0..200).map(|_| uuid::Uuid::new_v4().to_string()).collect();
    archive(&folder.path().join("d.tar"), &[&format!("long-{long}.md"), "e.md"]);
    write("f.md", "# F\n\nThe last text.\n");
    let report = ingest(&platform, tenant, &[folder.path()], true).await;
    let skipped: Vec<_> = report.skipped.iter().map(|(path, _)| &path[..10]).collect();
    assert_eq!(skipped, ["a-nowhere.", "b-endless.", "d.tar/long"], "{report}");
    assert_eq!((report.added, report.unread), (3, 3), "{report}");
    assert!(passages(&platform, tenant).await.contains(&"At nine.".to_owned()));

    write("g.md", "# G\n\nThe endpoint is down.\n");
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let down = run(&platform.app, &chatbot, &[folder.path().to_owned()], true).await.unwrap_err().to_string();
    assert!(down.contains("503"), "{down}");
}

#[tokio::test]
async fn a_file_that_became_a_duplicate_loses_its_former_passages() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, words: &str| fs::write(folder.path().join(name), format!("# T\n\n{words}\n")).unwrap();
    write("a.md", "The new words.");
    write("b.md", "The old words.");
    ingest(&platform, tenant, &[folder.path()], false).await;
    write("b.md", "The new words.");
    let report = ingest(&platform, tenant, &[folder.path()], false).await;
    assert_eq!((report.duplicates.len(), report.pruned), (1, 1), "{report}");
    assert_eq!(passages(&platform, tenant).await, ["The new words."]);
    let again = ingest(&platform, tenant, &[folder.path()], true).await;
    assert_eq!((again.duplicates.len(), again.pruned, again.unchanged), (1, 0, 1), "{again}");
}

#[tokio::test]
async fn the_same_file_in_two_sources_is_taken_once() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let [x, y] = ["x", "y"].map(|name| folder.path().join(name));
    for source in [&x, &y] {
        fs::create_dir(source).unwrap();
        fs::write(source.join("README.md"), "# Read me\n\nThe same words.\n").unwrap();
    }
    let both = ingest(&platform, tenant, &[&x, &y], false).await;
    let first = format!("{}/README.md", x.display());
    assert_eq!(both.duplicates, [("README.md".to_owned(), first.clone())], "{both}");
    fs::remove_dir_all(&y).unwrap();
    let around = ingest(&platform, tenant, &[folder.path()], false).await;
    assert_eq!(around.duplicates, [("x/README.md".to_owned(), first)], "{around}");
    assert_eq!(passages(&platform, tenant).await.len(), 1);
}

#[tokio::test]
async fn a_folder_is_one_source_however_its_path_is_written() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    fs::create_dir_all(docs.join("sub")).unwrap();
    let write = |words: &str| fs::write(docs.join("a.md"), format!("# A\n\n{words}\n")).unwrap();
    write("First words.");
    ingest(&platform, tenant, &[&docs], false).await;
    for (number, written) in ["docs/", "./docs", "docs/sub/..", "docs/../docs"].into_iter().enumerate() {
        write(&format!("Words {number}."));
        let report = ingest(&platform, tenant, &[&folder.path().join(written)], false).await;
        assert_eq!((report.replaced, report.added), (1, 0), "{written}: {report}");
    }
    assert_eq!(passages(&platform, tenant).await, ["Words 3."]);
    assert_eq!(sources(&platform).await, [docs.display().to_string()]);
}

#[tokio::test]
async fn a_source_with_a_relative_path_is_renamed_without_loss() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.md", "b.md"] {
        fs::write(folder.path().join(name), format!("# {name}\n\nThe words of {name}.\n")).unwrap();
    }
    ingest(&platform, tenant, &[folder.path()], false).await;
    let up = "../".repeat(std::env::current_dir().unwrap().components().count() - 1);
    let relative = format!("{up}{}", folder.path().strip_prefix("/").unwrap().display());
    sqlx::query("update chatbot_sources set name = $1").bind(&relative).execute(platform.everything()).await.unwrap();
    fs::remove_file(folder.path().join("b.md")).unwrap();
    let first = ingest(&platform, tenant, &[folder.path()], true).await;
    let name = folder.path().display().to_string();
    assert_eq!(first.renamed, [(relative, name.clone())], "{first}");
    assert_eq!((first.unchanged, first.pruned), (1, 0), "{first}");
    assert_eq!(sources(&platform).await, [name]);
    let second = ingest(&platform, tenant, &[folder.path()], true).await;
    assert_eq!((second.renamed.len(), second.pruned), (0, 1), "{second}");
}

#[tokio::test]
async fn the_list_of_sources_has_pages() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    for name in ["a.md", "b.md", "c.md"] {
        platform.ingest(tenant, name, "# Hours\n\nWe are open from nine to five.\n").await;
    }
    let path = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let viewer = platform.viewer(tenant.id);
    let page = async |query: &str| {
        let answer = viewer.get(&format!("{path}{query}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let names: Vec<_> = answer.body["items"].as_array().unwrap().iter().map(|item| item["name"].clone()).collect();
        (names, answer.body["total"].clone(), answer.body["limit"].clone(), answer.body["offset"].clone())
    };
    let (all, total, limit, offset) = page("").await;
    assert_eq!((all.len(), total, limit, offset), (3, 3.into(), 50.into(), 0.into()));
    assert_eq!(page("?limit=2").await, (all[..2].to_vec(), 3.into(), 2.into(), 0.into()));
    assert_eq!(page("?limit=2&offset=2").await, (all[2..].to_vec(), 3.into(), 2.into(), 2.into()));
    for query in ["?limit=0", "?limit=201", "?offset=-1", "?limit=x"] {
        assert_eq!(viewer.get(&format!("{path}{query}")).await.status, 422, "{query}");
    }
}
