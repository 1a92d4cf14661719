//! One call of each endpoint that writes to the audit log. Add a line for each new mutation.

use contract::{ChatbotId, endpoint::EndpointInfo};
use serde_json::{Value, json};

use crate::{
    matrix::lines::{line, with_body},
    support::{Platform, Tenant, TestResponse, new_chatbot, send},
};

const TEMPLATE: &str = "/api/v1/operator/templates/prepared";

/// What must exist before a mutation is called.
#[derive(Debug, Default)]
pub struct Prepared {
    from_template: Option<ChatbotId>,
    pub session_id: Value,
    message_id: Value,
    pub feedback_id: Value,
    pub faq_id: Value,
    pub source_id: Value,
    pub document_id: Value,
    pub bookmark_id: Value,
    pub saved_search_id: Value,
    pub person_id: Value,
    pub api_key_id: Value,
}

impl Prepared {
    /// The chatbot that a mutation is about.
    pub fn chatbot(&self, tenant: Tenant) -> ChatbotId {
        self.from_template.unwrap_or(tenant.chatbot)
    }
}

/// A template with one question and answer.
pub fn template(id: &str) -> Value {
    json!({ "id": id, "language": "en", "name": "Support",
            "faq_seed": [{ "question": "When are you open?", "answer": "We are open from nine to five." }] })
}

/// Creates what the mutation changes.
pub async fn prepare(platform: &Platform, tenant: Tenant, endpoint: &EndpointInfo) -> Prepared {
    let (operator, admin) = (platform.operator(), platform.admin(tenant.id));
    let mut prepared = Prepared::default();
    if endpoint.path.contains("/templates/{template_id}") || endpoint.name == "ApplyTemplate" {
        assert_eq!(operator.post("/api/v1/operator/templates", &template("prepared")).await.status, 201);
    }
    if endpoint.path.starts_with("/api/v2/knowledge/") {
        prepare_hub(platform, tenant, endpoint, &mut prepared).await;
    }
    match endpoint.name {
        "DisallowHost" => {
            let path = format!("/api/v1/platform/tenants/{}/allowed-hosts", tenant.id);
            assert_eq!(operator.post(&path, &json!({ "host": "www.example.com" })).await.status, 201);
        }
        "DeactivateModule" => {
            assert_eq!(admin.post("/api/v1/tenants/me/modules/feedback/activate", &json!({})).await.status, 200);
        }
        "ReactivateTemplate" => {
            assert_eq!(operator.post(&format!("{TEMPLATE}/deactivate"), &json!({})).await.status, 200);
        }
        "ApplyTemplate" => {
            let mut new = new_chatbot("from-template");
            new["template_id"] = json!("prepared");
            let chatbot = admin.post("/api/v1/tenants/me/chatbots", &new).await;
            assert_eq!(chatbot.status, 201, "{chatbot:?}");
            let id = chatbot.body["id"].as_str().unwrap().parse().unwrap();
            // Its questions and answers are indexed by a task.
            platform.provisioned(id).await;
            prepared.from_template = Some(id);
            assert_eq!(operator.patch(TEMPLATE, &json!({ "description": "New words." })).await.status, 200);
        }
        "CreateLegacyFeedback" | "EraseConversation" | "SetFeedbackHandled" | "SetQuestionHandled" => {
            let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
            let reply = platform.widget().post(&path, &json!({ "session_id": null, "question": "Who?" })).await;
            assert_eq!(reply.status, 200, "{reply:?}");
            prepared.session_id = reply.body["session_id"].clone();
            prepared.message_id = reply.body["message_id"].clone();
            if endpoint.name == "SetFeedbackHandled" {
                let body = json!({ "chatbot_id": tenant.chatbot, "message_id": prepared.message_id, "rating": "down" });
                let response = platform.widget().post("/api/v1/feedback", &body).await;
                prepared.feedback_id = response.body["id"].clone();
            }
        }
        "ProvisionChatbot" => {
            let sql = "update chatbots set provisioning = 'failed' where id = $1";
            sqlx::query(sql).bind(tenant.chatbot.0).execute(platform.everything()).await.unwrap();
        }
        "ReactivateChatbot" | "EraseChatbot" => {
            let path = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
            assert_eq!(admin.delete(&path).await.status, 204);
        }
        "UpdateFaq" | "DeleteFaq" => {
            let path = format!("/api/v1/tenants/me/chatbots/{}/faq", tenant.chatbot);
            let response = admin.post(&path, &json!({ "question": "Who?", "answer": "We." })).await;
            assert_eq!((response.status, &response.body["state"]), (201, &json!("ready")), "{response:?}");
            prepared.faq_id = response.body["id"].clone();
        }
        _ => {}
    }
    if endpoint.path.contains("{person_id}") {
        let id = platform.add_person(tenant.id, "anna", "Meyer", "tenant-viewer").await;
        if endpoint.name.contains("Out") {
            assert_eq!(platform.sign_in(id, "anna").await.status(), 200);
        }
        prepared.person_id = json!(id);
    }
    if endpoint.path.contains("{api_key_id}") {
        let response = admin.post("/api/v1/tenants/me/api-keys", &json!({ "name": "Shop", "scopes": ["ask"] })).await;
        assert_eq!(response.status, 201, "{response:?}");
        prepared.api_key_id = response.body["id"].clone();
    }
    if endpoint.path.contains("{source_id}") {
        let path = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
        let mut body = json!({ "kind": "upload", "name": "Manuals" });
        if endpoint.name == "ReadWebsite" {
            // Nothing listens there, so that its first job ends immediately.
            body = json!({ "kind": "website", "name": "Site", "website": { "url": "http://127.0.0.1:1/" } });
        }
        let response = admin.post(&path, &body).await;
        assert_eq!(response.status, 201, "{response:?}");
        if endpoint.name == "ReadWebsite" {
            platform.work_off_jobs().await;
        }
        prepared.source_id = response.body["id"].clone();
        if endpoint.name.starts_with("Delete") {
            let path = format!("{path}/{}/documents/a.md", response.body["id"].as_str().unwrap());
            let put = send(admin.request("PUT", &path).body("# Hours\n\nFrom nine to five.\n")).await;
            assert_eq!((put.status, &put.body["outcome"]), (200, &json!("created")), "{put:?}");
            prepared.document_id = put.body["document"]["id"].clone();
        }
    }
    prepared
}

