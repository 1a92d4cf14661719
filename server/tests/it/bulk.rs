//! Bulk soft-delete: all or none with one audit row, and the access to deleted tenants.

use contract::{
    Access, Endpoint, Method, TenantId,
    branding::UploadChatbotPicture,
    chatbots::{DuplicateChatbot, EraseChatbot},
    endpoint::EndpointInfo,
    faq::{FindSimilarFaq, ImportFaq, UpdateFaq},
    feedback::{CreateFeedback, CreateLegacyFeedback, SetFeedbackHandled},
    output_filter::ExportOutputFilterAudit,
    sources::{CreateSource, ReadWebsite, UpdateSource},
    table,
    template_update::ApplyTemplate,
    tenants::{BulkDeleteTenants, GetOwnTenant},
    unanswered::SetQuestionHandled,
    uploads::ListSourceDocuments,
    websites::AllowHost,
    widget::OpenSourceFile,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Client, Platform, Tenant, TestResponse, send};

const PATH: &str = "/api/v1/platform/tenants/bulk-soft-delete";

async fn live(platform: &Platform) -> i64 {
    platform.operator().get("/api/v1/platform/tenants").await.body["total"].as_i64().unwrap()
}

async fn empty_tenants(platform: &Platform, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..count {
        let body = json!({ "slug": format!("t{number}"), "display_name": "T" });
        let created = platform.operator().post("/api/v1/platform/tenants", &body).await;
        ids.push(created.body["id"].as_str().unwrap().to_owned());
    }
    ids
}

#[tokio::test]
async fn a_bulk_deletion_writes_one_audit_row_with_all_tenants() {
    let platform = Platform::start().await;
    let ids = empty_tenants(&platform, 4).await;
    let before = platform.audit_rows().await;
    let deleted_ids = [&ids[2], &ids[0], &ids[3]];
    let answer = platform.operator().post(PATH, &json!({ "tenant_ids": deleted_ids })).await;
    assert_eq!((answer.status, &answer.body), (200, &json!({ "deleted": 3 })));
    assert_eq!((platform.audit_rows().await, live(&platform).await), (before + 1, 1));
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["entity_type"]), (&json!("tenant.bulk_soft_deleted"), &json!("tenant")));
    assert_eq!((&row["entity_id"], &row["tenant_id"]), (&json!("bulk:3"), &Value::Null));
    let sides = (json!({ "deleted": false }), json!({ "deleted": true, "tenant_ids": deleted_ids }));
    assert_eq!((&row["details"]["before"], &row["details"]["after"]), (&sides.0, &sides.1));
}

#[tokio::test]
async fn an_unknown_or_deleted_tenant_fails_the_whole_call() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let ids = empty_tenants(&platform, 3).await;
    assert_eq!(operator.delete(&format!("/api/v1/platform/tenants/{}", ids[2])).await.status, 204);
    let before = platform.audit_rows().await;
    for bad in [Uuid::new_v4().to_string(), ids[2].clone()] {
        let answer = operator.post(PATH, &json!({ "tenant_ids": [ids[0], bad, ids[1]] })).await;
        assert_eq!((answer.status, answer.text.as_str()), (404, r#"{"detail":"tenant_not_found"}"#));
    }
    assert_eq!((platform.audit_rows().await, live(&platform).await), (before, 2));
}

#[tokio::test]
async fn a_bulk_has_one_to_five_hundred_distinct_ids() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let id = empty_tenants(&platform, 1).await.remove(0);
    let many: Vec<Uuid> = (0..501).map(|_| Uuid::new_v4()).collect();
    for (ids, loc) in [
        (json!([]), vec!["body", "tenant_ids"]),
        (json!(many), vec!["body", "tenant_ids"]),
        (json!([id, id]), vec!["body", "tenant_ids", "1"]),
        (json!(["x"]), vec!["body", "tenant_ids", "0"]),
        (json!(null), vec!["body", "tenant_ids"]),
    ] {
        let answer = operator.post(PATH, &json!({ "tenant_ids": ids })).await;
        assert_eq!((answer.status, answer.loc()), (422, loc), "{}", answer.text);
    }
    assert_eq!(live(&platform).await, 1);
    let most = operator.post(PATH, &json!({ "tenant_ids": many[..500] })).await;
    assert_eq!((most.status, most.detail()), (404, "tenant_not_found"), "five hundred are not too many");
}

