//! The HTTP server, its services and background tasks, and the command line. This crate combines the contract, the
//! store, retrieval and the identity provider.

pub mod admission;
pub mod auth;
pub mod backup;
pub mod caller;
pub(crate) mod child;
pub mod cli;
pub mod client_ip;
pub mod config;
pub mod demo;
pub mod doctor;
pub mod embedded;
pub mod error;
pub mod eval;
pub mod export;
pub(crate) mod hex;
pub mod http;
pub mod identity_admin;
pub(crate) mod metrics;
pub mod precondition;
pub mod sandbox;
pub mod service;
pub mod shutdown;
pub mod state;
pub mod storage;
pub(crate) mod telemetry;
