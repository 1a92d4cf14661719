//! `auth.check_sessions`: a signed-out user is refused immediately, and only people depend on the provider.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::{PEOPLE, path, serve_app};
use crate::support::{Client, ORIGIN, Platform, Tenant, TestResponse, send};

/// The session of a token that the provider has just issued.
async fn session(answer: reqwest::Response) -> String {
    let granted: Value = answer.json().await.unwrap();
    let token = granted["access_token"].as_str().unwrap_or_else(|| panic!("{granted}"));
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    serde_json::from_slice::<Value>(&claims).unwrap()["sid"].as_str().unwrap().to_owned()
}

/// A call with a token of this session.
async fn me(client: &Client<'_>) -> TestResponse {
    client.get("/api/v1/me").await
}

fn with_session<'a>(platform: &'a Platform, tenant: Tenant, session: &str) -> Client<'a> {
    let token = platform.keys.tenant(tenant.id, "tenant-viewer");
    platform.bearer(&token.with("preferred_username", json!("anna")).with("sid", json!(session)).encode())
}

#[tokio::test]
async fn a_session_that_was_ended_is_refused_at_once() {
    let platform = Platform::start_with(|settings| settings.check_sessions = true).await;
    // The API already checks sessions, so an operator creates the tenant.
    let tenant =
        platform.operator().post("/api/v1/platform/tenants", &json!({ "slug": "one", "display_name": "One" })).await;
    let id: contract::TenantId = tenant.body["id"].as_str().unwrap().parse().unwrap();
    let one = Tenant { id, chatbot: contract::ChatbotId(uuid::Uuid::nil()) };
    let anna = platform.add_person(id, "anna", "Meyer", "tenant-viewer").await;
    let [first, second, third] = [
        session(platform.sign_in(anna, "anna").await).await,
        session(platform.sign_in(anna, "anna").await).await,
        session(platform.sign_in(anna, "anna").await).await,
    ];
    assert_eq!(me(&with_session(&platform, one, &first)).await.status, 200);
    assert_eq!(me(&with_session(&platform, one, "made-up")).await.detail(), "not_authenticated");
    let disabled = json!({ "username": "anna", "email": "anna@example.com", "firstName": "Pat", "lastName": "Meyer",
                           "enabled": false, "attributes": { "tenant_id": [id] } });
    platform.at_provider("PUT", &format!("users/{anna}"), &disabled).await;
    assert_eq!(me(&with_session(&platform, one, &second)).await.detail(), "not_authenticated", "deactivated");
    let people = format!("/api/v1/platform/tenants/{id}/people/{anna}");
    assert_eq!(platform.operator().patch(&people, &json!({ "is_active": true })).await.status, 200);
    assert_eq!(platform.operator().post(&format!("{people}/sign-out"), &json!({})).await.status, 204);
    assert_eq!(me(&with_session(&platform, one, &third)).await.detail(), "not_authenticated", "signed out");
}

#[tokio::test]
async fn without_the_provider_people_wait_and_widgets_do_not() {
    let (platform, one, _) = Platform::with_tenants().await;
    let address = serve_app(&platform, "http://127.0.0.1:1", true).await;
    let ask = async |token: String, path: &str| {
        let request = platform.http.get(format!("{address}{path}")).bearer_auth(token).header("origin", ORIGIN);
        let answer = send(request).await;
        (answer.status, answer.text)
    };
    let person = platform.keys.tenant(one.id, "tenant-admin");
    let (status, text) = ask(person.encode(), "/api/v1/me").await;
    assert!(status == 503 && text.contains("service_unavailable"), "{status} {text}");
    let script = person.with("preferred_username", json!("service-account-svc-api")).with("azp", json!("svc-api"));
    assert_eq!(ask(script.with("sid", Value::Null).encode(), "/api/v1/me").await.0, 200);
    assert_eq!(ask(platform.keys.operator().encode(), "/api/v1/me").await.0, 200);
    let widget = format!("/api/v1/widget/config/{}", one.chatbot);
    let (status, text) = ask(String::new(), &widget).await;
    assert_eq!(status, 200, "{text}");
}

#[tokio::test]
async fn without_the_setting_nobody_is_asked_about() {
    let (platform, one, _) = Platform::with_tenants().await;
    assert_eq!(me(&with_session(&platform, one, "made-up")).await.status, 200);
    assert_eq!(platform.admin(one.id).get(PEOPLE).await.status, 200);
    assert_eq!(platform.admin(one.id).get(&path(uuid::Uuid::nil())).await.detail(), "person_not_found");
}
