//! The operator console's overview with problems, growth, templates and health, and the tenant console's overview of
//! its chatbots.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::support::{ORIGIN, Platform};

async fn overview(platform: &Platform) -> Value {
    let answer = platform.vendor().get("/admin/operator/_fn/overview").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

/// The names in a part of the overview, and their number.
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
async fn names_are_sorted_whatever_their_case_and_accents() {
    let platform = Platform::start().await;
    for (slug, name) in [("zebra", "Zebra"), ("apple", "apple"), ("aepfel", "Äpfel")] {
        let body = json!({ "slug": slug, "display_name": name });
        assert_eq!(platform.operator().post("/api/v1/platform/tenants", &body).await.status, 201);
    }
    let (_, names) = named(&overview(&platform).await, "tenants_without_origins");
    assert_eq!(names, ["Äpfel", "apple", "Zebra"]);
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

/// Sets the number of questions of a tenant on an earlier day.
async fn asked(platform: &Platform, tenant: crate::support::Tenant, days_ago: i32, questions: i64) {
    let sql =
        "insert into usage_days (tenant_id, day, questions) values ($1, (now() at time zone 'UTC')::date - $2, $3)";
    let set = sqlx::query(sql).bind(tenant.id.0).bind(days_ago).bind(questions);
    set.execute(platform.everything()).await.unwrap();
}

async fn platform_trends(platform: &Platform, days: &str) -> Value {
    let answer = platform.vendor().get(&format!("/admin/operator/_fn/trends{days}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

#[tokio::test]
async fn the_trends_name_the_most_active_tenants() {
    let (platform, one, other) = Platform::with_tenants().await;
    let quiet = platform.add_tenant("quiet").await;
    asked(&platform, one, 0, 3).await;
    asked(&platform, one, 7, 10).await;
    asked(&platform, other, 6, 5).await;
    asked(&platform, quiet, 7, 1).await;
    let week = platform_trends(&platform, "?days=7").await;
    let expected = json!([
        { "tenant_id": other.id, "tenant_name": "other", "questions": 5, "before": 0 },
        { "tenant_id": one.id, "tenant_name": "one", "questions": 3, "before": 10 },
    ]);
    assert_eq!(week["most_active"], expected, "{week}");
    assert_eq!(week["tenants_without_questions"], 1, "{week}");
    assert_eq!((&week["now"]["questions"], &week["before"]["questions"]), (&json!(8), &json!(11)), "{week}");
    assert_eq!(week["days"].as_array().map(Vec::len), Some(7), "{week}");
    let month = platform_trends(&platform, "").await;
    assert_eq!(month["most_active"][0]["questions"], 13, "{month}");
    assert_eq!(month["tenants_without_questions"], 0, "{month}");
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    let without = platform_trends(&platform, "?days=7").await;
    assert_eq!(without["most_active"].as_array().map(Vec::len), Some(1), "{without}");
}

#[tokio::test]
async fn the_trends_have_as_many_days_before() {
    let (platform, one, other) = Platform::with_tenants().await;
    for (tenant, days_ago, questions) in [(one, 6, 4), (one, 7, 10), (other, 7, 2), (other, 13, 1), (one, 14, 99)] {
        asked(&platform, tenant, days_ago, questions).await;
    }
    let week = platform_trends(&platform, "?days=7").await;
    let questions = |days: &str| -> Vec<i64> {
        week[days].as_array().unwrap().iter().map(|day| day["questions"].as_i64().unwrap()).collect()
    };
    assert_eq!(questions("days"), [4, 0, 0, 0, 0, 0, 0], "{week}");
    assert_eq!(questions("days_before"), [1, 0, 0, 0, 0, 0, 12], "{week}");
}

#[tokio::test]
async fn eight_of_the_active_tenants_are_named() {
    let platform = Platform::start().await;
    for number in 1..=9 {
        let tenant = platform.add_tenant(&format!("t{number}")).await;
        asked(&platform, tenant, 0, number).await;
    }
    let trends = platform_trends(&platform, "").await;
    let named = trends["most_active"].as_array().unwrap();
    assert_eq!(
        (named.len(), &named[0]["tenant_name"], &named[7]["questions"]),
        (8, &json!("t9"), &json!(2)),
        "{trends}"
    );
}

#[tokio::test]
async fn the_trends_count_what_is_new_in_the_period() {
    let (platform, one, _) = Platform::with_tenants().await;
    let change = async |sql: &'static str| {
        sqlx::query(sql).bind(one.id.0).execute(platform.everything()).await.unwrap();
    };
    change("update tenants set created_at = created_at - interval '10 days' where id = $1").await;
    change("update chatbots set created_at = created_at - interval '20 days' where tenant_id = $1").await;
    let body = json!({ "session_id": null, "question": "Is there a quagga on board?" });
    let query = format!("/api/v1/widget/chatbots/{}/query", one.chatbot);
    assert_eq!(platform.widget().post(&query, &body).await.status, 200);
    let week = platform_trends(&platform, "?days=7").await;
    let now = json!({ "questions": 1, "conversations": 1, "new_tenants": 1, "new_chatbots": 1 });
    let before = json!({ "questions": 0, "conversations": 0, "new_tenants": 1, "new_chatbots": 0 });
    assert_eq!((&week["now"], &week["before"]), (&now, &before), "{week}");
    let month = platform_trends(&platform, "?days=30").await;
    assert_eq!((&month["now"]["new_tenants"], &month["now"]["new_chatbots"]), (&json!(2), &json!(2)), "{month}");
    for refused in ["?days=0", "?days=91", "?days=x"] {
        assert_eq!(
            platform.operator().get(&format!("/admin/operator/_fn/trends{refused}")).await.status,
            422,
            "{refused}"
        );
    }
}

#[tokio::test]
async fn adoption_counts_chatbots_and_those_behind() {
    let (platform, one, other) = Platform::with_tenants().await;
    let operator = platform.operator();
    for id in ["support-en", "unused-en"] {
        let new = crate::mutations::template(id);
        assert_eq!(operator.post("/api/v1/operator/templates", &new).await.status, 201);
    }
    let make = async |tenant: crate::support::Tenant| {
        let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
        let made = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
        assert_eq!(made.status, 201, "{made:?}");
    };
    let of = async |template: &str| {
        let all = platform.vendor().get("/admin/operator/_fn/template-adoption").await.body;
        let found = all.as_array().unwrap().iter().find(|one| one["template_id"] == template).cloned();
        found.map(|one| (one["chatbots"].as_i64().unwrap(), one["behind"].as_i64().unwrap()))
    };
    make(one).await;
    let path = "/api/v1/operator/templates/support-en";
    assert_eq!(operator.patch(path, &json!({ "welcome_message": "Good day!" })).await.status, 200);
    make(other).await;
    assert_eq!((of("support-en").await, of("unused-en").await), (Some((2, 1)), Some((0, 0))));
    let top = overview(&platform).await["top_templates"].clone();
    assert_eq!((&top[0]["template_id"], &top[0]["behind"]), (&json!("support-en"), &json!(1)), "{top}");
    assert_eq!(operator.post(&format!("{path}/deactivate"), &json!({})).await.status, 200);
    assert_eq!(of("support-en").await, Some((2, 0)), "nothing is offered any more");
    let top = overview(&platform).await["top_templates"].clone();
    assert!(!top.to_string().contains("support-en"), "{top}");
    assert_eq!(operator.delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    assert_eq!(of("support-en").await, Some((1, 0)));
}

#[tokio::test]
async fn health_counts_failed_and_waiting_jobs() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let health = async || platform.vendor().get("/admin/operator/_fn/health").await.body;
    let healthy = health().await;
    assert_eq!(healthy["checks"]["database"], "ok", "{healthy}");
    assert_eq!((&healthy["failed_jobs"], &healthy["waiting_jobs"]), (&json!(0), &json!(0)), "{healthy}");
    // A kind that no worker knows, so that nobody takes them meanwhile.
    for (state, due, finished) in [
        ("queued", "2 hours", None),
        ("queued", "1 minute", None),
        ("failed", "2 hours", Some("1 hour")),
        ("failed", "2 days", Some("2 days")),
        ("canceled", "2 hours", Some("1 hour")),
    ] {
        sqlx::query(
            "insert into jobs (id, tenant_id, chatbot_id, kind, state, run_after, finished_at)
             values (gen_random_uuid(), $1, $2, 'of_another_version', $3, now() - $4::text::interval,
                     now() - $5::text::interval)",
        )
        .bind(tenant.id.0)
        .bind(tenant.chatbot.0)
        .bind(state)
        .bind(due)
        .bind(finished)
        .execute(platform.everything())
        .await
        .unwrap();
    }
    let found = health().await;
    assert_eq!((&found["failed_jobs"], &found["waiting_jobs"]), (&json!(1), &json!(1)), "{found}");
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
async fn the_overview_counts_active_chatbots_with_knowledge() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let known = async |of: crate::support::Tenant| {
        platform.viewer(of.id).get("/tenant/_fn/overview").await.body["chatbots_with_knowledge"].clone()
    };
    assert_eq!(known(tenant).await, json!(0));
    let own = json!({ "question": "Do you rent boats?", "answer": "Yes, on Sundays." });
    let made =
        platform.admin(tenant.id).post(&format!("/api/v1/tenants/me/chatbots/{}/faq", tenant.chatbot), &own).await;
    assert_eq!((made.status, &made.body["state"]), (201, &json!("ready")), "{made:?}");
    assert_eq!(known(tenant).await, json!(1), "an own answer");
    assert_eq!(known(other).await, json!(0));
    platform.ingest(other, "shop.md", "# Returns\n\nYou can return an item within 30 days.\n").await;
    assert_eq!(known(other).await, json!(1), "a document");
    let end = format!("update chatbots set status = 'deactivated' where id = '{}'", other.chatbot);
    sqlx::query(AssertSqlSafe(end)).execute(platform.everything()).await.unwrap();
    assert_eq!(known(other).await, json!(0), "a deactivated chatbot");
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
    // Nothing listens there, so that it cannot be read; the other one is paused.
    let sources = format!("/api/v1/tenants/me/chatbots/{chatbot}/sources");
    for (name, paused) in [("Site", false), ("Paused", true)] {
        let body = json!({ "kind": "website", "name": name, "website": { "url": "http://127.0.0.1:1/" } });
        let made = platform.admin(tenant.id).post(&sources, &body).await;
        assert_eq!(made.status, 201, "{made:?}");
        platform.work_off_jobs().await;
        let path = format!("{sources}/{}", made.body["id"].as_str().unwrap());
        let patch = json!({ "website": { "paused": paused } });
        assert_eq!(platform.admin(tenant.id).patch(&path, &patch).await.status, 200);
    }
    let found = open(tenant).await;
    let names = ["questions", "ratings", "websites", "documents", "unread_websites"];
    let counts = names.map(|count| found[0][count].as_i64());
    assert_eq!(counts, [Some(1), Some(1), Some(1), Some(0), Some(1)], "{found}");
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
    let solved = "update websites set state = 'ready', code = null, detail = null";
    sqlx::query(solved).execute(platform.everything()).await.unwrap();
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
    let lengths = ["days", "days_before"].map(|days| week[days].as_array().map(Vec::len));
    assert_eq!(lengths, [Some(7), Some(7)], "{week}");
    let of_before: Vec<_> = week["days_before"].as_array().into_iter().flatten().collect();
    let begun: i64 = of_before.iter().filter_map(|day| day["conversations"].as_i64()).sum();
    assert_eq!((begun, &of_before[3]["conversations"]), (1, &json!(1)), "ten days ago: {week}");
    let conversations = [&week["now"]["conversations"], &week["before"]["conversations"]];
    assert_eq!(conversations, [&json!(3), &json!(1)], "{week}");
    assert_eq!((&week["now"]["questions"], &week["now"]["answered"]), (&json!(3), &json!(1)), "{week}");
    assert_eq!(week["questions"].as_array().map(Vec::len), Some(2), "{week}");
    let known = format!("/api/v1/tenants/me/chatbots/{}/documents?q=Returns", tenant.chatbot);
    let id = platform.viewer(tenant.id).get(&known).await.body["items"][0]["id"].clone();
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
    let made = platform.admin(tenant.id).post(&format!("{chatbot}/faq"), &own).await;
    assert_eq!((made.status, &made.body["state"]), (201, &json!("ready")), "{made:?}");
    let asked = json!({ "session_id": null, "question": question });
    let reply = platform.widget().post(&format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot), &asked).await;
    assert_eq!(reply.body["kind"], "answer", "{reply:?}");
    let viewer = platform.viewer(tenant.id);
    let known = viewer.get(&format!("{chatbot}/documents?q=engrave")).await.body;
    let id = &known["items"][0]["id"];
    let trends = viewer.get("/tenant/_fn/trends?days=7").await.body;
    let cited = json!([{ "chatbot_id": tenant.chatbot, "document_id": id, "title": question, "answers": 1 }]);
    assert_eq!((&trends["documents"], id.is_string()), (&cited, true), "{trends}");
}

#[tokio::test]
async fn a_tenant_is_told_whether_scans_can_be_read() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let answer = platform.viewer(tenant.id).get("/tenant/_fn/text-recognition").await;
    assert_eq!((answer.status, answer.body), (200, json!(false)));
}
