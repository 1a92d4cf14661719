//! A minimal Leptos page, as the baseline to which `xtask weigh` compares the consoles.

use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;

/// Shows the page.
#[wasm_bindgen(start)]
pub fn start() {
    leptos::mount::mount_to_body(|| view! { <p>"Hello"</p> });
}
