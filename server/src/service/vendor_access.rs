//! Copies the logins of operators and vendors from the identity provider's events to the vendor access log, once each,
//! and lists them.
//!
//! An event has a client and a user, but no role. So every login of the realm is stored, and its scope is determined
//! when the log is read: vendor when its client is one that only vendors use, or when its user was ever seen with a
//! token of the vendor's scope; operator when its user was seen with one of the operator's scope; unknown otherwise.
//! The position in the events is not stored: after a start, everything that the provider still has is read again.

mod events;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use contract::{
    clients,
    vendor_access::{VendorAccessPage, VendorAccessQuery},
};
use store::{
    Exemption, Scope,
    vendor_access::{self, Login},
};
use tokio_util::sync::CancellationToken;

use crate::{auth::TokenUsers, caller::Caller, error::ApiResult, state::App};

pub use events::PollError;
use events::{Event, Events, PAGE};

/// Maximum pages of one round; older events are skipped.
const MAX_PAGES: usize = 1000;
/// How far a round goes back before the newest event of the previous round, because events of several nodes may be
/// late.
const READ_OVERLAP: TimeDelta = TimeDelta::minutes(10);
/// The longest pause after failures.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(600);

/// A page of logins, newest first.
///
/// # Errors
/// `date_from_after_date_to`.
pub async fn list(app: &App, caller: &Caller, query: &VendorAccessQuery) -> ApiResult<VendorAccessPage> {
    query.check_codes()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let (items, total) = vendor_access::list(&mut tx, query, &clients::EMERGENCY).await?;
    let (limit, offset) = (query.limit, query.offset);
    Ok(VendorAccessPage { items, total, limit, offset, is_recorded: app.reads_logins() })
}

/// Reads login events again and again.
#[derive(Debug)]
pub struct Poller {
    app: App,
    events: Events,
    since: Option<DateTime<Utc>>,
}

impl Poller {
    /// A poller with the secret of `svc-platform-audit`. Reads nothing yet.
    ///
    /// # Errors
    /// When the HTTP client cannot be created.
    pub fn new(app: App, secret: &str) -> Result<Self, PollError> {
        let events = Events::new(&app.settings.auth_url, secret)?;
        app.will_read_logins();
        Ok(Self { app, events, since: None })
    }

    /// Reads what is new, and waits `every` (longer after failures) before the next round; ends when `stop` is cancelled.
    pub async fn run_until(mut self, every: Duration, stop: CancellationToken) {
        let mut failures = 0;
        loop {
            let round = tokio::select! {
                () = stop.cancelled() => return,
                round = self.round() => round,
            };
            failures = log_round(&round, failures);
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause(every, failures)) => {}
            }
        }
    }

    /// Reads new events once and returns how many logins were added to the log.
    ///
    /// # Errors
    /// When the identity provider or the database fails; the next round reads the same events again.
    pub async fn round(&mut self) -> Result<u64, PollError> {
        self.learn().await?;
        let token = self.events.token().await?;
        let (mut added, mut newest) = (0, self.since);
        for page in 0..MAX_PAGES {
            let events = self.events.page(&token, page * PAGE).await?;
            let logins: Vec<_> = events.iter().filter_map(login).collect();
            added += self.append(&logins).await?;
            newest = newest.max(events.iter().filter_map(Event::occurred_at).max());
            let oldest = events.iter().filter_map(Event::occurred_at).min();
            if events.len() < PAGE || oldest < self.since {
                break;
            }
        }
        self.since = newest.map(|newest| newest - READ_OVERLAP).max(self.since);
        Ok(added)
    }

    /// Remembers who was seen lately.
    async fn learn(&self) -> Result<(), PollError> {
        let TokenUsers { vendors, operators } = self.app.tokens.users();
        let mut tx = self.app.db.write(&Scope::system()).await?;
        vendor_access::add_vendors(&mut tx, &vendors).await?;
        vendor_access::add_operators(&mut tx, &operators).await?;
        tx.commit_exempt(Exemption::VendorAccess).await?;
        Ok(())
    }

    async fn append(&self, logins: &[Login]) -> Result<u64, PollError> {
        if logins.is_empty() {
            return Ok(0);
        }
        let mut tx = self.app.db.write(&Scope::system()).await?;
        let added = vendor_access::append(&mut tx, logins).await?;
        tx.commit_exempt(Exemption::VendorAccess).await?;
        Ok(added)
    }
}

/// The event as a login, when it is one.
fn login(event: &Event) -> Option<Login> {
    if !event.is_login() {
        return None;
    }
    Some(Login {
        event_key: event.key(),
        occurred_at: event.occurred_at()?,
        event_type: event.kind.clone(),
        username: event.username()?.to_owned(),
        client_id: event.client_id.clone()?,
        session_id: event.session_id.clone(),
        ip_address: event.ip_address.clone(),
    })
}

/// Logs the result of a round, the first failure of a series as a warning, and returns the number of consecutive
/// failures.
fn log_round(round: &Result<u64, PollError>, failures: u32) -> u32 {
    match round {
        Ok(added) => {
            if failures > 0 {
                tracing::info!(failures, "vendor_access.recovered");
            }
            if *added > 0 {
                tracing::info!(logins = added, "vendor_access.recorded");
            }
            0
        }
        Err(error) => {
            match failures {
                0 => tracing::warn!(%error, "vendor_access.unavailable"),
                _ => tracing::debug!(%error, failures, "vendor_access.unavailable"),
            }
            failures.saturating_add(1)
        }
    }
}

/// The interval, doubled by each failure in a row up to ten minutes.
fn pause(every: Duration, failures: u32) -> Duration {
    let longest = MAX_RETRY_DELAY.max(every);
    every.saturating_mul(2_u32.saturating_pow(failures)).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_lengthen_the_pause_up_to_a_bound() {
        let every = Duration::from_secs(60);
        let seconds: Vec<_> = [0, 1, 2, 9, u32::MAX].map(|failures| pause(every, failures).as_secs()).into();
        assert_eq!(seconds, [60, 120, 240, 600, 600]);
        assert_eq!(pause(Duration::from_secs(3600), 5).as_secs(), 3600);
    }

    #[test]
    fn every_login_is_kept_and_other_events_are_not() {
        let event = |kind: &str, user: &str| {
            serde_json::from_value::<Event>(serde_json::json!({
                "time": 1_700_000_000_000_i64, "type": kind, "clientId": "svc-api", "userId": "u",
                "details": { "username": user },
            }))
            .unwrap()
        };
        assert_eq!(login(&event("LOGIN", "Victor")).unwrap().username, "Victor");
        assert!(login(&event("LOGIN", "")).is_none());
        assert!(login(&event("LOGIN_ERROR", "victor")).is_none());
        assert!(login(&event("LOGOUT", "victor")).is_none());
    }
}
