//! The provider's two cookies: one binds a sign-in to its browser, one proves a session.
//!
//! Both are invisible to scripts, not sent by other sites, and restricted to one realm.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::{provider::Inner, realm::Realm};

#[derive(Clone, Copy)]
pub(crate) enum Cookie {
    /// Binds a sign-in in progress to the browser that began it.
    Login,
    /// Proves a session.
    Session,
}

impl Cookie {
    fn name(self, inner: &Inner) -> String {
        let kind = match self {
            Self::Login => "login",
            Self::Session => "session",
        };
        format!("svc_idp_{kind}_{}", inner.cookie_suffix)
    }

    /// The value that the browser sent.
    pub(crate) fn read<'a>(self, inner: &Inner, headers: &'a HeaderMap) -> Option<&'a str> {
        let name = self.name(inner);
        let values = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The header that sets the cookie until the browser is closed.
    pub(crate) fn set(self, inner: &Inner, realm: &Realm, value: &str) -> HeaderValue {
        self.header(inner, realm, value, "")
    }

    /// The header that deletes the cookie.
    pub(crate) fn clear(self, inner: &Inner, realm: &Realm) -> HeaderValue {
        self.header(inner, realm, "", "; Max-Age=0")
    }

    fn header(self, inner: &Inner, realm: &Realm, value: &str, age: &str) -> HeaderValue {
        let secure = if inner.secure { "; Secure" } else { "" };
        let (name, path) = (self.name(inner), &realm.name);
        let text = format!("{name}={value}; Path=/realms/{path}/; HttpOnly; SameSite=Lax{secure}{age}");
        HeaderValue::try_from(text).expect("names, realm names and base64url values are visible ASCII")
    }
}
