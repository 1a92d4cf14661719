//! Refresh tokens: a client's share of a session, rotated with every use.
//!
//! A refresh token is `{grant}.{secret}`. The grant stays and the secret changes, so a token with a known grant and a
//! wrong secret was used before and is probably stolen.

use super::{Memory, Session, last_end};
use crate::{
    realm::{Client, Realm},
    scopes::Granted,
    secret::{self, Hash},
};

/// The state of a client in a session.
#[derive(Debug, Clone)]
pub(crate) struct Grant {
    pub(crate) client_id: String,
    pub(crate) session_id: String,
    granted: Granted,
    created: i64,
    current: Hash,
}

/// A new refresh token and what it belongs to. Times are Unix seconds.
#[derive(Debug)]
pub(crate) struct Refreshed {
    pub(crate) grant_id: String,
    pub(crate) token: String,
    pub(crate) expires: i64,
    pub(crate) last_end: i64,
    pub(crate) session: Session,
    pub(crate) granted: Granted,
}

/// Why a refresh token is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RefreshError {
    /// Never issued to this client, expired, or its session has ended.
    Unknown,
    /// Used before; the session named here has just been ended.
    Reused(String),
}

impl Memory {
    /// Creates a client's first refresh token of a session.
    pub(crate) fn new_grant(
        &mut self,
        realm: &Realm,
        client: &Client,
        session: &Session,
        granted: Granted,
        now: i64,
    ) -> Refreshed {
        let grant_id = uuid::Uuid::new_v4().to_string();
        let grant = Grant {
            client_id: client.id.clone(),
            session_id: session.id.clone(),
            granted,
            created: now,
            current: [0; 32],
        };
        self.keep(realm, client, session.clone(), (grant_id, grant), now)
    }

    /// Exchanges a refresh token for the next one.
    pub(crate) fn refresh(
        &mut self,
        realm: &Realm,
        client: &Client,
        token: &str,
        now: i64,
    ) -> Result<Refreshed, RefreshError> {
        let (grant_id, presented) = token.split_once('.').ok_or(RefreshError::Unknown)?;
        let grant_id = grant_id.to_owned();
        let grant = self.grants.get(&grant_id, now).filter(|grant| grant.client_id == client.id).cloned();
        let grant = grant.ok_or(RefreshError::Unknown)?;
        let session = self.session(realm, &grant.session_id, now).ok_or(RefreshError::Unknown)?;
        if !secret::matches_hash(presented, &grant.current) {
            self.end_session(&session.id, now);
            return Err(RefreshError::Reused(session.id));
        }
        Ok(self.keep(realm, client, session, (grant_id, grant), now))
    }

    /// The session of a client's refresh token, used or not: its holder may end it.
    pub(crate) fn session_of_refresh_token(&self, client: &Client, token: &str, now: i64) -> Option<String> {
        let grant = self.grants.get(&token.split_once('.')?.0.to_owned(), now)?;
        (grant.client_id == client.id).then(|| grant.session_id.clone())
    }

    /// Revokes a client's refresh token, used or not.
    pub(crate) fn revoke(&mut self, client: &Client, token: &str, now: i64) {
        let Some((grant_id, _)) = token.split_once('.') else { return };
        let grant_id = grant_id.to_owned();
        if self.grants.get(&grant_id, now).is_some_and(|grant| grant.client_id == client.id) {
            self.grants.remove(&grant_id, now);
        }
    }

    fn keep(
        &mut self,
        realm: &Realm,
        client: &Client,
        session: Session,
        (grant_id, mut grant): (String, Grant),
        now: i64,
    ) -> Refreshed {
        let fresh = secret::random();
        grant.current = secret::hash(&fresh);
        let idle = client.session_idle.unwrap_or(realm.lifetimes.session_idle);
        let last_end = last_end(realm, client, &session, grant.created);
        let expires = last_end.min(now + idle);
        let granted = grant.granted.clone();
        self.touch(realm, &session, now);
        self.grants.insert(grant_id.clone(), grant, expires, now);
        Refreshed { token: format!("{grant_id}.{fresh}"), grant_id, expires, last_end, session, granted }
    }
}
