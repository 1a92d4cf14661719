//! People of tenants, at the embedded provider with the same calls as at a real one.

mod dismissed;
mod ending;
mod killed;
mod provider;
mod provider_calls;
mod sessions;
mod settling;

use std::sync::Arc;

use contract::TenantId;
use serde_json::{Value, json};
use server::{
    admission::rate_limit::RateLimiter,
    auth::TokenVerifier,
    state::{App, AppParts, activity::Seen},
};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::support::{Client, Platform, TestResponse, provider::people_client};

const PEOPLE: &str = "/api/v1/tenants/me/people";

fn new_person(username: &str, role: &str) -> Value {
    json!({ "username": username, "first_name": "Anna", "last_name": "Meyer", "email": format!("{username}@example.com"),
            "role": role })
}

/// The tenant's administrator with this user name.
fn admin<'a>(platform: &'a Platform, tenant: TenantId, username: &str) -> Client<'a> {
    let token = platform.keys.tenant(tenant, "tenant-admin").with("preferred_username", json!(username));
    platform.bearer(&token.encode())
}

/// The same platform with people at another provider.
async fn app_at(platform: &Platform, provider: &str, check_sessions: bool) -> App {
    let mut settings = platform.app.settings.clone();
    settings.check_sessions = check_sessions;
    App::new(AppParts {
        db: platform.db.connect().await,
        tokens: TokenVerifier::new(&settings.auth_url).unwrap(),
        people: Some(people_client(provider)),
        limiter: RateLimiter::new(&settings.rate_limit).unwrap(),
        embedders: Arc::clone(&platform.app.embedders),
        vectors: Arc::clone(&platform.app.vectors),
        tasks: TaskTracker::new(),
        settings,
    })
}

/// Serves it; returns its address.
async fn serve_app(platform: &Platform, provider: &str, check_sessions: bool) -> String {
    let app = app_at(platform, provider, check_sessions).await;
    platform.serve(server::http::router(app)).await
}

fn names(list: &TestResponse) -> Vec<&str> {
    assert_eq!(list.status, 200, "{list:?}");
    list.body["items"].as_array().unwrap().iter().map(|person| person["username"].as_str().unwrap()).collect()
}

fn path(id: impl std::fmt::Display) -> String {
    format!("{PEOPLE}/{id}")
}

#[tokio::test]
async fn an_invited_person_is_listed_and_must_choose_a_password() {
    let (platform, one, _) = Platform::with_tenants().await;
    let client = platform.admin(one.id);
    let invited = client.post(PEOPLE, &new_person("anna", "admin")).await;
    assert_eq!((invited.status, &invited.body["person"]["state"]), (201, &json!("invited")), "{invited:?}");
    assert_eq!(invited.header("location"), Some(&*path(invited.body["id"].as_str().unwrap())));
    let list = platform.viewer(one.id).get(PEOPLE).await;
    assert_eq!(list.body["items"], json!([invited.body["person"]]));
    assert_eq!(list.body["items"][0]["role"], "admin");
    let password = invited.body["first_password"].as_str().unwrap();
    let refused: Value = platform.password_grant("anna", password).await.json().await.unwrap();
    assert_eq!(refused["error_description"], "Account is not fully set up");
    assert!(!list.text.contains(password));
    let stored: i64 = sqlx::query_scalar(
        "select (select count(*) from people_changes c where c::text like $1)
              + (select count(*) from platform_audit_log l where l::text like $1 or l::text like '%anna@example.com%')",
    )
    .bind(format!("%{password}%"))
    .fetch_one(platform.everything())
    .await
    .unwrap();
    assert_eq!(stored, 0, "neither password nor address is recorded");
}