#[tokio::test]
async fn concurrent_bulk_deletions_do_not_deadlock() {
    let platform = Platform::start().await;
    for round in 0..4 {
        let mut ids = Vec::new();
        for number in 0..8 {
            let body = json!({ "slug": format!("t{round}-{number}"), "display_name": "T" });
            let created = platform.operator().post("/api/v1/platform/tenants", &body).await;
            ids.push(created.body["id"].clone());
        }
        let before = platform.audit_rows().await;
        let forth = json!({ "tenant_ids": ids });
        ids.reverse();
        let back = json!({ "tenant_ids": ids });
        let operator = platform.operator();
        let (a, b, c, d) = tokio::join!(
            operator.post(PATH, &forth),
            operator.post(PATH, &back),
            operator.post(PATH, &forth),
            operator.post(PATH, &back),
        );
        let mut statuses = [a.status, b.status, c.status, d.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 404, 404, 404]);
        assert_eq!(platform.audit_rows().await, before + 1);
    }
}

#[tokio::test]
async fn a_refused_audit_row_keeps_every_tenant() {
    let platform = Platform::start().await;
    let ids = empty_tenants(&platform, 3).await;
    sqlx::query("alter table platform_audit_log add constraint no_more check (entity_id not like 'bulk:%') not valid")
        .execute(platform.everything())
        .await
        .unwrap();
    let answer = platform.operator().post(PATH, &json!({ "tenant_ids": ids })).await;
    assert_eq!((answer.status, answer.detail()), (500, "internal_error"));
    assert_eq!(live(&platform).await, 3);
}

/// The ids in a call.
#[derive(Clone)]
struct Named {
    tenant: String,
    chatbot: String,
    session: String,
    message: String,
    faq: String,
    source: String,
    passage: String,
    person: String,
}

impl Named {
    fn random() -> Self {
        let id = || Uuid::new_v4().to_string();
        Self {
            tenant: id(),
            chatbot: id(),
            session: id(),
            message: id(),
            faq: id(),
            source: id(),
            passage: id(),
            person: id(),
        }
    }

