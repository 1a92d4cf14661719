//! Random values and the S256 challenge (RFC 7636), by the Web Crypto API.

use js_sys::Uint8Array;
use leptos::prelude::window;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::base64url;

/// 32 random bytes as 43 URL-safe characters.
pub(super) fn random() -> Result<String, JsValue> {
    let mut bytes = [0_u8; 32];
    window().crypto()?.get_random_values_with_u8_array(&mut bytes)?;
    Ok(base64url::encode(&bytes))
}

/// The challenge of a verifier.
pub(super) async fn challenge(verifier: &str) -> Result<String, JsValue> {
    let input = Uint8Array::from(verifier.as_bytes());
    let digest = window().crypto()?.subtle().digest_with_str_and_buffer_source("SHA-256", &input)?;
    Ok(base64url::encode(&Uint8Array::new(&JsFuture::from(digest).await?).to_vec()))
}
