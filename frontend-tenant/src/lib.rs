//! The tenant console: a single-page application below `/tenant/`, for the people who manage their organisation's
//! chatbots. The crate `app` has the code that it shares with the operator console.
#![expect(unreachable_pub, reason = "the component macro makes the builders of private components public")]

mod api_keys;
mod branding;
mod chatbot;
mod chatbot_fields;
mod chatbots;
mod conversation;
mod conversations;
mod create;
mod faq_dialog;
mod feedback_labels;
mod handled_filter;
mod knowledge_hub;
mod modules;
mod navigation;
mod next_question;
mod not_found;
mod overview;
mod palette;
mod paths;
mod people;
mod preferences;
mod provisioning;
mod quotation;
mod read_only;
mod routes;
mod sources;
mod texts;
mod usage;

use app::{
    backend::Console,
    console::{self, ConsoleSpec, SignedIn},
    lazy_view,
};
use leptos::prelude::*;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

const SPEC: ConsoleSpec = ConsoleSpec { console: Console::Tenant, name: texts::CONSOLE };

/// Starts the console in the page that loaded it.
///
/// # Errors
/// The page was not served by the platform.
#[wasm_bindgen(start)]
pub fn start() -> Result<(), JsValue> {
    console::start(SPEC, lazy_view!(console, Frame))
}

/// The pages behind the sign-in.
#[component]
fn Frame() -> impl IntoView {
    view! { <SignedIn pages=routes::pages /> }
}
