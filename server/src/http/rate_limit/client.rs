//! Who a request is counted for.

use std::net::{IpAddr, Ipv4Addr};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use contract::ChatbotId;
use http::request::Parts;
use sha2::{Digest, Sha256};

use crate::http::client_ip;

/// The sender of a request before its token is read.
#[derive(Debug, Clone, Copy)]
pub struct Client {
    /// The address as the audit log shows it, when the connection tells one.
    pub ip_address: Option<IpAddr>,
    /// The network that counts as one client.
    pub(super) network: IpAddr,
    /// Whether a load test may skip the limit.
    pub(super) bypasses: bool,
}

impl Client {
    pub(super) fn of(parts: &Parts, bypasses: bool) -> Self {
        let ip_address = client_ip::of(parts);
        // Clients whose address nobody knows share one count: unknown is not unlimited.
        let network = ip_address.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), client_ip::network);
        Self { ip_address, network, bypasses }
    }
}

/// What a bucket is kept for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// Calls of public endpoints by an address.
    Public(IpAddr),
    /// Questions to a chatbot.
    Chatbot(ChatbotId),
    /// Calls of a principal: realm and username.
    Principal(String, String),
    /// Failed sign-ins of an address.
    Failed(IpAddr),
    /// Chatbots that are looked up for an address because of an origin alone.
    Lookup(IpAddr),
}

impl Key {
    /// The key in Redis. Names and addresses are hashed: they are nobody's business there.
    pub(super) fn shared(&self) -> String {
        let (class, text) = match self {
            Self::Public(network) => ("public", network.to_string()),
            Self::Chatbot(id) => ("chatbot", id.to_string()),
            Self::Principal(realm, username) => ("principal", format!("{realm}\n{username}")),
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
    fn keys_of_redis_name_nobody() {
        let key = Key::Principal("svc-tenants".to_owned(), "alice".to_owned()).shared();
        assert!(key.starts_with("svc:rate:principal:") && !key.contains("alice"), "{key}");
        let other = Key::Principal("svc-tenants\nalice".to_owned(), String::new()).shared();
        assert_ne!(key, other);
    }
}
