//! Documents of a chatbot: what changed is replaced, what cannot be read is named.

use server::ingest::{find_chatbot, run};

use crate::support::{Platform, Tenant};

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
async fn pruning_removes_what_is_gone_and_keeps_what_cannot_be_read_just_now() {
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
    let kept = run(&platform.app, &chatbot, &paths, false).await.unwrap();
    assert_eq!((kept.pruned, kept.skipped.len(), titles(&platform, tenant).await.len()), (0, 1, 3), "{kept}");
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