    /// The ids of a tenant whose chatbot has a conversation and an own answer.
    async fn of(platform: &Platform, tenant: Tenant) -> Self {
        let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
        let reply = platform.widget().post(&path, &json!({ "session_id": null, "question": "Who?" })).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let text = |field: &str| reply.body[field].as_str().unwrap().to_owned();
        let path = format!("/api/v1/tenants/me/chatbots/{}/faq", tenant.chatbot);
        let own = json!({ "question": "Who else?", "answer": "Nobody." });
        let own = platform.admin(tenant.id).post(&path, &own).await;
        assert_eq!(own.status, 201, "{own:?}");
        let faq = own.body["id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
        let source = json!({ "name": "Manuals", "kind": "upload" });
        let source = platform.admin(tenant.id).post(&path, &source).await;
        assert_eq!(source.status, 201, "{source:?}");
        let source = source.body["id"].as_str().unwrap().to_owned();
        platform.ingest(tenant, "a.md", "# Start\n\nWelcome to everybody.\n").await;
        let passage: Uuid =
            sqlx::query_scalar("select id from passages where chatbot_id = $1 and content like 'Welcome%'")
                .bind(tenant.chatbot.0)
                .fetch_one(platform.everything())
                .await
                .unwrap();
        let name = format!("anna-{}", &tenant.id.to_string()[24..]);
        let person = platform.add_person(tenant.id, &name, "Meyer", "tenant-viewer").await.to_string();
        let (tenant, chatbot) = (tenant.id.to_string(), tenant.chatbot.to_string());
        Self {
            tenant,
            chatbot,
            session: text("session_id"),
            message: text("message_id"),
            faq,
            source,
            passage: passage.to_string(),
            person,
        }
    }

    /// The path with these ids; `None` when the call would use none of them.
    fn path(&self, endpoint: &EndpointInfo) -> Option<String> {
        let path = endpoint
            .path
            .replace("{tenant_id}", &self.tenant)
            .replace("{chatbot_id}", &self.chatbot)
            .replace("{session_id}", &self.session)
            .replace("{faq_id}", &self.faq)
            .replace("{source_id}", &self.source)
            .replace("{person_id}", &self.person)
            .replace("{host}", "www.example.com")
            .replace("{passage_id}", &self.passage);
        let path = match endpoint.name {
            name if name == GetOwnTenant::NAME => format!("{path}?tenant_id={}", self.tenant),
            name if name == ExportOutputFilterAudit::NAME => format!("{path}?tenant={}", self.tenant),
            _ => path.replace("{module_id}", "feedback"),
        };
        let named_in_body =
            [BulkDeleteTenants::NAME, CreateFeedback::NAME, CreateLegacyFeedback::NAME].contains(&endpoint.name);
        (named_in_body || path.contains(&self.tenant) || path.contains(&self.chatbot)).then_some(path)
    }

    /// A valid body for every endpoint.
    fn body(&self, endpoint: &EndpointInfo) -> Value {
        if endpoint.name == UpdateFaq::NAME {
            return json!({ "answer": "Somebody else." });
        }
        if [EraseChatbot::NAME, DuplicateChatbot::NAME].contains(&endpoint.name) {
            return json!({ "slug": "copy", "name": "Copy" });
        }
        if [CreateSource::NAME, UpdateSource::NAME].contains(&endpoint.name) {
            return json!({ "name": format!("Manuals of {}", endpoint.name), "kind": "upload" });
        }
        if endpoint.name == AllowHost::NAME {
            return json!({ "host": "www.example.com" });
        }
        let rating = if endpoint.name == CreateLegacyFeedback::NAME { json!(1) } else { json!("up") };
        json!({ "tenant_ids": [self.tenant], "chatbot_id": self.chatbot, "session_id": self.session,
                "message_id": self.message, "rating": rating, "question": "Who?", "enabled": true, "module_ids": ["feedback"],
                "template_version": 1, "display_name": "Renamed", "primary_color": "#123456", "handled": true,
                "answer": "Somebody.", "username": format!("new-{}", &self.person[24..]), "first_name": "Anna", "last_name": "Meyer",
                "email": format!("{}-{}@example.com", endpoint.name, &self.person[24..]), "role": "viewer" })
    }

    async fn call(&self, client: &Client<'_>, endpoint: &EndpointInfo) -> Option<TestResponse> {
        let mut request = client.request(endpoint.method.as_str(), &self.path(endpoint)?);
        if endpoint.has_body {
            request = request.json(&self.body(endpoint));
        }
        Some(send(request).await)
    }
}

#[tokio::test]
async fn a_deleted_tenant_looks_like_an_unknown_one_everywhere() {
    let (platform, one, other) = Platform::with_tenants().await;
    let deleted = [Named::of(&platform, one).await, Named::of(&platform, other).await];
    let [first, second] = [one.id, other.id];
    let bulk = platform.operator().post(PATH, &json!({ "tenant_ids": [first] })).await;
    let single = platform.operator().delete(&format!("/api/v1/platform/tenants/{second}")).await;
    assert_eq!((bulk.status, single.status), (200, 204));
    let before = platform.audit_rows().await;
    let clients = [platform.operator(), platform.vendor(), platform.widget()];
    let mut compared = 0;
    for endpoint in table() {
        for client in &clients {
            let Some(unknown) = Named::random().call(client, &endpoint).await else { continue };
            for ids in &deleted {
                let answer = ids.call(client, &endpoint).await.unwrap();
                assert_eq!((answer.status, &answer.text), (unknown.status, &unknown.text), "{}", endpoint.name);
                assert!((400..500).contains(&answer.status), "{}: {answer:?}", endpoint.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 60, "{compared}");
    assert_eq!(platform.audit_rows().await, before);
}

#[tokio::test]
async fn the_compared_calls_succeed_for_an_active_tenant() {
    let (platform, one, _) = Platform::with_tenants().await;
    let ids = Named::of(&platform, one).await;
    let clients = [platform.operator(), platform.admin(one.id), platform.widget()];
    let mut refused = Vec::new();
    for endpoint in table() {
        let deletes = endpoint.method == Method::Delete || endpoint.name == BulkDeleteTenants::NAME;
        // A chatbot without a template has nothing to apply, nothing is waiting to be resolved, and the chatbot is
        // active.
        let lacks = [ApplyTemplate::NAME, SetFeedbackHandled::NAME, SetQuestionHandled::NAME, EraseChatbot::NAME]
            .contains(&endpoint.name);
        // There is also no document in the source, and files are not JSON.
        let is_of_documents = endpoint.path.contains("{source_id}/documents") && endpoint.name != ListSourceDocuments::NAME
            || endpoint.path.ends_with("/bulk-delete")
            || [ImportFaq::NAME, UploadChatbotPicture::NAME].contains(&endpoint.name)
            // It is no website either.
            || endpoint.name == ReadWebsite::NAME;
        // The query has the question for similar ones, and the token that opens a file.
        let is_asked_in_the_query = [FindSimilarFaq::NAME, OpenSourceFile::NAME].contains(&endpoint.name);
        let lacks = lacks || is_of_documents || is_asked_in_the_query;
        if deletes || lacks || ids.path(&endpoint).is_none() {
            continue;
        }
        let mut statuses = Vec::new();
        for client in &clients {
            if let Some(answer) = ids.call(client, &endpoint).await {
                statuses.push(answer.status);
            }
        }
        if !statuses.contains(&endpoint.status) {
            refused.push((endpoint.name, statuses));
        }
    }
    assert!(refused.is_empty(), "{refused:?}");
}

#[tokio::test]
async fn users_of_a_deleted_tenant_are_refused_everywhere() {
    let (platform, one, _) = Platform::with_tenants().await;
    let ids = Named::of(&platform, one).await;
    assert_eq!(platform.operator().post(PATH, &json!({ "tenant_ids": [one.id] })).await.status, 200);
    for client in [platform.admin(one.id), platform.viewer(one.id), platform.admin(TenantId(Uuid::new_v4()))] {
        let (mut refused, mut served) = (0, Vec::new());
        for endpoint in table() {
            if matches!(endpoint.access, Access::Public | Access::Widget) {
                continue;
            }
            let path = endpoint.path.replace("{chatbot_id}", &ids.chatbot).replace("{tenant_id}", &ids.tenant);
            let answer = send(client.request(endpoint.method.as_str(), &path).json(&ids.body(&endpoint))).await;
            refused += usize::from(answer.detail() == "tenant_not_active");
            if answer.status != 403 {
                served.push((endpoint.name, answer.status));
            }
        }
        assert!(served.is_empty(), "{served:?}");
        assert!(refused >= 10, "{refused}");
    }
}

#[tokio::test]
async fn an_open_widget_falls_silent_with_its_next_call() {
    let (platform, one, other) = Platform::with_tenants().await;
    let ids = Named::of(&platform, one).await;
    let calls = [
        ("GET", format!("/api/v1/widget/config/{}", one.chatbot)),
        ("POST", format!("/api/v1/widget/chatbots/{}/query", one.chatbot)),
        ("GET", format!("/api/v1/widget/chatbots/{}/sessions/{}/messages", one.chatbot, ids.session)),
    ];
    let body = json!({ "session_id": ids.session, "question": "Who?" });
    for (method, path) in &calls {
        assert_eq!(send(platform.widget().request(method, path).json(&body)).await.status, 200, "{path}");
    }
    assert_eq!(platform.operator().post(PATH, &json!({ "tenant_ids": [one.id] })).await.status, 200);
    for (method, path) in &calls {
        let answer = send(platform.widget().request(method, path).json(&body)).await;
        assert_eq!((answer.status, answer.text.as_str()), (403, r#"{"detail":"origin_not_allowed"}"#), "{path}");
    }
    assert_eq!(platform.widget().get(&format!("/api/v1/widget/config/{}", other.chatbot)).await.status, 200);
}
