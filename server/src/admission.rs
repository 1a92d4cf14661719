//! Admission control: rate limits, the queues of answers, searches and other shared work, and the limits of exports,
//! progress streams, uploads and downloads.

pub mod answer_queue;
pub mod download_limiter;
pub mod export_limiter;
mod permits;
pub mod rate_limit;
pub mod search_queue;
pub mod stream_limiter;
pub mod tenant_queue;
pub mod upload_limiter;
pub mod visitors_first;
