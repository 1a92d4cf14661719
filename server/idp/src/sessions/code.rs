//! Authorization codes: valid once, for a minute.

use super::{AuthRequest, Memory, Session};
use crate::{realm::Realm, secret};

/// A code that was sent to a client.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    pub(crate) realm: String,
    pub(crate) session_id: String,
    pub(crate) request: AuthRequest,
    used: Option<Option<String>>,
}

/// Why a code cannot be exchanged.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CodeError {
    /// Never issued, or expired.
    Unknown,
    /// Exchanged before; the tokens of the first exchange have just been revoked.
    Reused,
}

impl Memory {
    /// Makes a code for a signed-in user.
    pub(crate) fn new_code(&mut self, realm: &Realm, session: &Session, request: AuthRequest, now: i64) -> String {
        let code = secret::random();
        let entry = Code { realm: realm.name.clone(), session_id: session.id.clone(), request, used: None };
        self.codes.insert(secret::hash(&code), entry, now + realm.lifetimes.code, now);
        code
    }

    /// Uses a code up. A second use revokes what the first one gave (RFC 6749, 4.1.2).
    pub(crate) fn redeem(&mut self, realm: &Realm, code: &str, now: i64) -> Result<Code, CodeError> {
        let entry = self.codes.get_mut(&secret::hash(code), now).filter(|entry| entry.realm == realm.name);
        let entry = entry.ok_or(CodeError::Unknown)?;
        match entry.used.clone() {
            None => {
                entry.used = Some(None);
                Ok(entry.clone())
            }
            Some(grant) => {
                if let Some(grant) = grant {
                    self.grants.remove(&grant, now);
                }
                Err(CodeError::Reused)
            }
        }
    }

    /// Stores which grant a code created, to revoke it when the code is reused.
    pub(crate) fn code_gave(&mut self, code: &str, grant_id: &str, now: i64) {
        if let Some(entry) = self.codes.get_mut(&secret::hash(code), now) {
            entry.used = Some(Some(grant_id.to_owned()));
        }
    }
}
