//! Shared code of both consoles: sign-in, session, API access, the design system and the server functions.
//!
//! Feature `csr` is for the browser, feature `ssr` for the server's half of the server functions. They are never
//! combined in one build, and nothing here renders on the server.

#[cfg(any(feature = "csr", test))]
pub mod audit_log;
pub mod backend;
#[cfg(any(feature = "csr", test))]
mod base64url;
mod bearer;
#[cfg(feature = "csr")]
pub mod event_stream;
#[cfg(any(feature = "csr", test))]
pub mod event_text;
#[cfg(any(feature = "csr", test))]
pub mod faq_csv;
#[cfg(any(feature = "csr", test))]
mod id_token;
#[cfg(any(feature = "csr", test))]
pub mod json_diff;
#[cfg(any(feature = "csr", test))]
mod json_merge;
#[cfg(any(feature = "csr", test))]
mod page_numbers;
#[cfg(feature = "csr")]
pub mod page_task;
pub mod server_fns;
pub mod upload_kinds;
#[cfg(any(feature = "csr", test))]
pub mod upload_pace;
#[cfg(any(feature = "csr", test))]
mod validation_messages;

#[cfg(feature = "csr")]
pub mod api;
#[cfg(feature = "csr")]
pub mod auth;
#[cfg(feature = "csr")]
pub mod branding;
#[cfg(feature = "csr")]
pub mod comparison;
#[cfg(feature = "csr")]
pub mod console;
#[cfg(feature = "csr")]
pub mod download;
#[cfg(feature = "csr")]
pub mod error_messages;
#[cfg(feature = "csr")]
pub mod focus_restore;
#[cfg(feature = "csr")]
pub mod form;
#[cfg(feature = "csr")]
pub mod format;
#[cfg(test)]
mod gallery_coverage;
#[cfg(feature = "csr")]
pub mod i18n;
#[cfg(feature = "csr")]
mod letter_case;
#[cfg(feature = "csr")]
pub mod list_url;
#[cfg(feature = "csr")]
pub mod live_preview;
#[cfg(feature = "csr")]
pub mod people;
#[cfg(feature = "csr")]
pub mod problem;
#[cfg(feature = "csr")]
pub mod resource;
#[cfg(feature = "csr")]
pub mod row_owner;
#[cfg(feature = "csr")]
pub mod saved_filters;
#[cfg(feature = "csr")]
pub mod session;
#[cfg(feature = "csr")]
mod storage;
#[cfg(feature = "csr")]
pub mod theme;
#[cfg(feature = "csr")]
pub mod ui;
#[cfg(feature = "csr")]
pub mod upload;
#[cfg(feature = "csr")]
pub mod usage;
