//! Pages and files: the landing page, the consoles with their server functions, the widget bundle.

use std::time::Duration;

use app::backend::Console;
use server::{config::Prices, http::live_reload::WatchedConsole, state::answer_models::ModelEndpoint};

use crate::support::{Platform, model::Model, within_one_day};

/// A folder with what a build makes, small.
fn fake_dist() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for console in ["operator", "tenant"] {
        write(
            &format!("{console}/index.html"),
            &format!("<!doctype html><title>{console}</title><body {{{{config}}}}>"),
        );
        write(&format!("{console}/pkg/app-0123456789abcdef.js"), "export {}");
        write(&format!("{console}/pkg/recover.js"), "");
    }
    write("widget/chat-widget.min.js", "plain");
    write("widget/chat-widget.min.js.br", "compressed");
    write("widget/chat-widget-0123456789abcdef.wasm", "wasm");
    // Files of earlier builds in the same folder.
    write("widget/chat-widget-fedcba9876543210.wasm", "old");
    write("widget/chat-widget.wasm", "older");
    write("tenant/pkg/app-fedcba9876543210.js", "old");
    write("secret.js", "secret");
    std::os::unix::fs::symlink("../secret.js", folder.path().join("widget/link.js")).unwrap();
    folder
}

async fn with_dist() -> (Platform, tempfile::TempDir) {
    let folder = fake_dist();
    let path = folder.path().to_owned();
    (Platform::start_with(|settings| settings.dist_dir = path).await, folder)
}

#[tokio::test]
async fn only_the_bundle_is_served_with_its_media_types() {
    let (platform, _folder) = with_dist().await;
    let client = platform.anonymous();
    let script = client.get("/static/widget/chat-widget.min.js").await;
    assert_eq!((script.status, script.text.as_str()), (200, "plain"));
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    let module = client.get("/static/widget/chat-widget-0123456789abcdef.wasm?chatbot=1").await;
    assert_eq!((module.status, module.header("content-type")), (200, Some("application/wasm")));
    for path in [
        "/static/widget/",
        "/static/widget",
        "/static/widget/nope.js",
        "/static/widget/chat-widget.min.js.br",
        "/static/widget/link.js",
        "/static/widget/%2e%2e/secret.js",
        "/static/widget/..%2fsecret.js",
        "/static/widget/..%5csecret.js",
        "/static/widget/%252e%252e%252fsecret.js",
        "/static/widget/chat-widget.wasm%00.js",
        "/static/widget/%ff.js",
        "/static/branding/%ff.png",
        "/static/branding/%00.png",
        "/tenant/pkg/%ff.js",
        "/static/widget/.fingerprint",
        "/static/widget//secret.js",
    ] {
        let answer = client.get(path).await;
        assert_eq!((answer.status, answer.detail()), (404, "Not Found"), "{path}");
    }
}

#[tokio::test]
async fn a_snippet_of_any_version_gets_the_current_script() {
    let (platform, _folder) = with_dist().await;
    let client = platform.anonymous();
    let current = platform.app.widget_version();
    assert!(current.starts_with(concat!(env!("CARGO_PKG_VERSION"), "-")), "{current}");
    let (for_ever, briefly) = ("public, max-age=31536000, immutable", "public, max-age=300");
    for (query, rule) in [
        (String::new(), briefly),
        (format!("?v={current}"), for_ever),
        ("?v=0.1.0".to_owned(), briefly),
        ("?v=9.9.9-notyet".to_owned(), briefly),
        (format!("?v=0.1.0&b={current}"), briefly),
    ] {
        let answer = client.get(&format!("/static/widget/chat-widget.min.js{query}")).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "plain"), "{query}");
        assert_eq!(answer.header("cache-control"), Some(rule), "{query}");
    }
}

