//! The tenant console's overview of its chatbots.

use contract::ChatbotId;
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::support::{Platform, Tenant, within_one_day};

#[tokio::test]
async fn the_overview_of_a_tenant_counts_ready_and_active_chatbots() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let body = json!({ "slug": "newer", "name": "Newer" });
    let newer = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
    assert_eq!(newer.status, 201, "{newer:?}");
    let ready_and_newest = async || {
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
    assert_eq!(ready_and_newest().await, (Some(1), json!(newer)));
    set("provisioning = 'pending'", &older).await;
    set("status = 'deactivated'", &newer).await;
    assert_eq!(ready_and_newest().await, (Some(0), json!(older)));
    set("status = 'deactivated'", &older).await;
    assert_eq!(ready_and_newest().await, (Some(0), json!(null)));
}

#[tokio::test]
async fn the_overview_counts_active_chatbots_with_knowledge() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let with_knowledge = async |of: Tenant| {
        platform.viewer(of.id).get("/tenant/_fn/overview").await.body["chatbots_with_knowledge"].clone()
    };
    assert_eq!(with_knowledge(tenant).await, json!(0));
    let own = json!({ "question": "Do you rent boats?", "answer": "Yes, on Sundays." });
    let entry =
        platform.admin(tenant.id).post(&format!("/api/v1/tenants/me/chatbots/{}/faq", tenant.chatbot), &own).await;
    assert_eq!((entry.status, &entry.body["state"]), (201, &json!("ready")), "{entry:?}");
    assert_eq!(with_knowledge(tenant).await, json!(1), "an own answer");
    assert_eq!(with_knowledge(other).await, json!(0));
    platform.ingest(other, "shop.md", "# Returns\n\nYou can return an item within 30 days.\n").await;
    assert_eq!(with_knowledge(other).await, json!(1), "a document");
    let end = format!("update chatbots set status = 'deactivated' where id = '{}'", other.chatbot);
    sqlx::query(AssertSqlSafe(end)).execute(platform.everything()).await.unwrap();
    assert_eq!(with_knowledge(other).await, json!(0), "a deactivated chatbot");
}

#[tokio::test]
async fn the_overview_of_a_tenant_counts_what_is_open() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let chatbot = tenant.chatbot;
    let open = async |of: Tenant| platform.viewer(of.id).get("/tenant/_fn/overview").await.body["open_work"].clone();
    assert_eq!(open(tenant).await, json!([]));
    let body = json!({ "session_id": null, "question": "Is there a quagga on board?" });
    let reply = platform.widget().post(&format!("/api/v1/widget/chatbots/{chatbot}/query"), &body).await;
    assert_eq!((reply.status, &reply.body["kind"]), (200, &json!("fallback")), "{reply:?}");
    let rating = json!({ "chatbot_id": chatbot, "rating": "down" });
    assert_eq!(platform.widget().post("/api/v1/feedback", &rating).await.status, 201);
    sqlx::query("insert into widget_origins values ($1, $2, 'https://refused.example', current_date, 'origin_not_listed', 2, now())")
        .bind(tenant.id.0)
        .bind(chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
    // Nothing listens there, so that it cannot be read; the other one is paused.
    let sources = format!("/api/v1/tenants/me/chatbots/{chatbot}/sources");
    for (name, paused) in [("Site", false), ("Paused", true)] {
        let body = json!({ "kind": "website", "name": name, "website": { "url": "http://127.0.0.1:1/" } });
        let source = platform.admin(tenant.id).post(&sources, &body).await;
        assert_eq!(source.status, 201, "{source:?}");
        platform.work_off_jobs().await;
        let path = format!("{sources}/{}", source.body["id"].as_str().unwrap());
        let patch = json!({ "website": { "paused": paused } });
        assert_eq!(platform.admin(tenant.id).patch(&path, &patch).await.status, 200);
    }
    let work = open(tenant).await;
    let names = ["questions", "ratings", "websites", "documents", "unread_websites"];
    let counts = names.map(|count| work[0][count].as_i64());
    assert_eq!(counts, [Some(1), Some(1), Some(1), Some(0), Some(1)], "{work}");
    assert_eq!((&work[0]["chatbot_id"], &work[0]["has_template_update"]), (&json!(chatbot), &json!(false)));
    assert_eq!(open(other).await, json!([]));
    let of = async |tenant: Tenant, chatbot_id: ChatbotId| {
        platform.viewer(tenant.id).get(&format!("/tenant/_fn/open-work?chatbot_id={chatbot_id}")).await.body
    };
    assert_eq!(of(tenant, chatbot).await, work, "one chatbot's alone");
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
    let solved = "update websites set state = 'ready', code = null, detail = null";
    sqlx::query(solved).execute(platform.everything()).await.unwrap();
    assert_eq!(open(tenant).await, json!([]));
}

