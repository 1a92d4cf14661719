//! Each change by the command line has its audit row, in the same transaction.

use std::fs;

use serde_json::{Value, json};
use server::service::knowledge::ingestion::{find_chatbot, run};

use super::{ingest, titles};
use crate::support::{Platform, Tenant};

/// The rows of the command line: action, kind of thing, details.
async fn rows(platform: &Platform, tenant: Tenant) -> Vec<(String, String, Value)> {
    sqlx::query_as(
        "select action, entity_type, details from platform_audit_log
         where actor_role = 'operator' and actor_user = 'command line' and tenant_id = $1 and chatbot_id = $2
         order by occurred_at, id",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .fetch_all(platform.everything())
    .await
    .unwrap()
}

async fn documents(platform: &Platform) -> Vec<(String, String)> {
    sqlx::query_as("select id::text, content_hash from documents order by path")
        .fetch_all(platform.everything())
        .await
        .unwrap()
}

#[tokio::test]
async fn each_change_of_the_command_line_is_audited() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    let write = |words: &str| fs::write(folder.path().join("a.md"), format!("# A\n\n{words}\n")).unwrap();
    let before = platform.audit_rows().await;
    write("Secret first words.");
    ingest(&platform, tenant, &[folder.path()], true).await;
    let [(id, first)] = documents(&platform).await.try_into().unwrap();
    ingest(&platform, tenant, &[folder.path()], true).await;
    assert_eq!(platform.audit_rows().await, before + 2, "what did not change is not audited");
    write("Second words.");
    ingest(&platform, tenant, &[folder.path()], true).await;
    let [(_, second)] = documents(&platform).await.try_into().unwrap();
    fs::remove_file(folder.path().join("a.md")).unwrap();
    ingest(&platform, tenant, &[folder.path()], true).await;
    let rows = rows(&platform, tenant).await;
    let actions: Vec<_> = rows.iter().map(|(action, kind, _)| (action.as_str(), kind.as_str())).collect();
    assert_eq!(
        actions,
        [
            ("chatbot_source.created", "chatbot_source"),
            ("chatbot_document.created", "chatbot_document"),
            ("chatbot_document.replaced", "chatbot_document"),
            ("chatbot_document.deleted", "chatbot_document"),
        ]
    );
    assert_eq!(rows[0].2, json!({ "before": null, "after": { "kind": "files" } }));
    assert_eq!(rows[1].2["after"]["content_hash"], json!(first));
    assert_eq!(rows[2].2, json!({ "before": { "content_hash": first }, "after": { "content_hash": second } }));
    assert_eq!((&rows[3].2["before"]["content_hash"], &rows[3].2["after"]), (&json!(second), &Value::Null));
    assert!(!rows.iter().any(|row| format!("{row:?}").contains("Secret") || format!("{row:?}").contains("a.md")));
    assert_eq!(platform.last_audit().await["entity_id"], json!(id));
    assert_eq!(platform.audit_rows().await, before + 4);
}

#[tokio::test]
async fn a_document_whose_audit_row_is_refused_is_not_stored() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.md"), "# A\n\nThe first words.\n").unwrap();
    ingest(&platform, tenant, &[folder.path()], false).await;
    sqlx::query("alter table platform_audit_log add constraint no_more check (actor_user <> 'command line') not valid")
        .execute(platform.everything())
        .await
        .unwrap();
    fs::write(folder.path().join("b.md"), "# B\n\nThe second words.\n").unwrap();
    fs::remove_file(folder.path().join("a.md")).unwrap();
    let chatbot = find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let refused = run(&platform.app, &chatbot, &[folder.path().to_owned()], true).await;
    assert!(refused.is_err());
    assert_eq!(titles(&platform, tenant).await, ["A"]);
}
