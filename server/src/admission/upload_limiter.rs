//! Limits the uploads that this process receives at the same time to four per tenant, so that slow uploads of one tenant
//! take neither memory nor connections from others.

use std::time::Duration;

use contract::TenantId;

use super::permits::{Permit, Permits};
use crate::error::{ApiError, ApiResult};

/// The uploads of one tenant at the same time.
const MAX_PER_TENANT: usize = 4;
/// `Retry-After` of a refusal.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The uploads that are being received, by tenant; those of operators are counted together.
#[derive(Debug, Clone, Default)]
pub struct UploadLimiter(Permits<Option<TenantId>>);

/// The right to send a body, until it is dropped.
#[derive(Debug)]
pub struct UploadPermit {
    _permit: Permit<Option<TenantId>>,
}

impl UploadLimiter {
    /// Counts an upload.
    ///
    /// # Errors
    /// `rate_limited` when the tenant has as many as it may.
    pub fn acquire(&self, tenant: Option<TenantId>) -> ApiResult<UploadPermit> {
        let permit = self.0.take(tenant, |running| match running.get(&tenant) {
            Some(own) if *own >= MAX_PER_TENANT => Err(ApiError::rate_limited(RETRY_AFTER)),
            _ => Ok(()),
        })?;
        Ok(UploadPermit { _permit: permit })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_tenant_sends_four_uploads_and_others_have_their_own() {
        let limiter = UploadLimiter::default();
        let tenant = Some(TenantId(Uuid::from_u128(1)));
        let mut running: Vec<_> = (0..MAX_PER_TENANT).map(|_| limiter.acquire(tenant).unwrap()).collect();
        assert_eq!(limiter.acquire(tenant).unwrap_err().status(), 429);
        let other = limiter.acquire(Some(TenantId(Uuid::from_u128(2))));
        assert!(other.is_ok());
        running.pop();
        running.push(limiter.acquire(tenant).unwrap());
        drop((running, other));
        assert!(limiter.0.is_empty());
    }
}
