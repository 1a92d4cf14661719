//! Admission control: rate limits, the answer queue, and the limits of exports and progress streams.

pub mod answer_queue;
pub mod export_limiter;
mod permits;
pub mod rate_limit;
pub mod stream_limiter;
pub mod visitors_first;
