//! Who is let in, how much at once, and who comes first: rate limits, the queue of answers, the limit of exports.

pub mod answer_queue;
pub mod export_limiter;
pub mod rate_limit;
pub mod visitors_first;
