//! Quotas: who sets them, what is refused beyond them, and that both consoles see the numbers.

use std::time::Duration;

use chrono::NaiveDate;
use futures::future::join_all;
use serde_json::{Value, json};
use store::{Exemption, Scope, usage};

use crate::support::{ORIGIN, Platform, Tenant, TestResponse, send, uploads_folder, within_one_day};

/// About `sections` passages.
fn document(name: &str, sections: usize) -> String {
    let section = |number| {
        let words = format!("The {name} of chapter {number} is kept in the harbour and costs nothing at all. ");
        format!("## Chapter {number} of {name}\n\n{}\n", words.repeat(25))
    };
    (0..sections).map(section).collect()
}

async fn set_quotas(platform: &Platform, tenant: Tenant, quotas: Value) {
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    let set = platform.operator().patch(&path, &json!({ "quotas": quotas })).await;
    assert_eq!(set.status, 200, "{set:?}");
}

/// A new source of uploads.
async fn source(platform: &Platform, tenant: Tenant) -> String {
    let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let source = platform.admin(tenant.id).post(&sources, &json!({ "kind": "upload", "name": "Manuals" })).await;
    assert_eq!(source.status, 201, "{source:?}");
    format!("{sources}/{}", source.body["id"].as_str().unwrap())
}

async fn put(platform: &Platform, tenant: Tenant, source: &str, name: &str, bytes: String) -> TestResponse {
    let path = format!("{source}/documents/{name}");
    send(platform.admin(tenant.id).request("PUT", &path).header("content-type", "text/markdown").body(bytes)).await
}

fn assert_refused(answer: &TestResponse, code: &str, limit: i64, used: i64) {
    assert_eq!((answer.status, answer.detail()), (422, code), "{answer:?}");
    let error = &answer.body["errors"][0];
    assert_eq!((&error["limit"], &error["used"]), (&json!(limit), &json!(used)), "{answer:?}");
}

/// The quota as the tenant sees it.
async fn quota(platform: &Platform, tenant: Tenant, name: &str) -> Value {
    let usage = platform.viewer(tenant.id).get("/api/v1/tenants/me/usage").await;
    assert_eq!(usage.status, 200, "{usage:?}");
    let quotas = usage.body["quotas"].as_array().unwrap().clone();
    quotas.into_iter().find(|quota| quota["quota"] == name).unwrap_or_else(|| panic!("no {name}: {usage:?}"))
}

async fn ask(platform: &Platform, tenant: Tenant, question: &str) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    platform.widget().post(&path, &json!({ "session_id": null, "question": question })).await
}

#[tokio::test]
async fn an_operator_sets_quotas_and_both_see_them() {
    within_one_day().await;
    let platform = Platform::start_with(|settings| settings.quotas.documents = Some(7)).await;
    let (tenant, other) = (platform.add_tenant("one").await, platform.add_tenant("two").await);
    assert_eq!(quota(&platform, tenant, "documents").await["limit"], 7);
    set_quotas(&platform, tenant, json!({ "documents": 5, "bytes": 10 })).await;
    let row = platform.last_audit().await;
    assert_eq!(row["action"], "tenant.updated");
    let (before, after) = (&row["details"]["before"]["quotas"], &row["details"]["after"]["quotas"]);
    assert_eq!((&before["documents"], &after["documents"], &after["bytes"]), (&Value::Null, &json!(5), &json!(10)));
    assert_eq!(quota(&platform, tenant, "documents").await["limit"], 5);
    assert_eq!(quota(&platform, other, "documents").await["limit"], 7, "others keep theirs");
    assert_eq!(quota(&platform, tenant, "pages").await["limit"], Value::Null, "no limit");
    let path = format!("/api/v1/platform/tenants/{}/usage", tenant.id);
    let own = platform.admin(tenant.id).get("/api/v1/tenants/me/usage").await;
    for caller in [platform.operator(), platform.vendor()] {
        assert_eq!(caller.get(&path).await.body, own.body);
    }
    let lengths = ["days", "days_before"].map(|days| own.body[days].as_array().map(Vec::len));
    assert_eq!(lengths, [Some(31), Some(31)]);

    let rows = platform.audit_rows().await;
    set_quotas(&platform, tenant, json!({ "documents": 5 })).await;
    assert_eq!(platform.audit_rows().await, rows, "nothing changed");
    set_quotas(&platform, tenant, json!({ "documents": null })).await;
    assert_eq!(quota(&platform, tenant, "documents").await["limit"], 7, "the default again");
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    let refused = platform.operator().patch(&path, &json!({ "quotas": { "pages": -1 } })).await;
    assert_eq!((refused.status, refused.loc()), (422, vec!["body", "quotas", "pages"]), "{refused:?}");
}