#[tokio::test]
async fn the_trends_of_a_tenant_compare_with_the_days_before() {
    within_one_day().await;
    let (platform, tenant, other) = Platform::with_tenants().await;
    let ask = async |question: &str| {
        let body = json!({ "session_id": null, "question": question });
        let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
        let reply = platform.widget().post(&path, &body).await;
        assert_eq!(reply.status, 200, "{reply:?}");
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
    let trends = async |of: Tenant, days: &str| platform.viewer(of.id).get(&format!("/tenant/_fn/trends{days}")).await;
    let week = trends(tenant, "?days=7").await.body;
    let lengths = ["days", "days_before"].map(|days| week[days].as_array().map(Vec::len));
    assert_eq!(lengths, [Some(7), Some(7)], "{week}");
    let of_before: Vec<_> = week["days_before"].as_array().into_iter().flatten().collect();
    let total: i64 = of_before.iter().filter_map(|day| day["conversations"].as_i64()).sum();
    assert_eq!((total, &of_before[3]["conversations"]), (1, &json!(1)), "ten days ago: {week}");
    let conversations = [&week["now"]["conversations"], &week["before"]["conversations"]];
    assert_eq!(conversations, [&json!(3), &json!(1)], "{week}");
    assert_eq!((&week["now"]["questions"], &week["now"]["answered"]), (&json!(3), &json!(1)), "{week}");
    assert_eq!(week["questions"].as_array().map(Vec::len), Some(2), "{week}");
    let documents = format!("/api/v1/tenants/me/chatbots/{}/documents?q=Returns", tenant.chatbot);
    let id = platform.viewer(tenant.id).get(&documents).await.body["items"][0]["id"].clone();
    let document = json!([{ "chatbot_id": tenant.chatbot, "document_id": id, "title": "Returns", "answers": 1 }]);
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
async fn a_cited_custom_answer_is_named_by_its_question() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let question = "Do you engrave brass compasses?";
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    let own = json!({ "question": question, "answer": "Yes, within three working days." });
    let entry = platform.admin(tenant.id).post(&format!("{chatbot}/faq"), &own).await;
    assert_eq!((entry.status, &entry.body["state"]), (201, &json!("ready")), "{entry:?}");
    let body = json!({ "session_id": null, "question": question });
    let reply = platform.widget().post(&format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot), &body).await;
    assert_eq!(reply.body["kind"], "answer", "{reply:?}");
    let viewer = platform.viewer(tenant.id);
    let documents = viewer.get(&format!("{chatbot}/documents?q=engrave")).await.body;
    let id = &documents["items"][0]["id"];
    let trends = viewer.get("/tenant/_fn/trends?days=7").await.body;
    let cited = json!([{ "chatbot_id": tenant.chatbot, "document_id": id, "title": question, "answers": 1 }]);
    assert_eq!((&trends["documents"], id.is_string()), (&cited, true), "{trends}");
}

#[tokio::test]
async fn a_tenant_sees_whether_scans_can_be_read() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let answer = platform.viewer(tenant.id).get("/tenant/_fn/text-recognition").await;
    assert_eq!((answer.status, answer.body), (200, json!(false)));
}
