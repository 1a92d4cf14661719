//! Files that visitors open from the sources of an answer, if the tenant allows it.

use chrono::Utc;
use serde_json::{Value, json};

use super::{HOURS, Source};
use crate::{
    sandbox::hostile::zip,
    support::{Platform, Tenant, TestResponse, send},
};

const QUESTION: &str = "When does the shop open in the morning?";

/// The first source's section, as the widget shows it to a visitor.
pub(super) async fn section(platform: &Platform, tenant: Tenant) -> Value {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let answer = platform.widget().post(&path, &json!({ "session_id": null, "question": QUESTION })).await;
    let passage = answer.body["sources"][0]["passage_id"].as_str().unwrap_or_else(|| panic!("{answer:?}"));
    let path = format!("/api/v1/widget/chatbots/{}/passages/{passage}/section", tenant.chatbot);
    let section = platform.widget().get(&path).await;
    assert_eq!(section.status, 200, "{section:?}");
    section.body
}

/// The response for a browser that opens a link: it sends neither an origin nor a token.
async fn open(platform: &Platform, url: &str) -> TestResponse {
    platform.anonymous().get(path(platform, url)).await
}

pub(super) fn path<'a>(platform: &Platform, url: &'a str) -> &'a str {
    url.strip_prefix(platform.app.settings.base_url.as_str()).unwrap_or_else(|| panic!("{url}"))
}

impl Source<'_> {
    pub(super) async fn let_visitors_open(&self, on: bool) -> TestResponse {
        let patch = json!({ "visitors_open_files": on });
        self.platform.admin(self.tenant.id).patch(&self.path, &patch).await
    }
}

#[tokio::test]
async fn visitors_open_a_file_while_the_tenant_lets_them() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.read("guides%2FÖffnung.md", HOURS).await;
    assert_eq!(section(&platform, tenant).await.get("file"), None, "nobody let them");

    let changed = source.let_visitors_open(true).await;
    assert_eq!((changed.status, &changed.body["visitors_open_files"]), (200, &json!(true)), "{changed:?}");
    let details = &platform.last_audit().await["details"];
    assert_eq!(details["before"]["visitors_open_files"], false, "{details}");
    assert_eq!(details["after"]["visitors_open_files"], true, "{details}");
    assert!(!details.to_string().contains("key"), "{details}");

    let file = section(&platform, tenant).await["file"].clone();
    assert_eq!(file["name"], "Öffnung.md");
    let url = file["url"].as_str().unwrap();
    let opened = open(&platform, url).await;
    assert_eq!((opened.status, opened.text.as_str()), (200, HOURS));
    for (name, value) in [
        ("content-type", "text/plain; charset=utf-8"),
        ("content-disposition", "inline; filename=\"_ffnung.md\"; filename*=UTF-8''%C3%96ffnung.md"),
        ("content-security-policy", "sandbox; default-src 'none'"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(opened.header(name), Some(value), "{name}");
    }
    assert!(opened.header("cache-control").unwrap().contains("no-store"), "{opened:?}");
    let tag = opened.header("etag").unwrap();
    let again = platform.anonymous().request("GET", path(&platform, url)).header("if-none-match", tag);
    let again = send(again).await;
    assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", Some(tag)));
    assert_eq!(again.header("content-security-policy"), Some("sandbox; default-src 'none'"));

    // A link becomes invalid with the permission under which it was created.
    assert_eq!(source.let_visitors_open(false).await.status, 200);
    source.let_visitors_open(true).await;
    assert_eq!(open(&platform, url).await.detail(), "link_not_valid");
    let again = section(&platform, tenant).await["file"]["url"].as_str().unwrap().to_owned();
    assert_eq!(open(&platform, &again).await.status, 200);
    // So does a link to a file that was replaced, or whose chatbot is inactive.
    source.read("guides%2FÖffnung.md", HOURS.replace("nine", "ten")).await;
    assert_eq!(open(&platform, &again).await.detail(), "link_not_valid");
    let newest = section(&platform, tenant).await["file"]["url"].as_str().unwrap().to_owned();
    assert!(open(&platform, &newest).await.text.contains("ten in the morning"));
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    assert!(platform.admin(tenant.id).delete(&chatbot).await.status < 300);
    assert_eq!(open(&platform, &newest).await.detail(), "link_not_valid");
}

#[tokio::test]
async fn a_link_opens_its_own_file_for_five_minutes() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let mut files = Vec::new();
    for tenant in [tenant, other] {
        platform.provisioned(tenant.chatbot).await;
        let source = Source::make(&platform, tenant, "Manuals").await;
        source.read("hours.md", HOURS).await;
        source.let_visitors_open(true).await;
        files.push(section(&platform, tenant).await["file"]["url"].as_str().unwrap().to_owned());
    }
    let (own, foreign) = (path(&platform, &files[0]), path(&platform, &files[1]));
    let (own_path, own_token) = own.split_once("?token=").unwrap();
    let (foreign_path, foreign_token) = foreign.split_once("?token=").unwrap();
    let swapped = own_path.replace(&tenant.chatbot.to_string(), &other.chatbot.to_string());
    for link in [
        format!("{own_path}?token={foreign_token}"),
        format!("{foreign_path}?token={own_token}"),
        format!("{swapped}?token={own_token}"),
        format!("{own_path}?token={own_token}x"),
        format!("{own_path}?token="),
    ] {
        let answer = platform.anonymous().get(&link).await;
        assert_eq!((answer.status, answer.detail()), (404, "link_not_valid"), "{link}");
    }
    assert_eq!(platform.anonymous().get(own_path).await.status, 422);

    let claims = own_token.split('.').nth(1).unwrap();
    let claims = base64::Engine::decode(&base64::prelude::BASE64_URL_SAFE_NO_PAD, claims).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    let seconds_left = claims["exp"].as_i64().unwrap() - Utc::now().timestamp();
    assert!((240..=300).contains(&seconds_left), "{claims}");
}

#[tokio::test]
async fn files_that_hold_other_documents_are_not_opened() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source
        .read("all.zip", zip(&[("hours.md", HOURS.as_bytes()), ("secret.md", b"# Secret\n\nThe safe is blue.\n")]))
        .await;
    source.let_visitors_open(true).await;
    assert_eq!(section(&platform, tenant).await.get("file"), None);
}

#[tokio::test]
async fn a_website_has_no_files_to_open() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let website = json!({ "url": "https://shop.example/" });
    let new = json!({ "kind": "website", "name": "Shop", "website": website });
    let source = platform.admin(tenant.id).post(&sources, &new).await;
    assert_eq!(source.status, 201, "{source:?}");
    let path = format!("{sources}/{}", source.body["id"].as_str().unwrap());
    let refused = platform.admin(tenant.id).patch(&path, &json!({ "visitors_open_files": true })).await;
    assert_eq!((refused.status, refused.detail()), (422, "validation_error"), "{refused:?}");
    let source = Source::make(&platform, tenant, "Manuals").await;
    let refused = platform.viewer(tenant.id).patch(&source.path, &json!({ "visitors_open_files": true })).await;
    assert_eq!(refused.status, 403, "{refused:?}");
}
