//! The landing page, in English and German.

use axum::{
    Router,
    response::{Html, IntoResponse},
    routing::get,
};
use http::{HeaderMap, header};

use crate::{http::accept_language, state::App};

const ENGLISH: &str = include_str!("../../assets/landing.html");
const GERMAN: &str = include_str!("../../assets/landing.de.html");
/// The page's style sheet with the sheets it imports.
const STYLES: [&str; 3] = [
    include_str!("../../../style/tokens.css"),
    include_str!("../../../style/base.css"),
    include_str!("../../../style/landing.css"),
];
const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

pub(super) fn routes() -> Router<App> {
    Router::new().route("/", get(page)).route("/static/landing.css", get(style))
}

async fn page(headers: HeaderMap) -> impl IntoResponse {
    let page = if prefers_german(&headers) { GERMAN } else { ENGLISH };
    ([(header::CONTENT_SECURITY_POLICY, POLICY), (header::VARY, "accept-language")], Html(page))
}

/// Whether German comes before English in `Accept-Language`.
fn prefers_german(headers: &HeaderMap) -> bool {
    accept_language::languages(headers).find(|language| matches!(*language, "de" | "en")) == Some("de")
}

async fn style() -> impl IntoResponse {
    let lines = STYLES.iter().flat_map(|sheet| sheet.lines()).filter(|line| !line.starts_with("@import"));
    let sheet = lines.collect::<Vec<_>>().join("\n");
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=300")], sheet)
}
