//! The six branding endpoints and the branding that visitors see.

mod pictures;
mod refused;

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Postgres, Transaction};
use uuid::Uuid;

use crate::support::{ORIGIN, Platform, Tenant, moment, new_chatbot};

const OWN_BRANDING: &str = "/api/v1/tenants/me/branding";
const WARNING: &str = "low_contrast";

fn of_tenant(tenant: Tenant) -> String {
    format!("/api/v1/operator/tenants/{}/branding", tenant.id)
}

fn of_chatbot(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/branding", tenant.chatbot)
}

async fn count(platform: &Platform, table: &str) -> i64 {
    let sql = AssertSqlSafe(format!("select count(*) from {table}"));
    sqlx::query_scalar(sql).fetch_one(platform.everything()).await.unwrap()
}

async fn config(platform: &Platform, tenant: Tenant) -> Value {
    let answer = platform.widget().get(&format!("/api/v1/widget/config/{}", tenant.chatbot)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(!answer.text.contains("allowed_origins") && !answer.text.contains(ORIGIN), "{}", answer.text);
    answer.body["branding"].clone()
}

/// The fields of a list of warnings.
fn warned(body: &Value) -> Vec<&str> {
    let warnings = body["warnings"].as_array().unwrap();
    assert!(warnings.iter().all(|warning| warning["code"] == WARNING && warning["required"] == 4.5));
    warnings.iter().map(|warning| warning["field"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_new_tenant_has_no_branding_row_until_its_first_edit() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let created = operator.post("/api/v1/platform/tenants", &json!({ "slug": "new", "display_name": "New" })).await;
    let id = created.body["id"].as_str().unwrap();
    let admin = platform.admin(id.parse().unwrap());
    let chatbot = admin.post("/api/v1/tenants/me/chatbots", &new_chatbot("help")).await;
    let of_chatbot = format!("/api/v1/tenants/me/chatbots/{}/branding", chatbot.body["id"].as_str().unwrap());
    let of_tenant = format!("/api/v1/operator/tenants/{id}/branding");
    let rows = platform.audit_rows().await;
    let branding = admin.get(OWN_BRANDING).await;
    assert_eq!((branding.status, &branding.body["updated_at"]), (200, &Value::Null));
    assert_eq!(branding.body["allowed_origins"], json!([]));
    assert_eq!(operator.get(&of_tenant).await.body, branding.body);
    assert_eq!(admin.get(&of_chatbot).await.body["resolved"]["theme"], Value::Null);
    // Clearing what was never set is no edit.
    let nothing = json!({ "theme": null, "allowed_origins": null, "custom_css": null });
    for (client, path) in [(&admin, OWN_BRANDING), (&operator, &of_tenant), (&admin, &of_chatbot)] {
        assert_eq!(client.patch(path, &nothing).await.status, 200);
    }
    assert_eq!(platform.audit_rows().await, rows);
    assert_eq!((count(&platform, "tenant_branding").await, count(&platform, "chatbot_branding").await), (0, 0));
    let first = admin.patch(&of_chatbot, &json!({ "theme": "dark" })).await;
    assert_eq!((first.status, &first.body["theme"]), (200, &json!("dark")));
    assert_eq!((count(&platform, "tenant_branding").await, count(&platform, "chatbot_branding").await), (0, 1));
    let first = operator.patch(&of_tenant, &json!({ "theme": "light" })).await;
    assert!(first.body["updated_at"].is_string());
    assert_eq!((count(&platform, "tenant_branding").await, platform.audit_rows().await), (1, rows + 2));
}

#[tokio::test]
async fn every_field_is_set_shown_to_visitors_and_cleared_by_null() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let fields = json!({
        "display_name": "Harbor", "primary_color": "#102030", "accent_color": "#004488", "background_color": "#ffffff",
        "text_color": "#000000", "font_family": "Inter, 'Open Sans', sans-serif", "border_radius": 12,
        "logo_url": "https://cdn.example.com/logo.svg", "avatar_url": "https://cdn.example.com/a.png?v=1",
        "header_title": "Ask us", "input_placeholder": "Your question", "launcher_position": "bottom_left",
        "theme": "auto", "privacy_url": "https://example.com/privacy", "notice_text": "We read along.",
    });
    let names: Vec<String> = fields.as_object().unwrap().keys().cloned().collect();
    let cleared: Value = names.iter().map(|name| (name.clone(), Value::Null)).collect::<serde_json::Map<_, _>>().into();
    for path in [OWN_BRANDING.to_owned(), of_chatbot(one)] {
        let set = admin.patch(&path, &fields).await;
        assert_eq!(set.status, 200, "{set:?}");
        let (stored, visitors) = (admin.get(&path).await.body, config(&platform, one).await);
        assert_eq!(stored, set.body);
        for name in &names {
            assert_eq!((&stored[name], &visitors[name]), (&fields[name], &fields[name]), "{path}: {name}");
        }
        let cleared_branding = admin.patch(&path, &cleared).await.body;
        let visitors = config(&platform, one).await;
        for name in &names {
            assert_eq!((&cleared_branding[name], &visitors[name]), (&Value::Null, &Value::Null), "{path}: {name}");
        }
        let details = &platform.last_audit().await["details"];
        assert_eq!((&details["after"], &details["before"]["border_radius"]), (&cleared, &json!(12)));
    }
    assert_eq!(admin.get(OWN_BRANDING).await.body["allowed_origins"], json!([ORIGIN]), "what was not sent stays");
}

#[tokio::test]
async fn chatbot_branding_overrides_tenant_branding_by_field() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let tenant = json!({ "primary_color": "#102030", "header_title": "Tenant", "theme": "dark" });
    assert_eq!(admin.patch(OWN_BRANDING, &tenant).await.status, 200);
    let second = admin.post("/api/v1/tenants/me/chatbots", &new_chatbot("second")).await;
    let second = Tenant { chatbot: second.body["id"].as_str().unwrap().parse().unwrap(), ..one };
    let edited = admin.patch(&of_chatbot(one), &json!({ "header_title": "Chatbot", "border_radius": 0 })).await.body;
    assert_eq!((&edited["header_title"], &edited["primary_color"]), (&json!("Chatbot"), &Value::Null));
    let visitors = config(&platform, one).await;
    for (field, value) in [
        ("header_title", json!("Chatbot")),
        ("border_radius", json!(0)),
        ("primary_color", json!("#102030")),
        ("theme", json!("dark")),
        ("accent_color", Value::Null),
    ] {
        assert_eq!((&edited["resolved"][field], &visitors[field]), (&value, &value), "{field}");
    }
    assert_eq!(config(&platform, second).await["header_title"], "Tenant", "another chatbot of the tenant");
    let back = admin.patch(&of_chatbot(one), &json!({ "header_title": null })).await.body;
    assert_eq!((&back["header_title"], &back["resolved"]["header_title"]), (&Value::Null, &json!("Tenant")));
    assert_eq!(config(&platform, one).await["header_title"], "Tenant");
}

#[tokio::test]
async fn custom_css_of_a_tenant_is_ignored_without_an_error() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let css = ".panel > p { color: \"red\" }";
    let set = operator.patch(&of_tenant(one), &json!({ "custom_css": css })).await;
    assert_eq!((set.status, &set.body["custom_css"]), (200, &json!(css)));
    assert_eq!(set.body["header_title"], "Help of one", "what was not sent stays");
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["actor_role"]), (&json!("tenant_branding.updated"), &json!("operator")));
    assert_eq!((&row["tenant_id"], &row["entity_id"]), (&json!(one.id), &json!(one.id)));
    assert_eq!(row["details"], json!({ "before": { "custom_css": null }, "after": { "custom_css": css } }));
    assert_eq!(config(&platform, one).await["custom_css"], css);
    let rows = platform.audit_rows().await;
    for sent in [json!("body { display: none }"), json!(null), json!(5), json!("x".repeat(30_000))] {
        for path in [OWN_BRANDING.to_owned(), of_chatbot(one)] {
            assert_eq!(admin.patch(&path, &json!({ "custom_css": sent })).await.status, 200);
        }
    }
    assert_eq!(platform.audit_rows().await, rows);
    let mixed = admin.patch(OWN_BRANDING, &json!({ "custom_css": "x", "theme": "dark" })).await;
    assert_eq!((&mixed.body["custom_css"], &mixed.body["theme"]), (&json!(css), &json!("dark")));
    let details = platform.last_audit().await["details"].clone();
    assert_eq!(details, json!({ "before": { "theme": null }, "after": { "theme": "dark" } }));
    for (bad, field) in [(json!("x".repeat(20 * 1024 + 1)), "custom_css"), (json!("a\u{0}b"), "custom_css")] {
        let answer = operator.patch(&of_tenant(one), &json!({ "custom_css": bad })).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body", field]));
    }
    let longest = operator.patch(&of_tenant(one), &json!({ "custom_css": "ä".repeat(10 * 1024) })).await;
    assert_eq!(longest.status, 200);
    let cleared = operator.patch(&of_tenant(one), &json!({ "custom_css": null })).await;
    assert_eq!(cleared.body["custom_css"], Value::Null);
}

