//! Parses and validates the parameters of an authorization request.

use crate::{
    http::{oauth_error::OAuthError, params::Params},
    realm::{Client, Realm},
    scopes::Granted,
    sessions::AuthRequest,
};

/// Maximum bytes of `state` and `nonce`.
const MAX_ECHO_BYTES: usize = 2_048;

/// The client's parameters for the sign-in.
pub(super) struct AuthorizeParams {
    /// `prompt=none`: without showing a page.
    pub(super) silent: bool,
    /// `prompt=login`: with the password, whatever session there is.
    pub(super) login: bool,
    /// Oldest acceptable sign-in, in seconds.
    pub(super) max_age: Option<i64>,
}

/// The recipient of an error.
pub(super) enum AuthorizeError {
    /// The person in front of the browser, for the client cannot be trusted.
    Page(String),
    Client {
        request: Box<AuthRequest>,
        error: OAuthError,
    },
}

/// Checks everything that can be checked before knowing the user.
pub(super) fn read(realm: &Realm, params: &Params) -> Result<(AuthRequest, AuthorizeParams), AuthorizeError> {
    let page = |reason: &str| AuthorizeError::Page(reason.to_owned());
    let id = params.get("client_id").ok_or_else(|| page("Missing parameter: client_id"))?;
    let client = realm.client(id).ok_or_else(|| page("Client not found"))?;
    let uri = params.get("redirect_uri").ok_or_else(|| page("Missing parameter: redirect_uri"))?;
    if !client.allows_redirect(uri) {
        return Err(page("Invalid parameter: redirect_uri"));
    }
    let mut request = AuthRequest {
        client_id: client.id.clone(),
        redirect_uri: uri.to_owned(),
        fragment: params.get("response_mode") == Some("fragment"),
        state: params.get("state").map(str::to_owned),
        nonce: params.get("nonce").map(str::to_owned),
        granted: Granted::default(),
        challenge: params.get("code_challenge").map(str::to_owned),
        login_hint: params.get("login_hint").map(|hint| hint.chars().take(255).collect()),
    };
    match check(client, params).and_then(|granted| Ok((granted, sign_in_params(params)?))) {
        Ok((granted, sign_in)) => {
            request.granted = granted;
            Ok((request, sign_in))
        }
        Err(error) => Err(AuthorizeError::Client { request: Box::new(request), error }),
    }
}

fn check(client: &Client, params: &Params) -> Result<Granted, OAuthError> {
    if params.require("response_type")? != "code" {
        return Err(OAuthError::unsupported_response_type());
    }
    if !client.standard_flow {
        return Err(OAuthError::unauthorized_client("Client is not allowed to use the standard flow"));
    }
    if !matches!(params.get("response_mode"), None | Some("query" | "fragment")) {
        return Err(OAuthError::invalid_request("Invalid parameter: response_mode"));
    }
    if params.get("request").is_some() || params.get("request_uri").is_some() {
        return Err(OAuthError::request_not_supported());
    }
    if ["state", "nonce"].iter().any(|name| params.get(name).is_some_and(|value| value.len() > MAX_ECHO_BYTES)) {
        return Err(OAuthError::invalid_request("state or nonce is too long"));
    }
    check_pkce(client, params)?;
    let requested = params.get("scope").unwrap_or_default();
    Granted::resolve(client, requested).map_err(|scope| OAuthError::invalid_scope(&scope))
}

fn check_pkce(client: &Client, params: &Params) -> Result<(), OAuthError> {
    let method = params.get("code_challenge_method");
    let Some(challenge) = params.get("code_challenge") else {
        return match client.pkce_required || method.is_some() {
            true => Err(OAuthError::invalid_request("Missing parameter: code_challenge")),
            false => Ok(()),
        };
    };
    if method != Some("S256") {
        return Err(OAuthError::invalid_request("Invalid parameter: code_challenge_method must be S256"));
    }
    let base64url = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    match challenge.len() == 43 && challenge.bytes().all(base64url) {
        true => Ok(()),
        false => Err(OAuthError::invalid_request("Invalid parameter: code_challenge")),
    }
}

fn sign_in_params(params: &Params) -> Result<AuthorizeParams, OAuthError> {
    let prompts: Vec<_> = params.get("prompt").unwrap_or_default().split_ascii_whitespace().collect();
    let silent = prompts.contains(&"none");
    if silent && prompts.len() > 1 {
        return Err(OAuthError::invalid_request("Invalid parameter: prompt none must be the only value"));
    }
    let max_age = params.get("max_age").map(str::parse::<u32>).transpose();
    let max_age = max_age.map_err(|_| OAuthError::invalid_request("Invalid parameter: max_age"))?;
    Ok(AuthorizeParams { silent, login: prompts.contains(&"login"), max_age: max_age.map(i64::from) })
}
