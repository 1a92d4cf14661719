//! What the operator console's first page names as needing attention, and what a tenant's knows of its chatbots.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::support::{ORIGIN, Platform};

async fn overview(platform: &Platform) -> Value {
    let answer = platform.vendor().get("/admin/operator/_fn/overview").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

/// The names that stand in a part of the overview, and how many there are.
fn named(overview: &Value, part: &str) -> (i64, Vec<String>) {
    let first = overview[part]["first"].as_array().unwrap_or_else(|| panic!("{overview}"));
    let names = first.iter().map(|entry| entry["tenant_name"].as_str().unwrap().to_owned());
    (overview[part]["count"].as_i64().unwrap(), names.collect())
}

#[tokio::test]
async fn the_overview_names_what_needs_attention() {
    let (platform, one, other) = Platform::with_tenants().await;
    let body = json!({ "slug": "bare", "display_name": "bare" });
    assert_eq!(platform.operator().post("/api/v1/platform/tenants", &body).await.status, 201);
    sqlx::query("update chatbots set provisioning = 'failed' where id = $1")
        .bind(one.chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
    let found = overview(&platform).await;
    assert_eq!(named(&found, "failed_provisioning"), (1, vec!["one".to_owned()]));
    assert_eq!(found["failed_provisioning"]["first"][0]["chatbot_name"], "Help");
    assert_eq!(found["failed_provisioning"]["first"][0]["tenant_id"], json!(one.id));
    assert_eq!(named(&found, "tenants_without_origins"), (1, vec!["bare".to_owned()]));
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    assert_eq!(named(&overview(&platform).await, "failed_provisioning"), (0, vec![]));
    assert_eq!(named(&overview(&platform).await, "cors_gaps"), (1, vec!["other".to_owned()]), "{other:?}");
}

#[tokio::test]
async fn only_the_first_eight_are_named_and_all_are_counted() {
    let platform = Platform::start().await;
    for number in 1..=9 {
        let body = json!({ "slug": format!("t{number}"), "display_name": format!("T{number}") });
        assert_eq!(platform.operator().post("/api/v1/platform/tenants", &body).await.status, 201);
    }
    let (count, names) = named(&overview(&platform).await, "tenants_without_origins");
    assert_eq!((count, names.len(), names[0].as_str()), (9, 8, "T1"));
}

#[tokio::test]
async fn a_tenant_whose_origin_is_listed_has_no_cors_gap() {
    for (listed, tenant_origins, gaps) in [
        (vec![], false, 2),
        (vec!["https://elsewhere.example.com"], false, 2),
        (vec![ORIGIN], false, 1),
        (vec![ORIGIN, "https://a.b.example.org"], false, 0),
        (vec![ORIGIN, "https://example.org"], false, 1),
        (vec![], true, 0),
    ] {
        let platform = Platform::start_with(|settings| {
            settings.cors_origins = listed.iter().map(|origin| (*origin).to_owned()).collect();
            settings.cors_tenant_origins = tenant_origins;
        })
        .await;
        platform.add_tenant("exact").await;
        let wild = platform.add_tenant("wild").await;
        let origins = json!({ "allowed_origins": ["https://*.example.org"] });
        let changed = platform.admin(wild.id).patch("/api/v1/tenants/me/branding", &origins).await;
        assert_eq!(changed.status, 200, "{changed:?}");
        assert_eq!(named(&overview(&platform).await, "cors_gaps").0, gaps, "{listed:?} {tenant_origins}");
    }
}

#[tokio::test]
async fn the_overview_of_a_tenant_counts_ready_and_active_chatbots() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let made = json!({ "slug": "newer", "name": "Newer" });
    let newer = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &made).await;
    assert_eq!(newer.status, 201, "{newer:?}");
    let known = async || {
        let overview = platform.viewer(tenant.id).get("/tenant/_fn/overview").await.body;
        (overview["ready_chatbots"].as_i64(), overview["newest_active"].clone())
    };
    let set = async |what: &str, chatbot: &str| {
        let change = format!("update chatbots set {what} where id = '{chatbot}'");
        sqlx::query(AssertSqlSafe(change)).execute(platform.everything()).await.unwrap();
    };
    let (newer, older) = (newer.body["id"].as_str().unwrap().to_owned(), tenant.chatbot.to_string());
    set("provisioning = 'pending'", &newer).await;
    set("provisioning = 'ready'", &older).await;
    assert_eq!(known().await, (Some(1), json!(newer)));
    set("provisioning = 'pending'", &older).await;
    set("status = 'deactivated'", &newer).await;
    assert_eq!(known().await, (Some(0), json!(older)));
    set("status = 'deactivated'", &older).await;
    assert_eq!(known().await, (Some(0), json!(null)));
}

