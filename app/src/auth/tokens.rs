//! The tokens of this page: in memory, refreshed shortly before they expire and once after a 401, never twice at the
//! same time.

use std::{cell::RefCell, time::Duration};

use js_sys::Promise;
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::set_timeout_with_handle, task::spawn_local};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use super::{
    Notice, SignIn,
    provider::{TokenError, Tokens, request_tokens},
    set_state, with_machine,
};
use crate::{bearer, ui::blocks_sign_out};

/// Seconds before the expiry at which tokens are renewed.
const RENEW_BEFORE_SECONDS: u32 = 30;
/// Seconds until the next try when the provider did not answer.
const RETRY_SECONDS: u32 = 10;

#[derive(Default)]
struct TokenStore {
    refresh_token: Option<String>,
    id_token: Option<String>,
    timer: Option<TimeoutHandle>,
    renewal: Option<Promise>,
    /// The session has ended on a page that stayed.
    is_lost: bool,
}

thread_local! {
    static TOKENS: RefCell<TokenStore> = RefCell::default();
}

/// Stores new tokens and schedules their refresh.
pub(super) fn keep(tokens: Tokens) {
    bearer::set(Some(tokens.access_token));
    TOKENS.with_borrow_mut(|store| {
        store.refresh_token = tokens.refresh_token.or(store.refresh_token.take());
        store.id_token = tokens.id_token.or(store.id_token.take());
    });
    plan(tokens.expires_in.saturating_sub(RENEW_BEFORE_SECONDS).max(tokens.expires_in / 2));
}

/// Deletes all tokens and returns the ID token, which identifies the session at the provider.
pub(super) fn forget() -> Option<String> {
    bearer::set(None);
    let store = TOKENS.take();
    if let Some(timer) = store.timer {
        timer.clear();
    }
    store.id_token
}

/// Ends the session of this page: shows the sign-in page, unless the current page has unsaved changes. That page says so,
/// again with every call that fails.
pub(super) fn end(notice: Notice) {
    forget();
    if blocks_sign_out(false) {
        TOKENS.with_borrow_mut(|store| store.is_lost = true);
    } else {
        set_state(SignIn::SignedOut(Some(notice)));
    }
}

fn plan(seconds: u32) {
    let renew = || {
        spawn_local(async {
            refresh().await;
        });
    };
    let timer = set_timeout_with_handle(renew, Duration::from_secs(seconds.into())).ok();
    TOKENS.with_borrow_mut(|store| {
        if let Some(old) = core::mem::replace(&mut store.timer, timer) {
            old.clear();
        }
    });
}

/// Renews the tokens; callers at the same time share one renewal. False when there are no new ones.
pub async fn refresh() -> bool {
    let promise = TOKENS.with_borrow_mut(|store| {
        store
            .renewal
            .get_or_insert_with(|| {
                future_to_promise(async {
                    let renewed = renew().await;
                    TOKENS.with_borrow_mut(|store| store.renewal = None);
                    Ok(JsValue::from_bool(renewed))
                })
            })
            .clone()
    });
    JsFuture::from(promise).await.is_ok_and(|renewed| renewed.is_truthy())
}

async fn renew() -> bool {
    let client_settings =
        with_machine(|machine| (machine.endpoint("token"), machine.config.client_id.clone(), machine.is_emergency()));
    let Some((endpoint, client, is_emergency)) = client_settings else { return false };
    let refresh_token = TOKENS.with_borrow(|store| store.refresh_token.clone());
    let is_in_cookie = is_emergency && bearer::current().is_some();
    if refresh_token.is_none() && !is_in_cookie {
        if TOKENS.with_borrow(|store| store.is_lost) {
            end(Notice::Ended);
        }
        return false;
    }
    let mut form = vec![("grant_type", "refresh_token"), ("client_id", client.as_str())];
    form.extend(refresh_token.as_deref().map(|token| ("refresh_token", token)));
    match request_tokens(&endpoint, &form).await {
        // Somebody signed out during the request: discard the new tokens.
        _ if bearer::current().is_none() => false,
        Ok(tokens) => {
            keep(tokens);
            true
        }
        Err(TokenError::Unreachable) => {
            plan(RETRY_SECONDS);
            false
        }
        Err(TokenError::Refused(_)) => {
            end(Notice::Ended);
            false
        }
    }
}
