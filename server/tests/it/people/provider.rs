//! A provider that is away, or says what it should not: a clear error, and nothing half made.

use axum::{
    Json, Router,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::post,
};
use contract::{ErrorCode, PersonId, TenantId};
use serde_json::json;
use uuid::Uuid;

use crate::support::provider::people_client;

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
