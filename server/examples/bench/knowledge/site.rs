//! A website on this machine with robots.txt, sitemap.xml and ETags, which counts its responses.

use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::Arc,
};

use axum::{
    Router,
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use parking_lot::Mutex;
use uuid::Uuid;

use super::german;
use crate::Result;

/// A running site; it ends with the benchmark.
pub(super) struct Site {
    /// The address of its first page.
    pub(super) url: String,
    shared: Arc<Shared>,
}

struct Shared {
    url: String,
    pages: Mutex<Pages>,
}

#[derive(Default)]
struct Pages {
    bodies: BTreeMap<String, String>,
    /// Answers for pages, by status.
    answers: BTreeMap<u16, u64>,
}

impl Site {
    /// A site of so many pages that is proven by this chatbot's snippet. The page in its middle says the fact.
    pub(super) async fn start(chatbot: Uuid, pages: u64) -> Result<Self> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let shared = Arc::new(Shared { url: url.clone(), pages: Mutex::default() });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let site = Self { url, shared };
        let snippet =
            format!("<script src=\"https://chat.example.com/widget.min.js\" data-chatbot-id=\"{chatbot}\"></script>");
        site.set("/".to_owned(), german::first_page(&snippet));
        for number in 1..pages {
            let of_fact = number == pages / 2;
            site.set(path(number), if of_fact { german::page_of_fact(number) } else { german::page(number, 0) });
        }
        Ok(site)
    }

    pub(super) fn set(&self, path: String, body: String) {
        self.shared.pages.lock().bodies.insert(path, body);
    }

    pub(super) fn remove(&self, path: &str) {
        self.shared.pages.lock().bodies.remove(path);
    }

    /// How often pages were answered with each status since this was asked last.
    pub(super) fn take_answers(&self) -> BTreeMap<u16, u64> {
        std::mem::take(&mut self.shared.pages.lock().answers)
    }
}

/// Where the page of a number is.
pub(super) fn path(number: u64) -> String {
    format!("/seite-{number:05}")
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let path = request.uri().path();
    let mut pages = shared.pages.lock();
    match path {
        "/robots.txt" => {
            return format!("User-agent: *\nAllow: /\n\nSitemap: {}/sitemap.xml\n", shared.url).into_response();
        }
        "/sitemap.xml" => return ([(header::CONTENT_TYPE, "application/xml")], shared.sitemap(&pages)).into_response(),
        _ => {}
    }
    let known = request.headers().get(header::IF_NONE_MATCH);
    let (status, etag, body) = match pages.bodies.get(path) {
        None => (StatusCode::NOT_FOUND, None, "<h1>Nicht gefunden</h1>".to_owned()),
        Some(body) => {
            let etag = etag(body);
            let is_known = known.is_some_and(|known| known.as_bytes() == etag.as_bytes());
            let status = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
            (status, Some(etag), if is_known { String::new() } else { body.clone() })
        }
    };
    if path == "/" || path.starts_with("/seite-") {
        *pages.answers.entry(status.as_u16()).or_default() += 1;
    }
    drop(pages);
    let content_type = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    match etag {
        Some(etag) => (status, content_type, [(header::ETAG, etag)], body).into_response(),
        None => (status, content_type, body).into_response(),
    }
}

impl Shared {
    fn sitemap(&self, pages: &Pages) -> String {
        let entry = |path: &String| format!("<url><loc>{}{path}</loc></url>", self.url);
        let entries: String = pages.bodies.keys().map(entry).collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</urlset>"
        )
    }
}

fn etag(body: &str) -> String {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    format!("\"{:x}\"", hasher.finish())
}
