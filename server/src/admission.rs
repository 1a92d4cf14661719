//! Who is let in, how much at once, and who comes first: rate limits, the queue of answers, the limits of exports and of streams of
//! progress.

pub mod answer_queue;
pub mod export_limiter;
pub mod rate_limit;
pub mod stream_limiter;
pub mod visitors_first;
