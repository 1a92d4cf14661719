//! Quotas and usage of a tenant. Additions are checked twice: before the work, and under a lock before the commit, so
//! that concurrent changes never exceed a quota. What is stored is counted over the rows themselves, because many things
//! change it; what adds nothing is never refused.

pub mod recording;

use chrono::{Days, NaiveDate, Utc};
use contract::{
    ErrorCode, OriginalId, TenantId,
    documents::DocumentProblem,
    usage::{Quota, QuotaUsage, Quotas, StoredDay, TenantUsage, UsageQuery},
    websites::WebsiteProblem,
};
use store::{PgConnection, Scope, stored_days, uploads, usage, usage::Used};

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    state::App,
};

/// A quota that is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exceeded {
    quota: Quota,
    limit: i64,
    used: i64,
}

impl Exceeded {
    /// The problem of a document that exceeds the quota.
    pub(super) const fn document_problem(self) -> DocumentProblem {
        match self.quota {
            Quota::Passages => DocumentProblem::QuotaPassages,
            _ => DocumentProblem::QuotaDocuments,
        }
    }

    /// The problem of a website's page that exceeds the quota.
    pub(super) const fn website_problem(self) -> WebsiteProblem {
        match self.quota {
            Quota::Passages => WebsiteProblem::QuotaPassages,
            _ => WebsiteProblem::QuotaPages,
        }
    }

    /// The numbers, in English.
    pub(super) fn detail(self) -> String {
        format!("{} of {} are used", self.used, self.limit)
    }
}

impl From<Exceeded> for ApiError {
    fn from(exceeded: Exceeded) -> Self {
        let code = match exceeded.quota {
            Quota::Documents => ErrorCode::QuotaDocuments,
            Quota::Bytes => ErrorCode::QuotaBytes,
            Quota::Passages => ErrorCode::QuotaPassages,
            Quota::Pages => ErrorCode::QuotaPages,
            // Visitors beyond the month's quotas get a fallback message or a quoted answer, never an error.
            Quota::Chatbots | Quota::QuestionsPerMonth | Quota::TokensPerMonth => ErrorCode::QuotaChatbots,
        };
        Self::quota(code, exceeded.limit, exceeded.used)
    }
}

/// The quotas of a tenant, and the platform's where it has none.
pub(super) async fn limits(app: &App, connection: &mut PgConnection, tenant: TenantId) -> store::Result<Quotas> {
    Ok(usage::quotas(connection, tenant).await?.or(&app.settings.quotas))
}

/// The first exhausted one of these quotas. Work that adds to it need not begin.
pub(super) async fn used_up(
    app: &App,
    connection: &mut PgConnection,
    tenant: TenantId,
    quotas: &[Quota],
) -> store::Result<Option<Exceeded>> {
    let limits = limits(app, connection, tenant).await?;
    if quotas.iter().all(|quota| limits.of(*quota).is_none()) {
        return Ok(None);
    }
    let used = usage::used(connection, tenant).await?;
    Ok(quotas.iter().find_map(|quota| {
        let (limit, used) = (limits.of(*quota)?, used.of(*quota));
        (used >= limit).then_some(Exceeded { quota: *quota, limit, used })
    }))
}

/// The first quota that the transaction exceeds with these additions. A transaction without additions is never refused.
/// Others with additions wait until the transaction ends, so call this last.
pub(super) async fn exceeded(
    app: &App,
    connection: &mut PgConnection,
    tenant: TenantId,
    added: &[(Quota, i64)],
) -> store::Result<Option<Exceeded>> {
    let limits = limits(app, connection, tenant).await?;
    let bounded: Vec<_> = added
        .iter()
        .filter(|(_, count)| *count > 0)
        .filter_map(|(quota, count)| Some((*quota, *count, limits.of(*quota)?)))
        .collect();
    if bounded.is_empty() {
        return Ok(None);
    }
    usage::lock(connection, tenant).await?;
    let used = usage::used(connection, tenant).await?;
    Ok(bounded.into_iter().find_map(|(quota, added, limit)| {
        let used = used.of(quota);
        (used > limit).then_some(Exceeded { quota, limit, used: (used - added).max(0) })
    }))
}

/// The first quota that these additions would exceed, before any work. The check is repeated by [`exceeded`].
pub(super) async fn would_exceed(
    app: &App,
    connection: &mut PgConnection,
    tenant: TenantId,
    added: &[(Quota, i64)],
) -> store::Result<Option<Exceeded>> {
    let limits = limits(app, connection, tenant).await?;
    let used = usage::used(connection, tenant).await?;
    Ok(added.iter().filter(|(_, count)| *count > 0).find_map(|(quota, count)| {
        let (limit, used) = (limits.of(*quota)?, used.of(*quota));
        (used.saturating_add(*count) > limit).then_some(Exceeded { quota: *quota, limit, used })
    }))
}

