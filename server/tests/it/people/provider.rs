//! A provider that is away, or says what it should not: a clear error, and nothing half made.

use axum::{
    Json, Router,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use contract::{ErrorCode, PersonId, TenantId};
use serde_json::json;
use uuid::Uuid;

use super::{PEOPLE, beside, new_person};
use crate::support::{Platform, provider::people_client, send};

/// The address of a provider that gives tokens and one answer to everything else.
async fn answering(answer: fn() -> Response) -> String {
    let token = async || Json(json!({ "access_token": "x", "expires_in": 300 }));
    let router = Router::new()
        .route("/realms/svc-tenants/protocol/openid-connect/token", post(token))
        .fallback(async move || answer());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn code(auth_url: &str) -> ErrorCode {
    let client = people_client(auth_url);
    let read = client.person(TenantId(Uuid::new_v4()), PersonId(Uuid::new_v4())).await.unwrap_err().code();
    let list = client.people(TenantId(Uuid::new_v4())).await.map_err(|error| error.code());
    if read != ErrorCode::PersonNotFound {
        assert_eq!(list.unwrap_err(), read);
    }
    read
}

#[tokio::test]
async fn every_bad_answer_has_its_code() {
    for (answer, expected) in [
        ((|| StatusCode::FORBIDDEN.into_response()) as fn() -> Response, ErrorCode::IdentityProviderRefused),
        (|| StatusCode::UNAUTHORIZED.into_response(), ErrorCode::IdentityProviderRefused),
        (|| StatusCode::TOO_MANY_REQUESTS.into_response(), ErrorCode::IdentityProviderUnavailable),
        (|| StatusCode::INTERNAL_SERVER_ERROR.into_response(), ErrorCode::IdentityProviderUnavailable),
        (|| "nonsense".into_response(), ErrorCode::IdentityProviderUnavailable),
        (|| Json(json!({ "id": 7 })).into_response(), ErrorCode::IdentityProviderUnavailable),
        (|| "x".repeat(9 * 1024 * 1024).into_response(), ErrorCode::IdentityProviderUnavailable),
        (|| StatusCode::NOT_FOUND.into_response(), ErrorCode::PersonNotFound),
    ] {
        assert_eq!(code(&answering(answer).await).await, expected);
    }
    assert_eq!(code("http://127.0.0.1:1").await, ErrorCode::IdentityProviderUnavailable);
}

#[tokio::test]
async fn somebody_else_than_was_asked_for_is_nobody() {
    let answer = || {
        let person = json!({ "id": Uuid::nil(), "username": "anna", "attributes": { "tenant_id": [Uuid::nil()] } });
        Json(person).into_response()
    };
    let client = people_client(&answering(answer).await);
    let nil = PersonId(Uuid::nil());
    assert!(client.person(TenantId(Uuid::nil()), nil).await.is_ok());
    assert_eq!(client.person(TenantId(Uuid::new_v4()), nil).await.unwrap_err().code(), ErrorCode::PersonNotFound);
    let other = client.person(TenantId(Uuid::nil()), PersonId(Uuid::new_v4())).await;
    assert_eq!(other.unwrap_err().code(), ErrorCode::PersonNotFound);
}

/// The address of a provider that knows nobody, and answers like this to whoever is to be made.
async fn refusing(answer: fn() -> Response) -> String {
    let token = async || Json(json!({ "access_token": "x", "expires_in": 300 }));
    let router = Router::new()
        .route("/realms/svc-tenants/protocol/openid-connect/token", post(token))
        .route("/admin/realms/svc-tenants/users", get(async || Json(json!([]))).post(async move || answer()));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

#[tokio::test]
async fn an_invitation_that_the_provider_refuses_makes_nothing() {
    let (platform, one, _) = Platform::with_tenants().await;
    let token = platform.keys.tenant(one.id, "tenant-admin").encode();
    for (answer, expected) in [
        ((|| StatusCode::FORBIDDEN.into_response()) as fn() -> Response, "identity_provider_refused"),
        (|| StatusCode::CONFLICT.into_response(), "username_taken"),
        (|| (StatusCode::CONFLICT, r#"{"errorMessage":"User exists with same email"}"#).into_response(), "email_taken"),
        (|| StatusCode::BAD_REQUEST.into_response(), "person_rejected"),
        (|| StatusCode::TOO_MANY_REQUESTS.into_response(), "identity_provider_unavailable"),
        (|| "nonsense".into_response(), "identity_provider_unavailable"),
    ] {
        let address = beside(&platform, &refusing(answer).await, false).await;
        let invitation = platform.http.post(format!("{address}{PEOPLE}")).bearer_auth(&token);
        let refused = send(invitation.json(&new_person("anna", "viewer"))).await;
        assert_eq!(refused.detail(), expected, "{refused:?}");
        let row = platform.last_audit().await;
        assert_eq!((&row["action"], &row["details"]["outcome"]), (&json!("person.invited"), &json!("failed")), "{row}");
    }
    assert_eq!(platform.admin(one.id).get(PEOPLE).await.body["total"], 0);
}

#[tokio::test]
async fn a_provider_that_is_away_is_named_by_list_and_invitation() {
    let (platform, one, _) = Platform::with_tenants().await;
    let token = platform.keys.tenant(one.id, "tenant-admin").encode();
    let (rows, address) = (platform.audit_rows().await, beside(&platform, "http://127.0.0.1:1", false).await);
    let url = format!("{address}{PEOPLE}");
    let list = send(platform.http.get(&url).bearer_auth(&token)).await;
    let invitation = platform.http.post(&url).bearer_auth(&token).json(&new_person("anna", "viewer"));
    let invited = send(invitation).await;
    for answer in [list, invited] {
        assert_eq!((answer.status, answer.detail()), (503, "identity_provider_unavailable"), "{answer:?}");
    }
    assert_eq!(platform.audit_rows().await, rows, "nothing was begun");
}
