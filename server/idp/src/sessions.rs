//! The provider's state between requests: sign-ins in progress, codes, sessions, refresh tokens.
//!
//! Everything is in memory, bounded and expires. Secrets are stored as digests only.

mod code;
mod grant;

use crate::{
    events::Events,
    realm::{Client, Realm, User},
    scopes::Granted,
    secret::{self, Hash},
    store::Store,
    throttle::Throttle,
};

pub(crate) use code::{Code, CodeError};
pub(crate) use grant::{Grant, RefreshError, Refreshed};

const MAX_PENDING: usize = 10_000;
const MAX_CODES: usize = 10_000;
const MAX_SESSIONS: usize = 50_000;
const MAX_GRANTS: usize = 100_000;

/// A validated authorization request, stored while its user enters the password.
#[derive(Debug, Clone)]
pub(crate) struct AuthRequest {
    pub(crate) client_id: String,
    pub(crate) redirect_uri: String,
    pub(crate) fragment: bool,
    pub(crate) state: Option<String>,
    pub(crate) nonce: Option<String>,
    pub(crate) granted: Granted,
    pub(crate) challenge: Option<String>,
    pub(crate) login_hint: Option<String>,
}

/// A sign-in in progress; only the browser with the matching cookie may complete it.
#[derive(Debug, Clone)]
pub(crate) struct Pending {
    pub(crate) realm: String,
    pub(crate) request: AuthRequest,
    pub(crate) binding: Hash,
    /// The user who entered the right password and must choose a new one.
    pub(crate) proven: Option<String>,
}

/// A signed-in user. Times are Unix seconds.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) realm: String,
    pub(crate) username: String,
    pub(crate) auth_time: i64,
    pub(crate) started: i64,
    cookie: Hash,
}

pub(crate) struct Memory {
    pub(crate) pending: Store<String, Pending>,
    pub(crate) throttle: Throttle,
    pub(crate) events: Events,
    codes: Store<Hash, Code>,
    sessions: Store<String, Session>,
    grants: Store<String, Grant>,
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self {
            pending: Store::new(MAX_PENDING),
            throttle: Throttle::new(),
            events: Events::new(),
            codes: Store::new(MAX_CODES),
            sessions: Store::new(MAX_SESSIONS),
            grants: Store::new(MAX_GRANTS),
        }
    }

    /// Starts a session and returns the value of its cookie.
    pub(crate) fn start_session(&mut self, realm: &Realm, user: &User, now: i64) -> (Session, String) {
        let id = uuid::Uuid::new_v4().to_string();
        let cookie = secret::random();
        let session = Session {
            id: id.clone(),
            realm: realm.name.clone(),
            username: user.username.clone(),
            auth_time: now,
            started: now,
            cookie: secret::hash(&cookie),
        };
        self.sessions.insert(id.clone(), session.clone(), now + realm.lifetimes.session_idle, now);
        (session, format!("{id}.{cookie}"))
    }

    /// The live session of a realm with this id.
    pub(crate) fn session(&self, realm: &Realm, id: &str, now: i64) -> Option<Session> {
        self.sessions.get(&id.to_owned(), now).filter(|session| session.realm == realm.name).cloned()
    }

    /// The live session that a cookie proves.
    pub(crate) fn session_of_cookie(&self, realm: &Realm, cookie: &str, now: i64) -> Option<Session> {
        let (id, presented) = cookie.split_once('.')?;
        self.session(realm, id, now).filter(|session| secret::matches_hash(presented, &session.cookie))
    }

    /// Puts off the idle end of a session, never past its last end.
    pub(crate) fn touch(&mut self, realm: &Realm, session: &Session, now: i64) {
        let end = (now + realm.lifetimes.session_idle).min(session.started + realm.lifetimes.session_max);
        self.sessions.expire_at(&session.id, end);
    }

    /// The ids of a person's live sessions.
    pub(crate) fn sessions_of(&self, realm: &Realm, username: &str, now: i64) -> Vec<String> {
        let all = self.sessions.values(now);
        let own = all.filter(|session| session.realm == realm.name && session.username == username);
        own.map(|session| session.id.clone()).collect()
    }

    /// Ends all sessions of a person.
    pub(crate) fn end_sessions_of(&mut self, realm: &Realm, username: &str, now: i64) {
        for id in self.sessions_of(realm, username, now) {
            self.end_session(&id, now);
        }
    }

    /// Ends a session with its codes and refresh tokens.
    pub(crate) fn end_session(&mut self, id: &str, now: i64) -> Option<Session> {
        self.codes.retain(|code| code.session_id != id);
        self.grants.retain(|grant| grant.session_id != id);
        self.sessions.remove(&id.to_owned(), now)
    }
}

/// When a client's tokens of a session end at the latest.
pub(crate) fn last_end(realm: &Realm, client: &Client, session: &Session, granted_at: i64) -> i64 {
    let session_end = session.started + realm.lifetimes.session_max;
    client.session_max.map_or(session_end, |cap| session_end.min(granted_at + cap))
}
