//! Middleware of every request, one file per concern.

pub mod cors;
pub mod rate_limit_headers;
pub mod reject_delay;
pub mod request_id;
pub mod security_headers;
