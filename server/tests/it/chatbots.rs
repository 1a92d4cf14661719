//! Chatbots and branding through the REST API.

mod duplication;
mod erasure;

use serde_json::{Value, json};
use server::service::knowledge::ingestion;
use tokio_util::sync::CancellationToken;

use crate::{
    mutations::template,
    provisioning::when_ready,
    support::{Platform, Tenant, new_chatbot},
};

const CHATBOTS: &str = "/api/v1/tenants/me/chatbots";

#[tokio::test]
async fn a_chatbot_answers_from_the_faq_of_its_template_snapshot() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en", "welcome_message": "Mine" });
    let created = platform.admin(tenant.id).post(CHATBOTS, &body).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!((&created.body["welcome_message"], &created.body["template_version"]), (&json!("Mine"), &json!(1)));
    assert_eq!(created.body["template_snapshot"]["faq_seed"][0]["question"], "When are you open?");
    let id = created.body["id"].as_str().unwrap();
    assert_eq!(uuid::Uuid::parse_str(id).unwrap().get_version_num(), 4);
    assert_eq!(when_ready(&platform, tenant, id).await["provisioning"], "ready");
    let question = json!({ "session_id": null, "question": "When are you open?" });
    let answer = platform.widget().post(&format!("/api/v1/widget/chatbots/{id}/query"), &question).await;
    assert!(answer.body["answer"].as_str().unwrap().contains("nine to five"), "{answer:?}");
    assert!(answer.body["sources"][0]["source_title"].as_str().unwrap().contains("When are you open?"));
}

#[tokio::test]
async fn creation_refuses_unknown_templates_and_taken_slugs() {
    let (platform, one, other) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let path = CHATBOTS;
    let answer = admin.post(path, &json!({ "slug": "x", "name": "X", "template_id": "nope" })).await;
    assert_eq!((answer.status, answer.detail()), (404, "template_not_found"));
    let answer = admin.post(path, &new_chatbot("help")).await;
    assert_eq!((answer.status, answer.detail()), (409, "chatbot_slug_taken"));
    assert_eq!(platform.admin(other.id).post(path, &new_chatbot("second")).await.status, 201);
    for (body, field) in [
        (json!({ "slug": "X", "name": "X" }), "slug"),
        (json!({ "slug": "x", "name": "" }), "name"),
        (json!({ "slug": "x" }), "name"),
        (json!({ "slug": "x", "name": "X", "template_id": "NOT AN ID" }), "template_id"),
        (json!({ "slug": "x", "name": "X", "language": "english" }), "language"),
        (json!({ "slug": "x", "name": "X", "system_prompt": "a\u{0}b" }), "system_prompt"),
    ] {
        let answer = admin.post(path, &body).await;
        assert_eq!((answer.status, answer.detail()), (422, "validation_error"), "{body}");
        assert_eq!(answer.loc().last().copied(), Some(field), "{body}: {}", answer.text);
    }
    assert_eq!(admin.get(path).await.body["total"], 1);
}

#[tokio::test]
async fn deactivation_and_deletion_silence_a_chatbot_at_once() {
    let (platform, one, other) = Platform::with_tenants().await;
    let config = |tenant: Tenant| format!("/api/v1/widget/config/{}", tenant.chatbot);
    assert_eq!(platform.widget().get(&config(one)).await.status, 200);
    let path = format!("/api/v1/tenants/me/chatbots/{}", one.chatbot);
    assert_eq!(platform.admin(one.id).delete(&path).await.status, 204);
    assert_eq!(platform.widget().get(&config(one)).await.status, 403);
    let response = platform.admin(one.id).get(&path).await;
    assert_eq!(response.body["status"], "deactivated");
    assert!(response.body["deactivated_at"].is_string());
    platform.operator().delete(&format!("/api/v1/platform/tenants/{}", other.id)).await;
    assert_eq!(platform.widget().get(&config(other)).await.status, 403);
}

#[tokio::test]
async fn a_reactivated_chatbot_answers_at_once() {
    let (platform, one, other) = Platform::with_tenants().await;
    let path = format!("/api/v1/tenants/me/chatbots/{}", one.chatbot);
    let again = format!("{path}/reactivate");
    let admin = platform.admin(one.id);
    let config = format!("/api/v1/widget/config/{}", one.chatbot);
    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(platform.widget().get(&config).await.status, 403);
    let viewer = platform.viewer(one.id).post(&again, &json!({})).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
    let foreign = platform.admin(other.id).post(&again, &json!({})).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "chatbot_not_found"));

    let active = admin.post(&again, &json!({})).await;
    assert_eq!((active.status, &active.body["status"]), (200, &json!("active")), "{active:?}");
    assert_eq!(active.body["deactivated_at"], Value::Null);
    assert_eq!(platform.widget().get(&config).await.status, 200);
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["entity_id"]), (&json!("chatbot.reactivated"), &json!(one.chatbot)));
    let rows = platform.audit_rows().await;
    assert_eq!(admin.post(&again, &json!({})).await.status, 200);
    assert_eq!(platform.audit_rows().await, rows, "repeating it writes nothing");
}

