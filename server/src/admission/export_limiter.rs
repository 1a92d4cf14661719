//! Limits the exports of this process: two per operator or vendor and per tenant, and all tenants together half of the
//! connections for exports, so that the exports of one tenant do not block others.

use std::time::Duration;

use contract::{
    ErrorCode, TenantId,
    identity::{Identity, TokenScope},
};

use super::permits::{Permit, Permits};
use crate::error::{ApiError, ApiResult};

/// The exports of one principal or tenant at the same time.
const MAX_PER_HOLDER: usize = 2;
/// `Retry-After` of a refusal.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The user or tenant that an export counts for.
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

/// The exports that run, by holder.
#[derive(Debug, Clone, Default)]
pub struct ExportLimiter(Permits<Holder>);

/// The right to run one export, until it is dropped.
#[derive(Debug)]
pub struct ExportPermit {
    _permit: Permit<Holder>,
}

impl ExportLimiter {
    /// Takes a permit for an export of the caller; `connections` is the number of connections for all exports.
    ///
    /// # Errors
    /// `rate_limited` when the principal or tenant runs as many as it may, `service_unavailable` when all tenants together
    /// do.
    pub fn acquire(&self, identity: &Identity, connections: usize) -> ApiResult<ExportPermit> {
        let holder = Holder::of(identity);
        let is_tenant = |holder: &Holder| matches!(holder, Holder::Tenant(_));
        let permit = self.0.take(holder.clone(), |running| {
            if running.get(&holder).is_some_and(|own| *own >= MAX_PER_HOLDER) {
                return Err(ApiError::rate_limited(RETRY_AFTER));
            }
            let of_tenants: usize = running.iter().filter(|(other, _)| is_tenant(other)).map(|(_, own)| own).sum();
            if is_tenant(&holder) && of_tenants >= (connections / 2).max(1) {
                return Err(ErrorCode::ServiceUnavailable.into());
            }
            Ok(())
        })?;
        Ok(ExportPermit { _permit: permit })
    }
}
