//! Values that a branding refuses, each with its place.

use serde_json::json;

use super::{OWN_BRANDING, of_chatbot, of_tenant};
use crate::support::{ORIGIN, Platform};

#[tokio::test]
async fn bad_fields_are_refused_with_their_place_on_each_path() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let (tenants, chatbots) = (of_tenant(one), of_chatbot(one));
    let rows = platform.audit_rows().await;
    let long = "x".repeat(201);
    for (field, bad) in [
        ("primary_color", json!("red")),
        ("accent_color", json!("#12345")),
        ("background_color", json!("#12345g")),
        ("text_color", json!(5)),
        ("font_family", json!("x; } body { display: none")),
        ("font_family", json!("\"'\"'")),
        ("border_radius", json!(-1)),
        ("border_radius", json!(33)),
        ("border_radius", json!("12")),
        ("border_radius", json!(1.5)),
        ("logo_url", json!("http://example.com/logo.png")),
        ("avatar_url", json!("javascript:alert(1)")),
        ("privacy_url", json!("https://user@example.com/")),
        ("header_title", json!("")),
        ("header_title", json!(long)),
        ("display_name", json!("a\u{1}b")),
        ("notice_text", json!(long)),
        ("notice_text", json!("a\u{1}b")),
        ("input_placeholder", json!(["x"])),
        ("launcher_position", json!("top")),
        ("theme", json!("blue")),
    ] {
        for (client, path) in [(&admin, OWN_BRANDING), (&operator, tenants.as_str()), (&admin, chatbots.as_str())] {
            let answer = client.patch(path, &json!({ field: bad, "unknown": 5 })).await;
            assert_eq!((answer.status, answer.loc()), (422, vec!["body", field]), "{path}: {field} {bad}");
        }
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn origin_patterns_are_accepted_or_refused_by_their_entry() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let tenants = of_tenant(one);
    for good in [
        "https://example.com",
        "https://*.example.com",
        "https://*.shop.example.co.uk:8443",
        "https://shop.example.com:8443",
        "https://xn--mnchen-3ya.de",
        "https://localhost",
        "http://localhost",
        "http://localhost:3000",
        "http://127.0.0.1:8082",
        "https://192.0.2.7",
    ] {
        for (client, path) in [(&admin, OWN_BRANDING), (&operator, tenants.as_str())] {
            let answer = client.patch(path, &json!({ "allowed_origins": [ORIGIN, good] })).await;
            assert_eq!((answer.status, &answer.body["allowed_origins"][1]), (200, &json!(good)), "{}", answer.text);
        }
    }
    let branding_before = admin.get(OWN_BRANDING).await.body;
    let rows = platform.audit_rows().await;
    for bad in [
        "",
        "*",
        "https://*",
        "https://*.com",
        "https://*.localhost",
        "https://*.",
        "https://**.example.com",
        "https://a.*.example.com",
        "https://*a.example.com",
        "https://*.*.example.com",
        "*.example.com",
        "http://example.com",
        "http://*.example.com",
        "http://localhost.example.com",
        "http://10.0.0.1",
        "ftp://example.com",
        "example.com",
        "//example.com",
        "null",
        "https://example.com/",
        "https://example.com/path",
        "https://example.com?x=1",
        "https://example.com#x",
        "https://user@example.com",
        "https://user:pass@example.com",
        "https://Example.com",
        "HTTPS://example.com",
        "https://example.com.",
        "https://.example.com",
        "https://a..example.com",
        "https://-a.example.com",
        "https://münchen.de",
        "https://exa mple.com",
        " https://example.com",
        "https://example.com:",
        "https://example.com:0",
        "https://example.com:0443",
        "https://example.com:65536",
        "https://example.com:x",
        "https://*.192.0.2.7",
        "https://1.2.3",
        "https://[::1",
        "javascript:alert(1)",
        "https://example.com\u{0}",
        "https://example.com\\x",
    ] {
        for (client, path) in [(&admin, OWN_BRANDING), (&operator, tenants.as_str())] {
            let answer = client.patch(path, &json!({ "allowed_origins": [ORIGIN, bad], "theme": "dark" })).await;
            assert_eq!((answer.status, answer.detail()), (422, "validation_error"), "{bad:?}: {}", answer.text);
            assert_eq!(answer.loc(), ["body", "allowed_origins", "1"], "{bad:?}");
        }
    }
    assert_eq!(admin.get(OWN_BRANDING).await.body, branding_before);
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn origins_are_at_most_twenty_without_duplicates() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let tenants = of_tenant(one);
    let many = |count: usize| (0..count).map(|number| format!("https://a{number}.example.com")).collect::<Vec<_>>();
    for (client, path) in [(&admin, OWN_BRANDING), (&operator, tenants.as_str())] {
        for (bad, loc) in [
            (json!(many(21)), vec!["body", "allowed_origins"]),
            (json!([ORIGIN, "https://b.example.com", ORIGIN]), vec!["body", "allowed_origins", "2"]),
            (json!([ORIGIN, format!("{ORIGIN}:443")]), vec!["body", "allowed_origins", "1"]),
            (json!(["https://*.example.com", "https://*.example.com"]), vec!["body", "allowed_origins", "1"]),
            (json!("https://example.com"), vec!["body", "allowed_origins"]),
        ] {
            let answer = client.patch(path, &json!({ "allowed_origins": bad })).await;
            assert_eq!((answer.status, answer.loc()), (422, loc), "{path}: {bad}");
        }
        let most = client.patch(path, &json!({ "allowed_origins": many(20) })).await;
        assert_eq!((most.status, &most.body["allowed_origins"]), (200, &json!(many(20))));
        let cleared = client.patch(path, &json!({ "allowed_origins": null })).await;
        assert_eq!(cleared.body["allowed_origins"], json!([]));
        let silent = platform.widget().get(&format!("/api/v1/widget/config/{}", one.chatbot)).await;
        assert_eq!((silent.status, silent.detail()), (403, "origin_not_allowed"));
    }
    let ignored = admin.patch(&of_chatbot(one), &json!({ "allowed_origins": [ORIGIN] })).await;
    assert!(ignored.status == 200 && ignored.body.get("allowed_origins").is_none(), "origins are the tenant's");
}