#[tokio::test]
async fn names_with_a_sum_are_cached_and_missing_files_are_not() {
    let (platform, _folder) = with_dist().await;
    for (path, status, rule) in [
        ("/static/widget/chat-widget-0123456789abcdef.wasm", 200, "public, max-age=31536000, immutable"),
        ("/static/widget/chat-widget-fedcba9876543210.wasm", 200, "public, max-age=31536000, immutable"),
        ("/static/widget/chat-widget.wasm?v=1&b=2", 200, "public, max-age=300"),
        ("/static/widget/chat-widget-00000000000000ff.wasm", 404, "no-store"),
        ("/tenant/pkg/app-0123456789abcdef.js", 200, "public, max-age=31536000, immutable"),
        ("/tenant/pkg/app-fedcba9876543210.js", 200, "public, max-age=31536000, immutable"),
        ("/tenant/pkg/recover.js", 200, "public, max-age=300"),
        ("/tenant/pkg/app-00000000000000ff.js", 404, "no-store"),
    ] {
        let answer = platform.anonymous().get(path).await;
        assert_eq!((answer.status, answer.header("cache-control")), (status, Some(rule)), "{path}");
    }
}

#[tokio::test]
async fn a_compressed_file_is_sent_to_who_accepts_it() {
    let (platform, _folder) = with_dist().await;
    let request = platform.anonymous().request("GET", "/static/widget/chat-widget.min.js");
    let answer = crate::support::send(request.header("accept-encoding", "gzip, br")).await;
    assert_eq!((answer.text.as_str(), answer.header("content-encoding")), ("compressed", Some("br")));
    assert_eq!(answer.header("vary"), Some("Accept-Encoding"));
}

#[tokio::test]
async fn without_a_bundle_nothing_is_mounted() {
    let empty = tempfile::tempdir().unwrap();
    let path = empty.path().to_owned();
    let platform = Platform::start_with(|settings| settings.dist_dir = path).await;
    assert_eq!(platform.anonymous().get("/static/widget/chat-widget.min.js").await.status, 404);
    assert_eq!(platform.anonymous().get("/tenant/").await.status, 503);
}

#[tokio::test]
async fn every_page_of_a_console_is_its_index_with_a_strict_policy() {
    let (platform, _folder) = with_dist().await;
    for (path, title) in [
        ("/admin/operator/", "operator"),
        ("/admin/operator/tenants", "operator"),
        ("/admin/operator/audit", "operator"),
        ("/tenant/", "tenant"),
        ("/tenant/chatbots/1", "tenant"),
    ] {
        let page = platform.anonymous().get(path).await;
        assert!(page.status == 200 && page.text.contains(title), "{path}");
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && policy.contains("'wasm-unsafe-eval'"), "{policy}");
        assert!(!policy.contains("unsafe-inline") && policy.contains(&platform.keys.auth_url), "{policy}");
        assert_eq!(page.header("cache-control"), Some("no-cache"));
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    }
    assert_eq!(platform.anonymous().get("/tenant/pkg/nope.js").await.status, 404);
}

#[tokio::test]
async fn only_a_watched_console_may_reach_the_build_tool() {
    let (platform, folder) = with_dist().await;
    let checkout = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let watched = WatchedConsole::new(Console::Tenant, checkout, folder.path().join("tenant"), 3001);
    let address = platform.serve(server::http::router_with(platform.app.clone(), Some(&watched))).await;
    let get = async |base: &str, path: &str| platform.http.get(format!("{base}{path}")).send().await.unwrap();
    let policy = |page: &reqwest::Response| page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    // As `serve` starts it, and the other console next to a watched one.
    for (base, path) in [(&platform.base_url, "/tenant/"), (&address, "/admin/operator/")] {
        let page = get(base, path).await;
        assert!(!policy(&page).contains("ws:"), "{path}: {}", policy(&page));
        assert_eq!(
            get(base, &format!("{path}watch/watch.js")).await.headers()["content-type"],
            "text/html; charset=utf-8"
        );
    }
    let page = get(&address, "/tenant/some/page").await;
    assert!(policy(&page).contains(" ws://127.0.0.1:3001 ws://localhost:3001;"), "{}", policy(&page));
    assert_eq!(page.headers()["cache-control"], "no-store");
    let page = page.text().await.unwrap();
    assert!(!page.contains("{{"), "{page}");
    for part in ["/tenant/watch/watch.js\" data-reload-port=\"3001\" type=\"module\"", "/pkg/app.css", "data-realm="] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for (file, status) in
        [("watch/watch.js", 200), ("watch/theme.js", 200), ("watch/boot.js", 404), ("pkg/recover.js", 200)]
    {
        assert_eq!(get(&address, &format!("/tenant/{file}")).await.status(), status, "{file}");
    }
}

