//! The access token of a client, reused until shortly before it expires.

use std::time::{Duration, Instant};

use reqwest::Client;
use serde::Deserialize;
use tokio::sync::Mutex;

use super::{
    IdentityError, IdentityResult,
    answer::{body, unreachable_provider},
};

/// A token is not used any more when it ends within this time.
const EXPIRY_MARGIN: Duration = Duration::from_secs(30);

/// Gets tokens by client credentials, one request at a time.
pub(super) struct Tokens {
    url: String,
    client_id: &'static str,
    secret: String,
    current: Mutex<Option<Current>>,
}

struct Current {
    token: String,
    good_until: Instant,
}

#[derive(Deserialize)]
struct Granted {
    access_token: String,
    #[serde(default)]
    expires_in: u64,
}

impl Tokens {
    pub(super) fn new(url: String, client_id: &'static str, secret: String) -> Self {
        Self { url, client_id, secret, current: Mutex::default() }
    }

    /// A token; a fresh one when the last one was refused.
    pub(super) async fn current(&self, client: &Client, must_be_fresh: bool) -> IdentityResult<String> {
        let mut current = self.current.lock().await;
        if let Some(token) = current.as_ref().filter(|token| !must_be_fresh && Instant::now() < token.good_until) {
            return Ok(token.token.clone());
        }
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", self.client_id),
            ("client_secret", self.secret.as_str()),
        ];
        let response = client.post(&self.url).form(&form).send().await.map_err(unreachable_provider)?;
        let status = response.status();
        if status.is_client_error() && status.as_u16() != 429 {
            return Err(IdentityError::Refused(status.as_u16()));
        }
        if !status.is_success() {
            return Err(IdentityError::Unavailable(format!("it answered {status}")));
        }
        let granted: Granted = serde_json::from_slice(&body(response).await?)
            .map_err(|_| IdentityError::Unavailable("its token is not understood".to_owned()))?;
        let lifetime = Duration::from_secs(granted.expires_in).saturating_sub(EXPIRY_MARGIN);
        *current = Some(Current { token: granted.access_token.clone(), good_until: Instant::now() + lifetime });
        Ok(granted.access_token)
    }
}