#[tokio::test]
async fn an_edit_without_changes_writes_no_row_and_keeps_the_time() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let body = json!({ "primary_color": "#123456", "theme": "dark" });
    let tenants = of_tenant(one);
    let chatbots = of_chatbot(one);
    for (client, path, action) in [
        (&admin, OWN_BRANDING, "tenant_branding.updated"),
        (&admin, &chatbots, "chatbot_branding.updated"),
        (&operator, &tenants, ""),
    ] {
        let rows = platform.audit_rows().await;
        let first = client.patch(path, &body).await;
        // The operator's edit repeats what the tenant has done already.
        let written = i64::from(!action.is_empty());
        assert_eq!(platform.audit_rows().await, rows + written);
        if written == 1 {
            let row = platform.last_audit().await;
            assert_eq!((&row["action"], &row["actor_role"]), (&json!(action), &json!("tenant")));
        }
        for same in [&body, &json!({}), &json!({ "unknown": 1 })] {
            assert_eq!(client.patch(path, same).await.body, first.body, "{path}");
        }
        assert_eq!(platform.audit_rows().await, rows + written);
    }
}

/// Blocks every write to the branding tables.
async fn hold_edits(platform: &Platform) -> Transaction<'static, Postgres> {
    let mut held = platform.everything().begin().await.unwrap();
    sqlx::query("lock table tenant_branding, chatbot_branding in exclusive mode").execute(&mut *held).await.unwrap();
    held
}