/// Fills the tenant's sources of a kind up to a number of all of these kinds.
async fn fill_sources(platform: &Platform, tenant: Tenant, kind: &str, counted: &[&str], up_to: i64) {
    sqlx::query(
        "insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name)
         select gen_random_uuid(), $1, $2, $3, $3 || n
         from generate_series(1, $5 - (select count(*) from chatbot_sources where tenant_id = $1 and kind = any ($4))) n",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .bind(kind)
    .bind(counted)
    .bind(up_to)
    .execute(platform.everything())
    .await
    .unwrap();
}

#[tokio::test]
async fn a_tenant_has_a_bounded_number_of_sources_and_websites() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let create = async |of: Tenant, kind: &str, name: &str| {
        let mut body = json!({ "kind": kind, "name": name });
        if kind == "website" {
            body["website"] = json!({ "url": format!("http://127.0.0.1:1/{name}"), "schedule": "manual" });
        }
        platform.admin(of.id).post(&format!("/api/v1/tenants/me/chatbots/{}/sources", of.chatbot), &body).await
    };
    fill_sources(&platform, tenant, "website", &["website"], 199).await;
    let last = create(tenant, "website", "last").await;
    assert_eq!(last.status, 201, "{last:?}");
    assert_refused(&create(tenant, "website", "more").await, "quota_websites", 200, 200);
    let copy = json!({ "slug": "second", "name": "Second" });
    let duplicate = format!("/api/v1/tenants/me/chatbots/{}/duplicate", tenant.chatbot);
    assert_refused(&platform.admin(tenant.id).post(&duplicate, &copy).await, "quota_websites", 200, 200);
    fill_sources(&platform, tenant, "upload", &["upload", "website", "api"], 1999).await;
    let last = create(tenant, "api", "last-api").await;
    assert_eq!(last.status, 201, "{last:?}");
    assert_refused(&create(tenant, "api", "more").await, "quota_sources", 2000, 2000);
    assert_refused(&platform.admin(tenant.id).post(&duplicate, &copy).await, "quota_sources", 2000, 2000);
    for kind in ["website", "api"] {
        assert_eq!(create(other, kind, kind).await.status, 201, "others have their own");
    }
}

#[tokio::test]
async fn one_document_too_many_is_refused_before_it_is_read() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    set_quotas(&platform, tenant, json!({ "documents": 1 })).await;
    let source = source(&platform, tenant).await;
    assert_eq!(put(&platform, tenant, &source, "a.md", document("a", 1)).await.status, 200);
    assert_refused(&put(&platform, tenant, &source, "b.md", document("b", 1)).await, "quota_documents", 1, 1);
    let same = put(&platform, tenant, &source, "a.md", document("a", 1)).await;
    assert_eq!((same.status, &same.body["outcome"]), (200, &json!("unchanged")));
    let newer = put(&platform, tenant, &source, "a.md", document("other", 1)).await;
    assert_eq!((newer.status, &newer.body["outcome"]), (200, &json!("replaced")), "{newer:?}");
    let used = quota(&platform, tenant, "documents").await;
    assert_eq!((&used["used"], &used["state"]), (&json!(1), &json!("used_up")));
    let files = uploads_folder(&platform.app).join(tenant.id.to_string());
    let uploads: i64 = sqlx::query_scalar("select count(*) from uploads where tenant_id = $1")
        .bind(tenant.id.0)
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(uploads, 1);
    assert!(std::fs::read_dir(files).unwrap().count() <= 2, "the refused file is not kept");
    assert_eq!(platform.admin(tenant.id).delete(&format!("{source}/documents/a.md")).await.status, 204);
    assert_eq!(put(&platform, tenant, &source, "b.md", document("b", 1)).await.status, 200, "there is room again");
}

