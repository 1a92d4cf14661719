//! Websites as sources: ownership, which pages are read, the state of each, and the effect of a second check.

mod addresses;
mod figures;
mod originals;
mod pages;
mod politeness;
mod proof;
mod site;
mod sync;
mod turned;

use contract::TenantId;
use serde_json::{Value, json};
use server::{service::worker, state::AppSettings};

use self::site::{Page, Site};
use crate::support::{Platform, Tenant, TestResponse, new_chatbot};

struct Website<'a> {
    platform: &'a Platform,
    tenant: Tenant,
    path: String,
}

impl<'a> Website<'a> {
    /// Adds a website and runs its first job.
    async fn add(platform: &'a Platform, tenant: Tenant, url: &str, settings: Value) -> Self {
        let website = Self::create(platform, tenant, url, settings).await;
        platform.work_off_jobs().await;
        website
    }

    async fn create(platform: &'a Platform, tenant: Tenant, url: &str, settings: Value) -> Self {
        let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
        let mut website = json!({ "url": url });
        website.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let body = json!({ "kind": "website", "name": "Site", "website": website });
        let source = platform.admin(tenant.id).post(&sources, &body).await;
        assert_eq!(source.status, 201, "{source:?}");
        assert_eq!(source.body["website"]["state"], "checking");
        Self { platform, tenant, path: format!("{sources}/{}", source.body["id"].as_str().unwrap()) }
    }

    async fn get(&self) -> Value {
        let got = self.platform.viewer(self.tenant.id).get(&self.path).await;
        assert_eq!(got.status, 200, "{got:?}");
        got.body["website"].clone()
    }

    /// State and code.
    async fn state(&self) -> (String, Option<String>) {
        let website = self.get().await;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        (text(&website["state"]).unwrap(), text(&website["problem"]["code"]))
    }

    async fn ask_to_read(&self, preview: bool) -> TestResponse {
        let path = format!("{}/read", self.path);
        self.platform.admin(self.tenant.id).post(&path, &json!({ "preview": preview })).await
    }

    async fn read(&self) {
        let response = self.ask_to_read(false).await;
        assert_eq!(response.status, 200, "{response:?}");
        self.platform.work_off_jobs().await;
    }

    /// Path, state and code of each page.
    async fn pages(&self) -> Vec<(String, String, String)> {
        let pages = self.platform.viewer(self.tenant.id).get(&format!("{}/pages?limit=200", self.path)).await;
        assert_eq!(pages.status, 200, "{pages:?}");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let page = |page: &Value| {
            let url = url::Url::parse(&text(&page["url"])).unwrap();
            (url[url::Position::BeforePath..].to_owned(), text(&page["state"]), text(&page["problem"]["code"]))
        };
        pages.body["items"].as_array().unwrap().iter().map(page).collect()
    }

    async fn page(&self, path: &str) -> (String, String) {
        let pages = self.pages().await;
        let page = pages.iter().find(|page| page.0 == path);
        let (_, state, code) = page.unwrap_or_else(|| panic!("no page {path} among {pages:?}")).clone();
        (state, code)
    }

