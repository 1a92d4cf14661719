//! Sign-in at the identity provider: authorization code flow with PKCE S256 by top-level redirect.
//!
//! This module is small, because the sign-in page loads it first. Code that fetches, stores and refreshes tokens is
//! loaded with the pages behind the sign-in.
//!
//! Tokens are in memory only. After a reload the provider is asked silently for new ones. Only the pending sign-in
//! (state, nonce, verifier, requested path) is in session storage, and is removed on return.

mod flow;
mod grant;
mod pending;
mod pkce;
mod provider;
mod redeem;
mod tabs;
mod tokens;

use leptos::prelude::*;

use crate::{
    backend::{Console, ConsoleConfig},
    ui::blocks_sign_out,
};
pub use redeem::redeem;
pub use tokens::refresh;

/// The state of the sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    /// The page does not know yet whether the user is signed in.
    Starting,
    /// Nobody is signed in. The notice is the reason, if there is one.
    SignedOut(Option<Notice>),
    /// The provider has returned a code, for which [`redeem`] fetches the tokens.
    SignedIn,
}

/// Why nobody is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The user signed out, here or in another tab.
    SignedOut,
    /// The provider has ended the session.
    Ended,
    /// The provider does not answer.
    Unreachable,
    /// The code of the pages behind the sign-in could not be loaded.
    Incomplete,
    /// The provider refused, with this code.
    Refused(String),
    /// The answer does not belong to the sign-in that this tab started.
    Mismatch,
}

/// The state of the sign-in; one per page.
struct Machine {
    console: Console,
    config: ConsoleConfig,
    state: RwSignal<SignIn>,
}

impl Machine {
    fn issuer(&self) -> String {
        format!("{}/realms/{}", self.config.auth_url, self.config.realm)
    }

    fn endpoint(&self, name: &str) -> String {
        if name == "token" && self.is_emergency() {
            return self.home() + name;
        }
        format!("{}/protocol/openid-connect/{name}", self.issuer())
    }

    /// Whether the console uses a client with a secret. Only a public client can call the provider itself: for others
    /// the platform adds the secret, and stores the refresh token in a cookie that this page cannot read.
    fn is_emergency(&self) -> bool {
        self.config.client_id != self.console.client()
    }

    /// The address that the provider sends the browser back to.
    fn home(&self) -> String {
        format!("{}{}/", location().origin().unwrap_or_default(), self.console.base())
    }
}

thread_local! {
    static MACHINE: std::cell::OnceCell<Machine> = const { std::cell::OnceCell::new() };
}

/// Runs `work` with the page's state; `None` before [`start`].
fn with_machine<T>(work: impl FnOnce(&Machine) -> T) -> Option<T> {
    MACHINE.with(|cell| cell.get().map(work))
}

fn set_state(state: SignIn) {
    with_machine(|machine| machine.state.set(state));
}

/// Starts the sign-in of this page: reads the provider's response from the address, or asks silently. Updates `state`
/// during the life of the page.
pub async fn start(console: Console, config: ConsoleConfig, state: RwSignal<SignIn>) {
    let realm = config.realm.clone();
    MACHINE.with(|cell| {
        let _ = cell.set(Machine { console, config, state });
    });
    tabs::listen(&realm);
    flow::arrive().await;
}

/// Redirects to the provider's sign-in page, which returns to the current path.
pub async fn sign_in() {
    flow::leave(flow::Prompt::Login).await;
}

/// Shows the sign-in page after all, once the session has ended on a page that stayed for what is unsaved there.
pub(crate) fn give_up() {
    set_state(SignIn::SignedOut(Some(Notice::Ended)));
}

/// Signs out here, in the other tabs and at the provider; asks first where changes would be lost.
pub fn sign_out() {
    if !blocks_sign_out(true) {
        tabs::tell(tabs::SIGNED_OUT);
        redeem::leave_for_good();
    }
}
