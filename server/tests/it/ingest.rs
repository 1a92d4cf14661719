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
    write("picture.png", b"not text");
    let chatbot = find_chatbot(&platform.app, "help", Some("one")).await.unwrap();
    let paths = [folder.path().to_owned()];
    let report = run(&platform.app, &chatbot, &paths).await.unwrap();
    assert_eq!((report.added, report.passages), (3, 3), "{report}");
    let skipped: Vec<_> = report.skipped.iter().map(|(path, _)| path.rsplit('/').next().unwrap()).collect();
    assert_eq!(skipped, ["broken.md", "picture.png"], "{report}");
    assert_eq!(titles(&platform, tenant).await.len(), 3);
    write("a.md", b"# Alpha\n\nThe first document, now better.\n");
    let again = run(&platform.app, &chatbot, &paths).await.unwrap();
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
    assert!(run(&platform.app, &chatbot, &paths).await.unwrap_err().to_string().contains("/no/such/folder"));
    assert!(titles(&platform, tenant).await.is_empty());
}

#[tokio::test]
async fn vectors_of_another_model_are_not_mixed_in() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    sqlx::query("update chatbots set embedding_model = 'another'").execute(platform.everything()).await.unwrap();
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = run(&platform.app, &chatbot, &[folder.path().to_owned()]).await.unwrap_err().to_string();
    assert!(error.contains("another"), "{error}");
}