#[tokio::test]
async fn a_console_page_knows_a_language_model_that_is_no_default() {
    let shows = async |platform: &Platform, value: &str| {
        let page = platform.anonymous().get("/tenant/").await;
        assert!(page.text.contains(&format!("data-language-model=\"{value}\"")), "{page:?}");
    };
    let (without, folder) = with_dist().await;
    shows(&without, "false").await;
    let (_, generator) = Model::start(Duration::from_secs(60), 200).await;
    let (name, prices) = ("large".to_owned(), Prices::default());
    let endpoint = ModelEndpoint { name, generator, prices, window_tokens: None };
    let path = folder.path().to_owned();
    let platform = Platform::start_with(|settings| {
        settings.dist_dir = path;
        settings.endpoints = vec![endpoint];
    })
    .await;
    shows(&platform, "true").await;
}

#[tokio::test]
async fn a_console_page_tells_its_configuration() {
    let (platform, folder) = with_dist().await;
    let url = &platform.keys.auth_url;
    for (path, realm, client) in
        [("/admin/operator/audit", "svc-platform", "operator-ui"), ("/tenant/", "svc-tenants", "tenant-ui")]
    {
        let page = platform.anonymous().get(path).await;
        let start =
            format!("<body data-auth-url=\"{url}\" data-realm=\"{realm}\" data-client-id=\"{client}\" data-scope=");
        assert!(page.text.contains(&start), "{page:?}");
        assert!(!page.text.contains("{{"), "{page:?}");
        let tag = page.header("etag").unwrap();
        let again = platform.anonymous().request("GET", path).header("if-none-match", tag);
        assert_eq!(crate::support::send(again).await.status, 304);
    }
    let whole = platform.anonymous().get("/tenant/").await.text;
    let request = platform.anonymous().request("GET", "/tenant/").header("accept-encoding", "gzip, br");
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-encoding"], "br");
    let mut unpacked = Vec::new();
    let packed = response.bytes().await.unwrap();
    brotli::BrotliDecompress(&mut &*packed, &mut unpacked).unwrap();
    assert_eq!(String::from_utf8(unpacked).unwrap(), whole);
    std::fs::write(folder.path().join("tenant/index.html"), "<body {{config}}>of another build").unwrap();
    let page = platform.anonymous().get("/tenant/").await;
    assert!(page.text.starts_with("<body data-auth-url=") && page.text.ends_with("of another build"), "{page:?}");
}

#[tokio::test]
async fn the_documentation_is_served() {
    let platform = Platform::start().await;
    let page = platform.anonymous().get("/docs/").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    assert!(page.text.contains("<h1 id=\"the-tenant-console\">"), "{}", page.text);
    let reference = platform.anonymous().get("/docs/reference").await.text;
    assert!(reference.contains("<h2 id=\"CreateChatbot\">"));
    assert_eq!(platform.anonymous().get("/docs/errors.md").await.status, 200);
    assert_eq!(platform.anonymous().get("/docs/none").await.status, 404);
    let help = platform.anonymous().get("/docs/for/tenant/chatbots/1/install").await;
    assert!(help.text.contains("id=\"how-to-put-the-chatbot-on-your-site\""), "a redirect leads to the page: {help:?}");
    let description = platform.anonymous().get("/openapi.json").await;
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&description.text).unwrap()["info"]["title"],
        "Chatbot platform"
    );
    let style = platform.anonymous().get("/static/docs.css").await;
    assert!(style.text.contains(".docs__main") && !style.text.contains("@import"));
}

