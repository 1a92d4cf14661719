//! Dismissal works at once: a caller whose account lost its rights changes no people with a token that is still valid.

use contract::TenantId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{PEOPLE, admin, new_person, path, serve_app};
use crate::support::{Client, Platform, TestResponse, send};

/// What happened to the account after its token was issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dismissal {
    Removed,
    Demoted,
    Deactivated,
    Moved,
}

async fn dismiss(platform: &Platform, id: Uuid, name: &str, tenant: TenantId, dismissal: Dismissal) {
    let mut account = json!({ "username": name, "email": format!("{name}@example.com"), "firstName": "Pat",
                              "lastName": "Meyer", "enabled": true, "attributes": { "tenant_id": [tenant] } });
    let answer = match dismissal {
        Dismissal::Removed => platform.at_provider("DELETE", &format!("users/{id}"), &json!({})).await,
        Dismissal::Demoted => {
            let path = format!("users/{id}/role-mappings/realm");
            let roles: Value = platform.at_provider("GET", &path, &json!({})).await.json().await.unwrap();
            platform.at_provider("DELETE", &path, &roles).await
        }
        Dismissal::Deactivated | Dismissal::Moved => {
            account["enabled"] = json!(dismissal == Dismissal::Moved);
            platform.at_provider("PUT", &format!("users/{id}"), &account).await
        }
    };
    assert_eq!(answer.status(), 204, "{dismissal:?}");
}

/// Every change of people, at these addresses.
async fn changes(client: &Client<'_>, people: &str, id: Uuid) -> Vec<TestResponse> {
    let person = format!("{people}/{id}");
    let mut answers = Vec::new();
    for (method, path, body) in [
        ("POST", people.to_owned(), new_person("mallory", "admin")),
        ("PATCH", person.clone(), json!({ "role": "admin" })),
        ("PATCH", person.clone(), json!({ "is_active": false })),
        ("POST", format!("{person}/reset-password"), json!({})),
        ("POST", format!("{person}/sign-out"), json!({})),
        ("DELETE", person.clone(), json!({})),
    ] {
        answers.push(send(client.request(method, &path).json(&body)).await);
    }
    answers
}

async fn assert_untouched(platform: &Platform, rows: i64, id: Uuid, why: &str) {
    assert_eq!(platform.audit_rows().await, rows, "{why}");
    let started: i64 =
        sqlx::query_scalar("select count(*) from people_changes").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(started, 0, "{why}");
    let created_people = platform.at_provider("GET", "users?username=mallory&exact=true", &json!({})).await;
    assert_eq!(created_people.json::<Value>().await.unwrap(), json!([]), "{why}");
    let person: Value = platform.at_provider("GET", &format!("users/{id}"), &json!({})).await.json().await.unwrap();
    assert_eq!(person["enabled"], true, "{why}: {person}");
}

#[tokio::test]
async fn dismissed_administrators_change_nobody() {
    let (platform, one, other) = Platform::with_tenants().await;
    let vera = platform.add_person(one.id, "vera", "Meyer", "tenant-viewer").await;
    for (name, dismissal, tenant, expected) in [
        ("anna", Dismissal::Removed, one.id, (401, "not_authenticated")),
        ("berta", Dismissal::Demoted, one.id, (403, "tenant_admin_required")),
        ("carla", Dismissal::Deactivated, one.id, (401, "not_authenticated")),
        ("dora-2", Dismissal::Moved, other.id, (401, "not_authenticated")),
    ] {
        let id = platform.add_person(one.id, name, "Meyer", "tenant-admin").await;
        let client = admin(&platform, one.id, name);
        assert_eq!(client.get(PEOPLE).await.status, 200);
        dismiss(&platform, id, name, tenant, dismissal).await;
        let rows = platform.audit_rows().await;
        for answer in changes(&client, PEOPLE, vera).await {
            assert_eq!((answer.status, answer.detail()), expected, "{dismissal:?}: {answer:?}");
        }
        assert_untouched(&platform, rows, vera, &format!("{dismissal:?}")).await;
    }
}