/// The knowledge hub with a document, and a bookmark and a saved search of the administrator.
async fn prepare_hub(platform: &Platform, tenant: Tenant, endpoint: &EndpointInfo, prepared: &mut Prepared) {
    const HUB: &str = "/api/v2/knowledge";
    let admin = platform.admin(tenant.id);
    let module = format!("/api/v1/tenants/{}/modules/knowledge_hub", tenant.id);
    assert_eq!(platform.operator().put(&module, &json!({ "enabled": true })).await.status, 200);
    platform.ingest(tenant, "a.md", "# Hours\n\nFrom nine to five.\n").await;
    let results = admin.get(&format!("{HUB}/search?record=false")).await;
    prepared.document_id = results.body["results"][0]["document_id"].clone();
    if endpoint.name != "CreateBookmark" {
        let body = json!({ "document_id": prepared.document_id, "note": "Old" });
        prepared.bookmark_id = admin.post(&format!("{HUB}/bookmarks"), &body).await.body["id"].clone();
    }
    let body = json!({ "name": "Hours", "query": "hours" });
    prepared.saved_search_id = admin.post(&format!("{HUB}/saved-searches"), &body).await.body["id"].clone();
}

/// Runs a call of the endpoint that changes something.
pub async fn mutate(platform: &Platform, tenant: Tenant, prepared: &Prepared, endpoint: &EndpointInfo) -> TestResponse {
    let (operator, admin, widget) = (platform.operator(), platform.admin(tenant.id), platform.widget());
    let path = path(tenant, prepared, endpoint);
    match endpoint.name {
        "CreateTenant" => operator.post(&path, &json!({ "slug": "new", "display_name": "New" })).await,
        "UpdateTenant" => operator.patch(&path, &json!({ "display_name": "Renamed" })).await,
        "BulkDeleteTenants" => operator.post(&path, &json!({ "tenant_ids": [tenant.id] })).await,
        "DeleteTenant" | "DeleteTemplate" => operator.delete(&path).await,
        "CreateModule" => operator.post(&path, &json!({ "id": "fresh", "name": "Fresh", "category": "insight" })).await,
        "UpdateModule" => operator.patch(&path, &json!({ "name": "Opinions" })).await,
        "SetTenantModule" => operator.put(&path, &json!({ "enabled": true })).await,
        "AssignTenantModules" | "AssignPlatformTenantModules" => {
            operator.post(&path, &json!({ "module_ids": ["feedback", "analytics"] })).await
        }
        "ActivateModule" | "DeactivateModule" => admin.post(&path, &json!({})).await,
        "CreateTemplate" => operator.post(&path, &template("fresh")).await,
        "UpdateTemplate" => operator.patch(&path, &json!({ "welcome_message": "Hello there!" })).await,
        "DeactivateTemplate" | "ReactivateTemplate" => operator.post(&path, &json!({})).await,
        "CloneTemplateInto" => operator.post(&path, &json!({ "target_language": "de" })).await,
        "CreateChatbot" => admin.post(&path, &new_chatbot("fresh")).await,
        "UpdateChatbot" => admin.patch(&path, &json!({ "name": "Renamed" })).await,
        "DeactivateChatbot" => admin.delete(&path).await,
        "ReactivateChatbot" | "ProvisionChatbot" => admin.post(&path, &json!({})).await,
        "DuplicateChatbot" => admin.post(&path, &json!({ "slug": "copy", "name": "Copy" })).await,
        "EraseChatbot" => admin.post(&path, &json!({ "slug": "help" })).await,
        "ApplyTemplate" => admin.post(&path, &json!({ "template_version": 2 })).await,
        "UpdateTenantBranding" | "UpdateChatbotBranding" => {
            admin.patch(&path, &json!({ "primary_color": "#123456" })).await
        }
        "CreateBookmark" => admin.post(&path, &json!({ "document_id": prepared.document_id, "note": "Secret" })).await,
        "UpdateBookmark" => admin.patch(&path, &json!({ "note": "Secret" })).await,
        "CreateSavedSearch" => admin.post(&path, &json!({ "name": "Secret", "query": "private" })).await,
        "DeleteBookmark" | "DeleteSavedSearch" => admin.delete(&path).await,
        "CreateSource" => admin.post(&path, &json!({ "kind": "upload", "name": "Guides" })).await,
        "UpdateSource" => admin.patch(&path, &json!({ "name": "Guides" })).await,
        "ReadWebsite" => admin.post(&path, &json!({})).await,
        "AllowHost" => operator.post(&path, &json!({ "host": "www.example.com" })).await,
        "DisallowHost" => operator.delete(&path).await,
        "CreateApiKey" => admin.post(&path, &json!({ "name": "Fresh", "scopes": ["ask"] })).await,
        "UpdateApiKey" => admin.patch(&path, &json!({ "name": "Renamed" })).await,
        "RevokeApiKey" => admin.delete(&path).await,
        "InvitePerson" => admin.post(&path, &line(endpoint).unwrap().1).await,
        "InviteTenantPerson" => operator.post(&path, &line(endpoint).unwrap().1).await,
        "UpdatePerson" => admin.patch(&path, &json!({ "role": "admin" })).await,
        "UpdateTenantPerson" => operator.patch(&path, &json!({ "role": "admin" })).await,
        "RemovePerson" => admin.delete(&path).await,
        "RemoveTenantPerson" => operator.delete(&path).await,
        "ResetPersonPassword" | "SignPersonOut" => admin.post(&path, &json!({})).await,
        "ResetTenantPersonPassword" | "SignTenantPersonOut" => operator.post(&path, &json!({})).await,
        "PutDocument" | "UploadDocuments" | "ImportFaq" | "UploadTenantPicture" | "UploadChatbotPicture" => {
            send(with_body(admin.request(endpoint.method.as_str(), &path), &line(endpoint).unwrap().1, str::to_owned))
                .await
        }
        "DeleteDocuments" => admin.post(&path, &json!({ "external_ids": ["a.md", "b.md"] })).await,
        "DeleteSource" | "DeleteDocument" => admin.delete(&path).await,
        "EraseConversation" | "DeleteFaq" => admin.delete(&path).await,
        "SetFeedbackHandled" | "SetQuestionHandled" => admin.put(&path, &json!({ "handled": true })).await,
        "UpdateFaq" => admin.patch(&path, &json!({ "answer": "All of us." })).await,
        "CreateFaq" => admin.post(&path, &json!({ "question": "Where?", "answer": "There." })).await,
        "UpdateOperatorBranding" => operator.patch(&path, &json!({ "custom_css": ".panel { margin: 0 }" })).await,
        "CreateFeedback" => widget.post(&path, &json!({ "chatbot_id": tenant.chatbot, "rating": "up" })).await,
        "CreateLegacyFeedback" => {
            let (session, message) = (&prepared.session_id, &prepared.message_id);
            widget.post(&path, &json!({ "session_id": session, "message_id": message, "rating": -1 })).await
        }
        name => panic!("{name} writes to the audit log and has no call here"),
    }
}

