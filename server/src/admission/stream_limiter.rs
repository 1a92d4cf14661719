//! Limits the open progress streams of this process to eight per tenant, so that open pages of one tenant do not take
//! connections and database capacity from others.

use std::{collections::HashMap, sync::Arc, time::Duration};

use contract::TenantId;
use parking_lot::Mutex;

use crate::error::{ApiError, ApiResult};

/// The streams of one tenant at the same time.
pub const MAX_PER_TENANT: usize = 8;
/// `Retry-After` of a refusal.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// The streams that are open, by tenant.
#[derive(Debug, Clone, Default)]
pub struct StreamLimiter(Arc<Mutex<HashMap<TenantId, usize>>>);

/// The right to keep one stream open, until it is dropped.
#[derive(Debug)]
pub struct StreamPermit {
    limiter: StreamLimiter,
    tenant: TenantId,
}

impl StreamLimiter {
    /// Counts a stream of a tenant.
    ///
    /// # Errors
    /// `rate_limited` when the tenant has as many as it may.
    pub fn acquire(&self, tenant: TenantId) -> ApiResult<StreamPermit> {
        let mut open = self.0.lock();
        let own = open.entry(tenant).or_default();
        if *own >= MAX_PER_TENANT {
            return Err(ApiError::rate_limited(RETRY_AFTER));
        }
        *own += 1;
        Ok(StreamPermit { limiter: self.clone(), tenant })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self.limiter.0.lock();
        if let Some(own) = open.get_mut(&self.tenant) {
            *own -= 1;
        }
        open.retain(|_, own| *own > 0);
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
        assert!(limiter.0.lock().is_empty());
    }
}
