//! Decides which addresses belong to a website: one host, the proven folder, robots.txt, and the tenant's patterns.

use contract::websites::WebsiteSettings;
use url::Url;

use super::{
    fetch::FetchError,
    page_url::{self, host_of, normal},
    pattern,
    robots::Robots,
};

/// Extensions of files that are never read.
const SKIPPED: &[&str] = &[
    "jpg", "jpeg", "png", "gif", "svg", "webp", "avif", "ico", "bmp", "tif", "tiff", "css", "js", "mjs", "map", "json",
    "xml", "rss", "atom", "woff", "woff2", "ttf", "eot", "otf", "mp3", "mp4", "m4a", "webm", "ogg", "wav", "avi",
    "mov", "mkv", "zip", "gz", "tgz", "rar", "7z", "tar", "bz2", "xz", "exe", "dmg", "msi", "apk", "iso", "doc", "xls",
    "ppt", "xlsx", "pptx", "odt", "ods", "odp", "ics", "vcf", "eps", "psd", "wasm",
];

/// The addresses of one website.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    /// The host, with the folder that is proven.
    pub origin: Url,
    pub robots: Robots,
    pub settings: WebsiteSettings,
    /// Parameters that have turned out not to identify pages of this website.
    pub dropped: Vec<String>,
}

impl Scope {
    /// The address to request for a link of a page, when it may be a page of the website.
    pub(super) fn link(&self, base: &Url, link: &str) -> Option<Url> {
        let url = normal(self.on_host(base.join(link.trim()).ok()?))?;
        let url = page_url::without(&url, &self.dropped).unwrap_or(url);
        (self.is_own(&url) && !is_skipped(&url) && self.is_included(&url) && !is_repeating(&url)).then_some(url)
    }

    /// Whether an address is of the website's host.
    pub(super) fn is_own(&self, url: &Url) -> bool {
        url.origin() == self.origin.origin()
    }

    /// An address with the website's scheme and host, when it differs in `http` or `https`, or in `www.` alone. Sites
    /// often name their own pages in another way than they serve them.
    pub(super) fn on_host(&self, mut url: Url) -> Url {
        let is_alike = matches!(url.scheme(), "http" | "https")
            && host_of(&url) == host_of(&self.origin)
            && url.port() == self.origin.port();
        if is_alike && !self.is_own(&url) {
            // Both are schemes of the web, and the host is one of an address: neither can fail.
            let _ = url.set_scheme(self.origin.scheme());
            let _ = url.set_host(self.origin.host_str());
        }
        url
    }

    /// Whether the tenant's patterns include a page. The first page of the site is always included, because it links to
    /// the others.
    pub(super) fn is_included(&self, url: &Url) -> bool {
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        let has = |patterns: &[String]| patterns.iter().any(|pattern_text| pattern::matches(pattern_text, &path));
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
        Scope {
            origin,
            robots: Robots::parse("User-agent: *\nDisallow: /help/secret"),
            settings: settings.settings(),
            dropped: Vec::new(),
        }
    }

    #[test]
    fn links_stay_on_the_host_and_within_the_patterns() {
        let (scope, base) = (scope(), Url::parse("https://example.com/help/").unwrap());
        for (link, is_page) in [
            ("a.html", true),
            ("/help/a?page=2", true),
            ("//example.com/help/b", true),
            ("http://example.com/help/b", true),
            ("https://www.example.com/help/b", true),
            ("https://example.com:8443/help/b", false),
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
    fn other_names_of_the_host_are_requested_on_it() {
        let (scope, base) = (scope(), Url::parse("https://example.com/").unwrap());
        for link in
            ["http://example.com/help/a?x=1", "https://www.example.com/help/a?x=1", "//www.example.com/help/a?x=1"]
        {
            assert_eq!(scope.link(&base, link).unwrap().as_str(), "https://example.com/help/a?x=1", "{link}");
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
