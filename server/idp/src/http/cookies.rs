//! The provider's two cookies: one binds a sign-in to its browser, one proves a session.
//!
//! Both are invisible to scripts, not sent by other sites, and restricted to one realm.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::{realm::Realm, state::ProviderState};

#[derive(Clone, Copy)]
pub(crate) enum Cookie {
    /// Binds a sign-in in progress to the browser that began it.
    Login,
    /// Proves a session.
    Session,
}

impl Cookie {
    fn name(self, state: &ProviderState) -> String {
        let kind = match self {
            Self::Login => "login",
            Self::Session => "session",
        };
        format!("svc_idp_{kind}_{}", state.cookie_suffix)
    }

    /// The value that the browser sent.
    pub(crate) fn read<'a>(self, state: &ProviderState, headers: &'a HeaderMap) -> Option<&'a str> {
        let name = self.name(state);
        let values = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The header that sets the cookie until the browser is closed.
    pub(crate) fn set(self, state: &ProviderState, realm: &Realm, value: &str) -> HeaderValue {
        self.header(state, realm, value, "")
    }

    /// The header that deletes the cookie.
    pub(crate) fn clear(self, state: &ProviderState, realm: &Realm) -> HeaderValue {
        self.header(state, realm, "", "; Max-Age=0")
    }

    fn header(self, state: &ProviderState, realm: &Realm, value: &str, age: &str) -> HeaderValue {
        let secure = if state.secure { "; Secure" } else { "" };
        let (name, path) = (self.name(state), &realm.name);
        let text = format!("{name}={value}; Path=/realms/{path}/; HttpOnly; SameSite=Lax{secure}{age}");
        HeaderValue::try_from(text).expect("names, realm names and base64url values are visible ASCII")
    }
}