#[tokio::test]
async fn names_sort_whatever_their_case_and_accents() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    for (slug, name) in [("a", "zebra"), ("b", "Ähre"), ("c", "apfel"), ("d", "Birne")] {
        let response = admin.post("/api/v1/tenants/me/chatbots", &json!({ "slug": slug, "name": name })).await;
        assert_eq!(response.status, 201, "{response:?}");
    }
    let names = async |sort: &str| {
        let page = admin.get(&format!("/api/v1/tenants/me/chatbots?sort={sort}")).await;
        let items = page.body["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("name").await, ["Ähre", "apfel", "Birne", "Help", "zebra"]);
    assert_eq!(names("-name").await, ["zebra", "Help", "Birne", "apfel", "Ähre"]);
}

#[tokio::test]
async fn branding_is_merged_and_takes_no_css_from_a_tenant() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let admin = platform.admin(tenant.id);
    let path = "/api/v1/tenants/me/branding";
    let body = json!({ "text_color": "#777777", "background_color": "#888888", "custom_css": "* { color: red }" });
    let answer = admin.patch(path, &body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!((&answer.body["custom_css"], &answer.body["header_title"]), (&Value::Null, &json!("Help of one")));
    assert_eq!(answer.body["warnings"][0]["code"], "low_contrast");
    let cleared = admin.patch(path, &json!({ "header_title": null })).await;
    assert_eq!((&cleared.body["header_title"], &cleared.body["text_color"]), (&Value::Null, &json!("#777777")));
    let bad = admin.patch(path, &json!({ "allowed_origins": ["https://a.example.com", "*"] })).await;
    assert_eq!((bad.status, bad.loc()), (422, vec!["body", "allowed_origins", "1"]));
    let branding = admin.get(path).await;
    assert_eq!(branding.body["allowed_origins"], json!([crate::support::ORIGIN]));
}

#[tokio::test]
async fn a_new_chatbot_has_its_templates_branding_in_one_audit_row() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let mut branded = template("support-en");
    branded["branding_defaults"] = json!({ "primary_color": "#123456", "border_radius": 4 });
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &branded).await.status, 201);
    let rows = platform.audit_rows().await;
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
    let created = platform.admin(tenant.id).post(CHATBOTS, &body).await;
    let config =
        platform.widget().get(&format!("/api/v1/widget/config/{}", created.body["id"].as_str().unwrap())).await;
    let branding = &config.body["branding"];
    assert_eq!((&branding["primary_color"], &branding["border_radius"]), (&json!("#123456"), &json!(4)), "{config:?}");
    assert_eq!(branding["header_title"], "Help of one", "the rest is the tenant's");
    assert_eq!(platform.audit_rows().await, rows + 1);
    let row = platform.last_audit().await;
    assert_eq!(row["action"], "chatbot.created");
    assert_eq!(row["details"]["after"]["branding"], json!({ "primary_color": "#123456", "border_radius": 4 }));
    let brandings: i64 =
        sqlx::query_scalar("select count(*) from chatbot_branding").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(brandings, 1, "a chatbot without such a template gets no row");
}

#[tokio::test]
async fn a_change_merges_and_its_audit_row_names_what_changed() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let admin = platform.admin(tenant.id);
    let path = format!("{CHATBOTS}/{}", tenant.chatbot);
    let patch =
        json!({ "name": " Assistant ", "suggested_questions": [" When? "], "slug": "help", "template_id": null });
    let changed = admin.patch(&path, &patch).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!((&changed.body["name"], &changed.body["welcome_message"]), (&json!("Assistant"), &json!("Hello!")));
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["entity_id"]), (&json!("chatbot.updated"), &json!(tenant.chatbot)));
    let details = json!({ "before": { "name": "Help", "suggested_questions": [] },
                          "after": { "name": "Assistant", "suggested_questions": ["When?"] } });
    assert_eq!(row["details"], details);
    assert_eq!(admin.get(&path).await.body, changed.body);
    let rows = platform.audit_rows().await;
    for same in [patch, json!({}), json!({ "language": "en", "unknown": 1 })] {
        let again = admin.patch(&path, &same).await;
        assert_eq!((again.status, &again.body), (200, &changed.body), "{same}");
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn slug_and_template_cannot_change() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let admin = platform.admin(tenant.id);
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
    let from_template = admin.post(CHATBOTS, &body).await.body["id"].as_str().unwrap().to_owned();
    when_ready(&platform, tenant, &from_template).await;
    let rows = platform.audit_rows().await;
    let plain = tenant.chatbot.to_string();
    for (chatbot, patch, code) in [
        (&from_template, json!({ "slug": "other", "name": "X" }), "slug_immutable"),
        (&from_template, json!({ "template_id": "other", "name": "X" }), "template_id_immutable"),
        (&from_template, json!({ "template_id": null, "name": "X" }), "template_id_immutable"),
        (&plain, json!({ "template_id": "support-en", "name": "X" }), "template_id_immutable"),
        (&plain, json!({ "template_id": "NO ID", "name": "X" }), "template_id_immutable"),
        (&plain, json!({ "name": "" }), "validation_error"),
    ] {
        let refused = admin.patch(&format!("{CHATBOTS}/{chatbot}"), &patch).await;
        assert_eq!((refused.status, refused.detail()), (422, code), "{patch}");
    }
    let same = json!({ "slug": "support", "template_id": "support-en" });
    assert_eq!(admin.patch(&format!("{CHATBOTS}/{from_template}"), &same).await.status, 200);
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn a_deactivated_or_foreign_chatbot_is_not_changed() {
    let (platform, one, other) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let foreign = admin.patch(&format!("{CHATBOTS}/{}", other.chatbot), &json!({ "name": "X" })).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "chatbot_not_found"));
    let path = format!("{CHATBOTS}/{}", one.chatbot);
    let viewer = platform.viewer(one.id).patch(&path, &json!({ "name": "X" })).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
    assert_eq!(admin.delete(&path).await.status, 204);
    let rows = platform.audit_rows().await;
    let refused = admin.patch(&path, &json!({ "name": "X" })).await;
    assert_eq!((refused.status, refused.detail()), (409, "chatbot_not_active"));
    assert_eq!(platform.audit_rows().await, rows);
}

