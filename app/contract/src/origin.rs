//! Origins and the patterns that allow them, shared by the form, the API and the widget's guard
//! (specification, `allowed_origins`).

mod shared;

use core::{fmt, str::FromStr};

/// A scheme, host and port as a browser's `Origin` header has them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    https: bool,
    host: String,
    port: u16,
}

/// An entry of `allowed_origins`: an origin, or `https://*.` with any subdomain of a domain.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OriginPattern {
    origin: Origin,
    any_subdomain: bool,
}

/// Why a text is no origin pattern; the text is a sentence for the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidOrigin {
    /// Nothing at all, or far too long.
    Length,
    /// A bare `*`, or a wildcard that is not the first label.
    Wildcard,
    /// Fewer than two labels after `*.`.
    WildcardTooWide,
    /// Neither `https://` nor `http://`.
    Scheme,
    /// `http://` for another host than localhost.
    InsecureScheme,
    /// Path, query, fragment or user info.
    MoreThanOrigin,
    /// Upper-case letters.
    UpperCase,
    /// A host that is no domain name or address; punycode is required.
    Host,
    /// No port number, or the scheme's own.
    Port,
}

impl fmt::Display for InvalidOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "must have 1 to 300 characters",
            Self::Wildcard => "can have one wildcard, as the first label: https://*.example.com",
            Self::WildcardTooWide => "must have at least two labels after the wildcard",
            Self::Scheme => "must begin with https:// (or http:// for localhost)",
            Self::InsecureScheme => "can use http:// for localhost only",
            Self::MoreThanOrigin => "must be scheme, host and port only: no path, query or user info",
            Self::UpperCase => "must be in lower case",
            Self::Host => "must have a valid host name (international names in punycode, no trailing dot)",
            Self::Port => "must have a port between 1 and 65535 without leading zeros, or none",
        })
    }
}

impl core::error::Error for InvalidOrigin {}

impl FromStr for Origin {
    type Err = InvalidOrigin;

    /// Reads the value of an `Origin` header; `null` and everything unusual is refused.
    fn from_str(text: &str) -> Result<Self, InvalidOrigin> {
        let (https, rest) = split_scheme(text)?;
        let (host, port) = split_host_port(rest)?;
        if !is_host(host) {
            return Err(InvalidOrigin::Host);
        }
        Ok(Self { https, host: host.to_owned(), port: port.unwrap_or(default_port(https)) })
    }
}

impl FromStr for OriginPattern {
    type Err = InvalidOrigin;

    fn from_str(text: &str) -> Result<Self, InvalidOrigin> {
        if text == "*" {
            return Err(InvalidOrigin::Wildcard);
        }
        let (https, rest) = split_scheme(text)?;
        let (host, port) = split_host_port(rest)?;
        let (any_subdomain, host) = match host.strip_prefix("*.") {
            Some(domain) => (true, domain),
            None => (false, host),
        };
        if host.contains('*') {
            return Err(InvalidOrigin::Wildcard);
        }
        if any_subdomain && !host.contains('.') {
            return Err(InvalidOrigin::WildcardTooWide);
        }
        if !is_host(host) || (any_subdomain && is_address(host)) {
            return Err(InvalidOrigin::Host);
        }
        if !https && (any_subdomain || !is_local(host)) {
            return Err(InvalidOrigin::InsecureScheme);
        }
        let port = port.unwrap_or(default_port(https));
        Ok(Self { origin: Origin { https, host: host.to_owned(), port }, any_subdomain })
    }
}

impl OriginPattern {
    /// Whether anybody can get an origin that a wildcard allows: its domain is one under which many owners have their names,
    /// such as `co.uk` or a site builder's. By a short list, not by the public suffix list, which weighs more than the
    /// console that shows the warning.
    pub fn is_shared(&self) -> bool {
        self.any_subdomain && shared::is_shared(&self.origin.host)
    }

    /// Whether the pattern allows `origin`: scheme and port equal, host equal or, for a wildcard,
    /// a subdomain of any depth and never the bare domain.
    pub fn allows(&self, origin: &Origin) -> bool {
        let same = self.origin.https == origin.https && self.origin.port == origin.port;
        let host = if self.any_subdomain {
            origin.host.strip_suffix(&self.origin.host).is_some_and(|sub| sub.len() > 1 && sub.ends_with('.'))
        } else {
            origin.host == self.origin.host
        };
        same && host
    }
}

/// Whether one of `patterns` allows the `Origin` header `origin`. Patterns that do not parse allow
/// nothing, and an empty list is closed.
pub fn is_allowed<'a>(origin: &str, patterns: impl IntoIterator<Item = &'a str>) -> bool {
    let Ok(origin) = origin.parse::<Origin>() else { return false };
    patterns.into_iter().filter_map(|text| text.parse::<OriginPattern>().ok()).any(|pattern| pattern.allows(&origin))
}

