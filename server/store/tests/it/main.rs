//! The store against a real PostgreSQL. `make test` provides the database.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by panicking and explains itself by its name"
)]

mod database;
mod silence;
mod transactions;
