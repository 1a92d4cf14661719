//! The people of a deleted tenant lose their access at the provider, each with an audit row, despite interruptions.

use axum::{
    Router,
    body::to_bytes,
    extract::Request,
    http::{Method, StatusCode, header},
    response::IntoResponse,
};
use serde_json::{Value, json};
use server::service::people::{ending, settle};
use uuid::Uuid;

use super::{app_at, provider::serving};
use crate::support::{Platform, Tenant, provider::people_url};

async fn at_provider(platform: &Platform, id: Uuid) -> (bool, usize) {
    let account = platform.at_provider("GET", &format!("users/{id}"), &json!({})).await;
    let account: Value = account.json().await.unwrap();
    let sessions = platform.at_provider("GET", &format!("users/{id}/sessions"), &json!({})).await;
    let sessions: Vec<Value> = sessions.json().await.unwrap();
    (account["enabled"] == true, sessions.len())
}

/// Audit rows of people of a tenant: user name, who did it, how it ended.
async fn rows(platform: &Platform, tenant: Tenant) -> Vec<(String, String, String)> {
    sqlx::query_as(
        "select details->>'username', actor_user, details->>'outcome' from platform_audit_log
         where tenant_id = $1 and action = 'user.deactivated' order by 1",
    )
    .bind(tenant.id.0)
    .fetch_all(platform.everything())
    .await
    .unwrap()
}

#[tokio::test]
async fn deleting_a_tenant_signs_its_people_out_and_deactivates_them() {
    let (platform, one, other) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-admin").await;
    let berta = platform.add_person(one.id, "berta", "Meyer", "tenant-viewer").await;
    let carla = platform.add_person(other.id, "carla", "Meyer", "tenant-admin").await;
    for (id, name) in [(anna, "anna"), (carla, "carla")] {
        assert_eq!(platform.sign_in(id, name).await.status(), 200);
    }
    let tenant = format!("/api/v1/platform/tenants/{}", one.id);
    assert_eq!(platform.operator().delete(&tenant).await.status, 204);
    assert_eq!(at_provider(&platform, anna).await, (true, 1), "not before the job");
    ending::round(&platform.app).await.unwrap();
    assert_eq!(at_provider(&platform, anna).await, (false, 0));
    assert_eq!(at_provider(&platform, berta).await, (false, 0));
    assert_eq!(at_provider(&platform, carla).await, (true, 1));
    let expected = ["anna", "berta"].map(|name| (name.to_owned(), "olivia".to_owned(), "done".to_owned()));
    assert_eq!(rows(&platform, one).await, expected);
    ending::round(&platform.app).await.unwrap();
    assert_eq!(rows(&platform, one).await, expected, "it is done once");
}

#[tokio::test]
async fn a_deletion_that_died_between_two_people_goes_on() {
    let (platform, one, other) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    let berta = platform.add_person(one.id, "berta", "Meyer", "tenant-viewer").await;
    let carla = platform.add_person(other.id, "carla", "Meyer", "tenant-viewer").await;
    let both = json!({ "tenant_ids": [one.id, other.id] });
    assert_eq!(platform.operator().post("/api/v1/platform/tenants/bulk-soft-delete", &both).await.status, 200);
    // The process died after the provider deactivated anna and before the row was settled.
    let disabled = json!({ "username": "anna", "email": "anna@example.com", "firstName": "Pat", "lastName": "Meyer",
                           "enabled": false, "attributes": { "tenant_id": [one.id] } });
    platform.at_provider("PUT", &format!("users/{anna}"), &disabled).await;
    sqlx::query(
        "insert into people_changes (id, tenant_id, action, person_id, username, wanted, before, actor_role, actor_realm,
                                     actor_user)
         values (gen_random_uuid(), $1, 'user.deactivated', $2, 'anna', '{\"is_active\": false}', '{\"is_active\": true}',
                 'operator', 'svc-platform', 'olivia')",
    )
    .bind(one.id.0)
    .bind(anna)
    .execute(platform.everything())
    .await
    .unwrap();
    ending::round(&platform.app).await.unwrap();
    for id in [anna, berta, carla] {
        assert!(!at_provider(&platform, id).await.0);
    }
    assert_eq!(rows(&platform, one).await.len(), 2);
    assert_eq!(rows(&platform, other).await.len(), 1);
}

