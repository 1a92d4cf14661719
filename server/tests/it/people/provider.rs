//! A provider that is down or responds incorrectly: a clear error, and no partial change.

use axum::{
    Json, Router,
    extract::{Query, Request},
    http::{StatusCode, Uri},
    response::{IntoResponse, Response},
    routing::{get, post, put},
};
use contract::{ErrorCode, PersonId, TenantId};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::{PEOPLE, new_person, serve_app};
use crate::support::{
    Platform,
    provider::{forward, people_client, principal},
    send,
};

/// The address at which a provider is served.
pub(super) async fn serving(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// The address of a provider that issues tokens and gives one response to everything else.
async fn answering(answer: fn() -> Response) -> String {
    let token = async || Json(json!({ "access_token": "x", "expires_in": 300 }));
    let router = Router::new()
        .route("/realms/svc-tenants/protocol/openid-connect/token", post(token))
        .fallback(async move || answer());
    serving(router).await
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
async fn an_answer_about_another_person_counts_as_not_found() {
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

/// The address of a provider without users that gives this response to the creation of one.
async fn refusing(answer: fn() -> Response) -> String {
    let token = async || Json(json!({ "access_token": "x", "expires_in": 300 }));
    let list = async |uri: Uri| principal(&uri).unwrap_or_else(|| Json(json!([])).into_response());
    let router = Router::new()
        .route("/realms/svc-tenants/protocol/openid-connect/token", post(token))
        .route("/admin/realms/svc-tenants/users", get(list).post(async move || answer()))
        .fallback(async |uri: Uri| principal(&uri).unwrap_or_else(|| StatusCode::NOT_FOUND.into_response()));
    serving(router).await
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
        let address = serve_app(&platform, &refusing(answer).await, false).await;
        let invitation = platform.http.post(format!("{address}{PEOPLE}")).bearer_auth(&token);
        let refused = send(invitation.json(&new_person("anna", "viewer"))).await;
        assert_eq!(refused.detail(), expected, "{refused:?}");
        let row = platform.last_audit().await;
        assert_eq!((&row["action"], &row["details"]["outcome"]), (&json!("user.invited"), &json!("failed")), "{row}");
    }
    assert_eq!(platform.admin(one.id).get(PEOPLE).await.body["total"], 0);
}

/// The address of a provider whose realm has a mail server: gives this response to requests for mails, and forwards
/// everything else to another provider. The channel receives the requested mails.
async fn mailing(provider: &str, answer: StatusCode) -> (String, mpsc::UnboundedReceiver<Value>) {
    let (mailed, mails) = mpsc::unbounded_channel();
    let provider = provider.to_owned();
    let hand_on = async move |request: Request| forward(&provider, request).await;
    let mail = async move |Query(query): Query<Value>, Json(actions): Json<Value>| {
        mailed.send(json!({ "query": query, "actions": actions })).unwrap();
        answer
    };
    let realm = async || Json(json!({ "realm": "svc-tenants", "smtpServer": { "host": "mail.example.com" } }));
    let router = Router::new()
        .route("/admin/realms/svc-tenants/", get(realm))
        .route("/admin/realms/svc-tenants/users/{id}/execute-actions-email", put(mail))
        .fallback(hand_on);
    (serving(router).await, mails)
}

#[tokio::test]
async fn an_invitation_is_mailed_or_has_a_first_password() {
    let (platform, one, _) = Platform::with_tenants().await;
    let token = platform.keys.tenant(one.id, "tenant-admin").encode();
    for (username, answer) in [("anna", StatusCode::NO_CONTENT), ("bert", StatusCode::INTERNAL_SERVER_ERROR)] {
        let (provider, mut mails) = mailing(&platform.app.settings.auth_url, answer).await;
        let address = serve_app(&platform, &provider, false).await;
        let invitation = platform.http.post(format!("{address}{PEOPLE}")).bearer_auth(&token);
        let invited = send(invitation.json(&new_person(username, "viewer"))).await;
        assert_eq!((invited.status, &invited.body["person"]["state"]), (201, &json!("invited")), "{invited:?}");
        let page = format!("{}/tenant/", platform.app.settings.base_url);
        let mail =
            json!({ "query": { "client_id": "tenant-ui", "redirect_uri": page }, "actions": ["UPDATE_PASSWORD"] });
        assert_eq!(mails.recv().await, Some(mail));
        let password = invited.body["first_password"].as_str();
        assert_eq!(password.is_none(), answer.is_success(), "{invited:?}");
        // Nobody can sign in with an unknown password.
        let refused: Value =
            platform.password_grant(username, password.unwrap_or("a-guess")).await.json().await.unwrap();
        let expected = if password.is_some() { "Account is not fully set up" } else { "Invalid user credentials" };
        assert_eq!(refused["error_description"], expected);
    }
}

#[tokio::test]
async fn a_provider_that_is_away_is_named_by_list_and_invitation() {
    let (platform, one, _) = Platform::with_tenants().await;
    let token = platform.keys.tenant(one.id, "tenant-admin").encode();
    let (rows, address) = (platform.audit_rows().await, serve_app(&platform, "http://127.0.0.1:1", false).await);
    let url = format!("{address}{PEOPLE}");
    let list = send(platform.http.get(&url).bearer_auth(&token)).await;
    let invitation = platform.http.post(&url).bearer_auth(&token).json(&new_person("anna", "viewer"));
    let invited = send(invitation).await;
    for answer in [list, invited] {
        assert_eq!((answer.status, answer.detail()), (503, "identity_provider_unavailable"), "{answer:?}");
    }
    assert_eq!(platform.audit_rows().await, rows, "nothing was started");
}
