//! Sign-in at the identity provider: authorization code flow with PKCE S256 by top-level redirect.
//!
//! What the sign-in page needs is kept small, because it is loaded first: tokens are fetched, kept and renewed by code that
//! comes with what stands below the sign-in.
//!
//! Tokens live in memory only. A reload asks the provider silently for new ones; only the sign-in
//! under way (state, nonce, verifier, wanted path) waits in session storage and is removed on return.

mod flow;
mod pending;
mod pkce;
mod provider;
mod redeem;
mod tabs;
mod tokens;

use leptos::prelude::*;

use crate::backend::{Console, ConsoleConfig};
pub use redeem::redeem;
pub use tokens::refresh;

/// Where the sign-in stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    /// Being found out.
    Starting,
    /// Nobody is signed in; the notice says why, when there is a reason.
    SignedOut(Option<Notice>),
    /// Somebody is: the provider has given a code, and [`redeem`] fetches the tokens for it.
    SignedIn,
}

/// Why nobody is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The user signed out, here or in another tab.
    SignedOut,
    /// The provider gives no more tokens.
    Ended,
    /// The provider does not answer.
    Unreachable,
    /// The code of what stands below the sign-in could not be fetched.
    Incomplete,
    /// The provider refused, with this code.
    Refused(String),
    /// The answer does not belong to the sign-in that this tab started.
    Mismatch,
}

/// What the sign-in of a page needs; one a page.
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

    /// Whether the console signs in with a client that has a secret. Only a public client can ask the provider itself: the
    /// platform adds the secret, and keeps the refresh token in a cookie that this page cannot read.
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

/// Runs `work` with the page's machine; `None` before [`start`].
fn with_machine<T>(work: impl FnOnce(&Machine) -> T) -> Option<T> {
    MACHINE.with(|cell| cell.get().map(work))
}

fn set_state(state: SignIn) {
    with_machine(|machine| machine.state.set(state));
}

/// Starts the sign-in of this page: takes the provider's answer from the address, or asks silently.
/// `state` follows it as long as the page lives.
pub async fn start(console: Console, config: ConsoleConfig, state: RwSignal<SignIn>) {
    let realm = config.realm.clone();
    MACHINE.with(|cell| {
        let _ = cell.set(Machine { console, config, state });
    });
    tabs::listen(&realm);
    flow::arrive().await;
}

/// Leaves for the provider's sign-in page; comes back to the current path.
pub async fn sign_in() {
    flow::leave(flow::Prompt::Login).await;
}

/// Shows the sign-in page after all, once the session has ended on a page that stayed for what is unsaved there.
pub(crate) fn give_up() {
    tokens::end(Notice::Ended);
}

/// Signs out here, in the other tabs and at the provider.
pub fn sign_out() {
    tabs::tell(tabs::SIGNED_OUT);
    redeem::leave_for_good();
}
