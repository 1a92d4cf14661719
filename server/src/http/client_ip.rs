//! The client's address: the peer's, or behind trusted proxies the last address in
//! `X-Forwarded-For` that is not one of them. The left-most entries are the client's to choose.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use http::request::Parts;

/// Proxies whose `X-Forwarded-For` is believed; kept in the request's extensions by the server.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(pub std::sync::Arc<[crate::config::Cidr]>);

/// The client's address, when the connection tells one.
pub fn of(parts: &Parts) -> Option<IpAddr> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip();
    let trusted = parts.extensions.get::<TrustedProxies>();
    let is_trusted = |ip: IpAddr| trusted.is_some_and(|list| list.0.iter().any(|cidr| cidr.contains(ip)));
    if !is_trusted(peer) {
        return Some(peer);
    }
    let forwarded = parts.headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let chain: Vec<&str> = forwarded.flat_map(|value| value.split(',')).map(str::trim).collect();
    for entry in chain.iter().rev() {
        match entry.parse::<IpAddr>() {
            Ok(ip) if is_trusted(ip) => {}
            Ok(ip) => return Some(ip),
            Err(_) => return Some(peer),
        }
    }
    Some(peer)
}