#[tokio::test]
async fn the_audit_log_names_a_change_by_what_the_person_may_do() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = path(platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await);
    platform.add_person(one.id, "berta", "Becker", "tenant-admin").await;
    let client = platform.admin(one.id);
    for (body, action) in [
        (json!({ "first_name": "Anne" }), "user.updated"),
        (json!({ "first_name": "Anna", "role": "admin" }), "user.role_changed"),
        (json!({ "role": "viewer", "is_active": false }), "user.deactivated"),
        (json!({ "role": "admin", "is_active": true }), "user.activated"),
    ] {
        assert_eq!(client.patch(&anna, &body).await.status, 200, "{body}");
        let row = platform.last_audit().await;
        assert_eq!((&row["action"], &row["entity_type"]), (&json!(action), &json!("user")), "{body}");
    }
}

#[tokio::test]
async fn an_operator_gives_a_new_tenant_its_first_administrator() {
    let (platform, one, _) = Platform::with_tenants().await;
    let people = format!("/api/v1/platform/tenants/{}/people", one.id);
    let invited = platform.operator().post(&people, &new_person("anna", "admin")).await;
    assert_eq!(invited.status, 201, "{invited:?}");
    assert_eq!(names(&platform.operator().get(&people).await), ["anna"]);
    assert_eq!(names(&platform.admin(one.id).get(PEOPLE).await), ["anna"]);
    let row = platform.last_audit().await;
    assert_eq!((&row["actor_role"], &row["details"]["outcome"]), (&json!("operator"), &json!("done")), "{row}");
    assert_eq!(platform.vendor().get(&people).await.detail(), "operator_required");
}

#[tokio::test]
async fn people_with_the_same_name_in_two_tenants_stay_apart() {
    let (platform, one, other) = Platform::with_tenants().await;
    let own = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    let foreign = platform.add_person(other.id, "berta", "Meyer", "tenant-viewer").await;
    let client = platform.admin(one.id);
    for query in ["", "?q=meyer", "?q=berta", "?role=viewer"] {
        let list = client.get(&format!("{PEOPLE}{query}")).await;
        assert!(!list.text.contains("berta"), "{query}: {list:?}");
    }
    assert_eq!(names(&client.get(&format!("{PEOPLE}?q=MEY")).await), ["anna"]);
    for (method, path, body) in [
        ("GET", path(foreign), Value::Null),
        ("PATCH", path(foreign), json!({ "role": "admin" })),
        ("DELETE", path(foreign), Value::Null),
        ("POST", format!("{}/reset-password", path(foreign)), json!({})),
        ("POST", format!("{}/sign-out", path(foreign)), json!({})),
    ] {
        let answer = crate::support::send(client.request(method, &path).json(&body)).await;
        assert_eq!((answer.status, answer.detail()), (404, "person_not_found"), "{method} {path}");
    }
    let crossed = format!("/api/v1/platform/tenants/{}/people/{own}", other.id);
    assert_eq!(platform.operator().get(&crossed).await.detail(), "person_not_found");
    let account = platform.at_provider("GET", "users?username=service-account-svc-api", &json!({})).await;
    let account: Value = account.json().await.unwrap();
    assert_eq!(client.get(&path(account[0]["id"].as_str().unwrap())).await.detail(), "person_not_found");
}

#[tokio::test]
async fn own_rights_and_the_last_administrators_cannot_be_removed() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-admin").await;
    let berta = platform.add_person(one.id, "berta", "Becker", "tenant-admin").await;
    let own = admin(&platform, one.id, "anna");
    for body in [json!({ "role": "viewer" }), json!({ "is_active": false })] {
        assert_eq!(own.patch(&path(anna), &body).await.detail(), "own_person");
    }
    assert_eq!(own.delete(&path(anna)).await.detail(), "own_person");
    assert_eq!(own.patch(&path(anna), &json!({ "first_name": "Anne" })).await.status, 200);
    assert_eq!(own.patch(&path(berta), &json!({ "role": "viewer" })).await.status, 200);
    let of_operator = format!("/api/v1/platform/tenants/{}/people/{anna}", one.id);
    for body in [json!({ "role": "viewer" }), json!({ "is_active": false })] {
        assert_eq!(platform.operator().patch(&of_operator, &body).await.detail(), "last_tenant_admin");
    }
    assert_eq!(platform.operator().delete(&of_operator).await.detail(), "last_tenant_admin");
}