#[tokio::test]
async fn a_document_whose_second_reading_failed_is_not_counted_again() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = source(&platform, tenant).await;
    for name in ["a.md", "b.md"] {
        assert_eq!(put(&platform, tenant, &source, name, document(name, 1)).await.status, 200);
    }
    platform.work_off_jobs().await;
    let fail = "update uploads set state = 'failed', code = 'given_up' where external_id = 'a.md'";
    sqlx::query(fail).execute(platform.everything()).await.unwrap();
    set_quotas(&platform, tenant, json!({ "documents": 1 })).await;
    let again = put(&platform, tenant, &source, "a.md", document("other", 1)).await;
    assert_eq!((again.status, &again.body["outcome"]), (200, &json!("replaced")), "{again:?}");
    assert_eq!(quota(&platform, tenant, "documents").await["used"], 2);
}

#[tokio::test]
async fn concurrent_uploads_never_exceed_the_quota() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    set_quotas(&platform, tenant, json!({ "documents": 3 })).await;
    let source = source(&platform, tenant).await;
    // As many as a tenant may send at the same time.
    let names: Vec<String> = (0..4).map(|number| format!("{number}.md")).collect();
    let uploads = names.iter().map(|name| put(&platform, tenant, &source, name, document(name, 1)));
    let answers = join_all(uploads).await;
    let passed = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(passed, 3, "{answers:?}");
    assert!(answers.iter().filter(|answer| answer.status != 200).all(|answer| answer.detail() == "quota_documents"));
    assert_eq!(quota(&platform, tenant, "documents").await["used"], 3);
}

#[tokio::test]
async fn bytes_are_counted_and_a_smaller_version_is_always_admitted() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let (large, small) = (document("a", 2), document("a", 1));
    let size = i64::try_from(large.len()).unwrap();
    set_quotas(&platform, tenant, json!({ "bytes": size + 10 })).await;
    let source = source(&platform, tenant).await;
    assert_eq!(put(&platform, tenant, &source, "a.md", large).await.status, 200);
    let refused = put(&platform, tenant, &source, "b.md", document("b", 1)).await;
    assert_refused(&refused, "quota_bytes", size + 10, size);
    assert_eq!(quota(&platform, tenant, "bytes").await["state"], "warning");
    set_quotas(&platform, tenant, json!({ "bytes": 1 })).await;
    assert_eq!(put(&platform, tenant, &source, "a.md", small).await.status, 200);
}

#[tokio::test]
async fn a_document_over_the_quota_fails_and_its_old_version_stays() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = source(&platform, tenant).await;
    assert_eq!(put(&platform, tenant, &source, "a.md", document("a", 2)).await.status, 200);
    platform.work_off_jobs().await;
    let used = quota(&platform, tenant, "passages").await["used"].as_i64().unwrap();
    assert!(used > 0);
    set_quotas(&platform, tenant, json!({ "passages": used + 1 })).await;
    assert_eq!(put(&platform, tenant, &source, "a.md", document("a", 9)).await.status, 200);
    assert_eq!(put(&platform, tenant, &source, "b.md", document("b", 9)).await.status, 200);
    platform.work_off_jobs().await;
    for name in ["a.md", "b.md"] {
        let read = platform.viewer(tenant.id).get(&format!("{source}/documents/{name}")).await;
        let problem = (&read.body["state"], &read.body["problem"]["code"]);
        assert_eq!(problem, (&json!("failed"), &json!("quota_passages")), "{name}: {read:?}");
    }
    assert_eq!(quota(&platform, tenant, "passages").await["used"], used);
    set_quotas(&platform, tenant, json!({ "passages": used })).await;
    assert_refused(&put(&platform, tenant, &source, "c.md", document("c", 1)).await, "quota_passages", used, used);
}

