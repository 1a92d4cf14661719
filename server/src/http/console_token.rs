//! Tokens for an operator console that signs in with a confidential client: the console cannot store that client's
//! secret, so the platform adds it to the console's token requests. Accepts only pages of this origin, and only codes
//! that were returned to the console. The refresh token is in a cookie that no page can read. The identity provider
//! does everything else, such as verifying the code and ending the session. Tabs share the cookie, so renewals of the
//! same moment share one answer.

mod cookie;

use app::backend::Console;
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::post,
};
use contract::ErrorCode;
use http::{HeaderMap, StatusCode, header};
use serde_json::{Map, Value};
use url::{Url, form_urlencoded};

use crate::{
    auth::console_client::{ProviderResponse, unavailable},
    error::ApiError,
    http::input::Content,
    state::App,
};
use cookie::Cookies;

const MAX_FORM_BYTES: usize = 16 * 1024;
/// The fields that the console sends with the grant type.
const FIELDS: [&str; 4] = ["grant_type", "code", "redirect_uri", "code_verifier"];

/// The route, where a confidential client is configured.
pub(super) fn routes(app: &App) -> Router<App> {
    match &app.settings.console_client {
        Some(_) => Router::new().route(&format!("{}/token", Console::Operator.base()), post(token).delete(forget)),
        None => Router::new(),
    }
}

/// `POST`: tokens for the code of a sign-in, or the next tokens of the cookie's session.
async fn token(State(app): State<App>, request: Request) -> Result<Response, ApiError> {
    let client = app.settings.console_client.clone().ok_or(ErrorCode::NotFound)?;
    let (parts, body) = request.into_parts();
    app.limiter.public(&app.limiter.client(&parts)).await?;
    let origin = origin(&app);
    if !is_same_origin(&parts.headers, &origin) {
        return Ok(refused(StatusCode::FORBIDDEN, "access_denied"));
    }
    let fields = fields(body).await?;
    let value = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    let cookies = Cookies { client: &client.id, secret: &client.secret, is_secure: origin.starts_with("https:") };
    match value("grant_type").filter(|_| are_distinct(&fields)) {
        Some("authorization_code") => {
            if value("redirect_uri") != Some(&format!("{origin}{}/", Console::Operator.base())) {
                return Ok(refused(StatusCode::BAD_REQUEST, "invalid_grant"));
            }
            let sent: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            without_refresh_token(&cookies, client.ask(&sent).await?)
        }
        Some("refresh_token") => {
            let Some(token) = cookies.read(&parts.headers) else {
                return Ok(refused(StatusCode::BAD_REQUEST, "invalid_grant"));
            };
            // In a separate task, so that a page that is closed meanwhile does not lose the session's next refresh
            // token.
            let renewing = client.clone();
            let renewed = app.tasks.spawn(async move { renewing.renew(&token).await });
            let renewed = renewed.await.map_err(|error| unavailable(&error.to_string()))?;
            without_refresh_token(&cookies, renewed?)
        }
        _ => Ok(refused(StatusCode::BAD_REQUEST, "unsupported_grant_type")),
    }
}

/// `DELETE`: the console signs out, so the browser forgets the session's refresh token.
async fn forget(State(app): State<App>, headers: HeaderMap) -> Response {
    let origin = origin(&app);
    if !is_same_origin(&headers, &origin) {
        return refused(StatusCode::FORBIDDEN, "access_denied");
    }
    let headers = [(header::SET_COOKIE, Cookies::removal(origin.starts_with("https:")))];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// The platform's own origin.
fn origin(app: &App) -> String {
    let base_url = &app.settings.base_url;
    Url::parse(base_url).map_or_else(|_| base_url.clone(), |url| url.origin().ascii_serialization())
}

/// Whether a page of the platform's own origin sent the request, according to headers that pages cannot change.
fn is_same_origin(headers: &HeaderMap, origin: &str) -> bool {
    let site = headers.get("sec-fetch-site").map(|site| site == "same-origin");
    match headers.get(header::ORIGIN) {
        Some(sender) => sender == origin && site != Some(false),
        None => site == Some(true),
    }
}

async fn fields(body: Body) -> Result<Vec<(String, String)>, ApiError> {
    let mut content = Content::Unread(body);
    let all = form_urlencoded::parse(content.bytes(MAX_FORM_BYTES).await?).into_owned();
    Ok(all.filter(|(name, _)| FIELDS.contains(&name.as_str())).collect())
}

/// If a field occurs twice, the provider might use the other one.
fn are_distinct(fields: &[(String, String)]) -> bool {
    let count = |name: &str| fields.iter().filter(|(field, _)| field == name).count();
    fields.iter().all(|(name, _)| count(name) == 1)
}

/// The provider's response for the page; moves the refresh token to the cookie.
fn without_refresh_token(cookies: &Cookies<'_>, (status, body): ProviderResponse) -> Result<Response, ApiError> {
    if !status.is_success() {
        return Ok(answer(status, body));
    }
    let mut tokens: Map<String, Value> =
        serde_json::from_slice(&body).map_err(|_| unavailable("an answer that is not JSON"))?;
    let refresh_token = tokens.remove("refresh_token");
    let mut response = answer(status, Value::Object(tokens).to_string().into_bytes());
    if let Some(Value::String(token)) = refresh_token {
        let cookie = cookies.sealed(&token).ok_or_else(|| unavailable("a refresh token that fits into no cookie"))?;
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// An error of OAuth, which the API's clients find in `detail`, too.
fn refused(status: StatusCode, error: &str) -> Response {
    answer(status, serde_json::json!({ "error": error, "detail": error }).to_string().into_bytes())
}

fn answer(status: StatusCode, body: Vec<u8>) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, body).into_response()
}

#[cfg(test)]
mod tests {
    use futures::stream;

    use super::*;
    use crate::http::serving::BodyTimedOut;

    #[tokio::test]
    async fn a_form_that_comes_too_slowly_is_not_too_large() {
        let late = Body::from_stream(stream::iter([Ok("grant_type="), Err(BodyTimedOut)]));
        assert_eq!(fields(late).await.unwrap_err().status(), 422);
        let large = Body::from("x".repeat(MAX_FORM_BYTES + 1));
        assert_eq!(fields(large).await.unwrap_err().status(), 413);
    }
}
