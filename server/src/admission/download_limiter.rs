//! Limits the uploaded files that this process hands out at the same time: to visitors of a tenant, to one of their
//! addresses, and to the tenant's people.

use std::time::Duration;

use contract::TenantId;

use super::{
    permits::{Permit, Permits},
    rate_limit::{Client, Network},
};
use crate::error::{ApiError, ApiResult};

/// The files of one tenant that its visitors, or its people, read at the same time.
const MAX_PER_TENANT: usize = 16;
/// The files of one tenant that one address of a visitor reads at the same time.
const MAX_PER_ADDRESS: usize = 4;
/// `Retry-After` of a refusal.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// A tenant, and the network of a visitor; `None` for the tenant's people.
type Reader = (TenantId, Option<Network>);

/// The files that are being read, by reader.
#[derive(Debug, Clone, Default)]
pub struct DownloadLimiter(Permits<Reader>);

/// The right to read a file, until it is dropped.
#[derive(Debug)]
pub struct DownloadPermit {
    _permit: Permit<Reader>,
}

impl DownloadLimiter {
    /// Counts a file that a person of the tenant reads.
    ///
    /// # Errors
    /// `rate_limited` when they read as many as they may.
    pub fn person(&self, tenant: TenantId) -> ApiResult<DownloadPermit> {
        self.acquire((tenant, None), MAX_PER_TENANT)
    }

    /// Counts a file that a visitor of the tenant reads.
    ///
    /// # Errors
    /// `rate_limited` when the address, or all visitors of the tenant, read as many as they may.
    pub fn visitor(&self, tenant: TenantId, client: &Client) -> ApiResult<DownloadPermit> {
        self.acquire((tenant, Some(client.network)), MAX_PER_ADDRESS)
    }

    fn acquire(&self, reader: Reader, max_own: usize) -> ApiResult<DownloadPermit> {
        let permit = self.0.take(reader, |reading| {
            let is_alike = |other: &Reader| other.0 == reader.0 && other.1.is_some() == reader.1.is_some();
            let alike: usize = reading.iter().filter(|(other, _)| is_alike(other)).map(|(_, count)| count).sum();
            let own = reading.get(&reader).copied().unwrap_or_default();
            let is_free = alike < MAX_PER_TENANT && own < max_own;
            is_free.then_some(()).ok_or_else(|| ApiError::rate_limited(RETRY_AFTER))
        })?;
        Ok(DownloadPermit { _permit: permit })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn readers_of_a_tenant_and_of_an_address_are_limited() {
        let limiter = DownloadLimiter::default();
        let (tenant, other) = (TenantId(Uuid::from_u128(1)), TenantId(Uuid::from_u128(2)));
        let visitor = |tenant, n: u8| {
            let network = Network::of(std::net::IpAddr::from([192, 0, 2, n]));
            limiter.acquire((tenant, Some(network)), MAX_PER_ADDRESS)
        };
        let mut open: Vec<_> = (0..4).map(|_| visitor(tenant, 1).unwrap()).collect();
        assert_eq!(visitor(tenant, 1).unwrap_err().status(), 429, "the address");
        open.extend((0..12).map(|n| visitor(tenant, 2 + n / 4).unwrap()));
        assert_eq!(visitor(tenant, 9).unwrap_err().status(), 429, "the tenant");
        open.push(visitor(other, 1).unwrap());
        open.extend((0..16).map(|_| limiter.person(tenant).unwrap()));
        assert_eq!(limiter.person(tenant).unwrap_err().status(), 429, "its people");
        drop(open);
        assert!(limiter.0.is_empty());
    }
}
