//! Decides which addresses may be fetched: those of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is public. Refuses everything else: this machine, private and shared networks, link-local
/// addresses including the metadata services of clouds, multicast, documentation, and IPv6 forms of IPv4 addresses.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    // The metadata service of a large cloud, at a public-looking address.
    const WIRE_SERVER: [u8; 4] = [168, 63, 129, 16];
    let is_special = match address.octets() {
        // "This" network, private, loopback, and class E with the broadcast address.
        [0 | 10 | 127 | 240..=255, ..] => true,
        // Shared by carriers.
        [100, 64..=127, ..] => true,
        // Link-local.
        [169, 254, ..] => true,
        [172, 16..=31, ..] => true,
        // Protocols, documentation, relays from IPv6, and private.
        [192, 0, 0 | 2, _] | [192, 31, 196, _] | [192, 52, 193, _] | [192, 88, 99, _] | [192, 168, ..] => true,
        [192, 175, 48, _] => true,
        // Benchmarks and documentation.
        [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Multicast.
        [224..=239, ..] => true,
        octets => octets == WIRE_SERVER,
    };
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Tunnels, identifiers, benchmarks, documentation, and addresses of IPv4 in other words.
        [0x2001, 0..=0x01ff, ..] | [0x2001, 0x0db8, ..] | [0x2002, ..] | [0x3fff, 0..=0x0fff, ..] => false,
        // All that is assigned to hosts of the internet.
        [0x2000..=0x3fff, ..] => true,
        _ => false,
    }
}
