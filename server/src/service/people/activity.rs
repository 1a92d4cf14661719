//! Records when people were last active: writes what was recorded in memory every minute, for each person at most once an hour.

use std::{collections::BTreeMap, time::Duration};

use store::{Exemption, Scope};
use tokio_util::sync::CancellationToken;

use crate::{
    auth::TENANT_REALM,
    shutdown::ticks,
    state::{App, activity::Seen},
};

const INTERVAL: Duration = Duration::from_secs(60);

/// Writes the recorded people until `stop` is cancelled.
pub async fn run_until(app: App, stop: CancellationToken) {
    let mut ticks = ticks(INTERVAL);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => flush(&app).await,
        }
    }
}

/// Writes the recorded people; those that cannot be written stay in memory.
pub async fn flush(app: &App) {
    let mut tenants: BTreeMap<_, Vec<Seen>> = BTreeMap::new();
    for visit in app.activity().drain() {
        tenants.entry(visit.tenant).or_default().push(visit);
    }
    for (tenant, visits) in tenants {
        let people: Vec<_> = visits.iter().map(|visit| (visit.username.clone(), visit.at)).collect();
        let written = async {
            let mut tx = app.db.write(&Scope::tenant(tenant).exempt_from_shares()).await?;
            store::people::activity::record(&mut tx, tenant, TENANT_REALM, &people).await?;
            tx.commit_exempt(Exemption::Activity).await
        };
        if let Err(error) = written.await {
            tracing::warn!(%error, "people.activity_not_written");
            app.activity().restore(visits);
        }
    }
}
