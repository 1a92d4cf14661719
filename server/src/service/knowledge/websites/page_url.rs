//! The forms of a page's address: the one that is requested, and the one that tells whether two addresses are the same.

use contract::websites::MAX_URL;
use url::{Url, form_urlencoded};

/// Parameters of advertisements and sessions, which never identify a page.
const TRACKING: &[&str] = &[
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "msclkid",
    "mc_cid",
    "mc_eid",
    "yclid",
    "_ga",
    "_gl",
    "igshid",
    "phpsessid",
    "jsessionid",
    "aspsessionid",
    "cfid",
    "cftoken",
    "replytocom",
];
/// Parameters that identify a page on some sites only. They count unless the page without them has the same text.
const DOUBTFUL: &[&str] = &["ref", "source", "sid", "sessionid", "session_id", "print", "share"];
/// A session in a path, as servers for Java write it.
const PATH_SESSION: &str = ";jsessionid=";
/// Maximum parameters of one address; more indicate a form or a crawler trap.
const MAX_PARAMETERS: usize = 16;

/// The address that a tenant typed, with `https://` when it has no scheme.
pub(super) fn parse_start(text: &str) -> Option<Url> {
    let text = text.trim();
    let url = if text.contains("://") { Url::parse(text) } else { Url::parse(&format!("https://{text}")) };
    let url = url.ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some())?;
    normal(url)
}

/// Scheme, host and port of an address, without a slash at the end.
pub(super) fn origin_of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The host under which jobs are serialised: the same with and without `www.`, with either scheme and any port.
pub(super) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}

/// The address to request: as written, without the fragment and without tracking parameters.
pub(super) fn normal(mut url: Url) -> Option<Url> {
    if !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    url.set_fragment(None);
    if let Some(start) = url.path().to_ascii_lowercase().find(PATH_SESSION) {
        let rest = &url.path()[start + 1..];
        let end = rest.find(['/', ';']).map_or("", |end| &rest[end..]);
        let path = format!("{}{end}", &url.path()[..start]);
        url.set_path(&path);
    }
    let url = filtered(&url, |name| !name.starts_with("utm_") && !TRACKING.contains(&name)).unwrap_or(url);
    let parameters = url.query().map_or(0, |query| query.split('&').count());
    (parameters <= MAX_PARAMETERS && url.as_str().len() <= MAX_URL).then_some(url)
}

/// The same for all addresses of a page: the parameters are sorted, and encoded in one way. It is not requested, because
/// some servers give it another meaning.
fn key(url: &Url) -> String {
    let Some(query) = url.query() else { return url.to_string() };
    let mut parameters: Vec<String> = query.split('&').filter(|part| !part.is_empty()).map(encoded).collect();
    parameters.sort();
    parameters.dedup();
    let mut key = url.clone();
    key.set_query(Some(&parameters.join("&")));
    key.into()
}

/// The key of an address that is stored as text.
pub(super) fn key_of(text: &str) -> String {
    Url::parse(text).map_or_else(|_| text.to_owned(), |url| key(&url))
}

fn encoded(parameter: &str) -> String {
    let Some((name, value)) = form_urlencoded::parse(parameter.as_bytes()).next() else { return parameter.to_owned() };
    // Bytes that are no UTF-8 would become alike.
    if name.contains(char::REPLACEMENT_CHARACTER) || value.contains(char::REPLACEMENT_CHARACTER) {
        return parameter.to_owned();
    }
    form_urlencoded::Serializer::new(String::new()).append_pair(&name, &value).finish()
}

/// The names of an address's parameters that may not identify its page.
pub(super) fn doubtful(url: &Url) -> Vec<String> {
    let names = url.query().unwrap_or_default().split('&').map(name_of);
    names.filter(|name| DOUBTFUL.contains(&name.as_str())).collect()
}