#[tokio::test]
async fn the_landing_page_leads_to_both_consoles() {
    let platform = Platform::start().await;
    let page = platform.anonymous().get("/").await;
    assert!(page.text.contains("/admin/operator/") && page.text.contains("/tenant/"));
    for (accepted, language) in [("de-DE,de;q=0.9,en;q=0.8", "de"), ("en-GB,de;q=0.9", "en"), ("fr, *", "en")] {
        let page = platform.anonymous().request("GET", "/").header("accept-language", accepted);
        let page = crate::support::send(page).await;
        assert!(page.text.contains(&format!("<html lang=\"{language}\">")), "{accepted}: {page:?}");
        assert_eq!(page.header("vary"), Some("accept-language"));
    }
    let style = platform.anonymous().get("/static/landing.css").await;
    assert_eq!(style.header("content-type"), Some("text/css; charset=utf-8"));
    assert!(!style.text.contains("@import"));
}

#[tokio::test]
async fn a_server_function_answers_get_only() {
    let (platform, _, _) = Platform::with_tenants().await;
    let client = platform.operator();
    for function in app::server_fns::table() {
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let answer = crate::support::send(client.request(method, function.path)).await;
            assert_eq!((answer.status, answer.detail()), (405, "method_not_allowed"), "{method} {answer:?}");
            assert_eq!(answer.header("allow"), Some("GET,HEAD"), "{method}");
        }
    }
    let head = crate::support::send(client.request("HEAD", "/admin/operator/_fn/overview")).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
}

#[tokio::test]
async fn a_server_function_names_no_way_back_to_a_page() {
    let platform = Platform::start().await;
    for function in app::server_fns::table() {
        let request = platform.anonymous().request("GET", function.path);
        let request = request.header("accept", "text/html").header("referer", "https://evil.example.com/x");
        let answer = crate::support::send(request).await;
        assert_eq!((answer.status, answer.detail()), (401, "not_authenticated"), "{answer:?}");
        assert_eq!((answer.header("location"), answer.header("serverfnerror")), (None, None), "{answer:?}");
    }
}

#[tokio::test]
async fn server_functions_guard_the_overview() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let unknown = platform.anonymous().get("/tenant/_fn/nope").await;
    assert_eq!((unknown.status, unknown.detail()), (404, "Not Found"), "{unknown:?}");
    let refused = platform.anonymous().get("/tenant/_fn/overview").await;
    assert_eq!((refused.status, refused.detail()), (401, "not_authenticated"), "{refused:?}");
    let wrong = platform.admin(tenant.id).get("/admin/operator/_fn/overview").await;
    assert_eq!((wrong.status, wrong.detail()), (403, "operator_or_vendor_required"), "{wrong:?}");
    let overview = platform.operator().get("/admin/operator/_fn/overview").await;
    assert_eq!((overview.status, &overview.body["tenants"]), (200, &serde_json::json!(2)), "{overview:?}");
    let own = platform.viewer(tenant.id).get("/tenant/_fn/overview").await;
    assert_eq!(
        (&own.body["active_chatbots"], &own.body["tenant"]["slug"]),
        (&serde_json::json!(1), &serde_json::json!("one"))
    );
}

#[tokio::test]
async fn platform_days_end_today_and_count_questions() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let question = serde_json::json!({ "session_id": null, "question": "Who?" });
    assert_eq!(platform.widget().post(&path, &question).await.status, 200);
    let days = platform.vendor().get("/admin/operator/_fn/trends").await;
    let rows = days.body["days"].as_array().expect("a list of days");
    assert_eq!((days.status, rows.len()), (200, 30), "{days:?}");
    let sum: i64 = rows.iter().filter_map(|day| day["questions"].as_i64()).sum();
    assert_eq!((sum, &rows[29]["questions"]), (1, &serde_json::json!(1)), "{days:?}");
    let wrong = platform.admin(tenant.id).get("/admin/operator/_fn/trends").await;
    assert_eq!((wrong.status, wrong.detail()), (403, "operator_or_vendor_required"), "{wrong:?}");
}