#[tokio::test]
async fn administrators_who_demote_each_other_leave_one() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-admin").await;
    let berta = platform.add_person(one.id, "berta", "Becker", "tenant-admin").await;
    let (one_by_one, body) =
        ([admin(&platform, one.id, "anna"), admin(&platform, one.id, "berta")], json!({ "role": "viewer" }));
    let (anna, berta) = (path(anna), path(berta));
    let (first, second) = tokio::join!(one_by_one[0].patch(&berta, &body), one_by_one[1].patch(&anna, &body));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    // The second one is no administrator any more.
    assert_eq!(statuses, [200, 403], "{first:?} {second:?}");
    assert_eq!(platform.admin(one.id).get(&format!("{PEOPLE}?role=admin")).await.body["total"], 1);
}

#[tokio::test]
async fn the_error_for_a_taken_name_or_address_hides_its_tenant() {
    let (platform, one, other) = Platform::with_tenants().await;
    platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    platform.add_person(other.id, "berta", "Meyer", "tenant-viewer").await;
    let client = platform.admin(one.id);
    let answers = [
        client.post(PEOPLE, &new_person("anna", "viewer")).await,
        client.post(PEOPLE, &new_person("berta", "viewer")).await,
    ];
    assert_eq!((answers[0].status, answers[0].detail()), (409, "username_taken"));
    assert_eq!(answers[0].text, answers[1].text);
    let mut same = new_person("carla", "viewer");
    same["email"] = json!("Berta@example.com");
    assert_eq!(client.post(PEOPLE, &same).await.detail(), "email_taken");
    assert_eq!(client.get(PEOPLE).await.body["total"], 1, "nothing is half made");
}

#[tokio::test]
async fn taken_names_are_reported_twenty_times_an_hour() {
    let (platform, one, other) = Platform::with_tenants().await;
    platform.add_person(other.id, "berta", "Meyer", "tenant-viewer").await;
    let client = platform.admin(one.id);
    for _ in 0..20 {
        assert_eq!(client.post(PEOPLE, &new_person("berta", "viewer")).await.detail(), "username_taken");
    }
    for name in ["berta", "carla"] {
        let refused = client.post(PEOPLE, &new_person(name, "viewer")).await;
        assert_eq!((refused.status, refused.detail()), (429, "rate_limited"), "{refused:?}");
    }
    assert_eq!(platform.admin(other.id).post(PEOPLE, &new_person("carla", "viewer")).await.status, 201);
    sqlx::query("update people_locks set conflicts_since = now() - interval '61 minutes'")
        .execute(platform.everything())
        .await
        .unwrap();
    assert_eq!(client.post(PEOPLE, &new_person("dora-2", "viewer")).await.status, 201);
}

#[tokio::test]
async fn a_removed_persons_name_is_not_given_again_in_the_tenant() {
    let (platform, one, other) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    let own = admin(&platform, one.id, "anna");
    assert_eq!(own.patch("/api/v1/users/me/preferences", &json!({ "preferred_theme": "dark" })).await.status, 200);
    let module = format!("/api/v1/tenants/{}/modules/knowledge_hub", one.id);
    assert_eq!(platform.operator().put(&module, &json!({ "enabled": true })).await.status, 200);
    let search = json!({ "name": "Hours", "query": "opening hours" });
    assert_eq!(own.post("/api/v2/knowledge/saved-searches", &search).await.status, 201);
    assert_eq!(platform.admin(one.id).delete(&path(anna)).await.status, 204);
    assert_eq!(platform.admin(one.id).get(&path(anna)).await.detail(), "person_not_found");
    let refused = platform.admin(one.id).post(PEOPLE, &new_person("anna", "viewer")).await;
    assert_eq!(refused.detail(), "username_taken");
    let elsewhere = platform.admin(other.id).post(PEOPLE, &new_person("anna", "viewer")).await;
    assert_eq!(elsewhere.status, 201, "no tenant keeps names from others");
    let rows = "select (select count(*) from user_preferences where username = 'anna')
                     + (select count(*) from kh_saved_searches where user_id = 'anna')";
    let rows: i64 = sqlx::query_scalar(rows).fetch_one(platform.everything()).await.unwrap();
    assert_eq!(rows, 0);
}

