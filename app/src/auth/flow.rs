//! The redirect to the identity provider and back.

use leptos::prelude::{location, window};
use wasm_bindgen::JsValue;
use web_sys::UrlSearchParams;

use super::{
    Machine, Notice, SignIn,
    grant::{self, Grant},
    pending::{self, Pending},
    pkce, provider, set_state, with_machine,
};

/// Whether the provider may show a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prompt {
    /// It may ask for name and password.
    Login,
    /// The provider responds immediately, with `login_required` when nobody is signed in there.
    Silent,
}

/// The parameters that the provider added to the address.
struct AuthorizationResponse {
    state: String,
    iss: Option<String>,
    result: Result<String, String>,
}

/// Continues after the provider's response, after a sign-out, or on the first load.
pub(super) async fn arrive() {
    let Some(realm) = with_machine(|machine| machine.config.realm.clone()) else { return };
    let pending = pending::take(&realm);
    match (read_response(), pending) {
        (Some(response), Some(pending)) => {
            rest_at(Some(&pending.path));
            set_state(match accept(response, pending) {
                Ok(grant) => {
                    grant::expect(grant);
                    SignIn::SignedIn
                }
                Err(notice) => SignIn::SignedOut(notice),
            });
        }
        (Some(_), None) => {
            rest_at(None);
            set_state(SignIn::SignedOut(Some(Notice::Mismatch)));
        }
        (None, _) if pending::take_sign_out(&realm) => set_state(SignIn::SignedOut(Some(Notice::SignedOut))),
        (None, _) => leave(Prompt::Silent).await,
    }
}

fn read_response() -> Option<AuthorizationResponse> {
    let params = UrlSearchParams::new_with_str(&location().search().ok()?).ok()?;
    let result = match (params.get("code"), params.get("error")) {
        (_, Some(error)) => Err(error),
        (Some(code), None) => Ok(code),
        (None, None) => return None,
    };
    Some(AuthorizationResponse { state: params.get("state")?, iss: params.get("iss"), result })
}

/// Checks that the response belongs to the sign-in that this tab started, and returns its code.
fn accept(response: AuthorizationResponse, pending: Pending) -> Result<Grant, Option<Notice>> {
    if response.state != pending.state {
        return Err(Some(Notice::Mismatch));
    }
    let code = match response.result {
        Ok(code) => code,
        Err(error) if pending.silent && is_nobody(&error) => return Err(None),
        Err(error) => return Err(Some(Notice::Refused(provider::plain(&error)))),
    };
    if response.iss != with_machine(Machine::issuer) {
        return Err(Some(Notice::Mismatch));
    }
    Ok(Grant { code, verifier: pending.verifier, nonce: pending.nonce })
}

/// Errors of a silent sign-in that only mean that nobody is signed in.
fn is_nobody(error: &str) -> bool {
    matches!(error, "login_required" | "interaction_required" | "consent_required" | "account_selection_required")
}

/// Sets the requested path in the address; the console's start page if there is none or it is foreign.
fn rest_at(path: Option<&str>) {
    let Some(base) = with_machine(|machine| format!("{}/", machine.console.base())) else { return };
    let path = path.filter(|path| path.starts_with(&base)).unwrap_or(&base);
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(path));
    }
}

fn current_path() -> String {
    let location = location();
    [location.pathname(), location.search(), location.hash()].into_iter().flatten().collect()
}

/// Leaves for the provider, when it answers.
pub(super) async fn leave(prompt: Prompt) {
    let Some(issuer) = with_machine(Machine::issuer) else { return };
    if !provider::answers(&issuer).await {
        return set_state(SignIn::SignedOut(Some(Notice::Unreachable)));
    }
    let Ok(url) = prepare(prompt).await else {
        return set_state(SignIn::SignedOut(Some(Notice::Refused("no_web_crypto".to_owned()))));
    };
    // The silent way leaves no entry in the history, so that "back" does not run into it.
    let _ = match prompt {
        Prompt::Silent => location().replace(&url),
        Prompt::Login => location().assign(&url),
    };
}

async fn prepare(prompt: Prompt) -> Result<String, JsValue> {
    let (verifier, state, nonce) = (pkce::random()?, pkce::random()?, pkce::random()?);
    let challenge = pkce::challenge(&verifier).await?;
    let silent = prompt == Prompt::Silent;
    let url = with_machine(|machine| {
        let home = machine.home();
        let mut query = vec![
            ("response_type", "code"),
            ("client_id", machine.config.client_id.as_str()),
            ("redirect_uri", &home),
            ("scope", &machine.config.scope),
            ("state", &state),
            ("nonce", &nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        if silent {
            query.push(("prompt", "none"));
        }
        let url = format!("{}?{}", machine.endpoint("auth"), provider::encode(&query));
        let path = current_path();
        pending::keep(&machine.config.realm, &Pending { state, nonce, verifier, path, silent });
        url
    });
    url.ok_or(JsValue::NULL)
}
