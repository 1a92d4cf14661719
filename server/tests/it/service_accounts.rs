//! Scripts get tokens by client credentials, with the roles that the realm's administrator assigned to the service
//! account.

use std::path::Path;

use serde_json::{Value, json};

use crate::{
    support::{Platform, new_chatbot, send},
    vendor_access::{Idp, SECRET},
};

const ACCOUNT: &str = "service-account-svc-api";

/// A copy of the realm files in which the service accounts have these roles, and one of them a tenant.
fn realms(operator: &[&str], tenant: &[&str], tenant_id: Option<&str>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (realm, roles) in [("svc-platform", operator), ("svc-tenants", tenant)] {
        let file = format!("{realm}-realm.json");
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/realms").join(&file);
        let mut realm: Value = serde_json::from_str(&std::fs::read_to_string(shipped).unwrap()).unwrap();
        let users = realm["users"].as_array_mut().unwrap();
        let account = users.iter_mut().find(|user| user["username"] == ACCOUNT).unwrap();
        account["realmRoles"] = json!(roles);
        if let Some(id) = tenant_id {
            account["attributes"] = json!({ "tenant_id": [id] });
        }
        std::fs::write(folder.path().join(file), realm.to_string()).unwrap();
    }
    folder
}

async fn token(idp: &Idp, platform: &Platform, realm: &str) -> String {
    let url = format!("{}/realms/{realm}/protocol/openid-connect/token", idp.url());
    let form = [("grant_type", "client_credentials"), ("client_id", "svc-api"), ("client_secret", SECRET)];
    let answer = send(platform.http.post(url).form(&form)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.body["refresh_token"], json!(null));
    answer.body["access_token"].as_str().unwrap().to_owned()
}

async fn platform(idp: &Idp) -> Platform {
    let auth_url = idp.url();
    Platform::start_with(|settings| settings.auth_url = auth_url).await
}

#[tokio::test]
async fn a_service_account_without_a_role_is_refused() {
    let idp = Idp::start().await;
    let platform = platform(&idp).await;
    for realm in ["svc-platform", "svc-tenants"] {
        let answer = platform.bearer(&token(&idp, &platform, realm).await).get("/api/v1/me").await;
        assert_eq!((answer.status, answer.detail()), (401, "not_authenticated"), "{realm}");
    }
}

#[tokio::test]
async fn service_accounts_call_the_api_and_are_named_in_the_audit_log() {
    let id = "6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11";
    let folder = realms(&["operator"], &["tenant-admin"], Some(id));
    let idp = Idp::start_in(folder.path()).await;
    let platform = platform(&idp).await;
    let operator = token(&idp, &platform, "svc-platform").await;
    let me = platform.bearer(&operator).get("/api/v1/me").await;
    assert_eq!((&me.body["username"], &me.body["scope"]), (&json!(ACCOUNT), &json!("operator")), "{me:?}");
    assert_eq!((&me.body["client_id"], &me.body["session_id"]), (&json!("svc-api"), &json!(null)));
    let body = json!({ "slug": "harbor", "display_name": "Harbor" });
    let response = platform.bearer(&operator).post("/api/v1/platform/tenants", &body).await;
    assert_eq!(response.status, 201, "{response:?}");
    let row = platform.last_audit().await;
    assert_eq!((&row["actor_user"], &row["actor_role"]), (&json!(ACCOUNT), &json!("operator")));

    // The realm file contains the tenant's id before the tenant exists.
    sqlx::query("update tenants set id = $1::uuid").bind(id).execute(platform.everything()).await.unwrap();
    let tenant = token(&idp, &platform, "svc-tenants").await;
    let response = platform.bearer(&tenant).post("/api/v1/tenants/me/chatbots", &new_chatbot("help")).await;
    assert_eq!(response.status, 201, "{response:?}");
    let row = platform.last_audit().await;
    assert_eq!((&row["actor_user"], &row["actor_role"]), (&json!(ACCOUNT), &json!("tenant")));
    assert_eq!(row["tenant_id"], json!(id));
}
