//! The two consoles with their server functions. Every path of a console responds with its `index.html`, and the
//! console's router handles the rest.

use std::{path::Path, sync::Arc};

use app::{
    backend::{Console, ConsoleBackend, ConsoleConfig, FnRequest},
    server_fns,
};
use axum::{
    Router,
    extract::{Request, State},
    handler::Handler,
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use contract::ErrorCode;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use leptos::prelude::provide_context;

use crate::{
    auth::{PLATFORM_REALM, TENANT_REALM},
    error::ApiError,
    http::{
        console_backend::Backend,
        console_page::ConsolePage,
        guard,
        health::Probe,
        live_reload::WatchedConsole,
        static_files::{self, FileName},
    },
    state::App,
};

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
/// Server functions are registered by hand: what the linker collects differs by platform.
macro_rules! register {
    ($($function:ty: $access:ident),+ $(,)?) => { $(server_fn::axum::register_explicit::<$function>();)+ };
}

pub(super) fn routes(app: &App, watched: Option<&WatchedConsole>) -> Router<App> {
    app::with_server_functions!(register);
    let mut router = Router::new();
    let probe = Probe::default();
    for (kind, folder) in [(Console::Operator, "operator"), (Console::Tenant, "tenant")] {
        router = match watched.filter(|watched| watched.is(kind)) {
            Some(watched) => watched_console(router, app, kind, watched.clone(), &probe),
            None => console(router, app, kind, folder, &probe),
        };
    }
    router
}

fn console(router: Router<App>, app: &App, console: Console, folder: &str, probe: &Probe) -> Router<App> {
    let base = console.base();
    let folder: Arc<Path> = app.settings.dist_dir.join(folder).into();
    let policy = policy(console, &app.settings.auth_url, "");
    let page = Arc::new(ConsolePage::new(&folder, &config(console, app)));
    let index = {
        async move |request: Request| {
            let mut response = match page.serve(request.headers()).await {
                Some(response) => response,
                None => not_built(),
            };
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
            response
        }
    };
    let asset = async move |FileName(name): FileName, headers: HeaderMap| {
        static_files::serve(&folder.join("pkg"), &name, &headers, static_files::cache_rule(&name)).await
    };
    pages(router, base, index, probe).route(&format!("{base}/pkg/{{name}}"), get(asset))
}

/// A console's page at each of its paths, and its server functions.
fn pages<H: Handler<T, App>, T: 'static>(
    router: Router<App>,
    base: &'static str,
    index: H,
    probe: &Probe,
) -> Router<App> {
    let with_slash = format!("{base}/");
    let probe = probe.clone();
    let functions = async move |State(app): State<App>, request: Request| server_function(app, probe, request).await;
    router
        .route(base, get(async move || Redirect::permanent(&with_slash)))
        .route(&format!("{base}/"), get(index.clone()))
        .route(&format!("{base}/_fn/{{name}}"), get(functions))
        .route(&format!("{base}/{{*page}}"), get(index))
}

/// A console that is built on every change: nothing of it may be cached.
fn watched_console(
    router: Router<App>,
    app: &App,
    console: Console,
    watched: WatchedConsole,
    probe: &Probe,
) -> Router<App> {
    let base = console.base();
    let policy = policy(console, &app.settings.auth_url, &watched.sources());
    let (config, files) = (config(console, app).attributes(), watched.files());
    let scripts = watched.clone();
    let index = async move || {
        let headers = [(header::CONTENT_SECURITY_POLICY, policy), (header::CACHE_CONTROL, NO_STORE)];
        match watched.page(&config).await {
            Ok(page) => (headers, Html(page)).into_response(),
            Err(_) => not_built(),
        }
    };
    let asset = async move |FileName(name): FileName, headers: HeaderMap| {
        static_files::serve(&files, &name, &headers, "no-store").await
    };
    let script = async move |FileName(name): FileName| match scripts.script(&name).await {
        Some(script) => ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], script).into_response(),
        None => ApiError::from(ErrorCode::NotFound).into_response(),
    };
    pages(router, base, index, probe)
        .route(&format!("{base}/pkg/{{name}}"), get(asset))
        .route(&format!("{base}/watch/{{name}}"), get(script))
}