/// The lexemes of a tenant's only document.
async fn words(platform: &Platform, tenant: Tenant) -> Vec<String> {
    sqlx::query_scalar("select unnest(tsvector_to_array(keywords)) from passages where tenant_id = $1 order by 1")
        .bind(tenant.id.0)
        .fetch_all(platform.everything())
        .await
        .unwrap()
}

#[tokio::test]
async fn another_language_rebuilds_the_words_of_the_passages() {
    let (platform, one, other) = Platform::with_tenants().await;
    for tenant in [one, other] {
        platform.ingest(tenant, "a.md", "# Häuser\n\nDie Häuser liegen am Wasser.\n").await;
    }
    let foreign = words(&platform, other).await;
    assert!(words(&platform, one).await.contains(&"häuser".to_owned()));
    let path = format!("{CHATBOTS}/{}", one.chatbot);
    assert_eq!(platform.admin(one.id).patch(&path, &json!({ "language": "de-AT" })).await.status, 200);
    server::service::knowledge::word_index::run(&platform.app, &CancellationToken::new()).await.unwrap();
    let german = words(&platform, one).await;
    assert!(german.contains(&"haus".to_owned()) && !german.contains(&"häuser".to_owned()), "{german:?}");
    assert_eq!(words(&platform, other).await, foreign);
    platform.ingest(one, "b.md", "# Gärten\n\nDie Gärten liegen am Wasser.\n").await;
    assert!(words(&platform, one).await.contains(&"gart".to_owned()));
}

#[tokio::test]
async fn words_of_a_large_collection_are_rebuilt_without_a_gap() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    sqlx::query(
        "insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
         select gen_random_uuid(), $1, $2, gen_random_uuid(), n, 'Häuser', 'Die Häuser',
                array_fill(n::real, array[384])::vector, to_tsvector('simple', 'Häuser')
         from generate_series(1, 600) n",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .execute(platform.everything())
    .await
    .unwrap();
    let path = format!("{CHATBOTS}/{}", tenant.chatbot);
    assert_eq!(platform.admin(tenant.id).patch(&path, &json!({ "language": "de" })).await.status, 200);
    server::service::knowledge::word_index::run(&platform.app, &CancellationToken::new()).await.unwrap();
    let german: i64 = sqlx::query_scalar("select count(*) from passages where keywords @@ 'haus'::tsquery")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(german, 600);
}

#[tokio::test]
async fn ingestion_during_a_language_change_uses_the_new_language() {
    for _ in 0..5 {
        if ingestion_meets_language_change().await {
            return;
        }
    }
    panic!("the ingestion never waited until the language was committed");
}

#[tokio::test]
async fn the_command_line_names_a_tenant_that_it_does_not_find() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let result = ingestion::find_chatbot(&platform.app, &tenant.chatbot.to_string(), Some("nobody")).await;
    let refusal = result.err().unwrap().to_string();
    assert!(refusal.starts_with("the tenant \"nobody\" does not exist"), "{refusal}");
}

/// Whether the ingestion waited until the language was committed. A lock is waited for five seconds.
async fn ingestion_meets_language_change() -> bool {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.md"), "# Häuser\n\nDie Häuser liegen am Wasser.\n").unwrap();
    let paths = [folder.path().join("a.md")];
    let chatbot = ingestion::find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let mut change = platform.everything().begin().await.unwrap();
    sqlx::query("update chatbots set language = 'de' where id = $1")
        .bind(tenant.chatbot.0)
        .execute(&mut *change)
        .await
        .unwrap();
    let feed = ingestion::run(&platform.app, &chatbot, &paths, false);
    let commit = async {
        platform.until_somebody_waits().await;
        change.commit().await.unwrap();
    };
    let (fed, ()) = tokio::join!(feed, commit);
    if fed.is_err() {
        return false;
    }
    assert!(words(&platform, tenant).await.contains(&"haus".to_owned()));
    true
}
