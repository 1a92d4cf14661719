//! A single call: with a valid token, a timeout, and a response of bounded size.

use std::{sync::Arc, time::Duration};

use reqwest::{Client, Method, Response, StatusCode, header};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{
    IdentityAdminSettings, IdentityError, IdentityResult,
    answer::{body, unreachable_provider},
    token::Tokens,
};
use crate::config::Secret;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

pub(super) struct Calls {
    client: Client,
    base: String,
    tokens: Tokens,
    /// Limits the concurrent calls of all clients of this process.
    permits: Arc<Semaphore>,
    timeout: Duration,
}

impl std::fmt::Debug for Calls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Calls").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Calls {
    pub(super) fn new(
        settings: &IdentityAdminSettings,
        realm: &str,
        (client_id, secret): (&'static str, &Secret),
        permits: &Arc<Semaphore>,
    ) -> Result<Self, reqwest::Error> {
        let client = tls::http_client()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(settings.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        let auth_url = &settings.auth_url;
        let tokens = Tokens::new(
            format!("{auth_url}/realms/{realm}/protocol/openid-connect/token"),
            client_id,
            secret.expose().to_owned(),
        );
        let base = format!("{auth_url}/admin/realms/{realm}");
        Ok(Self { client, base, tokens, permits: Arc::clone(permits), timeout: settings.timeout })
    }

    /// The JSON of a path.
    pub(super) async fn read<T: DeserializeOwned>(&self, path: &str) -> IdentityResult<T> {
        let _permit = self.permit().await?;
        let response = self.send(Method::GET, path, None).await?;
        let bytes = body(response).await?;
        serde_json::from_slice(&bytes).map_err(|error| {
            IdentityError::Unavailable(format!("its answer is not understood ({:?} error)", error.classify()))
        })
    }

    /// Makes a change; returns the address of a created resource.
    pub(super) async fn write(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> IdentityResult<Option<String>> {
        let _permit = self.permit().await?;
        let response = self.send(method, path, body).await?;
        let location = response.headers().get(header::LOCATION);
        Ok(location.and_then(|value| value.to_str().ok()).map(str::to_owned))
    }

    /// Waits for its turn, no longer than a call may take.
    async fn permit(&self) -> IdentityResult<SemaphorePermit<'_>> {
        match tokio::time::timeout(self.timeout, self.permits.acquire()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(IdentityError::Unavailable("too many calls are waiting for it".to_owned())),
        }
    }

    /// Sends a call; replaces a rejected token once.
    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> IdentityResult<Response> {
        let mut is_second = false;
        loop {
            let token = self.tokens.current(&self.client, is_second).await?;
            let mut request = self.client.request(method.clone(), format!("{}/{path}", self.base)).bearer_auth(token);
            if let Some(body) = body {
                request = request.json(body);
            }
            let response = request.send().await.map_err(unreachable_provider)?;
            if response.status() == StatusCode::UNAUTHORIZED && !is_second {
                is_second = true;
                continue;
            }
            return check(response).await;
        }
    }
}

/// Keycloak's description of a conflict or an invalid value.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ErrorResponse {
    error_message: String,
}

async fn check(response: Response) -> IdentityResult<Response> {
    match response.status() {
        status if status.is_success() => Ok(response),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(IdentityError::Refused(response.status().as_u16())),
        StatusCode::NOT_FOUND => Err(IdentityError::NotFound),
        StatusCode::BAD_REQUEST => Err(IdentityError::Rejected),
        StatusCode::CONFLICT => {
            let bytes = body(response).await?;
            let fault: ErrorResponse = serde_json::from_slice(&bytes).unwrap_or_default();
            let is_email = fault.error_message.contains("email");
            Err(if is_email { IdentityError::EmailTaken } else { IdentityError::UsernameTaken })
        }
        status => Err(IdentityError::Unavailable(format!("it answered {status}"))),
    }
}
