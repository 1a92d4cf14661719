//! A website on this machine with pages set by a test. It records its requests.

use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::Response,
};
use http::{HeaderName, HeaderValue, StatusCode, header};
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

#[derive(Debug, Clone)]
pub struct Page {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
    /// Without this cookie, the page sets it and redirects to itself.
    cookie: Option<&'static str>,
}

impl Page {
    pub fn html(body: &str) -> Self {
        Self::of("text/html; charset=utf-8", body)
    }

    pub fn text(body: &str) -> Self {
        Self::of("text/plain", body)
    }

    pub fn of(content_type: &str, body: &str) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", content_type.to_owned())],
            body: body.to_owned(),
            cookie: None,
        }
    }

    pub fn status(status: u16) -> Self {
        Self { status, headers: vec![("retry-after", "0".to_owned())], body: String::new(), cookie: None }
    }

    pub fn redirect(to: &str) -> Self {
        Self { status: 302, headers: vec![("location", to.to_owned())], body: String::new(), cookie: None }
    }

    /// The page for those who send a cookie.
    pub fn behind(mut self, cookie: &'static str) -> Self {
        self.cookie = Some(cookie);
        self
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The page with another content type.
    pub fn of_type(mut self, content_type: &str) -> Self {
        self.headers.retain(|(name, _)| *name != "content-type");
        self.with("content-type", content_type)
    }

    /// The page without a part of its text.
    pub fn without(mut self, text: &str) -> Self {
        self.body = self.body.replace(text, "");
        self
    }

    fn etag(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.body.hash(&mut hasher);
        format!("\"{:x}\"", hasher.finish())
    }
}

#[derive(Default)]
struct Pages {
    pages: BTreeMap<String, Page>,
    answers: Vec<(String, u16)>,
    /// Delay of responses.
    answer_time: Duration,
    arrivals: Vec<Instant>,
    open: usize,
    most_open: usize,
}

/// A running site.
pub struct Site {
    /// The address of its first page.
    pub url: String,
    pages: Arc<Mutex<Pages>>,
    stop: CancellationToken,
}

impl Site {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (pages, stop) = (Arc::new(Mutex::new(Pages::default())), CancellationToken::new());
        let router = Router::new().fallback(answer).with_state(Arc::clone(&pages));
        let limits = crate::support::limits();
        tokio::spawn(server::http::serving::serve(listener, router, limits, stop.clone()));
        Self { url, pages, stop }
    }

    pub fn set(&self, path: &str, page: Page) {
        self.pages.lock().pages.insert(path.to_owned(), page);
    }

    pub fn remove(&self, path: &str) -> Option<Page> {
        self.pages.lock().pages.remove(path)
    }

    /// The requested paths in order, without the probe for a missing page.
    pub fn requests(&self) -> Vec<String> {
        self.answers().into_iter().map(|(path, _)| path).collect()
    }

    /// The same with the status of each answer.
    pub fn answers(&self) -> Vec<(String, u16)> {
        let is_probe = |path: &str| path.len() == 33 && path[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
        self.pages.lock().answers.iter().filter(|(path, _)| !is_probe(path)).cloned().collect()
    }

    /// Sets the delay of responses.
    pub fn slow_down(&self, answer_time: Duration) {
        self.pages.lock().answer_time = answer_time;
    }

    /// Maximum number of concurrent requests so far.
    pub fn most_at_once(&self) -> usize {
        self.pages.lock().most_open
    }

    /// The times between its requests, those for a page that no site has included.
    pub fn pauses(&self) -> Vec<Duration> {
        self.pages.lock().arrivals.windows(2).map(|two| two[1] - two[0]).collect()
    }

    /// Clears the recorded requests.
    pub fn clear(&self) {
        self.pages.lock().answers.clear();
    }

    pub fn stop(&self) {
        self.stop.cancel();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn answer(State(pages): State<Arc<Mutex<Pages>>>, request: Request) -> Response {
    let path = request.uri().path_and_query().map(|path| path.as_str().to_owned()).unwrap_or_default();
    assert!(request.headers()[header::USER_AGENT].to_str().unwrap().starts_with("ChatbotCrawler/"));
    let answer_time = {
        let mut pages = pages.lock();
        pages.arrivals.push(Instant::now());
        pages.open += 1;
        pages.most_open = pages.most_open.max(pages.open);
        pages.answer_time
    };
    tokio::time::sleep(answer_time).await;
    let mut pages = pages.lock();
    pages.open -= 1;
    let page = pages.pages.get(&path).cloned().unwrap_or_else(|| Page { status: 404, ..Page::text("no such page") });
    let has_cookie =
        |cookie: &str| request.headers().get(header::COOKIE).is_some_and(|sent| sent.as_bytes() == cookie.as_bytes());
    let page = match page.cookie.filter(|cookie| !has_cookie(cookie)) {
        Some(cookie) => Page::redirect(&path).with("set-cookie", &format!("{cookie}; Path=/; HttpOnly")),
        None => page,
    };
    let is_known = page.status == 200
        && request.headers().get(header::IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == page.etag().as_bytes());
    let status = if is_known { 304 } else { page.status };
    pages.answers.push((path, status));
    let mut response = Response::new(if is_known { Body::empty() } else { Body::from(page.body.clone()) });
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    let headers = response.headers_mut();
    if page.status == 200 {
        headers.insert(header::ETAG, HeaderValue::from_str(&page.etag()).unwrap());
    }
    for (name, value) in &page.headers {
        headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    }
    response
}
