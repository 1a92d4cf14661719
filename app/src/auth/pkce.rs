//! Random values and the S256 challenge (RFC 7636), by the browser's own cryptography.

use js_sys::Uint8Array;
use leptos::prelude::window;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// 32 random bytes as 43 characters that may stand in an address.
pub(super) fn random() -> Result<String, JsValue> {
    let mut bytes = [0_u8; 32];
    window().crypto()?.get_random_values_with_u8_array(&mut bytes)?;
    Ok(base64url(&bytes))
}

/// The challenge of a verifier.
pub(super) async fn challenge(verifier: &str) -> Result<String, JsValue> {
    let input = Uint8Array::from(verifier.as_bytes());
    let digest = window().crypto()?.subtle().digest_with_str_and_buffer_source("SHA-256", &input)?;
    Ok(base64url(&Uint8Array::new(&JsFuture::from(digest).await?).to_vec()))
}

/// Base64url without padding (RFC 4648, 5).
fn base64url(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for position in 0..=chunk.len() {
            let index = (word >> (18 - 6 * position)) & 63;
            text.push(char::from(ALPHABET[index as usize]));
        }
    }
    text
}

/// Reads base64url without padding; `None` when a character is not of its alphabet.
pub(super) fn from_base64url(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut word, mut bits) = (0_u32, 0);
    for character in text.bytes() {
        let value = ALPHABET.iter().position(|&known| known == character)?;
        word = word << 6 | u32::try_from(value).ok()?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}
