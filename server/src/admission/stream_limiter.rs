//! Limits the open progress streams of this process to eight per tenant, so that open pages of one tenant do not take
//! connections and database capacity from others.

use std::time::Duration;

use contract::TenantId;

use super::permits::{Permit, Permits};
use crate::error::{ApiError, ApiResult};

/// The streams of one tenant at the same time.
pub const MAX_PER_TENANT: usize = 8;
/// `Retry-After` of a refusal.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// The streams that are open, by tenant.
#[derive(Debug, Clone, Default)]
pub struct StreamLimiter(Permits<TenantId>);

/// The right to keep one stream open, until it is dropped.
#[derive(Debug)]
pub struct StreamPermit {
    _permit: Permit<TenantId>,
}

impl StreamLimiter {
    /// Counts a stream of a tenant.
    ///
    /// # Errors
    /// `rate_limited` when the tenant has as many as it may.
    pub fn acquire(&self, tenant: TenantId) -> ApiResult<StreamPermit> {
        let permit = self.0.take(tenant, |open| match open.get(&tenant) {
            Some(own) if *own >= MAX_PER_TENANT => Err(ApiError::rate_limited(RETRY_AFTER)),
            _ => Ok(()),
        })?;
        Ok(StreamPermit { _permit: permit })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_tenant_has_eight_streams_and_others_have_their_own() {
        let limiter = StreamLimiter::default();
        let tenant = TenantId(Uuid::from_u128(1));
        let mut open: Vec<_> = (0..MAX_PER_TENANT).map(|_| limiter.acquire(tenant).unwrap()).collect();
        assert_eq!(limiter.acquire(tenant).unwrap_err().status(), 429);
        let other = limiter.acquire(TenantId(Uuid::from_u128(2)));
        assert!(other.is_ok());
        open.pop();
        open.push(limiter.acquire(tenant).unwrap());
        drop((open, other));
        assert!(limiter.0.is_empty());
    }
}
