//! Checks user name and password, with a delay after failures.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use super::realm_path::InRealm;
use crate::{
    events::EventType,
    realm::{Client, User},
    state::EventRecord,
    throttle,
};

/// Why a user is not let in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// Unknown user or wrong password; the response does not reveal which.
    Wrong,
    /// Too many failures; the number of seconds to wait.
    Wait(i64),
}

/// The user with this name and password. Failures are counted and recorded.
pub(crate) fn check(
    at: &InRealm,
    address: Option<IpAddr>,
    client: &Client,
    username: &str,
    password: &str,
) -> Result<Arc<User>, Denied> {
    let (realm, now) = (&at.loaded().realm, at.state.now());
    let limit = realm.login_limit;
    let key = throttle::key(&realm.name, username.trim(), address.unwrap_or(Ipv4Addr::UNSPECIFIED.into()));
    if let Some(seconds) = at.state.memory().throttle.wait(&key, limit, now) {
        return Err(Denied::Wait(seconds));
    }
    let user = at.loaded().people.enabled(username);
    match user.filter(|user| user.has_password(password)) {
        Some(user) => {
            at.state.memory().throttle.succeeded(&key, now);
            Ok(user)
        }
        None => {
            at.state.memory().throttle.failed(key, limit, now);
            record_failure(at, address, client, username);
            Err(Denied::Wrong)
        }
    }
}

fn record_failure(at: &InRealm, address: Option<IpAddr>, client: &Client, username: &str) {
    let record = EventRecord {
        kind: EventType::LoginError,
        client: &client.id,
        username,
        session: None,
        error: Some("invalid_user_credentials"),
        details: &[("auth_method", "openid-connect")],
    };
    at.state.record(&at.loaded().realm, address, &record);
}
