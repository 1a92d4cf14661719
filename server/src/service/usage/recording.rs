//! Records the stored amounts of tenants by day. A count is repeated after some hours, so that a day ends with late
//! numbers. Running twice, or in several processes, writes the same row.

use std::time::Duration;

use chrono::{Days, NaiveDate, TimeDelta, Utc};
use contract::TenantId;
use store::{Exemption, Scope, stored_days, usage};
use tokio_util::sync::CancellationToken;

use crate::{shutdown::rest, state::App};

/// How long the numbers of a day are kept.
pub const KEPT_DAYS: u64 = 400;
/// A tenant is counted again when its last count of the day is older.
const COUNT_INTERVAL: TimeDelta = TimeDelta::hours(6);
/// Maximum tenants per run.
const MAX_TENANTS: i64 = 100;
const INTERVAL: Duration = Duration::from_secs(60 * 60);
const RETRY_DELAY: Duration = Duration::from_secs(10 * 60);

/// Records due tenants at once and then every hour; ends when `stop` is cancelled.
pub async fn run_until(app: App, stop: CancellationToken) {
    loop {
        let pause = match run(&app, &stop).await {
            Ok(0) => INTERVAL,
            Ok(_) => RETRY_DELAY,
            Err(error) => {
                tracing::warn!(%error, "stored_days.failed");
                RETRY_DELAY
            }
        };
        if !rest(pause, &stop).await {
            return;
        }
    }
}

/// Records every active tenant that was not recorded today, or not for hours, and returns how many failed.
///
/// # Errors
/// When they cannot be listed.
pub async fn run(app: &App, stop: &CancellationToken) -> store::Result<u64> {
    let (mut after, mut failed) = (None, 0);
    loop {
        let now = Utc::now();
        let mut tx = app.db.read(&Scope::system()).await?;
        let due = stored_days::due(&mut tx, now.date_naive(), now - COUNT_INTERVAL, (after, MAX_TENANTS)).await?;
        drop(tx);
        let Some(last) = due.last() else { return Ok(failed) };
        after = Some(*last);
        for tenant in due {
            if stop.is_cancelled() {
                return Ok(failed);
            }
            if let Err(error) = record(app, tenant).await {
                failed += 1;
                tracing::warn!(tenant_id = %tenant, %error, "stored_days.not_recorded");
            }
        }
    }
}

/// Counts a tenant for today and removes its days that are too old.
async fn record(app: &App, tenant: TenantId) -> store::Result<()> {
    let today = Utc::now().date_naive();
    let mut tx = app.db.write(&Scope::tenant(tenant).exempt_from_shares()).await?;
    let counted = usage::used(&mut tx, tenant).await?.stored(today);
    stored_days::record(&mut tx, tenant, &[counted]).await?;
    stored_days::expire(&mut tx, tenant, first_kept(today)).await?;
    tx.commit_exempt(Exemption::Usage).await
}

fn first_kept(today: NaiveDate) -> NaiveDate {
    today.checked_sub_days(Days::new(KEPT_DAYS - 1)).unwrap_or(today)
}