/// Releases the edits when this many are waiting, so that edits without a lock would have read the same state. On a busy
/// machine they may not all be there in time, before the first one gives up waiting: then the result is `false`.
async fn let_edits_meet(platform: &Platform, held: Transaction<'static, Postgres>, edits: i64) -> bool {
    let all_wait = async {
        let mut waiting = 0;
        while waiting < edits {
            waiting = sqlx::query_scalar(
                "select count(distinct l.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
                 where not l.granted and a.datname = current_database()",
            )
            .fetch_one(platform.everything())
            .await
            .unwrap();
            moment().await;
        }
    };
    let met = tokio::time::timeout(Duration::from_secs(4), all_wait).await.is_ok();
    held.rollback().await.unwrap();
    met
}

#[tokio::test]
async fn concurrent_first_edits_of_a_branding_lose_nothing() {
    for _ in 0..5 {
        if edits_at_once_lose_nothing().await {
            return;
        }
    }
    panic!("the edits never waited at the same time");
}

/// Whether the edits met; what they wrote is checked either way.
async fn edits_at_once_lose_nothing() -> bool {
    let (platform, one, _) = Platform::with_tenants().await;
    sqlx::query("delete from tenant_branding").execute(platform.everything()).await.unwrap();
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let (tenants, chatbots) = (of_tenant(one), of_chatbot(one));
    let rows = platform.audit_rows().await;
    let (title, theme, css) =
        (json!({ "header_title": "A" }), json!({ "theme": "dark" }), json!({ "custom_css": "x" }));
    let held = hold_edits(&platform).await;
    let (first, second, third, tenants_met) = tokio::join!(
        admin.patch(OWN_BRANDING, &title),
        operator.patch(&tenants, &css),
        admin.patch(OWN_BRANDING, &theme),
        let_edits_meet(&platform, held, 3),
    );
    let held = hold_edits(&platform).await;
    let (fourth, fifth, chatbots_met) = tokio::join!(
        admin.patch(&chatbots, &title),
        admin.patch(&chatbots, &theme),
        let_edits_meet(&platform, held, 2)
    );
    for answer in [first, second, third, fourth, fifth] {
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    assert_eq!(platform.audit_rows().await, rows + 5);
    let tenant = operator.get(&tenants).await.body;
    assert_eq!((&tenant["header_title"], &tenant["theme"]), (&json!("A"), &json!("dark")));
    assert_eq!(tenant["custom_css"], "x");
    let chatbot = admin.get(&chatbots).await.body;
    assert_eq!((&chatbot["header_title"], &chatbot["theme"]), (&json!("A"), &json!("dark")));
    tenants_met && chatbots_met
}

#[tokio::test]
async fn unknown_foreign_and_deactivated_chatbots_refuse_branding() {
    let (platform, one, other) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let body = json!({ "theme": "dark" });
    let unknown = format!("/api/v1/operator/tenants/{}/branding", Uuid::new_v4());
    assert_eq!(operator.delete(&format!("/api/v1/platform/tenants/{}", other.id)).await.status, 204);
    let before = platform.audit_rows().await;
    for path in [unknown, of_tenant(other)] {
        for answer in [operator.get(&path).await, operator.patch(&path, &body).await] {
            assert_eq!((answer.status, answer.text.as_str()), (404, r#"{"detail":"tenant_not_found"}"#), "{path}");
        }
    }
    assert_eq!(platform.audit_rows().await, before);
    let third = platform.add_tenant("third").await;
    let rows = platform.audit_rows().await;
    for chatbot in [third.chatbot.to_string(), other.chatbot.to_string(), Uuid::new_v4().to_string()] {
        let path = format!("/api/v1/tenants/me/chatbots/{chatbot}/branding");
        for answer in [admin.get(&path).await, admin.patch(&path, &body).await] {
            assert_eq!((answer.status, answer.text.as_str()), (404, r#"{"detail":"chatbot_not_found"}"#), "{path}");
        }
    }
    for answer in [
        platform.vendor().patch(&of_tenant(one), &body).await,
        platform.vendor().get(&of_tenant(one)).await,
        admin.get(&of_tenant(one)).await,
    ] {
        assert_eq!((answer.status, answer.detail()), (403, "operator_required"));
    }
    assert_eq!(platform.audit_rows().await, rows);
    assert_eq!(admin.delete(&format!("/api/v1/tenants/me/chatbots/{}", one.chatbot)).await.status, 204);
    let late = admin.patch(&of_chatbot(one), &body).await;
    assert_eq!((late.status, late.detail()), (409, "chatbot_not_active"));
    assert_eq!(admin.get(&of_chatbot(one)).await.status, 200, "it is shown like the chatbot itself");
    assert_eq!(platform.audit_rows().await, rows + 1);
}

#[tokio::test]
async fn a_wildcard_over_a_public_suffix_is_accepted_with_a_warning() {
    let (platform, one, _) = Platform::with_tenants().await;
    let body = json!({ "allowed_origins": [ORIGIN, "https://*.co.uk", "https://*.example.co.uk"] });
    let saved = platform.admin(one.id).patch(OWN_BRANDING, &body).await;
    let expected = json!([{ "field": "allowed_origins", "code": "shared_domain", "origin": "https://*.co.uk" }]);
    assert_eq!((saved.status, &saved.body["warnings"]), (200, &expected));
    assert_eq!(platform.operator().get(&of_tenant(one)).await.body["warnings"], expected);
    assert!(platform.last_audit().await["details"]["after"].get("warnings").is_none());
}

#[tokio::test]
async fn custom_styles_that_load_from_another_host_are_refused() {
    let (platform, one, _) = Platform::with_tenants().await;
    let rows = platform.audit_rows().await;
    for css in ["@import 'https://a.example/x.css';", ".svc { background: url(https://a.example/x.png) }"] {
        let answer = platform.operator().patch(&of_tenant(one), &json!({ "custom_css": css })).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body", "custom_css"]), "{css}");
    }
    assert_eq!(platform.audit_rows().await, rows);
    let css = json!({ "custom_css": ".svc { background: url(data:image/png;base64,AA) }" });
    assert_eq!(platform.operator().patch(&of_tenant(one), &css).await.status, 200);
}

#[tokio::test]
async fn unreadable_colours_are_accepted_with_a_warning() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let tenant = admin.patch(OWN_BRANDING, &json!({ "background_color": "#101010", "text_color": "#fafafa" })).await;
    assert_eq!((tenant.status, warned(&tenant.body)), (200, vec![]));
    // Dark text is readable by itself; on the tenant's background it is not.
    let chatbot = admin.patch(&of_chatbot(one), &json!({ "text_color": "#333333", "accent_color": "#222222" })).await;
    assert_eq!((chatbot.status, warned(&chatbot.body)), (200, vec!["text_color", "accent_color"]));
    assert!(chatbot.body["warnings"][0]["contrast"].as_f64().unwrap() < 2.0);
    let light = admin.patch(OWN_BRANDING, &json!({ "background_color": "#ffffff", "text_color": "#777777" })).await;
    assert_eq!(warned(&light.body), ["text_color"], "4.48 is under 4.5");
    assert_eq!(warned(&admin.get(&of_chatbot(one)).await.body), Vec::<&str>::new());
    let cleared = admin.patch(&of_chatbot(one), &json!({ "text_color": null, "accent_color": null })).await;
    assert_eq!(warned(&cleared.body), ["text_color"], "the tenant's text colour shows through");
    let fixed = platform.operator().patch(&of_tenant(one), &json!({ "text_color": "#767676" })).await;
    assert_eq!(warned(&fixed.body), Vec::<&str>::new());
    assert!(platform.last_audit().await["details"]["after"].get("warnings").is_none());
}
