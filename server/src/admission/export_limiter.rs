//! How many exports run in this process: two of each principal of the platform and of each tenant, and of all tenants
//! together half of the connections that exports have. Whoever keeps streams open keeps nobody else from theirs.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use contract::{
    ErrorCode, TenantId,
    identity::{Identity, TokenScope},
};

use crate::error::{ApiError, ApiResult};

/// The exports of one principal or tenant at the same time.
const MOST_OF_ONE: usize = 2;
/// When one whose exports all run may ask again.
const AGAIN_AFTER: Duration = Duration::from_secs(5);

/// Whom an export is counted for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Holder {
    /// All users of a tenant together.
    Tenant(TenantId),
    /// An operator or vendor: realm and username.
    Principal(String, String),
}

impl Holder {
    fn of(identity: &Identity) -> Self {
        match (identity.scope, identity.tenant_id) {
            (TokenScope::Tenant, Some(tenant)) => Self::Tenant(tenant),
            _ => Self::Principal(identity.realm.clone(), identity.username.clone()),
        }
    }
}

/// How many exports run, and whose they are.
#[derive(Debug, Clone, Default)]
pub struct Seats(Arc<Mutex<HashMap<Holder, usize>>>);

/// An export that runs until this is dropped.
#[derive(Debug)]
pub struct Seat {
    seats: Seats,
    holder: Holder,
}

impl Seats {
    /// Counts an export of the caller, of exports that have `connections` in all.
    ///
    /// # Errors
    /// `rate_limited` when the principal or tenant runs as many as it may, `service_unavailable` when all tenants together
    /// do.
    pub fn take(&self, identity: &Identity, connections: usize) -> ApiResult<Seat> {
        let holder = Holder::of(identity);
        let mut taken = self.taken();
        if taken.get(&holder).is_some_and(|own| *own >= MOST_OF_ONE) {
            return Err(ApiError::rate_limited(AGAIN_AFTER));
        }
        let is_tenant = |holder: &Holder| matches!(holder, Holder::Tenant(_));
        let of_tenants: usize = taken.iter().filter(|(other, _)| is_tenant(other)).map(|(_, own)| own).sum();
        if is_tenant(&holder) && of_tenants >= (connections / 2).max(1) {
            return Err(ErrorCode::ServiceUnavailable.into());
        }
        *taken.entry(holder.clone()).or_default() += 1;
        Ok(Seat { seats: self.clone(), holder })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<Holder, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        if let Some(own) = taken.get_mut(&self.holder) {
            *own -= 1;
        }
        taken.retain(|_, own| *own > 0);
    }
}
