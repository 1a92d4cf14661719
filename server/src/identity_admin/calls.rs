//! A single call: with a valid token, a timeout, and a response of bounded size.

use std::time::Duration;

use reqwest::{Client, Method, Response, StatusCode, header};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    IdentityAdminSettings, IdentityError, IdentityResult,
    answer::{body, unreachable_provider},
    token::Tokens,
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

pub(super) struct Calls {
    client: Client,
    base: String,
    tokens: Tokens,
}

impl std::fmt::Debug for Calls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Calls").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Calls {
    pub(super) fn new(settings: &IdentityAdminSettings, realm: &str) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(settings.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        let auth_url = &settings.auth_url;
        let tokens = Tokens::new(
            format!("{auth_url}/realms/{realm}/protocol/openid-connect/token"),
            settings.secret.expose().to_owned(),
        );
        Ok(Self { client, base: format!("{auth_url}/admin/realms/{realm}"), tokens })
    }

    /// The JSON of a path.
    pub(super) async fn read<T: DeserializeOwned>(&self, path: &str) -> IdentityResult<T> {
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
        let response = self.send(method, path, body).await?;
        let location = response.headers().get(header::LOCATION);
        Ok(location.and_then(|value| value.to_str().ok()).map(str::to_owned))
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