/// A stolen token, or that of a lost computer, must not make a new administrator after the sessions were ended.
#[tokio::test]
async fn old_tokens_change_nobody_after_sign_out_or_reset() {
    let (platform, one, _) = Platform::with_tenants().await;
    let vera = platform.add_person(one.id, "vera", "Meyer", "tenant-viewer").await;
    for (name, change) in [("anna", "sign-out"), ("berta", "reset-password")] {
        let id = platform.add_person(one.id, name, "Meyer", "tenant-admin").await;
        let client = admin(&platform, one.id, name);
        assert_eq!(platform.sign_in(id, name).await.status(), 200);
        let ended = platform.admin(one.id).post(&format!("{}/{change}", path(id)), &json!({})).await;
        assert!([200, 204].contains(&ended.status), "{ended:?}");
        let rows = platform.audit_rows().await;
        sqlx::query("delete from people_changes").execute(platform.everything()).await.unwrap();
        for answer in changes(&client, PEOPLE, vera).await {
            assert_eq!((answer.status, answer.detail()), (401, "not_authenticated"), "{change}: {answer:?}");
        }
        assert_untouched(&platform, rows, vera, change).await;
        // Everything else follows the token.
        assert_eq!(client.get(PEOPLE).await.status, 200);
        let later = chrono::Utc::now().timestamp() + 1;
        let token = platform.keys.tenant(one.id, "tenant-admin").with("preferred_username", json!(name));
        let client = platform.bearer(&token.with("iat", json!(later)).encode());
        let renamed = client.patch(&path(vera), &json!({ "first_name": format!("Wera {name}") })).await;
        assert_eq!(renamed.status, 200, "a new sign-in: {renamed:?}");
    }
}

#[tokio::test]
async fn an_administrator_who_is_still_there_changes_people() {
    let (platform, one, _) = Platform::with_tenants().await;
    platform.add_person(one.id, "anna", "Meyer", "tenant-admin").await;
    let vera = platform.add_person(one.id, "vera", "Meyer", "tenant-viewer").await;
    let client = admin(&platform, one.id, "anna");
    assert_eq!(client.patch(&path(vera), &json!({ "first_name": "Wera" })).await.status, 200);
}

#[tokio::test]
async fn a_dismissed_operator_changes_nobody_with_a_valid_token() {
    let (platform, one, _) = Platform::with_tenants().await;
    let vera = platform.add_person(one.id, "vera", "Meyer", "tenant-viewer").await;
    let people = format!("/api/v1/platform/tenants/{}/people", one.id);
    // `victor` is a vendor, and nobody has the other name.
    for (name, expected) in [("victor", (403, "operator_required")), ("gone", (401, "not_authenticated"))] {
        let token = platform.keys.operator().with("preferred_username", json!(name));
        let client = platform.bearer(&token.encode());
        let rows = platform.audit_rows().await;
        for answer in changes(&client, &people, vera).await {
            assert_eq!((answer.status, answer.detail()), expected, "{name}: {answer:?}");
        }
        assert_untouched(&platform, rows, vera, name).await;
    }
    let person = format!("{people}/{vera}");
    assert_eq!(platform.operator().patch(&person, &json!({ "first_name": "Wera" })).await.status, 200);
}

#[tokio::test]
async fn a_service_account_needs_its_role_at_the_provider_too() {
    let (platform, one, _) = Platform::with_tenants().await;
    let tokens = [platform.keys.tenant(one.id, "tenant-admin"), platform.keys.operator()];
    let [of_tenant, of_platform] = tokens.map(|token| {
        let token = token.with("preferred_username", json!("service-account-svc-api")).with("azp", json!("svc-api"));
        platform.bearer(&token.with("sid", Value::Null).encode())
    });
    // The realm files give the service accounts no role, and the one of tenants no tenant.
    assert_eq!(of_tenant.post(PEOPLE, &new_person("anna", "viewer")).await.detail(), "not_authenticated");
    let people = format!("/api/v1/platform/tenants/{}/people", one.id);
    assert_eq!(of_platform.post(&people, &new_person("anna", "viewer")).await.detail(), "operator_required");
}

#[tokio::test]
async fn without_the_provider_a_change_is_refused_in_time() {
    let (platform, one, _) = Platform::with_tenants().await;
    let address = serve_app(&platform, "http://127.0.0.1:1", false).await;
    let rows = platform.audit_rows().await;
    let started = std::time::Instant::now();
    for (token, people) in [
        (platform.keys.tenant(one.id, "tenant-admin"), PEOPLE.to_owned()),
        (platform.keys.operator(), format!("/api/v1/platform/tenants/{}/people", one.id)),
    ] {
        let invitation = platform.http.post(format!("{address}{people}")).bearer_auth(token.encode());
        let refused = send(invitation.json(&new_person("anna", "viewer"))).await;
        assert_eq!((refused.status, refused.detail()), (503, "identity_provider_unavailable"), "{refused:?}");
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(30), "{:?}", started.elapsed());
    assert_eq!(platform.audit_rows().await, rows);
}
