//! Tokens for an operator console that signs in with a confidential client: the console cannot keep that client's secret, so
//! the platform adds it to the console's own requests for tokens. Everything else stays with the identity provider: it checks
//! the code's verifier and return address, and ends the session.

use std::{sync::Arc, time::Duration};

use app::backend::Console;
use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::post,
};
use contract::ErrorCode;
use http::{StatusCode, header};
use http_body_util::{BodyExt, Limited};
use url::form_urlencoded;

use crate::{
    app_state::App,
    config::Secret,
    http::{error::ApiError, token::PLATFORM_REALM},
};

const MAX_FORM_BYTES: usize = 16 * 1024;
const MAX_ANSWER_BYTES: usize = 64 * 1024;
const TIMEOUT: Duration = Duration::from_secs(10);
/// What a console may ask for: its code, and its session's next tokens.
const GRANTS: [&str; 2] = ["authorization_code", "refresh_token"];
/// What it sends along.
const FIELDS: [&str; 5] = ["grant_type", "code", "redirect_uri", "code_verifier", "refresh_token"];

/// The confidential client that the operator console signs in with.
#[derive(Debug, Clone)]
pub struct ConsoleClient {
    /// The client's id.
    pub id: String,
    secret: Secret,
    endpoint: Arc<str>,
    http: reqwest::Client,
}

impl ConsoleClient {
    /// A client of the platform's realm at `auth_url`.
    ///
    /// # Errors
    /// When no HTTP client can be made.
    pub fn new(auth_url: &str, id: &str, secret: Secret) -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none()).build()?;
        let endpoint = format!("{auth_url}/realms/{PLATFORM_REALM}/protocol/openid-connect/token").into();
        Ok(Self { id: id.to_owned(), secret, endpoint, http })
    }

    /// Asks the provider; gives back its status and JSON.
    async fn ask(&self, fields: &[(String, String)]) -> Result<(StatusCode, Vec<u8>), String> {
        let own = [("client_id", self.id.as_str()), ("client_secret", self.secret.expose())];
        let sent = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(sent.chain(own)).finish();
        let request = self.http.post(&*self.endpoint).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let mut response = request.body(form).send().await.map_err(|error| error.without_url().to_string())?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| error.without_url().to_string())? {
            if body.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Err("the answer is too long".to_owned());
            }
            body.extend_from_slice(&chunk);
        }
        Ok((response.status(), body))
    }
}

/// The route, where a confidential client is configured.
pub(super) fn routes(app: &App) -> Router<App> {
    match &app.settings.console_client {
        Some(_) => Router::new().route(&format!("{}/token", Console::Operator.base()), post(token)),
        None => Router::new(),
    }
}

async fn token(State(app): State<App>, request: Request) -> Result<Response, ApiError> {
    let Some(client) = &app.settings.console_client else { return Err(ErrorCode::NotFound.into()) };
    let (parts, body) = request.into_parts();
    app.limiter.public(&app.limiter.client(&parts)).await?;
    let body = Limited::new(body, MAX_FORM_BYTES).collect().await;
    let body = body.map_err(|_| ApiError::from(ErrorCode::PayloadTooLarge))?.to_bytes();
    let fields: Vec<_> =
        form_urlencoded::parse(&body).into_owned().filter(|(name, _)| FIELDS.contains(&name.as_str())).collect();
    // Of a field that is there twice, the provider might read the other one.
    let is_once = |name: &str| fields.iter().filter(|(known, _)| known == name).count() == 1;
    let is_grant = |(name, value): &(String, String)| name == "grant_type" && GRANTS.contains(&value.as_str());
    if !fields.iter().any(is_grant) || !fields.iter().all(|(name, _)| is_once(name)) {
        return Ok(answer(StatusCode::BAD_REQUEST, br#"{"error":"unsupported_grant_type"}"#.to_vec()));
    }
    match client.ask(&fields).await {
        Ok((status, body)) if !status.is_server_error() => Ok(answer(status, body)),
        Ok((status, _)) => Err(unavailable(&format!("status {status}"))),
        Err(reason) => Err(unavailable(&reason)),
    }
}

fn unavailable(reason: &str) -> ApiError {
    tracing::warn!(%reason, "identity_provider.token_unavailable");
    ErrorCode::ServiceUnavailable.into()
}

fn answer(status: StatusCode, body: Vec<u8>) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, body).into_response()
}
