//! Checks the path from browsers to the platform: its public address, and the proxies in front.

use std::net::{IpAddr, SocketAddr};

use ::http::{HeaderMap, header, request::Parts};
use axum::extract::ConnectInfo;

use super::{
    Check, Subject,
    http::{self, HttpError},
    names,
};
use crate::config::Cidr;

pub(super) async fn check(subject: &Subject) -> Vec<Check> {
    vec![
        address(subject).await,
        proxies(&subject.base_url, &subject.trusted_proxies),
        crawler(subject.settings.crawls_loopback),
    ]
}

/// Whether the platform answers at the address that browsers use.
async fn address(subject: &Subject) -> Check {
    let base = &subject.base_url;
    let answer = match http::client() {
        Ok(client) => http::ask(client.get(format!("{base}/health/live"))).await,
        Err(fault) => Err(fault),
    };
    let fault = match answer {
        Ok(answer) if answer.body["status"] == "ok" => {
            let finding = text!("The platform answers at {base}.", "Die Plattform antwortet unter {base}.");
            return Check::ok(names::ADDRESS, finding);
        }
        Ok(_) => HttpError::NotUnderstood,
        Err(fault) => fault,
    };
    Check::warning(
        names::ADDRESS,
        fault.text(),
        text!(
            "Start the platform, and check http.base_url and the proxy before it. This machine may not reach its public address.",
            "Starten Sie die Plattform und prüfen Sie http.base_url und den Proxy davor. Womöglich erreicht dieser Rechner seine öffentliche Adresse nicht."
        ),
    )
}

/// Whether tenants can make the platform call this machine.
fn crawler(reaches_loopback: bool) -> Check {
    if !reaches_loopback {
        return Check::ok(
            names::CRAWLER,
            text!("Only public addresses are read.", "Es werden nur öffentliche Adressen gelesen."),
        );
    }
    Check::warning(
        names::CRAWLER,
        text!(
            "crawl.allow_loopback is on: tenants reach every port of this machine. `serve` and `worker` refuse to start.",
            "crawl.allow_loopback ist an: Mandanten erreichen jeden Port dieses Rechners. `serve` und `worker` starten nicht."
        ),
        text!("Remove the setting.", "Entfernen Sie die Einstellung."),
    )
}

fn proxies(base: &str, trusted: &[Cidr]) -> Check {
    if trusted.iter().any(Cidr::is_everybody) {
        return Check::failed(
            names::PROXIES,
            text!(
                "http.trusted_proxies contains every address: visitors choose the address that they are counted by.",
                "http.trusted_proxies umfasst jede Adresse: Besucher wählen selbst, unter welcher Adresse sie gezählt werden."
            ),
            text!("Name the addresses of your proxies only.", "Nennen Sie nur die Adressen Ihrer Proxys."),
        );
    }
    if base.starts_with("https://") && trusted.is_empty() {
        return Check::failed(
            names::PROXIES,
            text!(
                "The address is https, which a proxy serves, but no proxy is trusted: all visitors share its rate limit.",
                "Die Adresse ist https, was ein Proxy bereitstellt, aber keinem Proxy wird vertraut: Alle Besucher teilen sich sein Rate-Limit."
            ),
            text!(
                "Set http.trusted_proxies to the address of the proxy.",
                "Setzen Sie http.trusted_proxies auf die Adresse des Proxys."
            ),
        );
    }
    let count = trusted.len();
    Check::ok(names::PROXIES, text!("Trusted networks: {count}.", "Vertraute Netze: {count}."))
}

/// What a request reveals about the proxies that it passed.
pub fn request(parts: &Parts, trusted: &[Cidr], base_url: &str) -> Check {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
    headers(&parts.headers, peer, trusted, base_url)
}

