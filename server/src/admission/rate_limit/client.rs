//! The client that a request is counted for.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use contract::ChatbotId;
use http::request::Parts;
use sha2::{Digest, Sha256};

use crate::client_ip;

/// The sender of a request before its token is read.
#[derive(Debug, Clone, Copy)]
pub struct Client {
    /// The address for the audit log, if the connection has one.
    pub ip_address: Option<IpAddr>,
    /// The network that counts as one client.
    pub(in crate::admission) network: Network,
    /// The network of an IPv6 client's site, which owns many of the former.
    pub(super) site: Option<Network>,
    /// Whether a load test may skip the limit.
    pub(super) bypasses: bool,
}

impl Client {
    pub(super) fn of(parts: &Parts, bypasses: bool) -> Self {
        let ip_address = client_ip::of(parts);
        // Clients with an unknown address share one bucket, so that they are not unlimited.
        let address = ip_address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        Self { ip_address, network: Network::of(address), site: Network::site(address), bypasses }
    }
}

/// A network, by its first address and the length of its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::admission) struct Network(IpAddr, u8);

impl Network {
    /// An IPv6 client owns its /64, so that is one client; an IPv4 address is one by itself.
    pub(in crate::admission) fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(_) => Self(address, 32),
            IpAddr::V6(address) => Self::prefix(address, 64),
        }
    }

    /// A site gets at most a /48, which is 65,536 clients.
    fn site(address: IpAddr) -> Option<Self> {
        match address {
            IpAddr::V4(_) => None,
            IpAddr::V6(address) => Some(Self::prefix(address, 48)),
        }
    }

    fn prefix(address: Ipv6Addr, length: u8) -> Self {
        Self(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - length)))), length)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0, self.1)
    }
}

/// The key of a bucket.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// Calls of public endpoints by a network.
    Public(Network),
    /// Files that visitors of a network open.
    Download(Network),
    /// Questions to a chatbot by a network.
    Visitor(Network, ChatbotId),
    /// Questions to a chatbot.
    Chatbot(ChatbotId),
    /// Calls of a principal: realm and username.
    Principal(String, String),
    /// Calls with the API key of this SHA-256.
    Program([u8; 32]),
    /// Feedback to a chatbot.
    Feedback(ChatbotId),
    /// Tokens of a network with a wrong signature.
    Failed(Network),
    /// Lookups of chatbots for a network because of an origin only.
    Lookup(Network),
}

impl Key {
    /// The key in Redis. Names and addresses are hashed for privacy.
    pub(super) fn shared(&self) -> String {
        let (class, text) = match self {
            Self::Public(network) => ("public", network.to_string()),
            Self::Download(network) => ("download", network.to_string()),
            Self::Visitor(network, id) => ("visitor", format!("{network}\n{id}")),
            Self::Chatbot(id) => ("chatbot", id.to_string()),
            Self::Feedback(id) => ("feedback", id.to_string()),
            Self::Principal(realm, username) => ("principal", format!("{realm}\n{username}")),
            Self::Program(digest) => ("key", URL_SAFE_NO_PAD.encode(digest)),
            Self::Failed(network) => ("failed", network.to_string()),
            Self::Lookup(network) => ("lookup", network.to_string()),
        };
        let digest = Sha256::digest(text.as_bytes());
        format!("svc:rate:{class}:{}", URL_SAFE_NO_PAD.encode(&digest[..16]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_ipv6_network_are_one_client() {
        let of = |text: &str| Network::of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }

    #[test]
    fn ipv6_networks_of_one_site_are_counted_together_too() {
        let site = |text: &str| Network::site(text.parse().unwrap());
        assert_eq!(site("2001:db8:1:2::1"), site("2001:db8:1:ffff::1"));
        assert_ne!(site("2001:db8:1:2::1"), site("2001:db8:2:2::1"));
        assert_eq!(site("192.0.2.1"), None);
        let first: IpAddr = "2001:db8:1::1".parse().unwrap();
        assert_ne!(Some(Network::of(first)), Network::site(first), "the first client of a site is not the site");
    }

    #[test]
    fn keys_of_redis_name_nobody() {
        let key = Key::Principal("svc-tenants".to_owned(), "alice".to_owned()).shared();
        assert!(key.starts_with("svc:rate:principal:") && !key.contains("alice"), "{key}");
        let other = Key::Principal("svc-tenants\nalice".to_owned(), String::new()).shared();
        assert_ne!(key, other);
    }
}