#[tokio::test]
async fn a_smaller_version_is_read_with_all_passages_used() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = source(&platform, tenant).await;
    assert_eq!(put(&platform, tenant, &source, "a.md", document("a", 9)).await.status, 200);
    platform.work_off_jobs().await;
    let used = async || quota(&platform, tenant, "passages").await["used"].as_i64().unwrap();
    let before = used().await;
    set_quotas(&platform, tenant, json!({ "passages": 1 })).await;
    assert_eq!(put(&platform, tenant, &source, "a.md", document("a", 3)).await.status, 200);
    platform.work_off_jobs().await;
    let read = platform.viewer(tenant.id).get(&format!("{source}/documents/a.md")).await;
    assert_eq!((&read.body["state"], &read.body["problem"]), (&json!("ready"), &Value::Null), "{read:?}");
    let after = used().await;
    assert!((2..before).contains(&after), "{before}, {after}");
}

#[tokio::test]
async fn questions_beyond_the_month_get_the_fallback_without_a_search() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "a.md", "# Hours\n\nThe shop opens at nine in the morning.\n").await;
    let contact = json!({ "contact_url": "mailto:help@example.com" });
    assert_eq!(platform.admin(tenant.id).patch("/api/v1/tenants/me/branding", &contact).await.status, 200);
    set_quotas(&platform, tenant, json!({ "questions_per_month": 1 })).await;
    let first = ask(&platform, tenant, "When does the shop open?").await;
    assert_eq!((first.status, &first.body["confidence"]), (200, &json!("high")), "{first:?}");
    let second = ask(&platform, tenant, "When does the shop open?").await;
    assert_eq!(second.status, 200, "{second:?}");
    let reply_fields =
        [&second.body["confidence"], &second.body["kind"], &second.body["sources"], &second.body["answer"]];
    assert_eq!(reply_fields, [&json!("none"), &json!("fallback"), &json!([]), &json!("No idea, sorry.")]);
    assert_eq!(second.body["contact_url"], "mailto:help@example.com");
    let hello = ask(&platform, tenant, "Hello there!").await;
    assert_eq!(hello.body["kind"], "small_talk", "which is no question");

    let admin = platform.admin(tenant.id);
    let unanswered = admin.get(&format!("/api/v1/tenants/me/chatbots/{}/unanswered", tenant.chatbot)).await;
    assert_eq!(unanswered.body["total"], 0, "{unanswered:?}");
    let stats = admin.get("/api/v1/tenants/me/conversations/stats").await.body;
    assert_eq!((&stats["answered"], &stats["unanswered"]), (&json!(1), &json!(0)));
    for (outcome, expected) in [("answered", vec![&hello.body, &first.body]), ("unanswered", vec![])] {
        let path = format!("/api/v1/tenants/me/conversations?outcome={outcome}");
        let listed = admin.get(&path).await.body;
        let session_ids: Vec<&Value> =
            listed["items"].as_array().unwrap().iter().map(|item| &item["session_id"]).collect();
        let expected: Vec<&Value> = expected.into_iter().map(|reply| &reply["session_id"]).collect();
        assert_eq!(session_ids, expected, "{outcome}");
    }
    let exports = "/api/v1/tenants/me/conversations/exports";
    let export = admin.post(exports, &json!({ "outcome": "answered" })).await;
    assert_eq!(export.text.matches("When does the shop open?").count(), 1, "{export:?}");
    let session = second.body["session_id"].as_str().unwrap();
    let opened = admin.get(&format!("/api/v1/tenants/me/conversations/{session}")).await;
    assert_eq!(opened.body["messages"][1]["over_quota"], true, "{opened:?}");
    let usage = admin.get("/api/v1/tenants/me/usage").await.body;
    let today = &usage["days"][30];
    assert_eq!((&today["questions"], &today["refused_questions"]), (&json!(1), &json!(1)), "{usage}");

    set_quotas(&platform, tenant, json!({ "questions_per_month": 2 })).await;
    assert_eq!(ask(&platform, tenant, "When does the shop open?").await.body["confidence"], "high");
}

