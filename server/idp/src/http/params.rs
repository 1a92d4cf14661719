//! Request parameters from a query string or a form, by the rules of OAuth.

use std::collections::BTreeMap;

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request},
    http::{header, request::Parts},
};

use super::oauth_error::OAuthError;

/// Parameters by name. Empty ones count as absent, repeated ones are an error (RFC 6749, 3.1).
#[derive(Debug, Default)]
pub(crate) struct Params(BTreeMap<String, String>);

impl Params {
    /// Parses `a=b&c=d`.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, OAuthError> {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(text)
            .map_err(|_| OAuthError::invalid_request("the parameters cannot be parsed"))?;
        let mut params = BTreeMap::new();
        for (name, value) in pairs {
            if params.insert(name, value).is_some() {
                return Err(OAuthError::invalid_request("a parameter is repeated"));
            }
        }
        params.retain(|_, value| !value.is_empty());
        Ok(Self(params))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The parameter, or `invalid_request` with its name.
    pub(crate) fn require(&self, name: &str) -> Result<&str, OAuthError> {
        self.get(name).ok_or_else(|| OAuthError::invalid_request(format!("Missing parameter: {name}")))
    }
}

/// The parameters of the query string.
pub(crate) struct Query(pub(crate) Params);

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = OAuthError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, OAuthError> {
        Params::parse(parts.uri.query().unwrap_or_default().as_bytes()).map(Self)
    }
}

/// The parameters of a form body.
pub(crate) struct Form(pub(crate) Params);

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = OAuthError;

    async fn from_request(request: Request, state: &S) -> Result<Self, OAuthError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
        let is_form = essence.eq_ignore_ascii_case("application/x-www-form-urlencoded");
        let body = Bytes::from_request(request, state).await.map_err(|rejection| {
            OAuthError::invalid_request("the body cannot be read").with_status(rejection.status())
        })?;
        match is_form || body.is_empty() {
            true => Params::parse(&body).map(Self),
            false => Err(OAuthError::invalid_request("the body must be application/x-www-form-urlencoded")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_parameters_count_as_absent() {
        let params = Params::parse(b"a=1&b=&c=%20x").unwrap();
        assert_eq!((params.get("a"), params.get("b"), params.get("c")), (Some("1"), None, Some(" x")));
    }

    #[test]
    fn repeated_parameters_are_refused() {
        assert!(Params::parse(b"a=1&a=2").is_err());
    }
}