fn split_scheme(text: &str) -> Result<(bool, &str), InvalidOrigin> {
    if text.is_empty() || text.len() > 300 {
        return Err(InvalidOrigin::Length);
    }
    if text.bytes().any(|b| b.is_ascii_uppercase()) {
        return Err(InvalidOrigin::UpperCase);
    }
    let split = text.strip_prefix("https://").map(|rest| (true, rest));
    split.or_else(|| text.strip_prefix("http://").map(|rest| (false, rest))).ok_or(InvalidOrigin::Scheme)
}

fn split_host_port(rest: &str) -> Result<(&str, Option<u16>), InvalidOrigin> {
    if rest.contains(['/', '?', '#', '@', '\\']) {
        return Err(InvalidOrigin::MoreThanOrigin);
    }
    let colon = match rest.rfind(']') {
        Some(end) => rest[end..].find(':').map(|at| end + at),
        None => rest.find(':'),
    };
    let Some(colon) = colon else { return Ok((rest, None)) };
    let port = &rest[colon + 1..];
    let plain = port.bytes().all(|b| b.is_ascii_digit()) && !port.starts_with('0');
    match port.parse::<u16>() {
        Ok(number) if plain => Ok((&rest[..colon], Some(number))),
        _ => Err(InvalidOrigin::Port),
    }
}

const fn default_port(https: bool) -> u16 {
    if https { 443 } else { 80 }
}

fn is_local(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "[::1]") || host.ends_with(".localhost")
}

fn is_address(host: &str) -> bool {
    host.starts_with('[') || host.parse::<core::net::Ipv4Addr>().is_ok()
}

fn is_host(host: &str) -> bool {
    if let Some(inner) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner.parse::<core::net::Ipv6Addr>().is_ok();
    }
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let numeric_end = host.rsplit('.').next().is_some_and(|last| last.bytes().all(|b| b.is_ascii_digit()));
    host.len() <= 253 && host.split('.').all(label) && (!numeric_end || is_address(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Result<OriginPattern, InvalidOrigin> {
        text.parse()
    }

    #[test]
    fn patterns_that_the_specification_allows() {
        for good in [
            "https://example.com",
            "https://*.example.com",
            "https://shop.example.com:8443",
            "http://localhost",
            "http://localhost:3000",
            "http://127.0.0.1:8082",
            "https://xn--mnchen-3ya.de",
        ] {
            assert!(pattern(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn patterns_that_are_refused_with_their_reason() {
        use InvalidOrigin as E;
        for (bad, reason) in [
            ("", E::Length),
            ("*", E::Wildcard),
            ("https://*", E::Wildcard),
            ("https://*.com", E::WildcardTooWide),
            ("https://a.*.example.com", E::Wildcard),
            ("http://example.com", E::InsecureScheme),
            ("http://*.localhost.test", E::InsecureScheme),
            ("ftp://example.com", E::Scheme),
            ("example.com", E::Scheme),
            ("null", E::Scheme),
            ("https://example.com/", E::MoreThanOrigin),
            ("https://user@example.com", E::MoreThanOrigin),
            ("https://Example.com", E::UpperCase),
            ("https://example.com.", E::Host),
            ("https://münchen.de", E::Host),
            ("https://example.com:0443", E::Port),
            ("https://example.com:99999", E::Port),
            ("https://example.com:", E::Port),
            ("https://*.1.2.3.4", E::Host),
        ] {
            assert_eq!(pattern(bad), Err(reason), "{bad}");
        }
    }

    #[test]
    fn a_wildcard_matches_all_subdomains_but_not_the_bare_domain() {
        let list = ["https://*.example.com"];
        for good in ["https://a.example.com", "https://a.b.example.com", "https://a.example.com:443"] {
            assert!(is_allowed(good, list), "{good}");
        }
        for bad in [
            "https://example.com",
            "https://evil-example.com",
            "https://example.com.evil.com",
            "https://a.example.com:8443",
            "http://a.example.com",
            "https://.example.com",
            "https://A.example.com",
            "https://a.example.com.",
            "https://u@a.example.com",
            "null",
            "",
        ] {
            assert!(!is_allowed(bad, list), "{bad}");
        }
    }

    #[test]
    fn an_empty_or_broken_list_is_closed() {
        assert!(!is_allowed("https://a.example.com", []));
        assert!(!is_allowed("https://a.example.com", ["*", "garbage"]));
    }
}
