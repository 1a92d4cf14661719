//! Exchanges the provider's code for tokens, and signs out. This code is loaded with the pages behind the sign-in.

use contract::ErrorCode;
use leptos::prelude::location;

use super::{
    Notice, SignIn,
    grant::{self, Grant},
    pending,
    provider::{self, TokenError, Tokens},
    set_state, tabs, tokens, with_machine,
};
use crate::{id_token, problem::Problem};

/// Fetches the tokens after the redirect; does nothing the second time.
///
/// # Errors
/// When there are no tokens. The sign-in page shows the reason.
pub async fn redeem() -> Result<(), Problem> {
    let Some(grant) = grant::take() else { return Ok(()) };
    tabs::listen_for_sign_outs();
    match fetch(grant).await {
        Ok(new) => {
            tokens::keep(new);
            tabs::tell(tabs::SIGNED_IN);
            Ok(())
        }
        Err(notice) => {
            set_state(SignIn::SignedOut(Some(notice)));
            Err(ErrorCode::NotAuthenticated.into())
        }
    }
}

async fn fetch(grant: Grant) -> Result<Tokens, Notice> {
    let client = with_machine(|machine| {
        (machine.issuer(), machine.config.client_id.clone(), machine.endpoint("token"), machine.home())
    });
    let Some((issuer, client, endpoint, home)) = client else { return Err(Notice::Mismatch) };
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", &client),
        ("code", &grant.code),
        ("redirect_uri", &home),
        ("code_verifier", &grant.verifier),
    ];
    let new = provider::request_tokens(&endpoint, &form).await.map_err(|error| match error {
        TokenError::Unreachable => Notice::Unreachable,
        TokenError::Refused(code) => Notice::Refused(provider::plain(&code)),
    })?;
    let fits = new.id_token.as_deref().is_some_and(|token| id_token::fits(token, &issuer, &client, &grant.nonce));
    if fits { Ok(new) } else { Err(Notice::Mismatch) }
}

/// Forgets the tokens and ends the session at the provider, which sends the browser back to the sign-in page.
pub(super) fn leave_for_good() {
    let id_token = tokens::forget();
    let url = with_machine(|machine| {
        if machine.is_emergency() {
            provider::forget_cookie(&machine.endpoint("token"));
        }
        pending::record_sign_out(&machine.config.realm);
        let home = machine.home();
        let mut query =
            vec![("client_id", machine.config.client_id.as_str()), ("post_logout_redirect_uri", home.as_str())];
        if let Some(id_token) = &id_token {
            query.push(("id_token_hint", id_token));
        }
        format!("{}?{}", machine.endpoint("logout"), provider::encode(&query))
    });
    if let Some(url) = url {
        let _ = location().assign(&url);
    }
}
