//! The embeddable chat of the platform, compiled to WebAssembly and started by `loader/loader.js`.
//!
//! Before this module arrives, the loader has drawn the launcher and requested the configuration. This module contains
//! everything behind the launcher: panel, conversation, session and recovery. Text from the API becomes text nodes only.
//! Pure parts (colours, cookies, pauses) do not use the browser: only they are compiled natively, for their tests.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code, unused_imports, reason = "the browser's half uses them"))]

mod api_error;
mod backoff;
mod citations;
mod colour;
mod cookie;
mod json;
mod options;
mod plain;
mod texts;
mod theme;

#[cfg(target_arch = "wasm32")]
mod api;
#[cfg(target_arch = "wasm32")]
mod chat;
#[cfg(target_arch = "wasm32")]
mod dom;
#[cfg(target_arch = "wasm32")]
pub mod entry;
#[cfg(target_arch = "wasm32")]
mod icons;
#[cfg(target_arch = "wasm32")]
mod memory;
#[cfg(target_arch = "wasm32")]
mod session;
#[cfg(target_arch = "wasm32")]
mod view;