/// The configuration that a console needs before sign-in.
fn config(console: Console, app: &App) -> ConsoleConfig {
    let (realm, emergency) = match console {
        Console::Operator => (PLATFORM_REALM, app.settings.console_client.as_ref()),
        Console::Tenant => (TENANT_REALM, None),
    };
    let client_id = emergency.map_or(console.client(), |client| client.id.as_str());
    ConsoleConfig {
        auth_url: app.settings.auth_url.clone(),
        realm: realm.to_owned(),
        client_id: client_id.to_owned(),
        scope: "openid svc-scope".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        widget_version: app.widget_version().to_owned(),
        max_file_bytes: app.settings.uploads.max_file_bytes.to_string(),
        max_archive_bytes: app.settings.uploads.max_archive_bytes.to_string(),
        language_model: (!app.answer_models().is_empty()).to_string(),
    }
}

/// Calls a server function, which accesses the server through [`FnRequest`] only. Only functions of the table are
/// served.
async fn server_function(app: App, probe: Probe, mut request: Request) -> Response {
    let path = request.uri().path();
    if !server_fns::table().iter().any(|function| function.path == path) {
        return ApiError::from(ErrorCode::NotFound).into_response();
    }
    // Functions are registered for GET; the router removes the body of the response to a HEAD.
    *request.method_mut() = Method::GET;
    let (parts, body) = request.into_parts();
    let client = app.limiter.client(&parts);
    let request = Request::from_parts(parts, body);
    let status = Arc::new(std::sync::atomic::AtomicU16::new(0));
    let context = FnRequest {
        backend: Arc::new(Backend::new(app, client, probe)) as Arc<dyn ConsoleBackend>,
        bearer: guard::bearer(request.headers()).map(str::to_owned),
        set_status: {
            let status = Arc::clone(&status);
            Arc::new(move |code| status.store(code, std::sync::atomic::Ordering::Relaxed))
        },
    };
    let provide = move || provide_context(context.clone());
    let mut response = leptos_axum::handle_server_fns_with_context(provide, request).await.into_response();
    let code = status.load(std::sync::atomic::Ordering::Relaxed);
    if let Ok(code) = StatusCode::from_u16(code) {
        *response.status_mut() = code;
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A redirect back to the page, for forms without JavaScript, which the consoles do not have.
    headers.remove(header::LOCATION);
    headers.remove(server_fn::error::SERVER_FN_ERROR_HEADER);
    response
}

/// The content security policy of the consoles: themselves, and the identity provider. A source with a path would allow
/// exactly that address, so the provider's origin is used. Connections to the `further` sources are allowed as well.
/// Only the tenant console shows pictures of other hosts, in its preview: a tenant's host must not see the visits of
/// operators.
fn policy(console: Console, auth_url: &str, further: &str) -> HeaderValue {
    let auth_url = url::Url::parse(auth_url).map_or_else(|_| String::new(), |url| url.origin().ascii_serialization());
    let reached = [auth_url.as_str(), further].join(" ");
    let reached = reached.trim_end();
    let pictures = match console {
        Console::Operator => "'self' data:",
        Console::Tenant => "'self' data: https:",
    };
    let text = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; \
         img-src {pictures}; connect-src 'self' {reached}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

fn not_built() -> Response {
    let text = "The consoles are not built. Run `make build`, then start the server again.\n";
    (StatusCode::SERVICE_UNAVAILABLE, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_providers_origin_without_its_path() {
        for (url, source) in [
            ("https://login.example.com/auth", "connect-src 'self' https://login.example.com;"),
            ("https://login.example.com:8443/a/b", "connect-src 'self' https://login.example.com:8443;"),
            ("http://127.0.0.1:8081", "connect-src 'self' http://127.0.0.1:8081;"),
        ] {
            let policy = policy(Console::Operator, url, "");
            assert!(policy.to_str().unwrap().contains(source), "{policy:?}");
        }
    }

    #[test]
    fn no_other_host_sees_the_visits_of_operators() {
        let pictures = |console| {
            let policy = policy(console, "https://login.example.com", "");
            let text = policy.to_str().unwrap().to_owned();
            text.split("; ").find(|part| part.starts_with("img-src")).unwrap().to_owned()
        };
        assert_eq!(pictures(Console::Operator), "img-src 'self' data:");
        assert_eq!(pictures(Console::Tenant), "img-src 'self' data: https:");
    }
}
