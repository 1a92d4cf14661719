//! The documentation at `/docs/`, from the Markdown files that the program was built with, and the API description at
//! `/openapi.json`. Pages are rendered once, at their first request.

use std::{collections::BTreeMap, sync::LazyLock};

use axum::{
    Router,
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use contract::ErrorCode;
use http::{HeaderMap, Uri, header};

use crate::{
    error::ApiError,
    http::{
        etag,
        middleware::security_headers,
        openapi,
        static_files::{self, FileName},
    },
    precondition,
    state::App,
};

mod help;
mod markdown;
mod reference;

/// A page: its name in the address, its title in the list, and its Markdown.
struct Source {
    name: &'static str,
    title: &'static str,
    markdown: &'static str,
}

/// Declares the pages in the order of the list.
macro_rules! sources {
    ($($file:literal $title:literal)*) => {
        &[$(Source { name: $file, title: $title, markdown: include_str!(concat!("../../../docs/", $file, ".md")) }),*]
    };
}

const SOURCES: &[Source] = sources! {
    "tenant-console" "Tenant console"
    "widget" "Widget"
    "answers" "Answers"
    "output-filter" "Output filter"
    "operator-console" "Operator console"
    "exports" "Exports"
    "privacy" "Privacy"
    "ai-act" "EU AI Act"
    "quality" "Quality"
    "integrations" "Integrations"
    "api" "REST API"
    "errors" "Errors"
    "installation" "Installation"
    "deployment" "Deployment"
    "configuration" "Configuration"
    "operations" "Operations"
    "identity" "Identity provider"
    "replicas" "Replicas"
    "security" "Security"
    "benchmarks" "Benchmarks"
    "ARCHITECTURE" "Architecture"
};
/// The page that is made from the endpoint table.
const REFERENCE: (&str, &str) = ("reference", "API reference");

const STYLES: [&str; 3] = [
    include_str!("../../../style/tokens.css"),
    include_str!("../../../style/base.css"),
    include_str!("../../../style/docs.css"),
];
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/docs", get(|| async { Redirect::permanent("/docs/") }))
        .route("/docs/", get(|headers: HeaderMap| async move { page(SOURCES[0].name, &headers) }))
        .route("/docs/for/{*page}", get(page_for))
        .route("/docs/{name}", get(|FileName(name): FileName, headers: HeaderMap| async move { page(&name, &headers) }))
        .route("/static/docs.css", get(async || static_files::style_sheet(&STYLES)))
        .route("/openapi.json", get(description))
}

/// Leads to the page that fits a page of a console, whose path follows.
async fn page_for(uri: Uri) -> Redirect {
    Redirect::to(&help::address(uri.path().trim_start_matches("/docs/for")))
}

/// A rendered page with its tag.
struct Page {
    html: String,
    tag: String,
}

/// The OpenAPI description, made once.
static DESCRIPTION: LazyLock<String> = LazyLock::new(openapi::document);

static PAGES: LazyLock<BTreeMap<&str, Page>> = LazyLock::new(|| {
    let written = SOURCES.iter().map(|source| (source.name, source.title, markdown::to_html(source.markdown)));
    let all = written.chain([(REFERENCE.0, REFERENCE.1, reference::html(&DESCRIPTION))]);
    all.map(|(name, title, content)| {
        let html = framed(name, title, &content);
        let tag = precondition::tag(html.as_bytes());
        (name, Page { html, tag })
    })
    .collect()
});

fn page(name: &str, request: &HeaderMap) -> Response {
    // Addresses of the repository end with the extension.
    let Some(page) = PAGES.get(name.strip_suffix(".md").unwrap_or(name)) else {
        return ApiError::from(ErrorCode::NotFound).into_response();
    };
    let headers = [
        (header::CONTENT_SECURITY_POLICY, security_headers::PLAIN_PAGE.to_owned()),
        (header::CACHE_CONTROL, static_files::SHORT_LIVED.to_owned()),
        (header::ETAG, page.tag.clone()),
    ];
    if etag::is_known(request, &page.tag) {
        return (http::StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, Html(page.html.as_str())).into_response()
}

/// A page around its content, with the list of all pages.
fn framed(name: &str, title: &str, content: &str) -> String {
    let pages = SOURCES.iter().map(|source| (source.name, source.title)).chain([REFERENCE]);
    let links: String = pages
        .map(|(other, title)| {
            let current = if other == name { " aria-current=\"page\"" } else { "" };
            format!("<li><a href=\"/docs/{other}\"{current}>{title}</a></li>\n")
        })
        .collect();
    include_str!("../../assets/docs.html")
        .replace("{title}", title)
        .replace("{links}", &links)
        .replace("{content}", content)
}

async fn description() -> impl IntoResponse {
    let cache = (header::CACHE_CONTROL, static_files::SHORT_LIVED);
    ([(header::CONTENT_TYPE, "application/json"), cache], DESCRIPTION.as_str())
}

#[cfg(test)]
mod tests {
    use app::backend::Console;

    use super::*;

    #[test]
    fn every_page_of_the_folder_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut missing: Vec<String> = files.filter(|file| file.ends_with(".md")).collect();
        missing.retain(|file| !PAGES.contains_key(file.trim_end_matches(".md")));
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn links_lead_to_headings() {
        let mut broken = Vec::new();
        for (name, page) in PAGES.iter() {
            let links = page.html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
            broken.extend(links.filter(|link| !leads(name, link)).map(|link| format!("{name}: {link}")));
        }
        for console in [Console::Operator, Console::Tenant] {
            let links = help::pages(console).iter().map(|(_, page)| format!("/docs/{page}"));
            broken.extend(links.filter(|link| !leads("", link)));
        }
        assert_eq!(broken, Vec::<String>::new());
    }

    /// Whether a link of a page leads to a page and a heading; links to other addresses always do.
    fn leads(page: &str, link: &str) -> bool {
        let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
        let name = match path.strip_prefix("/docs/") {
            Some("") => return true,
            Some(name) => name,
            None if path.is_empty() => page,
            None => return true,
        };
        let heading = format!(" id=\"{fragment}\"");
        PAGES.get(name).is_some_and(|page| fragment.is_empty() || page.html.contains(&heading))
    }

    #[test]
    fn no_page_has_text_of_another_site_or_a_script() {
        for page in PAGES.values() {
            assert!(!page.html.contains("<script") && !page.html.contains("<img"));
        }
    }
}
