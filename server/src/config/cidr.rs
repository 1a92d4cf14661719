//! Networks of client addresses, such as `10.0.0.0/8`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// An address and the number of leading bits that count. IPv4 addresses written as IPv6 (`::ffff:1.2.3.4`) are treated
/// as IPv4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cidr {
    address: IpAddr,
    bits: u8,
}

impl Cidr {
    /// Whether it contains every address of its family.
    #[must_use]
    pub fn is_everybody(&self) -> bool {
        self.bits == 0
    }

    /// Whether it contains the address; never true for the other family.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(net), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                net.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(net), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                net.to_bits() & mask == other.to_bits() & mask
            }
            _ => false,
        }
    }
}

/// The text is not a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a network such as 10.0.0.0/8")]
pub struct NotACidr;

impl FromStr for Cidr {
    type Err = NotACidr;

    /// Parses `address/bits`, or an address alone (then all bits count). `::ffff:10.0.0.0/104` becomes `10.0.0.0/8`;
    /// one with fewer than 96 bits is refused, because it would not be a network of either family.
    fn from_str(text: &str) -> Result<Self, NotACidr> {
        let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| NotACidr)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits: u8 = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| NotACidr))?;
        let canonical = address.to_canonical();
        let is_mapped = canonical.is_ipv4() && address.is_ipv6();
        let canonical_bits = if is_mapped { bits.checked_sub(96).ok_or(NotACidr)? } else { bits };
        if bits > most { Err(NotACidr) } else { Ok(Self { address: canonical, bits: canonical_bits }) }
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.address, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(network: &str, address: &str) -> bool {
        network.parse::<Cidr>().unwrap().contains(address.parse().unwrap())
    }

    #[test]
    fn only_the_leading_bits_count() {
        assert!(contains("10.1.0.0/16", "10.1.255.3"));
        assert!(!contains("10.1.0.0/16", "10.2.0.0"));
        assert!(contains("0.0.0.0/0", "203.0.113.9"));
        assert!(contains("2001:db8::/32", "2001:db8:ffff::1"));
        assert!(!contains("2001:db8::/32", "2001:db9::1"));
        assert!(contains("192.0.2.7", "192.0.2.7"));
    }

    #[test]
    fn an_ipv4_address_in_ipv6_clothing_is_an_ipv4_address() {
        assert!(contains("127.0.0.0/8", "::ffff:127.0.0.1"));
        assert!(!contains("::/0", "127.0.0.1"));
    }

    #[test]
    fn an_ipv4_network_in_ipv6_clothing_is_an_ipv4_network() {
        assert!(contains("::ffff:10.0.0.0/104", "10.1.2.3"));
        assert!(contains("::ffff:10.0.0.1", "10.0.0.1"));
        assert!(!contains("::ffff:10.0.0.0/104", "11.0.0.1"));
        assert_eq!("::ffff:10.0.0.0/104".parse::<Cidr>().unwrap().to_string(), "10.0.0.0/8");
        assert!("::ffff:10.0.0.0/95".parse::<Cidr>().is_err() && "::ffff:10.0.0.0/129".parse::<Cidr>().is_err());
    }

    #[test]
    fn too_many_bits_and_names_are_refused() {
        for text in ["10.0.0.0/33", "::/129", "localhost", "10.0.0.0/", "10.0.0.0/-1", ""] {
            assert!(text.parse::<Cidr>().is_err(), "{text}");
        }
    }
}
