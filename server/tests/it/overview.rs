//! The operator console's overview with problems, growth, templates and health.

mod tenant;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{ORIGIN, Platform, Tenant, moment, within_one_day};

async fn overview(platform: &Platform) -> Value {
    let answer = platform.vendor().get("/admin/operator/_fn/overview").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

/// The names in a part of the overview, and their number.
fn first_names(overview: &Value, part: &str) -> (i64, Vec<String>) {
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
    let counts = overview(&platform).await;
    assert_eq!(first_names(&counts, "failed_provisioning"), (1, vec!["one".to_owned()]));
    assert_eq!(counts["failed_provisioning"]["first"][0]["chatbot_name"], "Help");
    assert_eq!(counts["failed_provisioning"]["first"][0]["tenant_id"], json!(one.id));
    assert_eq!(first_names(&counts, "tenants_without_origins"), (1, vec!["bare".to_owned()]));
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    assert_eq!(first_names(&overview(&platform).await, "failed_provisioning"), (0, vec![]));
    assert_eq!(first_names(&overview(&platform).await, "cors_gaps"), (1, vec!["other".to_owned()]), "{other:?}");
}

#[tokio::test]
async fn only_the_first_eight_are_named_and_all_are_counted() {
    let platform = Platform::start().await;
    for number in 1..=9 {
        let body = json!({ "slug": format!("t{number}"), "display_name": format!("T{number}") });
        assert_eq!(platform.operator().post("/api/v1/platform/tenants", &body).await.status, 201);
    }
    let (count, names) = first_names(&overview(&platform).await, "tenants_without_origins");
    assert_eq!((count, names.len(), names[0].as_str()), (9, 8, "T1"));
}

#[tokio::test]
async fn names_are_sorted_whatever_their_case_and_accents() {
    let platform = Platform::start().await;
    for (slug, name) in [("zebra", "Zebra"), ("apple", "apple"), ("aepfel", "Äpfel")] {
        let body = json!({ "slug": slug, "display_name": name });
        assert_eq!(platform.operator().post("/api/v1/platform/tenants", &body).await.status, 201);
    }
    let (_, names) = first_names(&overview(&platform).await, "tenants_without_origins");
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
        assert_eq!(first_names(&overview(&platform).await, "cors_gaps").0, gaps, "{listed:?} {tenant_origins}");
    }
}

/// Sets the number of questions of a tenant on an earlier day.
async fn add_questions(platform: &Platform, tenant: Tenant, days_ago: i32, questions: i64) {
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
    within_one_day().await;
    let (platform, one, other) = Platform::with_tenants().await;
    let quiet = platform.add_tenant("quiet").await;
    add_questions(&platform, one, 0, 3).await;
    add_questions(&platform, one, 7, 10).await;
    add_questions(&platform, other, 6, 5).await;
    add_questions(&platform, quiet, 7, 1).await;
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
    within_one_day().await;
    let (platform, one, other) = Platform::with_tenants().await;
    for (tenant, days_ago, questions) in [(one, 6, 4), (one, 7, 10), (other, 7, 2), (other, 13, 1), (one, 14, 99)] {
        add_questions(&platform, tenant, days_ago, questions).await;
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
        add_questions(&platform, tenant, 0, number).await;
    }
    let trends = platform_trends(&platform, "").await;
    let tenants = trends["most_active"].as_array().unwrap();
    assert_eq!(
        (tenants.len(), &tenants[0]["tenant_name"], &tenants[7]["questions"]),
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
    let make = async |tenant: Tenant| {
        let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
        let response = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
        assert_eq!(response.status, 201, "{response:?}");
    };
    let of = async |template: &str| {
        let all = platform.vendor().get("/admin/operator/_fn/template-adoption").await.body;
        let adoption = all.as_array().unwrap().iter().find(|one| one["template_id"] == template).cloned();
        adoption.map(|one| (one["chatbots"].as_i64().unwrap(), one["behind"].as_i64().unwrap()))
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
    let started = Instant::now();
    let healthy = loop {
        let healthy = health().await;
        // A database that answers later than in two seconds is unavailable.
        if healthy["checks"]["database"] == "ok" {
            break healthy;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{healthy}");
        moment().await;
    };
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
    let counts = health().await;
    assert_eq!((&counts["failed_jobs"], &counts["waiting_jobs"]), (&json!(1), &json!(1)), "{counts}");
}
