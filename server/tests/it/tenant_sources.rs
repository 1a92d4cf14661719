//! The sources of a tenant for operators and vendors: counts, without any text of the tenant.

use serde_json::{Value, json};

use crate::support::{Platform, Tenant, send};

/// A word in every name, path and text of the tenant.
const SECRET: &str = "lighthouse";

fn sources(tenant: Tenant) -> String {
    format!("/api/v1/platform/tenants/{}/sources", tenant.id)
}

async fn add(platform: &Platform, tenant: Tenant, body: Value) -> String {
    let path = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let source = platform.admin(tenant.id).post(&path, &body).await;
    assert_eq!(source.status, 201, "{source:?}");
    format!("{path}/{}", source.body["id"].as_str().unwrap())
}

async fn put(platform: &Platform, tenant: Tenant, source: &str, name: &str, bytes: &str) {
    let path = format!("{source}/documents/{name}");
    let put = send(platform.admin(tenant.id).request("PUT", &path).body(bytes.to_owned())).await;
    assert_eq!(put.status, 200, "{put:?}");
}

/// An upload source with a document that is read and one that is broken, and a website.
async fn fill(platform: &Platform, tenant: Tenant) {
    let uploads = add(platform, tenant, json!({ "kind": "upload", "name": format!("{SECRET} papers") })).await;
    let text = format!("# {SECRET}\n\nThe {SECRET} opens at nine in the morning and closes at five.\n");
    put(platform, tenant, &uploads, &format!("{SECRET}.md"), &text).await;
    put(platform, tenant, &uploads, &format!("{SECRET}.csv"), &format!("question,answer\n{SECRET},\n")).await;
    platform.work_off_jobs().await;
    let url = format!("https://www.shop.example/{SECRET}/help");
    let website = json!({ "kind": "website", "name": format!("{SECRET} site"), "website": { "url": url } });
    add(platform, tenant, website).await;
}

fn of_kind<'a>(list: &'a Value, kind: &str) -> &'a Value {
    let items = list["items"].as_array().unwrap();
    items.iter().find(|item| item["kind"] == kind).unwrap_or_else(|| panic!("no {kind}: {list}"))
}

#[tokio::test]
async fn operators_and_vendors_see_states_reasons_and_numbers() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    fill(&platform, tenant).await;
    let list = platform.operator().get(&sources(tenant)).await;
    assert_eq!(list.status, 200, "{list:?}");
    assert_eq!(platform.vendor().get(&sources(tenant)).await.body, list.body);
    let uploads = of_kind(&list.body, "upload");
    assert_eq!(uploads["chatbot_id"], tenant.chatbot.to_string());
    assert_eq!((&uploads["state"], &uploads["paused"]), (&json!("ready"), &json!(false)));
    assert_eq!(uploads["documents"], json!({ "waiting": 0, "reading": 0, "ready": 1, "failed": 1 }));
    assert_eq!(uploads["reasons"], json!([{ "code": "bad_entry", "count": 1 }]));
    assert!(uploads["bytes"].as_i64().unwrap() > 0 && uploads["passages"].as_i64().unwrap() > 0, "{uploads}");
    assert!(
        uploads["last_read_at"].is_string() && uploads["host"].is_null() && uploads["pages"].is_null(),
        "{uploads}"
    );
    let website = of_kind(&list.body, "website");
    assert_eq!((&website["host"], &website["state"]), (&json!("www.shop.example"), &json!("checking")));
    assert_eq!((&website["pages"]["ready"], &website["last_read_at"]), (&json!(0), &Value::Null));
}

#[tokio::test]
async fn no_title_file_name_address_or_text_is_shown() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    fill(&platform, tenant).await;
    let own =
        platform.viewer(tenant.id).get(&format!("/api/v1/tenants/me/chatbots/{}/documents", tenant.chatbot)).await;
    assert!(own.text.contains(SECRET), "the tenant sees its names: {own:?}");
    for caller in [platform.operator(), platform.vendor()] {
        let list = caller.get(&sources(tenant)).await;
        assert_eq!(list.status, 200, "{list:?}");
        assert!(!list.text.contains(SECRET), "{list:?}");
    }
}

#[tokio::test]
async fn the_list_has_pages_and_shows_one_tenant() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let before = platform.operator().get(&sources(tenant)).await.body["total"].as_i64().unwrap();
    for number in 0..3 {
        add(&platform, tenant, json!({ "kind": "api", "name": format!("Feed {number}") })).await;
    }
    let page = platform.operator().get(&format!("{}?limit=2&offset=1", sources(tenant))).await;
    assert_eq!((page.body["items"].as_array().unwrap().len(), &page.body["total"]), (2, &json!(before + 3)));
    assert_eq!(platform.operator().get(&sources(other)).await.body["total"], before, "another tenant");
    let empty = platform.operator().get(&sources(tenant)).await;
    assert_eq!(of_kind(&empty.body, "api")["state"], "empty");
    let unknown =
        platform.operator().get("/api/v1/platform/tenants/00000000-0000-7000-8000-000000000000/sources").await;
    assert_eq!((unknown.status, unknown.detail()), (404, "tenant_not_found"));
    assert_eq!(platform.admin(tenant.id).get(&sources(tenant)).await.status, 403);
    assert_eq!(platform.operator().get(&format!("{}?limit=0", sources(tenant))).await.status, 422);
}
