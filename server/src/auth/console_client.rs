//! The confidential client of the operator console: holds the secret and requests tokens from the identity provider.

mod renewals;

use std::{sync::Arc, time::Duration};

use contract::ErrorCode;
use http::{StatusCode, header};
use url::form_urlencoded;

use self::renewals::Renewals;
use super::PLATFORM_REALM;
use crate::{config::Secret, error::ApiError};

const MAX_ANSWER_BYTES: usize = 64 * 1024;
const TIMEOUT: Duration = Duration::from_secs(10);

/// The confidential client that the operator console signs in with.
#[derive(Debug, Clone)]
pub struct ConsoleClient {
    /// Its `client_id` at the identity provider.
    pub id: String,
    pub(crate) secret: Secret,
    endpoint: Arc<str>,
    http: reqwest::Client,
    renewals: Renewals,
}

/// Status and body of its answer to a token request.
pub(crate) type ProviderResponse = (StatusCode, Vec<u8>);

impl ConsoleClient {
    /// A client of the platform's realm at `auth_url`.
    ///
    /// # Errors
    /// When the HTTP client cannot be created.
    pub fn new(auth_url: &str, id: &str, secret: Secret) -> Result<Self, reqwest::Error> {
        let http = tls::http_client().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none()).build()?;
        let endpoint = format!("{auth_url}/realms/{PLATFORM_REALM}/protocol/openid-connect/token").into();
        Ok(Self { id: id.to_owned(), secret, endpoint, http, renewals: Renewals::default() })
    }

    /// The provider's answer to this refresh token: the next tokens of its session.
    pub(crate) async fn renew(&self, refresh_token: &str) -> Result<ProviderResponse, ApiError> {
        self.renewals.renew(self, refresh_token).await
    }

    /// Sends a request to the provider and returns its status and JSON.
    pub(crate) async fn ask(&self, fields: &[(&str, &str)]) -> Result<ProviderResponse, ApiError> {
        let own = [("client_id", self.id.as_str()), ("client_secret", self.secret.expose())];
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields.iter().chain(&own)).finish();
        match self.send(form).await {
            Ok((status, body)) if !status.is_server_error() => Ok((status, body)),
            Ok((status, _)) => Err(unavailable(&format!("status {status}"))),
            Err(error) => Err(unavailable(&error.without_url().to_string())),
        }
    }

    async fn send(&self, form: String) -> Result<ProviderResponse, reqwest::Error> {
        let request = self.http.post(&*self.endpoint).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let mut response = request.body(form).send().await?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Ok((StatusCode::BAD_GATEWAY, Vec::new()));
            }
            body.extend_from_slice(&chunk);
        }
        Ok((response.status(), body))
    }
}

pub(crate) fn unavailable(reason: &str) -> ApiError {
    tracing::warn!(%reason, "identity_provider.token_unavailable");
    ErrorCode::ServiceUnavailable.into()
}
