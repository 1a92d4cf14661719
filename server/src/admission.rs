//! Who is let in, and how much at once: rate limits, the queue of answers, the limit of exports.

pub mod answer_queue;
pub mod export_limiter;
pub mod rate_limit;