    async fn ask(&self, question: &str) -> Value {
        let path = format!("/api/v1/tenants/me/chatbots/{}/playground", self.tenant.chatbot);
        let answer = self.platform.viewer(self.tenant.id).post(&path, &json!({ "question": question })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }

    async fn count(&self, table: &'static str) -> i64 {
        let sql = sqlx::AssertSqlSafe(format!("select count(*) from {table} where tenant_id = $1"));
        sqlx::query_scalar(sql).bind(self.tenant.id.0).fetch_one(self.platform.everything()).await.unwrap()
    }

    /// Moves the times of missing pages and of the schedule back, and runs due jobs.
    async fn after_minutes(&self, minutes: i32) {
        for sql in [
            "update website_pages set missing_since = missing_since - make_interval(mins => $1)",
            "update websites set next_sync_at = next_sync_at - make_interval(mins => $1)",
        ] {
            sqlx::query(sql).bind(minutes).execute(self.platform.everything()).await.unwrap();
        }
        worker::clean_up(&self.platform.app).await.unwrap();
        self.platform.work_off_jobs().await;
    }
}

async fn synced_rows(platform: &Platform, tenant: TenantId) -> Vec<Value> {
    sqlx::query_scalar(
        "select to_jsonb(l) from platform_audit_log l where tenant_id = $1 and action = 'chatbot_source.synced'
         order by occurred_at, id",
    )
    .bind(tenant.0)
    .fetch_all(platform.everything())
    .await
    .unwrap()
}

/// The public address of the platform in these tests.
const PLATFORM: &str = "https://chat.example.com";

/// A platform with that address and other settings.
async fn start_with(change: impl FnOnce(&mut AppSettings)) -> Platform {
    Platform::start_with(|settings| {
        settings.base_url = PLATFORM.to_owned();
        change(settings);
    })
    .await
}

/// A platform with that address and two tenants.
async fn with_tenants() -> (Platform, Tenant, Tenant) {
    let platform = start_with(|_| {}).await;
    let (one, two) = (platform.add_tenant("one").await, platform.add_tenant("two").await);
    (platform, one, two)
}

fn snippet(tenant: Tenant) -> String {
    format!(
        "<script src=\"{PLATFORM}/static/widget/chat-widget.min.js\" data-chatbot-id=\"{}\"></script>",
        tenant.chatbot
    )
}

fn html(title: &str, body: &str) -> Page {
    Page::html(&format!(
        "<html><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"
    ))
}

/// A site with three pages that its snippet proves.
async fn small_site(tenant: Tenant) -> Site {
    let site = Site::start().await;
    let links =
        "<p>Welcome to our shop.</p><a href='/hours?utm_source=home#now'>Hours</a> <a href='/returns'>Returns</a>";
    site.set("/", html("Harbour shop", &format!("{links}{}", snippet(tenant))));
    site.set("/hours", html("Opening hours", "<p>The shop opens at nine in the morning and closes at five.</p>"));
    site.set("/returns", html("Returns", "<p>Parcels may be returned within thirty days.</p><a href='/'>Home</a>"));
    site
}

/// A site in German whose first page links to this many others.
async fn numbered_site(tenant: Tenant, pages: usize) -> Site {
    let site = Site::start().await;
    let links: String =
        (0..pages).map(|number| format!("<li><a href='/seite-{number}'>Seite {number}</a></li>")).collect();
    site.set(
        "/",
        html(
            "Werkzeughandel Nord",
            &format!("<p>Willkommen im Werkzeughandel.</p><ul>{links}</ul>{}", snippet(tenant)),
        ),
    );
    for number in 0..pages {
        site.set(&format!("/seite-{number}"), numbered_page(number, 3 + number % 20));
    }
    site
}

fn numbered_page(number: usize, days: usize) -> Page {
    const TOOLS: [&str; 8] =
        ["Bohrmaschine", "Kreissäge", "Stichsäge", "Fräse", "Schleifer", "Hobel", "Lötkolben", "Kompressor"];
    let tool = TOOLS[number % TOOLS.len()];
    html(
        &format!("{tool} Modell {number}"),
        &format!(
            "<p>Die {tool} mit der Nummer {number} wird in Werkstätten und auf Baustellen eingesetzt.</p>\
             <h2>Lieferung</h2><p>Die Lieferzeit von Modell {number} beträgt {days} Werktage ab Bestellung.</p>\
             <h2>Garantie</h2><p>Für Modell {number} gilt eine Garantie von {} Monaten ab Kaufdatum.</p>",
            12 + number % 24
        ),
    )
}

#[tokio::test]
async fn a_website_is_previewed_read_and_quoted_with_its_page() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    let source = website.get().await;
    assert_eq!((&source["state"], &source["proven_by"]), (&json!("previewed"), &json!("snippet")), "{source}");
    assert_eq!((&source["pages"]["found"], &source["approved"]), (&json!(3), &json!(false)), "{source}");
    assert_eq!(website.count("documents").await, 0, "nothing is read before the tenant says so");
    let requests = site.requests();
    website.read().await;
    assert_eq!(website.state().await, ("ready".to_owned(), None));
    assert_eq!(website.page("/hours").await.0, "ready");
    assert_eq!(website.count("website_bodies").await, 0);
    // The proof is checked again, with the page that contains it.
    let again: Vec<String> = site.requests()[requests.len()..].to_vec();
    assert!(!again.iter().any(|path| path == "/hours" || path == "/returns"), "fetched twice: {again:?}");
    let answer = website.ask("When does the shop open?").await;
    assert!(answer["answer"].as_str().unwrap().contains("nine in the morning"), "{answer}");
    let place = format!("{}/hours#:~:text=The%20shop%20opens%20at,and%20closes%20at%20five.", site.url);
    assert_eq!(answer["sources"][0]["url"], json!(place), "{answer}");
    let address: String = url::form_urlencoded::byte_serialize(format!("{}/hours", site.url).as_bytes()).collect();
    let document = format!("{}/documents/{address}", website.path);
    let passages = platform.viewer(tenant.id).get(&format!("{document}/passages")).await;
    assert_eq!((passages.status, &passages.body["total"]), (200, &json!(1)), "{passages:?}");
    assert_eq!(platform.viewer(tenant.id).get(&document).await.status, 200);
    let rows = synced_rows(&platform, tenant.id).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["details"]["after"]["pages_added"], 3, "{rows:?}");
    assert_eq!(rows[0]["actor_role"], "tenant");
}

#[tokio::test]
async fn a_viewer_and_another_tenant_change_nothing() {
    let (platform, tenant, other) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    let read = format!("{}/read", website.path);
    assert_eq!(platform.viewer(tenant.id).post(&read, &json!({})).await.status, 403);
    assert_eq!(platform.admin(other.id).post(&read, &json!({})).await.status, 404);
    assert_eq!(platform.admin(other.id).get(&format!("{}/pages", website.path)).await.status, 404);
    let upload = json!({ "kind": "upload", "name": "Files" });
    let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let upload = platform.admin(tenant.id).post(&sources, &upload).await.body["id"].as_str().unwrap().to_owned();
    let rows = platform.audit_rows().await;
    let empty = platform.admin(tenant.id).post(&format!("{sources}/{upload}/read"), &json!({})).await;
    assert_eq!((empty.status, platform.audit_rows().await), (200, rows), "it has no file to read again: {empty:?}");
    let put = format!("{}/documents/a.md", website.path);
    let put = crate::support::send(platform.admin(tenant.id).request("PUT", &put).body("# A")).await;
    assert_eq!((put.status, &put.body["detail"]), (409, &json!("source_read_only")));
    for bad in [
        json!({ "kind": "website", "name": "x" }),
        json!({ "kind": "upload", "name": "x", "website": { "url": "https://example.com" } }),
        json!({ "kind": "website", "name": "x", "website": { "url": "ftp://example.com" } }),
        json!({ "kind": "website", "name": "x", "website": { "url": "https://example.com", "max_pages": 0 } }),
        json!({ "kind": "website", "name": "x", "website": { "url": "https://example.com", "include": ["help"] } }),
    ] {
        let refused = platform.admin(tenant.id).post(&sources, &bad).await;
        assert_eq!(refused.status, 422, "{bad}: {refused:?}");
    }
    let other_chatbot = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &new_chatbot("second")).await;
    assert_eq!(other_chatbot.status, 201);
}
