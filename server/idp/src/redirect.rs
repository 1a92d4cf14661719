//! Redirect addresses and origins that a client may use, by Keycloak's rules.
//!
//! A pattern is an exact address, or a prefix when it ends in `*`. An address on a loopback interface may use any port
//! when the pattern has none (RFC 8252, 7.3).

use std::collections::BTreeSet;

use url::Url;

/// Whether an address matches one of the patterns.
pub(crate) fn is_allowed(uri: &str, patterns: &[String]) -> bool {
    let Some(parsed) = usable(uri) else { return false };
    patterns.iter().any(|pattern| matches(uri, pattern))
        || without_loopback_port(&parsed).is_some_and(|uri| patterns.iter().any(|pattern| matches(&uri, pattern)))
}

/// Refuses patterns that would match more than one site.
pub(crate) fn check_pattern(pattern: &str) -> Result<(), String> {
    let start = pattern.strip_suffix('*').unwrap_or(pattern);
    let parsed = usable(start).ok_or_else(|| format!("the redirect address {pattern:?} is not an absolute address"))?;
    let path_begins = start.len() > parsed.origin().ascii_serialization().len();
    match !start.contains('*') && (path_begins || start == pattern) {
        true => Ok(()),
        false => Err(format!("the redirect address {pattern:?} may have one * at the end of its path only")),
    }
}

/// The allowed origins; `+` means the origins of the redirect addresses.
pub(crate) fn web_origins(entries: &[String], redirect_uris: &[String]) -> BTreeSet<String> {
    let mut origins = BTreeSet::new();
    for entry in entries {
        match entry.as_str() {
            "+" => origins.extend(redirect_uris.iter().filter_map(|uri| origin(uri.trim_end_matches('*')))),
            other => origins.extend(origin(other)),
        }
    }
    origins
}

/// The allowed addresses after signing out, separated by `##`; `+` means the redirect addresses.
pub(crate) fn post_logout(entries: &str, redirect_uris: &[String]) -> Vec<String> {
    let mut uris = Vec::new();
    for entry in entries.split("##").filter(|entry| !entry.is_empty() && *entry != "-") {
        match entry {
            "+" => uris.extend_from_slice(redirect_uris),
            other => uris.push(other.to_owned()),
        }
    }
    uris
}

/// Scheme, host and port of an address, as browsers write it in `Origin`.
pub(crate) fn origin(uri: &str) -> Option<String> {
    let origin = Url::parse(uri).ok()?.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}

/// An absolute http address without user, fragment or anything that could climb out of a pattern's path.
fn usable(uri: &str) -> Option<Url> {
    let url = Url::parse(uri).ok()?;
    let path = uri.split(['?', '#']).next().unwrap_or(uri).to_ascii_lowercase();
    let climbs = path.contains("/..") || path.contains("%2e");
    let odd = climbs || uri.contains('\\') || uri.contains('#') || uri.chars().any(|c| c.is_control() || c == ' ');
    let web = matches!(url.scheme(), "http" | "https") && url.has_host();
    (web && !odd && url.username().is_empty() && url.password().is_none()).then_some(url)
}

fn matches(uri: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        // As in Keycloak, the rule applies to the path: a query may follow, but the pattern must match before it.
        Some(start) => {
            let path = uri.split('?').next().unwrap_or(uri);
            path.starts_with(start) || start.strip_suffix('/') == Some(path)
        }
        None => uri == pattern,
    }
}

fn without_loopback_port(url: &Url) -> Option<String> {
    let loopback = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    if url.scheme() != "http" || !loopback || url.port().is_none() {
        return None;
    }
    let mut url = url.clone();
    url.set_port(None).ok()?;
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(list: &[&str]) -> Vec<String> {
        list.iter().map(|pattern| (*pattern).to_owned()).collect()
    }

    #[test]
    fn a_wildcard_matches_below_its_path_only() {
        let allowed = patterns(&["http://127.0.0.1:8080/tenant/*"]);
        for good in [
            "http://127.0.0.1:8080/tenant/",
            "http://127.0.0.1:8080/tenant",
            "http://127.0.0.1:8080/tenant/callback",
            "http://127.0.0.1:8080/tenant/a?b=c",
        ] {
            assert!(is_allowed(good, &allowed), "{good}");
        }
    }

    #[test]
    fn addresses_outside_the_pattern_are_refused() {
        let allowed = patterns(&["http://127.0.0.1:8080/tenant/*"]);
        for bad in [
            "http://127.0.0.1:8080/tenant-evil/",
            "http://127.0.0.1:8080/",
            "http://127.0.0.1:8080/?/tenant/",
            "http://127.0.0.1:9090/tenant/",
            "https://127.0.0.1:8080/tenant/",
            "http://127.0.0.1:8080@evil.example/tenant/",
            "http://127.0.0.1:8080/tenant/../admin",
            "http://127.0.0.1:8080/tenant/%2e%2e/admin",
            "http://127.0.0.1:8080/tenant/.%2E/admin",
            "http://127.0.0.1:8080/tenant/..\\admin",
            "http://127.0.0.1:8080/tenant/#fragment",
            "//127.0.0.1:8080/tenant/",
            "javascript:alert(1)",
            "",
        ] {
            assert!(!is_allowed(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn an_exact_address_matches_itself_only() {
        let allowed = patterns(&["https://app.example/callback"]);
        assert!(is_allowed("https://app.example/callback", &allowed));
        assert!(!is_allowed("https://app.example/callback/", &allowed));
        assert!(!is_allowed("https://app.example/callback?x=1", &allowed));
        assert!(!is_allowed("https://APP.example/callback", &allowed));
    }

    #[test]
    fn a_loopback_pattern_without_port_takes_any_port() {
        let allowed = patterns(&["http://127.0.0.1/callback"]);
        assert!(is_allowed("http://127.0.0.1:49152/callback", &allowed));
        assert!(!is_allowed("http://127.0.0.1:49152/other", &allowed));
        assert!(!is_allowed("http://evil.example:49152/callback", &allowed));
    }

    #[test]
    fn a_wildcard_for_hosts_is_refused() {
        for bad in ["*", "http://*", "http://127.0.0.1:8080*", "https://*.example/", "https://a.example/*/b"] {
            assert!(check_pattern(bad).is_err(), "{bad}");
        }
        for good in ["https://a.example/*", "https://a.example/b/*", "http://127.0.0.1/callback"] {
            assert!(check_pattern(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn plus_stands_for_the_redirect_addresses() {
        let uris = patterns(&["http://127.0.0.1:8080/tenant/*", "https://a.example/x"]);
        let expected = patterns(&["http://127.0.0.1:8080", "https://a.example"]).into_iter().collect();
        assert_eq!(web_origins(&patterns(&["+"]), &uris), expected);
        assert_eq!(post_logout("+##https://b.example/", &uris).len(), 3);
        assert_eq!(post_logout("-", &uris), Vec::<String>::new());
    }
}
