//! A call without effect writes nothing: the same call again, also several at the same moment.

use contract::table;
use serde_json::json;

use super::expected::actions;
use crate::{
    mutations::{mutate, prepare},
    support::Platform,
};

/// The response to the repeated call, when it is not simply the same success.
fn refusal(endpoint: &str) -> Option<(u16, &'static str)> {
    Some(match endpoint {
        "CreateTenant" => (409, "tenant_slug_taken"),
        "CreateModule" => (409, "module_exists"),
        "CreateTemplate" | "CloneTemplateInto" => (409, "template_exists"),
        "CreateChatbot" | "DuplicateChatbot" => (409, "chatbot_slug_taken"),
        "DeleteTenant" | "BulkDeleteTenants" => (404, "tenant_not_found"),
        "CreateFaq" => (409, "faq_question_taken"),
        "CreateApiKey" => (409, "api_key_name_taken"),
        "DeleteFaq" => (404, "faq_entry_not_found"),
        "CreateSource" => (409, "source_name_taken"),
        "CreateBookmark" => (409, "bookmark_exists"),
        "DeleteBookmark" => (404, "bookmark_not_found"),
        "DeleteSavedSearch" => (404, "saved_search_not_found"),
        "DeleteSource" => (404, "source_not_found"),
        "InvitePerson" | "InviteTenantPerson" => (409, "username_taken"),
        "RemovePerson" | "RemoveTenantPerson" => (404, "person_not_found"),
        "ReadWebsite" => (409, "website_busy"),
        "DisallowHost" => (404, "allowed_host_not_found"),
        "DeleteDocument" => (404, "document_not_found"),
        "EraseConversation" => (404, "session_not_found"),
        "EraseChatbot" => (404, "chatbot_not_found"),
        _ => return None,
    })
}

#[tokio::test]
async fn a_repeated_mutation_writes_one_row() {
    for endpoint in table().iter().filter(|endpoint| !actions(endpoint).is_empty()) {
        if matches!(endpoint.name, "CreateFeedback" | "CreateLegacyFeedback" | "CreateSavedSearch")
            || endpoint.path.ends_with("/reset-password")
        {
            // Each call is another visitor's feedback, saves another search, or assigns another password.
            continue;
        }
        let platform = Platform::start().await;
        let tenant = platform.add_tenant("one").await;
        let prepared = prepare(&platform, tenant, endpoint).await;
        let before = platform.audit_rows().await;
        let call = async || {
            let mut answer = mutate(&platform, tenant, &prepared, endpoint).await;
            for _ in 0..3 {
                // A machine under load lets a lock or a connection time out; such a call may be made again.
                if answer.status == 503 {
                    answer = mutate(&platform, tenant, &prepared, endpoint).await;
                }
            }
            answer
        };
        let (a, b, c, d) = tokio::join!(call(), call(), call(), call());
        let answers = [a, b, c, d, call().await];
        let name = endpoint.name;
        assert_eq!(platform.audit_rows().await, before + 1, "{name}: {answers:#?}");
        let refused: Vec<_> = answers.iter().filter(|answer| answer.status != endpoint.status).collect();
        match refusal(name) {
            None => assert!(refused.is_empty(), "{name}: {refused:#?}"),
            Some(code) => {
                assert_eq!(refused.len(), 4, "{name}: {answers:#?}");
                assert!(refused.iter().all(|answer| (answer.status, answer.detail()) == code), "{name}: {refused:#?}");
            }
        }
    }
}

#[tokio::test]
async fn a_toggle_writes_an_action_only_when_it_changes_something() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    let (operator, path) = (platform.operator(), format!("/api/v1/tenants/{}/modules/feedback", tenant.id));
    let off = json!({ "enabled": false });
    let before = platform.audit_rows().await;
    assert_eq!(operator.put(&path, &off).await.status, 200);
    assert_eq!(platform.audit_rows().await, before, "it was off");
    assert_eq!(operator.put(&path, &json!({ "enabled": true })).await.status, 200);
    assert_eq!(operator.put(&path, &off).await.status, 200);
    assert_eq!(platform.audit_rows().await, before + 2);
    let row = platform.last_audit().await;
    assert_eq!(row["action"], "tenant_module.deactivated");
    assert_eq!(row["details"], json!({ "before": { "enabled": true }, "after": { "enabled": false } }));
}

#[tokio::test]
async fn a_change_that_changes_nothing_writes_no_row() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(tenant.id));
    let before = platform.audit_rows().await;
    let tenant_path = format!("/api/v1/platform/tenants/{}", tenant.id);
    let chatbot_path = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    let empty = json!({});
    for (client, path) in [
        (&admin, "/api/v1/tenants/me/branding".to_owned()),
        (&admin, format!("{chatbot_path}/branding")),
        (&admin, chatbot_path),
        (&operator, tenant_path),
        (&operator, format!("/api/v1/operator/tenants/{}/branding", tenant.id)),
        (&operator, "/api/v1/platform/modules/feedback".to_owned()),
    ] {
        let answer = client.patch(&path, &empty).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
    }
    let same_name = json!({ "display_name": "one" });
    assert_eq!(operator.patch(&format!("/api/v1/platform/tenants/{}", tenant.id), &same_name).await.status, 200);
    assert_eq!(platform.audit_rows().await, before);
}
