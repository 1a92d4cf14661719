//! Uploaded pictures of brandings: re-encoded, served under an immutable address, removed when nothing uses them.

use std::time::Duration;

use serde_json::{Value, json};
use server::sandbox::{Sandbox, SandboxSettings};

use super::{count, of_tenant};
use crate::{
    matrix::lines::picture,
    support::{Client, Platform, TestResponse, send},
};

const OWN_BRANDING: &str = "/api/v1/tenants/me/branding";

async fn upload(client: &Client<'_>, path: &str, file: Vec<u8>) -> TestResponse {
    send(client.request("PUT", path).header("content-type", "image/png").body(file)).await
}

#[tokio::test]
async fn an_uploaded_picture_is_served_to_every_page() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let rows = platform.audit_rows().await;
    let saved = upload(&admin, &format!("{OWN_BRANDING}/pictures/avatar"), picture()).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let address = saved.body["avatar_url"].as_str().unwrap().to_owned();
    assert_eq!(platform.audit_rows().await, rows + 1);
    let row = platform.last_audit().await;
    assert_eq!(
        (&row["action"], &row["details"]["after"]),
        (&json!("tenant_branding.updated"), &json!({ "avatar_url": address }))
    );

    let config = platform.widget().get(&format!("/api/v1/widget/config/{}", one.chatbot)).await;
    assert_eq!(config.body["branding"]["avatar_url"], json!(format!("{}{address}", platform.app.settings.base_url)));
    let served = platform.widget().get(&address).await;
    assert_eq!((served.status, served.header("content-type")), (200, Some("image/png")));
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
        ("cross-origin-resource-policy", "cross-origin"),
    ] {
        assert_eq!(served.header(name), Some(value), "{name}");
    }
    let unknown = platform.widget().get(&address.replace(".png", ".jpg")).await;
    assert_eq!((unknown.status, unknown.header("cache-control")), (404, Some("no-store")));

    let again = upload(&admin, &format!("{OWN_BRANDING}/pictures/avatar"), picture()).await;
    assert_eq!((again.status, platform.audit_rows().await), (200, rows + 1), "nothing has changed");
    let form = admin.patch(OWN_BRANDING, &json!({ "logo_url": address, "avatar_url": null })).await;
    assert_eq!((form.status, count(&platform, "branding_pictures").await), (200, 1), "{form:?}");
    assert_eq!(admin.patch(OWN_BRANDING, &json!({ "logo_url": Value::Null })).await.status, 200);
    assert_eq!(count(&platform, "branding_pictures").await, 0);
    assert_eq!(platform.widget().get(&address).await.status, 404);
}

#[tokio::test]
async fn a_chatbots_picture_overrides_the_tenants() {
    let (platform, one, other) = Platform::with_tenants().await;
    let path = format!("/api/v1/tenants/me/chatbots/{}/branding/pictures/logo", one.chatbot);
    let saved = upload(&platform.admin(one.id), &path, picture()).await;
    assert_eq!((saved.status, &saved.body["logo_url"]), (200, &saved.body["resolved"]["logo_url"]), "{saved:?}");
    assert_eq!(platform.last_audit().await["action"], "chatbot_branding.updated");
    let foreign = upload(&platform.admin(other.id), &path, picture()).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "chatbot_not_found"));
    let viewer = upload(&platform.viewer(one.id), &path, picture()).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
    assert_eq!(count(&platform, "branding_pictures").await, 1);
}

#[tokio::test]
async fn pictures_of_a_tenant_change_one_after_the_other() {
    let (platform, one, _) = Platform::with_tenants().await;
    let mut held = platform.everything().begin().await.unwrap();
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('tenant_branding:' || $1::text, 0))")
        .bind(one.id.0)
        .execute(&mut *held)
        .await
        .unwrap();
    let admin = platform.admin(one.id);
    let path = format!("/api/v1/tenants/me/chatbots/{}/branding/pictures/logo", one.chatbot);
    let ending = async {
        platform.until_somebody_waits().await;
        assert_eq!(count(&platform, "branding_pictures").await, 0);
        held.rollback().await.unwrap();
    };
    let (saved, ()) = tokio::join!(upload(&admin, &path, picture()), ending);
    assert_eq!((saved.status, count(&platform, "branding_pictures").await), (200, 1), "{saved:?}");
}

#[tokio::test]
async fn an_operator_that_clears_a_logo_removes_its_picture() {
    let (platform, one, _) = Platform::with_tenants().await;
    let saved = upload(&platform.admin(one.id), &format!("{OWN_BRANDING}/pictures/logo"), picture()).await;
    let address = saved.body["logo_url"].as_str().unwrap().to_owned();
    assert_eq!(platform.widget().get(&address).await.status, 200);
    let cleared = platform.operator().patch(&of_tenant(one), &json!({ "logo_url": null })).await;
    assert_eq!((cleared.status, count(&platform, "branding_pictures").await), (200, 0), "{cleared:?}");
    assert_eq!(platform.widget().get(&address).await.status, 404);
}

#[tokio::test]
async fn files_that_are_no_pictures_leave_no_trace() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (admin, rows) = (platform.admin(one.id), platform.audit_rows().await);
    for (file, kind) in [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), "picture_format"),
        (picture()[..40].to_vec(), "picture_broken"),
    ] {
        let refused = upload(&admin, &format!("{OWN_BRANDING}/pictures/logo"), file).await;
        assert_eq!((refused.status, &refused.body["errors"][0]["type"]), (422, &json!(kind)), "{refused:?}");
    }
    let large = upload(&admin, &format!("{OWN_BRANDING}/pictures/logo"), vec![0; 2 * 1024 * 1024 + 1]).await;
    assert_eq!((large.status, large.detail()), (413, "payload_too_large"));
    assert_eq!(large.body["errors"][0]["limit"], 2 * 1024 * 1024, "{large:?}");
    let unknown = upload(&admin, &format!("{OWN_BRANDING}/pictures/banner"), picture()).await;
    assert!([404, 422].contains(&unknown.status), "{unknown:?}");
    assert_eq!((count(&platform, "branding_pictures").await, platform.audit_rows().await), (0, rows));
}

#[tokio::test]
async fn without_a_reader_no_picture_is_decoded() {
    let program = "/no/such/program".into();
    let missing_program =
        SandboxSettings { program, memory_bytes: 1 << 30, timeout: Duration::from_secs(5), ocr: None };
    let platform = Platform::start_with(|settings| settings.sandbox = Sandbox::new(missing_program)).await;
    let one = platform.add_tenant("one").await;
    let refused = upload(&platform.admin(one.id), &format!("{OWN_BRANDING}/pictures/logo"), picture()).await;
    assert_eq!((refused.status, refused.detail()), (503, "service_unavailable"), "{refused:?}");
    assert_eq!(count(&platform, "branding_pictures").await, 0);
}
