//! When people of tenants were last active, recorded in memory so that no call waits for the database.

use std::{collections::HashMap, mem};

use chrono::{DateTime, TimeDelta, Utc};
use contract::{
    TenantId,
    identity::{Identity, TokenScope},
};
use parking_lot::Mutex;

/// Minimum time between two notes of a person.
const MIN_NOTE_INTERVAL: TimeDelta = TimeDelta::hours(1);
/// People that are remembered; when there are more, all are recorded again.
const MAX_PEOPLE: usize = 50_000;

/// A person who was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The tenant of the token.
    pub tenant: TenantId,
    /// The user name.
    pub username: String,
    /// When a valid token of the person was seen.
    pub at: DateTime<Utc>,
}

/// Records people, each at most once an hour.
#[derive(Debug, Default)]
pub struct Activity(Mutex<Notes>);

#[derive(Debug, Default)]
struct Notes {
    last_seen: HashMap<(TenantId, String), DateTime<Utc>>,
    unwritten: Vec<Seen>,
}

impl Activity {
    /// Records that this identity used a valid token.
    pub fn record(&self, identity: &Identity, now: DateTime<Utc>) {
        let (TokenScope::Tenant, Some(tenant)) = (identity.scope, identity.tenant_id) else { return };
        let mut notes = self.0.lock();
        let key = (tenant, identity.username.clone());
        if notes.last_seen.get(&key).is_some_and(|last| now - *last < MIN_NOTE_INTERVAL) {
            return;
        }
        if notes.last_seen.len() >= MAX_PEOPLE {
            notes.last_seen.clear();
            notes.unwritten.clear();
        }
        notes.unwritten.push(Seen { tenant, username: key.1.clone(), at: now });
        notes.last_seen.insert(key, now);
    }

    /// Forgets a person who was removed. A token that is still valid does not record the person again.
    pub fn forget(&self, tenant: TenantId, username: &str, now: DateTime<Utc>) {
        let mut notes = self.0.lock();
        notes.unwritten.retain(|visit| visit.tenant != tenant || visit.username != username);
        notes.last_seen.insert((tenant, username.to_owned()), now);
    }

    /// Records a person again who was invited with the name of one who was removed.
    pub fn welcome(&self, tenant: TenantId, username: &str) {
        self.0.lock().last_seen.remove(&(tenant, username.to_owned()));
    }

    /// Takes the notes to write.
    pub fn drain(&self) -> Vec<Seen> {
        mem::take(&mut self.0.lock().unwritten)
    }

    /// Returns notes that could not be written, as far as there is room.
    pub fn restore(&self, visits: Vec<Seen>) {
        let mut notes = self.0.lock();
        let room = MAX_PEOPLE.saturating_sub(notes.unwritten.len());
        notes.unwritten.extend(visits.into_iter().take(room));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_noted_once_an_hour() {
        let identity = Identity {
            realm: "svc-tenants".to_owned(),
            username: "anna".to_owned(),
            scope: TokenScope::Tenant,
            roles: Vec::new(),
            tenant_id: Some(TenantId(uuid::Uuid::nil())),
            client_id: "tenant-ui".to_owned(),
            session_id: None,
            expires_at: Utc::now(),
        };
        let (activity, start) = (Activity::default(), Utc::now());
        for minutes in [0, 1, 59] {
            activity.record(&identity, start + TimeDelta::minutes(minutes));
        }
        let first = activity.drain();
        assert_eq!((first.len(), first[0].at), (1, start));
        activity.record(&identity, start + TimeDelta::minutes(60));
        assert_eq!(activity.drain().len(), 1);
        let operator = Identity { scope: TokenScope::Operator, tenant_id: None, ..identity };
        activity.record(&operator, start);
        assert!(activity.drain().is_empty());
        activity.restore(first.clone());
        assert_eq!(activity.drain(), first);
        activity.forget(first[0].tenant, "anna", start);
        let again = Identity { scope: TokenScope::Tenant, tenant_id: Some(first[0].tenant), ..operator };
        activity.record(&again, start);
        assert!(activity.drain().is_empty());
        activity.welcome(first[0].tenant, "anna");
        activity.record(&again, start);
        assert_eq!(activity.drain().len(), 1);
    }
}