#[tokio::test]
async fn the_overview_of_a_tenant_counts_what_is_open() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let chatbot = tenant.chatbot;
    let open = async |of: crate::support::Tenant| {
        platform.viewer(of.id).get("/tenant/_fn/overview").await.body["open_work"].clone()
    };
    assert_eq!(open(tenant).await, json!([]));
    let body = json!({ "session_id": null, "question": "Is there a quagga on board?" });
    let asked = platform.widget().post(&format!("/api/v1/widget/chatbots/{chatbot}/query"), &body).await;
    assert_eq!((asked.status, &asked.body["kind"]), (200, &json!("fallback")), "{asked:?}");
    let rating = json!({ "chatbot_id": chatbot, "rating": "down" });
    assert_eq!(platform.widget().post("/api/v1/feedback", &rating).await.status, 201);
    sqlx::query("insert into widget_origins values ($1, $2, 'https://refused.example', current_date, 'origin_not_listed', 2, now())")
        .bind(tenant.id.0)
        .bind(chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
    let found = open(tenant).await;
    let counts = ["questions", "ratings", "websites", "documents"].map(|count| found[0][count].as_i64());
    assert_eq!(counts, [Some(1), Some(1), Some(1), Some(0)], "{found}");
    assert_eq!((&found[0]["chatbot_id"], &found[0]["has_template_update"]), (&json!(chatbot), &json!(false)));
    assert_eq!(open(other).await, json!([]));
    let of = async |tenant: crate::support::Tenant, asked: contract::ChatbotId| {
        platform.viewer(tenant.id).get(&format!("/tenant/_fn/open-work?chatbot_id={asked}")).await.body
    };
    assert_eq!(of(tenant, chatbot).await, found, "one chatbot's alone");
    assert_eq!(of(tenant, other.chatbot).await, json!([]));
    assert_eq!(of(other, chatbot).await, json!([]), "another tenant's chatbot");
    let allowed =
        "insert into widget_origins values ($1, $2, 'https://refused.example', current_date, 'accepted', 1, now())";
    sqlx::query(allowed).bind(tenant.id.0).bind(chatbot.0).execute(platform.everything()).await.unwrap();
    sqlx::query("update chatbot_feedback set handled_at = now(), handled_by = 'x'")
        .execute(platform.everything())
        .await
        .unwrap();
    sqlx::query(
        "insert into handled_questions (tenant_id, chatbot_id, question_key, handled_by)
         values ($1, $2, question_key('is there a quagga on board?'), 'x')",
    )
    .bind(tenant.id.0)
    .bind(chatbot.0)
    .execute(platform.everything())
    .await
    .unwrap();
    assert_eq!(open(tenant).await, json!([]));
}

#[tokio::test]
async fn the_trends_of_a_tenant_compare_with_the_days_before() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let ask = async |question: &str| {
        let body = json!({ "session_id": null, "question": question });
        let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
        let asked = platform.widget().post(&path, &body).await;
        assert_eq!(asked.status, 200, "{asked:?}");
    };
    platform.ingest(tenant, "shop.md", "# Returns\n\nYou can return an item within 30 days.\n").await;
    let questions =
        ["Is there a quagga on board?", "is there a quagga on board", "How long can I return an item?", "Thank you!"];
    for question in questions {
        ask(question).await;
    }
    sqlx::query("update chat_sessions set created_at = created_at - interval '10 days' where id = (select min(id::text)::uuid from chat_sessions)")
        .execute(platform.everything())
        .await
        .unwrap();
    let trends = async |of: crate::support::Tenant, days: &str| {
        platform.viewer(of.id).get(&format!("/tenant/_fn/trends{days}")).await
    };
    let week = trends(tenant, "?days=7").await.body;
    assert_eq!(week["days"].as_array().map(Vec::len), Some(7), "{week}");
    let conversations = [&week["now"]["conversations"], &week["before"]["conversations"]];
    assert_eq!(conversations, [&json!(3), &json!(1)], "{week}");
    assert_eq!((&week["now"]["questions"], &week["now"]["answered"]), (&json!(3), &json!(1)), "{week}");
    assert_eq!(week["questions"].as_array().map(Vec::len), Some(2), "{week}");
    let document = json!([{ "chatbot_id": tenant.chatbot, "title": "Returns", "answers": 1 }]);
    assert_eq!(week["documents"], document, "{week}");
    assert_eq!((&week["questions"][0]["times"], &week["questions"][0]["answered"]), (&json!(2), &json!(false)));
    assert_eq!(trends(tenant, "").await.body["now"]["conversations"], 4);
    let foreign = trends(other, "").await.body;
    assert_eq!((&foreign["now"]["questions"], &foreign["questions"]), (&json!(0), &json!([])), "{foreign}");
    for refused in ["?days=0", "?days=91", "?days=x"] {
        assert_eq!(trends(tenant, refused).await.status, 422, "{refused}");
    }
}

#[tokio::test]
async fn a_tenant_is_told_whether_scans_can_be_read() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let answer = platform.viewer(tenant.id).get("/tenant/_fn/text-recognition").await;
    assert_eq!((answer.status, answer.body), (200, json!(false)));
}
