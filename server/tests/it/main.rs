//! Integration tests of the server against a real PostgreSQL under the restricted role, over real
//! HTTP. `make test` provides the database: `server with-postgres -- cargo test`.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by panicking and explains itself by its name"
)]

mod access;
mod audit;
mod catalogue;
mod chatbots;
mod cors;
mod embedded;
mod errors;
mod health;
mod ingest;
mod isolation;
mod openapi;
mod pages;
mod pool;
mod preferences;
mod role;
mod support;
mod tenants;
mod tokens;
mod widget;