#[tokio::test]
async fn a_removed_persons_activity_is_not_written_again() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    let own = admin(&platform, one.id, "anna");
    assert_eq!(own.get(&path(anna)).await.status, 200);
    assert_eq!(platform.admin(one.id).delete(&path(anna)).await.status, 204);
    assert_eq!(own.get(PEOPLE).await.status, 200, "the token is still valid");
    server::service::people::activity::flush(&platform.app).await;
    let rows: i64 = sqlx::query_scalar("select count(*) from people_activity where username = 'anna'")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(rows, 0);
}

#[tokio::test]
async fn lost_rights_end_every_session() {
    let (platform, one, _) = Platform::with_tenants().await;
    platform.add_person(one.id, "berta", "Becker", "tenant-admin").await;
    let client = platform.admin(one.id);
    for (name, method, action, body) in [
        ("anna", "PATCH", "", json!({ "role": "viewer" })),
        ("carla", "PATCH", "", json!({ "is_active": false })),
        ("dorit", "DELETE", "", json!({})),
        ("emma", "POST", "/reset-password", json!({})),
        ("frida", "POST", "/sign-out", json!({})),
    ] {
        let id = platform.add_person(one.id, name, "Meyer", "tenant-admin").await;
        assert_eq!(platform.sign_in(id, name).await.status(), 200);
        let sessions = format!("users/{id}/sessions");
        let before: Value = platform.at_provider("GET", &sessions, &json!({})).await.json().await.unwrap();
        assert_eq!(before.as_array().unwrap().len(), 1);
        let answer = crate::support::send(client.request(method, &format!("{}{action}", path(id))).json(&body)).await;
        assert!(answer.status < 300, "{name}: {answer:?}");
        let after = platform.at_provider("GET", &sessions, &json!({})).await;
        let status = after.status();
        let after: Value = after.json().await.unwrap();
        assert!(status == 404 || after == json!([]), "{name}: {after}");
    }
    let promoted = platform.add_person(one.id, "greta", "Meyer", "tenant-viewer").await;
    assert_eq!(platform.sign_in(promoted, "greta").await.status(), 200);
    assert_eq!(client.patch(&path(promoted), &json!({ "role": "admin" })).await.status, 200);
    let sessions: Value =
        platform.at_provider("GET", &format!("users/{promoted}/sessions"), &json!({})).await.json().await.unwrap();
    assert_eq!(sessions.as_array().unwrap().len(), 1, "more rights end no session");
}

#[tokio::test]
async fn a_new_first_password_replaces_the_old_one() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    assert_eq!(platform.sign_in(anna, "anna").await.status(), 200);
    let reset = platform.admin(one.id).post(&format!("{}/reset-password", path(anna)), &json!({})).await;
    let password = reset.body["first_password"].as_str().unwrap_or_else(|| panic!("{reset:?}"));
    // Keycloak may still be counting a wrong password when the right one arrives, and refuses it then.
    let new: Value = platform.password_grant("anna", password).await.json().await.unwrap();
    assert_eq!(new["error_description"], "Account is not fully set up");
    let old = platform.password_grant("anna", crate::support::provider::PROVIDER_PASSWORD).await;
    let old: Value = old.json().await.unwrap();
    assert_eq!(old["error_description"], "Invalid user credentials");
    assert_eq!(platform.admin(one.id).get(&path(anna)).await.body["state"], "invited");
}