#[tokio::test]
async fn the_usage_of_some_days_comes_with_as_many_days_before() {
    within_one_day().await;
    let (platform, tenant, other) = Platform::with_tenants().await;
    sqlx::query(
        "insert into usage_days (tenant_id, day, questions)
         select $1, (now() at time zone 'UTC')::date - back, back from unnest(array[0, 6, 7, 13, 14]) back",
    )
    .bind(tenant.id.0)
    .execute(platform.everything())
    .await
    .unwrap();
    let usage =
        async |of: Tenant, days: &str| platform.viewer(of.id).get(&format!("/api/v1/tenants/me/usage{days}")).await;
    let questions = |body: &Value, days: &str| -> Vec<i64> {
        body[days].as_array().unwrap().iter().map(|day| day["questions"].as_i64().unwrap()).collect()
    };
    let week = usage(tenant, "?days=7").await.body;
    assert_eq!(questions(&week, "days"), [6, 0, 0, 0, 0, 0, 0], "{week}");
    assert_eq!(questions(&week, "days_before"), [13, 0, 0, 0, 0, 0, 7], "{week}");
    assert_eq!(questions(&usage(other, "?days=7").await.body, "days_before"), [0; 7], "another tenant's");
    for refused in ["?days=0", "?days=91", "?days=x"] {
        let answer = usage(tenant, refused).await;
        assert_eq!((answer.status, answer.loc().last().copied()), (422, Some("days")), "{refused}: {answer:?}");
    }
}

/// The caller knows the days: at midnight, the database's today may be another one.
#[tokio::test]
async fn the_days_of_usage_end_on_the_given_one() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let days = [1, 2].map(|day| NaiveDate::from_ymd_opt(2024, 2, day).unwrap());
    let mut tx = platform.app.db.read(&Scope::tenant(tenant.id)).await.unwrap();
    let listed = store::usage::days(&mut tx, tenant.id, days.into()).await.unwrap();
    assert_eq!(listed.iter().map(|day| day.date).collect::<Vec<_>>(), days);
}

