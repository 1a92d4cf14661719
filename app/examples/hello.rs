//! The smallest page that Leptos makes. `xtask weigh` compares the consoles with it.

use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;

/// Shows the page.
#[wasm_bindgen(start)]
pub fn start() {
    leptos::mount::mount_to_body(|| view! { <p>"Hello"</p> });
}
