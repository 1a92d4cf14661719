//! Cookies of one crawl. A site that sets a cookie and redirects to itself shows nothing without it. They are sent to
//! the host that set them, and forgotten with the fetcher.

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderValue, header};
use url::Url;

/// Maximum cookies of one crawl.
const MAX_COOKIES: usize = 50;
/// Maximum bytes of one cookie.
const MAX_BYTES: usize = 4096;

#[derive(Default)]
pub(super) struct Cookies {
    /// By host, name and path.
    cookies: BTreeMap<(String, String, String), Cookie>,
}

struct Cookie {
    value: String,
    is_secure: bool,
}

impl Cookies {
    /// Stores the cookies of a response. Every cookie is for its host alone, whatever its `Domain` says.
    pub(super) fn store(&mut self, url: &Url, headers: &HeaderMap) {
        for line in headers.get_all(header::SET_COOKIE).iter().filter_map(|line| line.to_str().ok()) {
            let mut parts = line.split(';').map(str::trim);
            let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else { continue };
            let mut path = default_path(url);
            let (mut is_secure, mut is_deleted) = (false, false);
            for attribute in parts {
                let (key, text) = attribute.split_once('=').unwrap_or((attribute, ""));
                match key.trim().to_ascii_lowercase().as_str() {
                    "path" if text.trim().starts_with('/') => text.trim().clone_into(&mut path),
                    "secure" => is_secure = true,
                    "max-age" => is_deleted = text.trim().parse::<i64>().is_ok_and(|seconds| seconds <= 0),
                    "expires" => is_deleted |= text.contains("1970"),
                    _ => {}
                }
            }
            let key = (url.host_str().unwrap_or_default().to_owned(), name.trim().to_owned(), path);
            if is_deleted {
                self.cookies.remove(&key);
            } else if line.len() <= MAX_BYTES && (self.cookies.len() < MAX_COOKIES || self.cookies.contains_key(&key)) {
                self.cookies.insert(key, Cookie { value: value.trim().to_owned(), is_secure });
            }
        }
    }

    /// The header for a request, if there are cookies for it.
    pub(super) fn header(&self, url: &Url) -> Option<HeaderValue> {
        let is_for = |((host, _, path), cookie): &(&(String, String, String), &Cookie)| {
            url.host_str() == Some(host) && covers(path, url.path()) && (!cookie.is_secure || url.scheme() == "https")
        };
        let cookies = self.cookies.iter().filter(is_for);
        let cookies: Vec<String> = cookies.map(|((_, name, _), cookie)| format!("{name}={}", cookie.value)).collect();
        if cookies.is_empty() { None } else { HeaderValue::from_str(&cookies.join("; ")).ok() }
    }
}

/// The folder of the page that sets a cookie (RFC 6265, 5.1.4).
fn default_path(url: &Url) -> String {
    match url.path().rfind('/') {
        Some(end) if end > 0 => url.path()[..end].to_owned(),
        _ => "/".to_owned(),
    }
}

fn covers(folder: &str, path: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| folder.ends_with('/') || rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn set(cookies: &mut Cookies, from: &str, line: &str) {
        let headers = HeaderMap::from_iter([(header::SET_COOKIE, HeaderValue::from_str(line).unwrap())]);
        cookies.store(&url(from), &headers);
    }

    #[test]
    fn cookies_go_back_to_their_host_and_path() {
        let mut cookies = Cookies::default();
        set(&mut cookies, "https://example.com/a/b", "session=1; HttpOnly; Domain=example.com; Path=/");
        set(&mut cookies, "https://example.com/a/b", "folder=2");
        set(&mut cookies, "https://example.com/", "safe=3; Secure");
        let sent =
            |cookies: &Cookies, to: &str| cookies.header(&url(to)).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(sent(&cookies, "https://example.com/a/c").as_deref(), Some("folder=2; safe=3; session=1"));
        assert_eq!(sent(&cookies, "http://example.com/ab").as_deref(), Some("session=1"));
        assert_eq!(sent(&cookies, "https://www.example.com/a/c"), None);
        assert_eq!(sent(&cookies, "https://example.org/"), None);
        set(&mut cookies, "https://example.com/", "session=; Max-Age=0; Path=/");
        assert_eq!(sent(&cookies, "http://example.com/ab"), None);
    }

    #[test]
    fn cookies_are_bounded() {
        let mut cookies = Cookies::default();
        for number in 0..1000 {
            set(&mut cookies, "https://example.com/", &format!("c{number}=1"));
        }
        set(&mut cookies, "https://example.org/", &format!("long={}", "x".repeat(MAX_BYTES)));
        assert_eq!((cookies.cookies.len(), cookies.header(&url("https://example.org/"))), (MAX_COOKIES, None));
    }
}