fn headers(headers: &HeaderMap, peer: Option<IpAddr>, trusted: &[Cidr], base_url: &str) -> Check {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_trusted = peer.is_some_and(|peer| trusted.iter().any(|network| network.contains(peer)));
    let is_forwarded = headers.contains_key("x-forwarded-for");
    let peer_text = peer.map_or_else(|| "?".to_owned(), |peer| peer.to_string());
    if is_forwarded && !is_trusted {
        return Check::failed(
            names::PROXY_HEADERS,
            text!(
                "Your call came through the proxy {peer_text}, which is not trusted: its clients share one rate limit.",
                "Ihr Aufruf kam über den Proxy {peer_text}, dem nicht vertraut wird: Seine Clients teilen sich ein Rate-Limit."
            ),
            text!("Add {peer_text} to http.trusted_proxies.", "Nehmen Sie {peer_text} in http.trusted_proxies auf."),
        );
    }
    if is_trusted && !is_forwarded {
        return Check::failed(
            names::PROXY_HEADERS,
            text!(
                "The proxy {peer_text} sends no X-Forwarded-For: all visitors have its address.",
                "Der Proxy {peer_text} sendet kein X-Forwarded-For: Alle Besucher haben seine Adresse."
            ),
            text!(
                "Let the proxy set X-Forwarded-For (docs/deployment.md).",
                "Lassen Sie den Proxy X-Forwarded-For setzen (docs/deployment.md)."
            ),
        );
    }
    let host = text(header::HOST.as_str());
    let expected = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    if is_trusted && !host.is_empty() && host != expected {
        return Check::warning(
            names::PROXY_HEADERS,
            text!(
                "The proxy passes the host {host} on; browsers use {expected}.",
                "Der Proxy gibt den Host {host} weiter; Browser verwenden {expected}."
            ),
            text!(
                "Let the proxy keep the Host header (docs/deployment.md).",
                "Lassen Sie den Proxy den Host-Header beibehalten (docs/deployment.md)."
            ),
        );
    }
    let finding = if is_trusted {
        text!(
            "Your call came through the trusted proxy {peer_text}.",
            "Ihr Aufruf kam über den vertrauten Proxy {peer_text}."
        )
    } else {
        text!("Your call came directly from {peer_text}.", "Ihr Aufruf kam direkt von {peer_text}.")
    };
    Check::ok(names::PROXY_HEADERS, finding)
}

#[cfg(test)]
mod tests {
    use contract::system_check::CheckStatus::{self, Failed, Ok as Fine, Warning};

    use super::*;

    const BASE: &str = "https://chat.example";

    fn of(sent: &[(&'static str, &'static str)], trusted: &[&str]) -> CheckStatus {
        let trusted: Vec<Cidr> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        let sent = sent.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        headers(&sent, Some([10, 0, 0, 1].into()), &trusted, BASE).status
    }

    #[test]
    fn an_untrusted_proxy_and_a_silent_one_are_found() {
        let (forwarded, host) = (("x-forwarded-for", "203.0.113.5"), ("host", "chat.example"));
        assert_eq!(of(&[forwarded, host], &["10.0.0.0/8"]), Fine);
        assert_eq!(of(&[host], &[]), Fine);
        assert_eq!(of(&[forwarded, host], &[]), Failed);
        assert_eq!(of(&[host], &["10.0.0.0/8"]), Failed);
        assert_eq!(of(&[forwarded, ("host", "inside:8080")], &["10.0.0.0/8"]), Warning);
    }

    #[test]
    fn trusting_nobody_or_everybody_is_found() {
        let status = |base: &str, trusted: &[&str]| {
            let trusted: Vec<Cidr> = trusted.iter().map(|network| network.parse().unwrap()).collect();
            proxies(base, &trusted).status
        };
        assert_eq!(status(BASE, &["10.0.0.1/32"]), Fine);
        assert_eq!(status("http://127.0.0.1:8080", &[]), Fine);
        assert_eq!(status(BASE, &[]), Failed);
        assert_eq!(status(BASE, &["0.0.0.0/0"]), Failed);
        assert_eq!(status(BASE, &["::/0"]), Failed);
    }
}