/// Reserves a part of the quota `bytes` for a file that is arriving: `wanted` bytes or what is left of them, but at
/// least `needed`. Returns the reserved bytes, or `None` without a quota. Concurrent uploads of all processes never
/// reserve more than the quota. Waits like [`exceeded`], so call this last.
pub(super) async fn reserve_bytes(
    app: &App,
    connection: &mut PgConnection,
    (tenant, original): (TenantId, OriginalId),
    (needed, wanted): (i64, i64),
) -> store::Result<Result<Option<i64>, Exceeded>> {
    let Some(limit) = limits(app, connection, tenant).await?.bytes else { return Ok(Ok(None)) };
    usage::lock(connection, tenant).await?;
    let used = uploads::used_and_reserved(connection, tenant, original).await?;
    let remaining = (limit - used).max(0);
    if needed > remaining {
        return Ok(Err(Exceeded { quota: Quota::Bytes, limit, used }));
    }
    let reserved = wanted.clamp(needed, remaining);
    uploads::reserve(connection, tenant, original, reserved).await?;
    Ok(Ok(Some(reserved)))
}

/// The usage and the quotas of the caller's tenant.
///
/// # Errors
/// `tenant_not_active`.
pub async fn own(app: &App, caller: &Caller, query: UsageQuery) -> ApiResult<TenantUsage> {
    of_tenant(app, caller.tenant()?, query.days).await
}

/// The usage and the quotas of a tenant.
///
/// # Errors
/// `tenant_not_found`.
pub async fn get(app: &App, caller: &Caller, tenant: TenantId, query: UsageQuery) -> ApiResult<TenantUsage> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    store::tenants::find(&mut tx, tenant).await?.ok_or(ErrorCode::TenantNotFound)?;
    drop(tx);
    of_tenant(app, tenant, query.days).await
}

/// Counts as the tenant's own role: operators and vendors see these numbers, and not what is counted.
async fn of_tenant(app: &App, tenant: TenantId, days: i64) -> ApiResult<TenantUsage> {
    let mut tx = app.db.read(&Scope::tenant(tenant)).await?;
    let limits = limits(app, &mut tx, tenant).await?;
    let used = usage::used(&mut tx, tenant).await?;
    let today = Utc::now().date_naive();
    let back = |days: i64| today.checked_sub_days(Days::new(days.unsigned_abs() - 1)).unwrap_or(today);
    let (first, before) = (back(days), back(days * 2));
    let all = usage::days(&mut tx, tenant, (before, today)).await?;
    let (days_before, days) = all.into_iter().partition(|day| day.date < first);
    let stored = stored(&mut tx, tenant, (first, today), used).await?;
    let months = usage::months(&mut tx, tenant).await?;
    let has_prices = app.answer_models().iter().any(|model| !model.prices.are_none());
    let has_costs = months.iter().any(|month| month.spent.cost_micros > 0);
    let currency = (has_prices || has_costs).then(|| app.settings.currency.clone());
    let quotas = with_limits(&limits, &used);
    Ok(TenantUsage { quotas, days, days_before, stored, months, currency })
}

/// The stored amounts on each day from the first record on. Today has the current numbers, so a new tenant has its
/// first day.
async fn stored(
    connection: &mut PgConnection,
    tenant: TenantId,
    (first, today): (NaiveDate, NaiveDate),
    used: Used,
) -> store::Result<Vec<StoredDay>> {
    let mut stored = stored_days::days(connection, tenant, (first, today)).await?;
    stored.retain(|day| day.date < today);
    stored.push(used.stored(today));
    Ok(stored)
}

/// Every quota of a tenant with what is used of it.
pub(super) async fn quotas_in_use(
    app: &App,
    connection: &mut PgConnection,
    tenant: TenantId,
) -> store::Result<Vec<QuotaUsage>> {
    let limits = limits(app, connection, tenant).await?;
    let used = usage::used(connection, tenant).await?;
    Ok(with_limits(&limits, &used))
}

fn with_limits(limits: &Quotas, used: &Used) -> Vec<QuotaUsage> {
    Quota::ALL.iter().map(|quota| QuotaUsage::new(*quota, used.of(*quota), limits.of(*quota))).collect()
}
