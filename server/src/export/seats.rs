//! How many exports tenants may run: two each, and together half of the connections that exports have. A tenant that keeps
//! streams open keeps neither operators nor other tenants from theirs.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use contract::{ErrorCode, TenantId};

use crate::http::error::{ApiError, ApiResult};

/// The exports of one tenant at the same time.
const MOST_OF_A_TENANT: usize = 2;
/// When a tenant whose exports all run may ask again.
const AGAIN_AFTER: Duration = Duration::from_secs(5);

/// How many exports each tenant runs.
#[derive(Debug, Clone, Default)]
pub struct Seats(Arc<Mutex<HashMap<TenantId, usize>>>);

/// An export that runs until this is dropped.
#[derive(Debug)]
pub struct Seat {
    seats: Seats,
    tenant: TenantId,
}

impl Seats {
    /// Counts an export of the tenant, of exports that have `connections` in all.
    ///
    /// # Errors
    /// `rate_limited` when the tenant runs as many as it may, `service_unavailable` when all tenants together do.
    pub fn take(&self, tenant: TenantId, connections: usize) -> ApiResult<Seat> {
        let mut taken = self.taken();
        if taken.get(&tenant).is_some_and(|own| *own >= MOST_OF_A_TENANT) {
            return Err(ApiError::rate_limited(AGAIN_AFTER));
        }
        if taken.values().sum::<usize>() >= (connections / 2).max(1) {
            return Err(ErrorCode::ServiceUnavailable.into());
        }
        *taken.entry(tenant).or_default() += 1;
        Ok(Seat { seats: self.clone(), tenant })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<TenantId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        if let Some(own) = taken.get_mut(&self.tenant) {
            *own -= 1;
        }
        taken.retain(|_, own| *own > 0);
    }
}