#[tokio::test]
async fn when_a_person_was_last_active_is_written_once_an_hour() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    let own = admin(&platform, one.id, "anna");
    assert_eq!(own.get(&path(anna)).await.body["last_active_at"], Value::Null);
    server::service::people::activity::flush(&platform.app).await;
    let first = own.get(&path(anna)).await.body["last_active_at"].clone();
    assert!(first.is_string(), "{first}");
    own.get(PEOPLE).await;
    server::service::people::activity::flush(&platform.app).await;
    assert_eq!(own.get(&path(anna)).await.body["last_active_at"], first);
}

#[tokio::test]
async fn a_person_who_was_noted_twice_before_a_write_is_written() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    // The database took no writes for two hours: notes that could not be written are kept.
    let visit = |at: &str| Seen { tenant: one.id, username: "anna".to_owned(), at: at.parse().unwrap() };
    platform.app.activity().restore(vec![visit("2026-01-02T03:00:00Z"), visit("2026-01-02T05:00:00Z")]);
    server::service::people::activity::flush(&platform.app).await;
    let last = platform.operator().get(&format!("/api/v1/platform/tenants/{}/people/{anna}", one.id)).await;
    assert_eq!(last.body["last_active_at"], "2026-01-02T05:00:00Z", "{last:?}");
}

#[tokio::test]
async fn the_api_accepts_no_token_of_the_people_client() {
    let (platform, one, _) = Platform::with_tenants().await;
    let token = platform.keys.tenant(one.id, "tenant-admin");
    assert_eq!(platform.bearer(&token.encode()).get(PEOPLE).await.status, 200);
    let token = token.with("azp", json!("svc-people"));
    assert_eq!(platform.bearer(&token.encode()).get(PEOPLE).await.detail(), "not_authenticated");
}

#[tokio::test]
async fn values_that_are_no_persons_are_named() {
    let (platform, one, _) = Platform::with_tenants().await;
    let client = platform.admin(one.id);
    for (field, value) in [
        ("username", "a".repeat(300)),
        ("username", "Anna Meyer".to_owned()),
        ("first_name", "a".repeat(300)),
        ("last_name", "<script>".to_owned()),
        ("email", "nobody".to_owned()),
    ] {
        let mut body = new_person("anna", "viewer");
        body[field] = json!(value);
        let answer = client.post(PEOPLE, &body).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body", field]), "{answer:?}");
    }
    let tenant = json!({ "tenant_id": Uuid::new_v4() });
    let mut body = new_person("anna", "viewer");
    body.as_object_mut().unwrap().extend(tenant.as_object().unwrap().clone());
    let invited = client.post(PEOPLE, &body).await;
    assert_eq!(invited.status, 201, "{invited:?}");
    assert_eq!(client.get(PEOPLE).await.body["total"], 1, "the tenant is the caller's, whatever the body says");
}

#[tokio::test]
async fn a_list_of_five_hundred_people_is_sorted_filtered_and_cut() {
    let (platform, one, other) = Platform::with_tenants().await;
    for number in 0..500 {
        let role = if number % 10 == 0 { "tenant-admin" } else { "tenant-viewer" };
        platform.add_person(one.id, &format!("p{number:03}"), &format!("Name{:03}", 999 - number), role).await;
    }
    platform.add_person(other.id, "zzz", "Meyer", "tenant-admin").await;
    let client = platform.admin(one.id);
    let started = std::time::Instant::now();
    let admins = client.get(&format!("{PEOPLE}?role=admin&sort=-username&limit=2&offset=1")).await;
    println!("500 people listed in {:?}", started.elapsed());
    assert_eq!((names(&admins), &admins.body["total"]), (vec!["p480", "p470"], &json!(50)));
    assert_eq!(names(&client.get(&format!("{PEOPLE}?limit=1")).await), ["p499"], "by last name");
}