/// The path with the ids of the tenant and of the prepared data.
fn path(tenant: Tenant, prepared: &Prepared, endpoint: &EndpointInfo) -> String {
    let chatbot = prepared.chatbot(tenant);
    endpoint
        .path
        .replace("{tenant_id}", &tenant.id.to_string())
        .replace("{chatbot_id}", &chatbot.to_string())
        .replace("{session_id}", prepared.session_id.as_str().unwrap_or_default())
        .replace("{message_id}", prepared.message_id.as_str().unwrap_or_default())
        .replace("{feedback_id}", prepared.feedback_id.as_str().unwrap_or_default())
        .replace("{faq_id}", prepared.faq_id.as_str().unwrap_or_default())
        .replace("{source_id}", prepared.source_id.as_str().unwrap_or_default())
        .replace("{bookmark_id}", prepared.bookmark_id.as_str().unwrap_or_default())
        .replace("{saved_search_id}", prepared.saved_search_id.as_str().unwrap_or_default())
        .replace("{api_key_id}", prepared.api_key_id.as_str().unwrap_or_default())
        .replace("{person_id}", prepared.person_id.as_str().unwrap_or_default())
        .replace("{external_id}", "a.md")
        .replace("{host}", "www.example.com")
        .replace("{picture}", "logo")
        .replace("{template_id}", "prepared")
        .replace("{module_id}", "feedback")
}
