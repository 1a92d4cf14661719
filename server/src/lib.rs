//! The HTTP server, its services and background tasks, and the command line: everything that is put together from the
//! contract, the store, retrieval and the identity provider.

pub mod app_state;
pub mod cli;
pub mod config;
pub mod demo;
pub mod embedded;
pub mod eval;
pub mod export;
pub mod http;
pub mod ingest;
pub mod service;
