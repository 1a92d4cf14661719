//! The identity provider's login events, in the format of Keycloak's admin API. Every call is bounded in time and size.

use std::{collections::HashMap, time::Duration};

use chrono::{DateTime, Utc};
use contract::clients;
use reqwest::{Client, Response};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::auth::PLATFORM_REALM;

/// Events that one request asks for.
pub(super) const PAGE: usize = 100;

const LOGIN: &str = "LOGIN";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// Why a round failed.
#[derive(Debug, thiserror::Error)]
pub enum PollError {
    /// The identity provider cannot be reached, or not in time.
    #[error("the identity provider cannot be reached: {0}")]
    Unreachable(#[from] reqwest::Error),
    /// The identity provider refuses: a wrong secret, or no role `view-events`.
    #[error("the identity provider answered {0}; see docs/identity.md for the client svc-platform-audit")]
    Refused(reqwest::StatusCode),
    /// The identity provider's answer is not understood.
    #[error("the identity provider's answer is not understood: {0}")]
    Answer(String),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] store::Error),
}

/// One event. Times are Unix milliseconds.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Event {
    #[serde(default)]
    id: Option<String>,
    time: i64,
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) client_id: Option<String>,
    #[serde(default)]
    user_id: Option<String>,
    #[serde(default)]
    pub(super) session_id: Option<String>,
    #[serde(default)]
    pub(super) ip_address: Option<String>,
    #[serde(default)]
    details: Option<HashMap<String, Value>>,
}

impl Event {
    pub(super) fn is_login(&self) -> bool {
        self.kind == LOGIN
    }

    pub(super) fn occurred_at(&self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp_millis(self.time)
    }

    /// The user's name, as it was typed.
    pub(super) fn username(&self) -> Option<&str> {
        let name = self.details.as_ref()?.get("username")?.as_str()?;
        (!name.is_empty() && !name.contains('\0')).then_some(name)
    }

    /// A unique key of the event: its id, or where a provider gives none, all fields that distinguish it.
    pub(super) fn key(&self) -> String {
        let or_none = |text: &Option<String>| text.clone().unwrap_or_default();
        self.id.clone().unwrap_or_else(|| {
            let parts = [&self.client_id, &self.user_id, &self.session_id].map(or_none);
            format!("{} {} {}", self.time, self.kind, parts.join(" "))
        })
    }
}

pub(super) struct Events {
    client: Client,
    token_url: String,
    events_url: String,
    secret: String,
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Events").field("events_url", &self.events_url).finish_non_exhaustive()
    }
}

impl Events {
    pub(super) fn new(auth_url: &str, secret: &str) -> Result<Self, PollError> {
        let client = tls::http_client()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self {
            client,
            token_url: format!("{auth_url}/realms/{PLATFORM_REALM}/protocol/openid-connect/token"),
            events_url: format!("{auth_url}/admin/realms/{PLATFORM_REALM}/events"),
            secret: secret.to_owned(),
        })
    }

    /// An access token by client credentials.
    pub(super) async fn token(&self) -> Result<String, PollError> {
        #[derive(Deserialize)]
        struct Granted {
            access_token: String,
        }
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", clients::AUDIT_POLLER),
            ("client_secret", self.secret.as_str()),
        ];
        let granted: Granted = read(self.client.post(&self.token_url).form(&form).send().await?).await?;
        Ok(granted.access_token)
    }

    /// A page of logins, newest first.
    pub(super) async fn page(&self, token: &str, first: usize) -> Result<Vec<Event>, PollError> {
        let query = [("type", LOGIN.to_owned()), ("first", first.to_string()), ("max", PAGE.to_string())];
        let request = self.client.get(&self.events_url).query(&query).bearer_auth(token);
        read(request.send().await?).await
    }
}

/// The JSON in an answer; its text is in no error.
async fn read<T: DeserializeOwned>(mut response: Response) -> Result<T, PollError> {
    if !response.status().is_success() {
        return Err(PollError::Refused(response.status()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(PollError::Answer("it is too long".to_owned()));
        }
        body.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&body).map_err(|error| PollError::Answer(format!("{:?} error", error.classify())))
}