/// An address without these parameters; `None` when it has none of them.
pub(super) fn without(url: &Url, names: &[String]) -> Option<Url> {
    filtered(url, |name| !names.iter().any(|dropped| dropped == name))
}

/// An address with the parameters whose names are kept, as written; `None` when that changes nothing.
fn filtered(url: &Url, keeps: impl Fn(&str) -> bool) -> Option<Url> {
    let query = url.query()?;
    let remaining: Vec<&str> = query.split('&').filter(|part| part.is_empty() || keeps(&name_of(part))).collect();
    if !query.is_empty() && remaining.len() == query.split('&').count() {
        return None;
    }
    let mut url = url.clone();
    let remaining = remaining.join("&");
    url.set_query(Some(remaining.as_str()).filter(|remaining| !remaining.is_empty()));
    Some(url)
}

/// The decoded name of a parameter in lower case.
fn name_of(parameter: &str) -> String {
    let mut pairs = form_urlencoded::parse(parameter.as_bytes());
    pairs.next().map(|(name, _)| name.to_ascii_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn pages_are_requested_as_written() {
        let requested = |written: &str| {
            let url = normal(url("https://example.com/").join(written).unwrap());
            url.map(|url| url[url::Position::BeforePath..].to_owned())
        };
        for written in [
            "/M%FCsli?q=M%FCsli",
            "/a?print",
            "/a?b=1&a=2",
            "/a?a=1;b=2",
            "/a?x=a+b&y=a%20b&z=%7e",
            "/a?q=1&q=1&&r",
            "/a?a=1&b=1&c=1&d=1&e=1",
            "/a?ref=1&source=2&sid=3",
            "/a?next=/b?c=d",
        ] {
            assert_eq!(requested(written).as_deref(), Some(written));
        }
        for (written, expected) in [
            ("/a?utm_source=x&b=2&a=1&gclid=3#top", "/a?b=2&a=1"),
            ("/?fbclid=1", "/"),
            ("/a?", "/a"),
            ("/a;jsessionid=1A2B?b=1", "/a?b=1"),
            ("/a;JSESSIONID=1/b", "/a/b"),
            ("/a?PHPSESSID=12&M=%FC", "/a?M=%FC"),
        ] {
            assert_eq!(requested(written).as_deref(), Some(expected), "{written}");
        }
        let many: String = (0..17).map(|number| format!("&p{number}=1")).collect();
        assert_eq!(requested(&format!("/a?{many}")), None);
        assert_eq!(normal(url("https://user@example.com/")), None);
    }

    #[test]
    fn a_start_may_lack_its_scheme() {
        assert_eq!(parse_start("example.com").unwrap().as_str(), "https://example.com/");
        for bad in ["ftp://example.com", "javascript:alert(1)", "http://", "", "file:///etc/passwd"] {
            assert_eq!(parse_start(bad), None, "{bad}");
        }
    }

    #[test]
    fn addresses_of_one_page_have_one_key() {
        let key = |query: &str| key(&url(&format!("https://EXAMPLE.com:443/a?{query}")));
        for (one, other) in
            [("b=1&a=2", "a=2&b=1"), ("q=a+b", "q=a%20b"), ("q=%7e", "q=~"), ("a", "a="), ("a=1&a=1", "a=1")]
        {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        for (one, other) in [("q=M%FCsli", "q=M%FDsli"), ("a=1;b=2", "a=1&b=2"), ("a=1", "a=2"), ("a", "A")] {
            assert_ne!(key(one), key(other), "{one} {other}");
        }
    }

    #[test]
    fn doubtful_parameters_are_left_out_by_name() {
        let page = url("https://example.com/a?Ref=1&b=2&sid=3");
        assert_eq!(doubtful(&page), ["ref", "sid"]);
        assert_eq!(without(&page, &doubtful(&page)).unwrap().as_str(), "https://example.com/a?b=2");
        assert_eq!(without(&page, &["c".to_owned()]), None);
    }
}