#[tokio::test]
async fn the_people_of_a_restored_tenant_are_ended_again() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-admin").await;
    let tenant = format!("/api/v1/platform/tenants/{}", one.id);
    assert_eq!(platform.operator().delete(&tenant).await.status, 204);
    ending::round(&platform.app).await.unwrap();
    assert!(!at_provider(&platform, anna).await.0);
    // Restored as docs/operations.md says.
    let restore = "update tenants set deleted_at = null where id = $1";
    sqlx::query(restore).bind(one.id.0).execute(platform.everything()).await.unwrap();
    let active = json!({ "is_active": true });
    assert_eq!(platform.operator().patch(&format!("{tenant}/people/{anna}"), &active).await.status, 200);
    let oskar = platform.keys.operator().with("preferred_username", json!("oskar"));
    assert_eq!(platform.bearer(&oskar.encode()).delete(&tenant).await.status, 204);
    ending::round(&platform.app).await.unwrap();
    assert!(!at_provider(&platform, anna).await.0);
    let mut deactivations = rows(&platform, one).await;
    deactivations.sort();
    let expected = ["olivia", "oskar"].map(|actor| ("anna".to_owned(), actor.to_owned(), "done".to_owned()));
    assert_eq!(deactivations, expected);
}

#[tokio::test]
async fn a_tenant_that_is_restored_in_time_keeps_its_people() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-admin").await;
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    let restore = "update tenants set deleted_at = null where id = $1";
    sqlx::query(restore).bind(one.id.0).execute(platform.everything()).await.unwrap();
    ending::round(&platform.app).await.unwrap();
    assert_eq!((at_provider(&platform, anna).await.0, rows(&platform, one).await.len()), (true, 0));
}

/// The address of a provider that rejects calls to addresses with this end, and forwards everything else to the
/// platform's own.
async fn rejecting(platform: &Platform, method: Method, end: String) -> String {
    let (client, provider) = (reqwest::Client::new(), people_url(&platform.app.settings.auth_url));
    let hand_on = async move |request: Request| {
        let (parts, body) = request.into_parts();
        if parts.method == method && parts.uri.path().ends_with(&end) {
            return StatusCode::BAD_REQUEST.into_response();
        }
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let sent = client.request(parts.method, format!("{provider}{}", parts.uri)).headers(parts.headers).body(body);
        let response = sent.send().await.unwrap();
        let (status, mut headers) = (response.status(), response.headers().clone());
        // Keycloak sends long lists in chunks, and this sends them whole.
        headers.remove(header::TRANSFER_ENCODING);
        (status, headers, response.bytes().await.unwrap()).into_response()
    };
    serving(Router::new().fallback(hand_on)).await
}

#[tokio::test]
async fn a_person_whom_the_provider_rejects_holds_up_no_other() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    let berta = platform.add_person(one.id, "berta", "Meyer", "tenant-viewer").await;
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    let app = app_at(&platform, &rejecting(&platform, Method::PUT, anna.to_string()).await, false).await;
    assert!(ending::round(&app).await.is_err());
    assert_eq!([at_provider(&platform, anna).await.0, at_provider(&platform, berta).await.0], [true, false]);
}

#[tokio::test]
async fn a_rejected_sign_out_does_not_block_others_in_its_round() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    assert_eq!(platform.sign_in(anna, "anna").await.status(), 200);
    let mut others = Vec::new();
    // More than one batch.
    for number in 0..26 {
        others.push(platform.add_person(one.id, &format!("person-{number}"), "Meyer", "tenant-viewer").await);
    }
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    let app = app_at(&platform, &rejecting(&platform, Method::POST, format!("{anna}/logout")).await, false).await;
    assert!(ending::round(&app).await.is_err());
    for id in others {
        assert!(!at_provider(&platform, id).await.0);
    }
    assert_eq!(at_provider(&platform, anna).await, (false, 1), "her sign-out is tried again");
    assert_eq!(rows(&platform, one).await.len(), 26);
    ending::round(&platform.app).await.unwrap();
    settle::round(&platform.app).await.unwrap();
    assert_eq!(at_provider(&platform, anna).await, (false, 0));
    assert_eq!(rows(&platform, one).await.len(), 27);
}

#[tokio::test]
async fn a_person_whom_the_provider_rejects_is_tried_less_and_less() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    let app = app_at(&platform, &rejecting(&platform, Method::PUT, anna.to_string()).await, false).await;
    for (minutes, attempts) in [(0_i32, 1), (0, 1), (2, 2), (1, 2), (2, 3), (3, 3), (2, 4)] {
        for sql in [
            "update people_endings set wanted_at = wanted_at - make_interval(mins => $1)",
            "update people_changes set begun_at = begun_at - make_interval(mins => $1)",
        ] {
            sqlx::query(sql).bind(minutes).execute(platform.everything()).await.unwrap();
        }
        let before = rows(&platform, one).await.len();
        let is_rejected = ending::round(&app).await.is_err();
        let after = rows(&platform, one).await.len();
        assert_eq!((after, is_rejected), (attempts, after > before), "after {minutes} minutes more");
    }
    assert!(at_provider(&platform, anna).await.0);
}