#[tokio::test]
async fn operators_and_vendors_choose_the_days_of_a_tenants_usage() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    let path = format!("/api/v1/platform/tenants/{}/usage", tenant.id);
    let own = platform.viewer(tenant.id).get("/api/v1/tenants/me/usage?days=7").await.body;
    for caller in [platform.operator(), platform.vendor()] {
        let week = caller.get(&format!("{path}?days=7")).await.body;
        let lengths = ["days", "days_before"].map(|days| week[days].as_array().map(Vec::len));
        assert_eq!((lengths, &week), ([Some(7), Some(7)], &own));
        for refused in ["?days=0", "?days=91", "?days=x"] {
            let answer = caller.get(&format!("{path}{refused}")).await;
            assert_eq!((answer.status, answer.loc().last().copied()), (422, Some("days")), "{refused}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn concurrent_questions_do_not_exceed_the_monthly_quota() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "a.md", "# Hours\n\nThe shop opens at nine in the morning.\n").await;
    set_quotas(&platform, tenant, json!({ "questions_per_month": 3 })).await;
    let answers = join_all((0..8).map(|_| ask(&platform, tenant, "When does the shop open?"))).await;
    let answered = answers.iter().filter(|answer| answer.body["confidence"] == "high").count();
    assert_eq!(answered, 3, "{answers:?}");
    assert_eq!(quota(&platform, tenant, "questions_per_month").await["used"], 3);
}

/// Waits until a query returns true.
async fn until(platform: &Platform, query: &'static str) {
    for _ in 0..6000 {
        if sqlx::query_scalar::<_, bool>(query).fetch_one(platform.everything()).await.unwrap() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {query}");
}

#[tokio::test]
async fn a_message_whose_visitor_left_at_once_is_stored_and_counted() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    set_quotas(&platform, tenant, json!({ "questions_per_month": 1 })).await;
    // The message waits for the table of the tenant's own answers.
    let mut held = platform.everything().begin().await.unwrap();
    sqlx::query("lock table documents in access exclusive mode").execute(&mut *held).await.unwrap();
    let url = format!("{}/api/v1/widget/chatbots/{}/query", platform.base_url, tenant.chatbot);
    let body = json!({ "session_id": null, "question": "Can I talk to a human?" });
    let visitor = tokio::spawn(platform.http.post(url).header("origin", ORIGIN).json(&body).send());
    until(&platform, "select exists (select from pg_locks where relation = 'documents'::regclass and not granted)")
        .await;
    visitor.abort();
    assert!(visitor.await.unwrap_err().is_cancelled());
    until(&platform, "select exists (select from chat_messages)").await;
    held.rollback().await.unwrap();
    assert_eq!(quota(&platform, tenant, "questions_per_month").await["used"], 1);
}

#[tokio::test]
async fn a_question_that_fails_and_is_not_stored_is_not_counted() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "a.md", "# Hours\n\nThe shop opens at nine in the morning.\n").await;
    set_quotas(&platform, tenant, json!({ "questions_per_month": 2 })).await;
    sqlx::query("alter table passages rename to hidden").execute(platform.everything()).await.unwrap();
    let failed = ask(&platform, tenant, "When does the shop open?").await;
    assert_eq!(failed.status / 100, 5, "{failed:?}");
    until(&platform, "select exists (select from usage_days where questions = 0)").await;
    sqlx::query("alter table hidden rename to passages").execute(platform.everything()).await.unwrap();
    assert_eq!(ask(&platform, tenant, "When does the shop open?").await.status, 200);
    assert_eq!(quota(&platform, tenant, "questions_per_month").await["used"], 1);
}

#[tokio::test]
async fn reverted_questions_reduce_their_own_day() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    let mut tx = platform.app.db.write(&Scope::widget(tenant.id)).await.unwrap();
    let day = usage::count_question(&mut tx, tenant.id, 2).await.unwrap().unwrap();
    assert_eq!(day, chrono::Utc::now().date_naive());
    tx.commit_exempt(Exemption::Conversation).await.unwrap();
    let next = "insert into usage_days (tenant_id, day, questions) values ($1, $2::date + 1, 5)";
    sqlx::query(next).bind(tenant.id.0).bind(day).execute(platform.everything()).await.unwrap();
    let mut tx = platform.app.db.write(&Scope::widget(tenant.id)).await.unwrap();
    usage::uncount_question(&mut tx, tenant.id, day).await.unwrap();
    tx.commit_exempt(Exemption::Conversation).await.unwrap();
    let questions: Vec<i64> = sqlx::query_scalar("select questions from usage_days where tenant_id = $1 order by day")
        .bind(tenant.id.0)
        .fetch_all(platform.everything())
        .await
        .unwrap();
    assert_eq!(questions, [0, 5]);
}

#[tokio::test]
async fn questions_of_past_months_and_the_playground_do_not_count() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    set_quotas(&platform, tenant, json!({ "questions_per_month": 1 })).await;
    sqlx::query(
        "insert into usage_days (tenant_id, day, questions)
         values ($1, date_trunc('month', now() at time zone 'UTC')::date - 1, 50)",
    )
    .bind(tenant.id.0)
    .execute(platform.everything())
    .await
    .unwrap();
    let path = format!("/api/v1/tenants/me/chatbots/{}/playground", tenant.chatbot);
    for _ in 0..2 {
        let tried = platform.viewer(tenant.id).post(&path, &json!({ "question": "Who wrote the ferry song?" })).await;
        assert_eq!(tried.status, 200, "{tried:?}");
    }
    assert_eq!(quota(&platform, tenant, "questions_per_month").await["used"], 0);
    ask(&platform, tenant, "Who wrote the ferry song?").await;
    assert_eq!(quota(&platform, tenant, "questions_per_month").await["used"], 1);
}
