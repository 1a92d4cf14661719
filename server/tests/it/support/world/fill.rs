//! Inserts a row of a tenant into every table: through the API where possible, otherwise as the superuser.

use contract::{ChatbotId, TenantId};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool};
use uuid::Uuid;

use super::{super::Platform, SeededTenant};
use crate::support::{Tenant, TestResponse, send};

const QUESTION: &str = "When does the shop open?";

/// The templates: one in use, one withdrawn.
pub(super) async fn templates(platform: &Platform) {
    for id in ["prepared", "withdrawn"] {
        let body = json!({ "id": id, "language": "en", "name": "Support", "welcome_message": "Welcome!",
            "faq_seed": [{ "question": "When are you open?", "answer": "We are open from nine to five." }] });
        created(platform.operator().post("/api/v1/operator/templates", &body).await);
    }
}

/// The template in use gets new words, the other one is withdrawn.
pub(super) async fn template_moves_on(platform: &Platform) {
    run(
        platform.everything(),
        "update chatbot_templates set version = 2, description = 'New words.' where id = 'prepared';
         update chatbot_templates set status = 'deactivated', name = 'canaryzebra' where id = 'withdrawn';
         update modules set name = 'canaryzebra' where internal_only",
    )
    .await;
}

/// A tenant with everything, its widget allowed on `origin`.
pub(super) async fn tenant(platform: &Platform, slug: &str, origin: &str, external_id: &'static str) -> SeededTenant {
    let body = json!({ "slug": slug, "display_name": slug });
    let tenant = TenantId(id(&created(platform.operator().post("/api/v1/platform/tenants", &body).await), "id"));
    let admin = platform.admin(tenant);
    let branding = json!({ "allowed_origins": [origin], "header_title": "Help" });
    assert_eq!(admin.patch("/api/v1/tenants/me/branding", &branding).await.status, 200);
    let (chatbot, session, message) = chatbot(platform, tenant, "help", json!("prepared"), origin).await;
    let (sibling, sibling_session, sibling_message) =
        self::chatbot(platform, tenant, "more", Value::Null, origin).await;
    let source = upload(platform, Tenant { id: tenant, chatbot }, external_id).await;
    let (feedback, faq) = (Uuid::now_v7(), Uuid::now_v7());
    let (bookmark, saved_search, api_key) = (Uuid::now_v7(), Uuid::now_v7(), Uuid::now_v7());
    let sql = include_str!("fill.sql")
        .replace("{tenant}", &tenant.to_string())
        .replace("{chatbot}", &chatbot.to_string())
        .replace("{session}", &session.to_string())
        .replace("{message}", &message.to_string())
        .replace("{feedback}", &feedback.to_string())
        .replace("{faq}", &faq.to_string())
        .replace("{source}", &source.to_string())
        .replace("{bookmark}", &bookmark.to_string())
        .replace("{saved_search}", &saved_search.to_string())
        .replace("{api_key}", &api_key.to_string())
        .replace("{slug}", slug);
    run(platform.everything(), &sql).await;
    let audit: Uuid = sqlx::query_scalar("select id from platform_audit_log where tenant_id = $1 limit 1")
        .bind(tenant.0)
        .fetch_one(platform.everything())
        .await
        .unwrap();
    let passage: Uuid = sqlx::query_scalar("select id from passages where chatbot_id = $1 order by id limit 1")
        .bind(chatbot.0)
        .fetch_one(platform.everything())
        .await
        .unwrap();
    let version: Uuid = sqlx::query_scalar(
        "select v.id from document_versions v join documents d on d.id = v.document_id where d.source_id = $1",
    )
    .bind(source)
    .fetch_one(platform.everything())
    .await
    .unwrap();
    let file: Uuid = sqlx::query_scalar("select original_id from uploads where source_id = $1")
        .bind(source)
        .fetch_one(platform.everything())
        .await
        .unwrap();
    let search: Uuid =
        sqlx::query_scalar("select public_id from kh_search_history where tenant_id = $1 and user_id = 'tenant-admin'")
            .bind(tenant.0)
            .fetch_one(platform.everything())
            .await
            .unwrap();
    SeededTenant {
        tenant,
        chatbot,
        session,
        message,
        feedback,
        faq,
        source,
        passage,
        version,
        file,
        bookmark,
        saved_search,
        search,
        external_id,
        audit,
        api_key,
        person: Uuid::nil(),
        sibling,
        sibling_session,
        sibling_message,
    }
}

/// A source with an uploaded document that was read.
async fn upload(platform: &Platform, tenant: Tenant, external_id: &str) -> Uuid {
    let path = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let admin = platform.admin(tenant.id);
    let source = id(&created(admin.post(&path, &json!({ "kind": "upload", "name": "Manuals" })).await), "id");
    let text = format!("# Deliveries\n\nA parcel of {external_id} takes two days.\n");
    let put = send(admin.request("PUT", &format!("{path}/{source}/documents/{external_id}")).body(text)).await;
    assert_eq!(put.status, 200, "{put:?}");
    platform.work_off_jobs().await;
    source
}

/// A chatbot with a document and a conversation.
async fn chatbot(
    platform: &Platform,
    tenant: TenantId,
    slug: &str,
    template: Value,
    origin: &str,
) -> (ChatbotId, Uuid, Uuid) {
    let body = json!({ "slug": slug, "name": "Help", "description": "Answers.", "template_id": template });
    let answer = created(platform.admin(tenant).post("/api/v1/tenants/me/chatbots", &body).await);
    let chatbot = ChatbotId(id(&answer, "id"));
    platform.provisioned(chatbot).await;
    let text = "# Opening hours\n\nThe shop opens at nine in the morning.\n";
    platform.ingest(Tenant { id: tenant, chatbot }, "a.md", text).await;
    let path = format!("/api/v1/widget/chatbots/{chatbot}/query");
    let body = json!({ "session_id": null, "question": QUESTION });
    let reply = platform.widget_on(origin).post(&path, &body).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    (chatbot, id(&reply, "session_id"), id(&reply, "message_id"))
}

fn created(answer: TestResponse) -> TestResponse {
    assert_eq!(answer.status, 201, "{answer:?}");
    answer
}

fn id(answer: &TestResponse, field: &str) -> Uuid {
    answer.body[field].as_str().unwrap().parse().unwrap()
}

async fn run(pool: &PgPool, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(pool).await.unwrap();
}
