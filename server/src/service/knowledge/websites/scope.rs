//! Decides which addresses belong to a website, and normalises them: one host, the tenant's patterns, and one address
//! for each page.

use contract::websites::{MAX_URL, WebsiteSettings};
use url::Url;

use super::{fetch::FetchError, pattern, robots::Robots};

/// Tracking and session parameters, which do not identify the page.
const IGNORED: &[&str] = &[
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
    "sessionid",
    "session_id",
    "sid",
    "aspsessionid",
    "cfid",
    "cftoken",
    "ref",
    "source",
    "print",
    "share",
    "replytocom",
];
/// Maximum parameters of one address; more indicate a form or a crawler trap.
const MAX_PARAMETERS: usize = 4;
/// Extensions of files that are never read.
const SKIPPED: &[&str] = &[
    "jpg", "jpeg", "png", "gif", "svg", "webp", "avif", "ico", "bmp", "tif", "tiff", "css", "js", "mjs", "map", "json",
    "xml", "rss", "atom", "woff", "woff2", "ttf", "eot", "otf", "mp3", "mp4", "m4a", "webm", "ogg", "wav", "avi",
    "mov", "mkv", "zip", "gz", "tgz", "rar", "7z", "tar", "bz2", "xz", "exe", "dmg", "msi", "apk", "iso", "doc", "xls",
    "ppt", "xlsx", "pptx", "odt", "ods", "odp", "ics", "vcf", "eps", "psd", "wasm",
];

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

/// The normalised address: without fragment and tracking parameters, the others sorted.
pub(super) fn normal(mut url: Url) -> Option<Url> {
    if !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    url.set_fragment(None);
    let mut parameters: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    parameters.retain(|(name, _)| {
        let name = name.to_ascii_lowercase();
        !name.is_empty() && !name.starts_with("utm_") && !IGNORED.contains(&name.as_str())
    });
    parameters.sort();
    parameters.dedup();
    if parameters.len() > MAX_PARAMETERS {
        return None;
    }
    if parameters.is_empty() {
        url.set_query(None);
    } else {
        url.query_pairs_mut().clear().extend_pairs(parameters);
    }
    (url.as_str().len() <= MAX_URL).then_some(url)
}

/// The addresses of one website.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    /// The host, with the folder that is proven.
    pub origin: Url,
    pub robots: Robots,
    pub settings: WebsiteSettings,
}

impl Scope {
    /// A link of a page in its one form, when it may be a page of the website.
    pub(super) fn link(&self, base: &Url, link: &str) -> Option<Url> {
        let url = normal(base.join(link.trim()).ok()?)?;
        (self.is_own(&url) && !is_skipped(&url) && self.is_included(&url) && !is_repeating(&url)).then_some(url)
    }

    /// Whether an address is of the website's host.
    pub(super) fn is_own(&self, url: &Url) -> bool {
        url.origin() == self.origin.origin()
    }

    /// Whether the tenant's patterns include a page. The first page of the site is always included, because it links to
    /// the others.
    pub(super) fn is_included(&self, url: &Url) -> bool {
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        let has = |patterns: &[String]| patterns.iter().any(|known| pattern::matches(known, &path));
        (self.settings.include.is_empty() || has(&self.settings.include)) && !has(&self.settings.exclude)
    }

    /// Whether an address may be requested: on the website's host, in the folder that is proven, and with its
    /// robots.txt's permission.
    pub(super) fn admits(&self, url: &Url) -> Result<(), FetchError> {
        if !self.is_own(url) {
            return Err(FetchError::OtherHost(url.host_str().unwrap_or_default().to_owned()));
        }
        if !url.path().starts_with(self.origin.path()) {
            return Err(FetchError::OutsideProof(self.origin.path().to_owned()));
        }
        if !self.robots.allows(url) {
            return Err(FetchError::Robots(url.path().to_owned()));
        }
        Ok(())
    }

    /// Whether two addresses name the same page: scheme and `www.` aside.
    pub(super) fn is_same_page(one: &Url, other: &Url) -> bool {
        let path = |url: &Url| (url.path().trim_end_matches('/').to_owned(), url.query().map(str::to_owned));
        host_of(one) == host_of(other) && path(one) == path(other)
    }
}

fn is_skipped(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| SKIPPED.contains(&extension.as_str()))
}

/// Whether a part of the path is repeated many times, as in calendars and broken relative links.
fn is_repeating(url: &Url) -> bool {
    let parts: Vec<&str> = url.path().split('/').filter(|part| !part.is_empty()).collect();
    parts.iter().any(|part| parts.iter().filter(|other| *other == part).count() > 3) || parts.len() > 20
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope() -> Scope {
        let settings = contract::websites::NewWebsite {
            include: vec!["/help/*".to_owned()],
            exclude: vec!["/help/old".to_owned()],
            ..contract::websites::NewWebsite::at("https://example.com/")
        };
        let origin = Url::parse("https://example.com/").unwrap();
        Scope { origin, robots: Robots::parse("User-agent: *\nDisallow: /help/secret"), settings: settings.settings() }
    }

    #[test]
    fn each_page_has_one_address() {
        let normal = |url: &str| normal(Url::parse(url).unwrap()).map(String::from);
        assert_eq!(
            normal("https://EXAMPLE.com:443/a?utm_source=x&b=2&a=1&gclid=3#top"),
            Some("https://example.com/a?a=1&b=2".to_owned())
        );
        assert_eq!(normal("https://example.com/?fbclid=1"), Some("https://example.com/".to_owned()));
        assert_eq!(normal("https://user@example.com/"), None);
        assert_eq!(normal("https://example.com/?a=1&b=1&c=1&d=1&e=1"), None);
        assert_eq!(parse_start("example.com").unwrap().as_str(), "https://example.com/");
        for bad in ["ftp://example.com", "javascript:alert(1)", "http://", "", "file:///etc/passwd"] {
            assert_eq!(parse_start(bad), None, "{bad}");
        }
    }

    #[test]
    fn links_stay_on_the_host_and_within_the_patterns() {
        let (scope, base) = (scope(), Url::parse("https://example.com/help/").unwrap());
        for (link, is_page) in [
            ("a.html", true),
            ("/help/a?page=2", true),
            ("//example.com/help/b", true),
            ("http://example.com/help/b", false),
            ("https://shop.example.com/help/b", false),
            ("/about", false),
            ("/help/old/a", false),
            ("photo.JPG", false),
            ("mailto:a@example.com", false),
            ("javascript:void(0)", false),
            ("x/x/x/x/x", false),
            ("/help/broschüre.pdf", true),
        ] {
            assert_eq!(scope.link(&base, link).is_some(), is_page, "{link}");
        }
    }

    #[test]
    fn only_the_folder_that_is_proven_is_requested() {
        let base = Url::parse("https://example.com/help/").unwrap();
        let scope = Scope { origin: base.clone(), ..scope() };
        for (link, is_page) in [("a", true), ("/help/a", true), ("/help", false), ("../other/a", false), ("/", false)] {
            assert_eq!(scope.admits(&base.join(link).unwrap()).is_ok(), is_page, "{link}");
        }
    }

    #[test]
    fn robots_and_other_hosts_are_refused_at_each_hop() {
        let scope = scope();
        assert_eq!(scope.admits(&Url::parse("https://example.com/help").unwrap()), Ok(()));
        let refused = |url: &str| scope.admits(&Url::parse(url).unwrap()).unwrap_err().problem().as_str();
        assert_eq!(refused("https://example.com/help/secret/1"), "refused_by_robots");
        assert_eq!(refused("https://example.org/help"), "other_host");
    }
}
