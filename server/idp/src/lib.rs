//! The embedded OpenID Connect provider of the demo world, on a separate port.
//!
//! It reads the realm files that a real Keycloak imports and serves Keycloak's paths, so that the platform does not
//! notice a difference. Sessions are in memory and signing keys on disk: a restart ends sessions, but issued tokens
//! stay valid. It is not an identity provider for production (`docs/identity.md`).
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod clock;
mod error;
mod events;
mod http;
mod keys;
mod password_hash;
mod people;
mod provider;
pub mod realm;
mod redirect;
mod scopes;
mod secret;
mod sessions;
mod settings;
mod state;
mod store;
mod throttle;
mod tokens;

pub use clock::Clock;
pub use error::Error;
pub use provider::Provider;
pub use realm::{Client, Realm, User};
pub use settings::Settings;
