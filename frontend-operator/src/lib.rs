//! The operator console: a single-page application under `/admin/operator/` for the platform's operators. Vendors see
//! it without the actions that they may not use.

#![allow(unreachable_pub, reason = "the component macro emits a second, hidden item that is public")]

mod audit;
mod cells;
mod chatbots_card;
mod connectors;
mod create_asked;
mod cursor_steps;
#[cfg(feature = "gallery")]
mod gallery;
mod modules;
mod navigation;
mod not_found;
mod output_filter;
mod overview;
mod palette;
mod paths;
mod routes;
mod system_check;
mod templates;
mod tenant_field;
mod tenants;
mod texts;
mod vendor_access;

use app::{
    backend::{Console, ConsoleConfig},
    console::{ConsoleSpec, SignedIn},
    lazy_view,
};
use leptos::prelude::*;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Starts the console in the page that loaded this module.
///
/// # Errors
/// The page was not served by the platform.
#[wasm_bindgen(start)]
pub fn start() -> Result<(), JsValue> {
    let spec = ConsoleSpec { console: Console::Operator, name: texts::CONSOLE };
    app::console::start(spec, lazy_view!(console, Frame))
}

/// The pages behind the sign-in.
#[component]
fn Frame() -> impl IntoView {
    view! { <SignedIn pages=|config: ConsoleConfig| view! { <routes::Pages version=config.version /> } /> }
}
