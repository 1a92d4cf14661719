//! The landing page, in English and German.

use axum::{
    Router,
    response::{Html, IntoResponse},
    routing::get,
};
use http::{HeaderMap, header};

use crate::{
    http::{accept_language, middleware::security_headers, static_files},
    state::App,
};

const ENGLISH: &str = include_str!("../../assets/landing.html");
const GERMAN: &str = include_str!("../../assets/landing.de.html");
/// The page's style sheet with the sheets it imports.
const STYLES: [&str; 3] = [
    include_str!("../../../style/tokens.css"),
    include_str!("../../../style/base.css"),
    include_str!("../../../style/landing.css"),
];
pub(super) fn routes() -> Router<App> {
    Router::new().route("/", get(page)).route("/static/landing.css", get(async || static_files::style_sheet(&STYLES)))
}

async fn page(headers: HeaderMap) -> impl IntoResponse {
    let page = if prefers_german(&headers) { GERMAN } else { ENGLISH };
    ([(header::CONTENT_SECURITY_POLICY, security_headers::PLAIN_PAGE), (header::VARY, "accept-language")], Html(page))
}

/// Whether German comes before English in `Accept-Language`.
fn prefers_german(headers: &HeaderMap) -> bool {
    accept_language::languages(headers).find(|language| matches!(*language, "de" | "en")) == Some("de")
}
