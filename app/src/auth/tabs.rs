//! Synchronises the other tabs of the same console: a sign-out signs them out too, a sign-in lets them retry.

use std::cell::RefCell;

use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, MessageEvent};

use super::{Notice, SignIn, flow, tokens, with_machine};
use crate::ui::Task;
use leptos::prelude::GetUntracked;

pub(super) const SIGNED_OUT: &str = "signed_out";
pub(super) const SIGNED_IN: &str = "signed_in";

thread_local! {
    static CHANNEL: RefCell<Option<BroadcastChannel>> = const { RefCell::new(None) };
}

/// Listens to sign-ins in the other tabs of `realm` as long as the page lives.
pub(super) fn listen(realm: &str) {
    let Ok(channel) = BroadcastChannel::new(&format!("svc_auth:{realm}")) else { return };
    CHANNEL.set(Some(channel));
    set_handler(|message| {
        if message == SIGNED_IN {
            follow();
        }
    });
}

/// Listens to sign-outs too.
pub(super) fn listen_for_sign_outs() {
    set_handler(|message| match message {
        SIGNED_OUT => tokens::end(Notice::SignedOut),
        SIGNED_IN => follow(),
        _ => {}
    });
}

fn set_handler(handler: fn(&str)) {
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(message) = event.data().as_string() {
            handler(&message);
        }
    });
    CHANNEL.with_borrow(|channel| {
        if let Some(channel) = channel {
            channel.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        }
    });
    on_message.forget();
}

/// Sends a message to the other tabs.
pub(super) fn tell(message: &str) {
    CHANNEL.with_borrow(|channel| {
        if let Some(channel) = channel {
            let _ = channel.post_message(&JsValue::from_str(message));
        }
    });
}

fn follow() {
    let waiting = with_machine(|machine| matches!(machine.state.get_untracked(), SignIn::SignedOut(_)));
    if waiting == Some(true) {
        spawn_local(Box::pin(flow::leave(flow::Prompt::Silent)) as Task);
    }
}
