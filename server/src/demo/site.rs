//! The demo site: static pages of a small shop on another origin, with the widget's snippet embedded as a site owner
//! would. The files are in `deploy/demo-site`.

use axum::{
    Router,
    extract::{Path, State},
    response::{IntoResponse, Response},
    routing::get,
};
use http::{StatusCode, header};

use super::seed;

/// The files, compiled in: the demo site needs no folder at run time.
const FILES: &[(&str, &str, &str)] = &[
    ("index.html", "text/html; charset=utf-8", include_str!("../../../deploy/demo-site/index.html")),
    ("debian.html", "text/html; charset=utf-8", include_str!("../../../deploy/demo-site/debian.html")),
    ("kurse.html", "text/html; charset=utf-8", include_str!("../../../deploy/demo-site/kurse.html")),
    ("site.css", "text/css; charset=utf-8", include_str!("../../../deploy/demo-site/site.css")),
    ("harbor.svg", "image/svg+xml", include_str!("../../../deploy/demo-site/harbor.svg")),
    ("mark.svg", "image/svg+xml", include_str!("../../../deploy/demo-site/mark.svg")),
];

#[derive(Clone)]
struct Site {
    base_url: String,
    /// Whether the shop and the club have separate chatbots.
    has_showcase: bool,
}

/// The site's router; its pages load the widget from `base_url` (no slash at the end). With `has_showcase` the shop's page has the
/// shop's chatbot.
pub fn router(base_url: &str, has_showcase: bool) -> Router {
    let site = Site { base_url: base_url.to_owned(), has_showcase };
    Router::new()
        .route("/", get(async |State(site): State<Site>| file(&site, "index.html")))
        .route("/{name}", get(async |State(site): State<Site>, Path(name): Path<String>| file(&site, &name)))
        .with_state(site)
}

fn file(site: &Site, name: &str) -> Response {
    let Some((_, media_type, text)) = FILES.iter().find(|(file_name, _, _)| *file_name == name) else {
        return (StatusCode::NOT_FOUND, "Not found\n").into_response();
    };
    let text = text.replace("{{BASE_URL}}", &site.base_url).replace("{{VERSION}}", env!("CARGO_PKG_VERSION"));
    let chatbot = match name {
        "debian.html" => seed::DEBIAN_FAQ,
        "kurse.html" => seed::CLUB,
        _ if site.has_showcase => seed::SHOP,
        _ => seed::PLATFORM_HELP,
    };
    let text = text.replace("{{CHATBOT_ID}}", &chatbot.to_string());
    ([(header::CONTENT_TYPE, *media_type), (header::CACHE_CONTROL, "no-cache")], text).into_response()
}
