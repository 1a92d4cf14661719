//! The client's address: the peer's, or behind trusted proxies the last address in `X-Forwarded-For` that is not one of
//! them. The entries before it are under the client's control.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use http::request::Parts;

/// Trusted proxies, whose `X-Forwarded-For` is used; in the extensions of each request.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(pub std::sync::Arc<[crate::config::Cidr]>);

impl TrustedProxies {
    /// Whether the address is a trusted proxy's.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|cidr| cidr.contains(address))
    }
}

/// The client's address; `None` when it is unknown: the connection has no address, or a trusted proxy wrote an invalid
/// entry. An IPv4 client of a listener on `::` has its IPv4 address.
pub fn of(parts: &Parts) -> Option<IpAddr> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip().to_canonical();
    let is_trusted = |ip| parts.extensions.get::<TrustedProxies>().is_some_and(|trusted| trusted.contains(ip));
    if !is_trusted(peer) {
        return Some(peer);
    }
    let lines: Vec<&[u8]> = parts.headers.get_all("x-forwarded-for").iter().map(http::HeaderValue::as_bytes).collect();
    let entries = lines.iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b','));
    for entry in entries.map(<[u8]>::trim_ascii).filter(|entry| !entry.is_empty()) {
        match address(entry) {
            Some(ip) if is_trusted(ip) => {}
            other => return other,
        }
    }
    Some(peer)
}

/// The network that counts as one client: an IPv4 address, or the /64 that an IPv6 client owns.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

/// An entry: an address, or an address with a port as some proxies write it.
fn address(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?;
    let ip: Option<IpAddr> = text.parse().ok().or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()));
    ip.map(|ip| ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, Request};

    use super::*;

    /// The address of a request from the proxy 10.0.0.1 with these header lines.
    fn forwarded(lines: &[&[u8]]) -> Option<IpAddr> {
        let (mut parts, ()) = Request::new(()).into_parts();
        parts.extensions.insert(ConnectInfo(SocketAddr::from(([10, 0, 0, 1], 4711))));
        parts.extensions.insert(TrustedProxies(["10.0.0.0/8".parse().unwrap()].into()));
        for line in lines {
            parts.headers.append("x-forwarded-for", HeaderValue::from_bytes(line).unwrap());
        }
        of(&parts)
    }

    fn ip(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn the_last_entry_that_is_no_trusted_proxy_is_the_client() {
        assert_eq!(forwarded(&[b"198.51.100.9, 203.0.113.5"]), ip("203.0.113.5"));
        assert_eq!(forwarded(&[b"203.0.113.5, 10.0.0.7", b"10.0.0.8"]), ip("203.0.113.5"));
        assert_eq!(forwarded(&[b"203.0.113.5:4711"]), ip("203.0.113.5"));
        assert_eq!(forwarded(&[b"[2001:db8::1]:443"]), ip("2001:db8::1"));
        assert_eq!(forwarded(&[b" , 2001:db8::1 ,"]), ip("2001:db8::1"));
    }

    #[test]
    fn an_ipv4_client_has_its_ipv4_address() {
        let (mut parts, ()) = Request::new(()).into_parts();
        parts.extensions.insert(ConnectInfo("[::ffff:203.0.113.5]:4711".parse::<SocketAddr>().unwrap()));
        assert_eq!(of(&parts), ip("203.0.113.5"));
        assert_eq!(forwarded(&[b"::ffff:203.0.113.5"]), ip("203.0.113.5"));
    }

    #[test]
    fn bytes_that_the_client_wrote_do_not_hide_it() {
        assert_eq!(forwarded(&[b"\xff, 203.0.113.5"]), ip("203.0.113.5"));
        assert_eq!(forwarded(&[b"\xff", b"203.0.113.5"]), ip("203.0.113.5"));
    }

    #[test]
    fn an_entry_that_cannot_be_read_is_never_the_proxys_address() {
        assert_eq!(forwarded(&[b"203.0.113.5, \xff"]), None);
        assert_eq!(forwarded(&[b"203.0.113.5, unknown, 10.0.0.7"]), None);
    }

    #[test]
    fn without_an_entry_the_proxy_itself_is_the_client() {
        assert_eq!(forwarded(&[]), ip("10.0.0.1"));
        assert_eq!(forwarded(&[b"10.0.0.7"]), ip("10.0.0.1"));
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one_client() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
